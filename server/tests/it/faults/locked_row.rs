//! Somebody holds one order's row in the database: that order cannot be changed, all others can.

use dispatch_actors::testing::Throwaway;
use sea_orm::{ConnectionTrait, TransactionTrait};

use super::{complaints, until_readiness};
use crate::fixture::{Ledger, Server, Shop, plain_orders};

const ORDERS: i64 = 6;

#[tokio::test]
async fn one_locked_order_refuses_its_own_changes_alone() {
    let database = Throwaway::postgres().await;
    let server = Server::start_in(Shop::on(&database), &[]).await;
    server.shop.import(&plain_orders(ORDERS)).await;
    let owner = server.hire("owner@example.com", "Owner").await;

    let store = server.shop.store().await;
    let lock = store.writer().without_limit().begin().await.unwrap();
    let sql = "SELECT * FROM repair_orders WHERE number = 1 FOR UPDATE";
    lock.execute_unprepared(sql).await.unwrap();

    let (mut ledger, mut others) = (Ledger::default(), Ledger::default());
    let locked = async {
        for _ in 0..2 {
            let refused = ledger.change(&owner, 1).await;
            refused.refused(503, "unavailable");
        }
    };
    let free = async {
        for round in 0..20 {
            others.change(&owner, 2 + round % (ORDERS - 1)).await.good();
        }
    };
    tokio::join!(locked, free);
    let complaints_before = complaints(&server);
    let outage = complaints_before
        .iter()
        .find(|line| line.contains("changes cannot be saved; they are refused"));
    assert_eq!(outage, None, "all others are saved");
    until_readiness(&server, 200).await;

    lock.rollback().await.unwrap();
    ledger.change(&owner, 1).await.good();
    ledger.is_kept(&owner).await;
    others.is_kept(&owner).await;
}

//! A disk on which writing fails, or takes its time: nothing is acknowledged that it does not have.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use super::{complaints, hears, readiness, tick_of_one_who_can_read, tick_with, until_readiness};
use crate::fixture::{Desk, FaultyIo, Ledger, Server, Shop, Socket, WAIT_TIMEOUT, plain_orders};

const ORDERS: i64 = 6;

/// How long a disk fails that fails for a moment.
const MOMENT: Duration = Duration::from_secs(3);

struct FaultyShop {
    io: FaultyIo,
    server: Server,
    owner: Desk,
    socket: Socket,
    ledger: Ledger,
}

impl FaultyShop {
    async fn open() -> Self {
        let mut shop = Shop::new();
        let io = FaultyIo::of(&mut shop);
        let server = Server::start_in(shop, &[]).await;
        server.shop.import(&plain_orders(ORDERS)).await;
        let owner = server.hire("owner@example.com", "Owner").await;
        let socket = owner.listen(&server).await;
        let mut shop = Self {
            io,
            server,
            owner,
            socket,
            ledger: Ledger::default(),
        };
        shop.changes_every_order().await;
        shop
    }

    async fn changes_every_order(&mut self) {
        for number in 1..=ORDERS {
            self.ledger.change(&self.owner, number).await.good();
        }
    }

    async fn comes_back(&mut self) {
        self.server.restart().await;
        self.socket = self.owner.listen(&self.server).await;
        self.ledger.is_kept(&self.owner).await;
        self.changes_every_order().await;
        self.ledger.is_kept(&self.owner).await;
    }
}

/// Waits until the database's file was read whole, later than then.
async fn checked_after(owner: &Desk, then: &Value) -> Value {
    let checked = async {
        loop {
            let mut status = owner.get("/api/server-status").await.result();
            let at = status["server"]["database"]["checkedAt"].take();
            if at.is_string() && at != *then {
                return at;
            }
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(WAIT_TIMEOUT, checked).await.expect("a check")
}

async fn changes_are_refused_while(fault: &str) {
    let mut shop = FaultyShop::open().await;
    let checked = checked_after(&shop.owner, &Value::Null).await;
    shop.io.begin(fault);
    for number in 1..=3 {
        let refused = shop.ledger.change(&shop.owner, number).await;
        refused.refused(503, "unavailable");
    }
    tick_of_one_who_can_read(&mut shop.socket).await;
    assert_eq!(readiness(&shop.server).await, 503);
    assert!(!complaints(&shop.server).is_empty());
    sleep(MOMENT).await;
    let refused = shop.ledger.change(&shop.owner, 4).await;
    refused.refused(503, "unavailable");
    // Whether it is damage is looked at.
    checked_after(&shop.owner, &checked).await;

    shop.io.end();
    tick_with(&mut shop.socket, "notSavingSince", false).await;
    until_readiness(&shop.server, 200).await;
    shop.changes_every_order().await;
    shop.ledger.is_kept(&shop.owner).await;
    shop.server.sigkill().await;
    shop.comes_back().await;
}

#[tokio::test]
async fn changes_are_refused_while_the_disk_cannot_sync() {
    changes_are_refused_while("fsync EIO").await;
}

#[tokio::test]
async fn changes_are_refused_while_the_disk_cannot_be_written() {
    changes_are_refused_while("pwrite EIO").await;
}

#[tokio::test]
async fn changes_are_refused_while_the_disk_is_read_only() {
    changes_are_refused_while("pwrite EROFS").await;
}

#[tokio::test]
async fn changes_are_refused_while_a_quota_is_used_up() {
    changes_are_refused_while("pwrite ENOSPC").await;
}

#[tokio::test]
async fn nothing_is_acknowledged_or_announced_before_the_disk_has_it() {
    let mut shop = FaultyShop::open().await;
    let mut bystander = shop.owner.listen(&shop.server).await;
    let before = shop.owner.list().await;
    shop.io.begin("fsync hold");
    let (owner, ledger, io) = (&shop.owner, &mut shop.ledger, &shop.io);
    let acknowledged = async { ledger.change(owner, 1).await };
    let observation = async {
        io.wait_for_hold().await;
        assert_eq!(owner.list().await, before, "the list does not show it yet");
        // A presence goes the same way as an event, and would come after one.
        bystander.send(r#"42["RO_OPEN",{"roNumber":5}]"#).await;
        assert_eq!(bystander.event().await.name, "RO_PRESENCE");
        io.end();
    };
    let (acknowledged, ()) = tokio::join!(acknowledged, observation);
    let seq = acknowledged.result()[0]["seq"].clone();
    hears(&mut bystander, &seq).await;
    shop.ledger.is_kept(&shop.owner).await;
}

#[tokio::test]
async fn a_server_that_is_killed_while_its_disk_is_slow_keeps_every_acknowledged_change() {
    let mut shop = FaultyShop::open().await;
    for level in 1..=3 {
        shop.io.begin("fsync 1000");
        for number in 1..=2 {
            shop.ledger.change(&shop.owner, number).await.good();
        }
        shop.io.begin("fsync hold");
        let body = json!({ "data": [{ "roNumber": 3, "priorityLevel": level }] });
        let request = shop
            .owner
            .request(Method::POST, "/api/repair-orders/update-priority");
        // Answered or not, nobody counts on it.
        let cut_off = request.json(&body).send();
        let kill = async {
            shop.io.wait_for_hold().await;
            shop.server.sigkill().await;
        };
        let _ = tokio::join!(cut_off, kill);
        shop.io.end();
        shop.comes_back().await;
    }
}

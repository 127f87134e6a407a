//! Old rows are deleted beside the desk, and nothing of an open order ever is.

use std::time::Duration;

use dispatch_actors::store::Store;
use dispatch_actors::testing::Throwaway;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::fixture::{Client, Desk, Server, Shop, Socket, WAIT_TIMEOUT};

const DAY: i64 = 24 * 60 * 60 * 1_000;

/// Terms under which what is older than a hundred days goes.
const SHORT: [&str; 4] = [
    "--keep-closed-orders-days",
    "100",
    "--keep-clocks-days",
    "100",
];

/// `open` orders from 1 on, and `closed` ones from 1001 on.
fn orders(open: i64, closed: i64) -> Value {
    let order = |number: i64, closed_at: Option<&str>| {
        json!({
            "repairOrderNumber": number,
            "customer": format!("Customer {number}"),
            "closedDateTime": closed_at,
            "jobs": [{ "jobNumber": 1, "concern": "Noise" }],
        })
    };
    let open = (1..=open).map(|number| order(number, None));
    let closed = (1_001..=1_000 + closed).map(|number| order(number, Some("2026-01-01T12:00:00Z")));
    open.chain(closed).collect()
}

async fn execute(store: &Store, sql: &str) {
    store.writer().execute_unprepared(sql).await.unwrap();
}

async fn count(store: &Store, sql: &str) -> i64 {
    let statement = Statement::from_string(store.reader().get_database_backend(), sql);
    let row = store.reader().query_one_raw(statement).await.unwrap();
    row.unwrap().try_get_by_index(0).unwrap()
}

/// All that has happened so far, and every closing, was 200 days earlier.
async fn make_older(store: &Store) {
    let ago = 200 * DAY;
    for sql in [
        format!("UPDATE events SET at = at - {ago}"),
        format!(
            "UPDATE repair_orders SET closed_at = closed_at - {ago} WHERE closed_at IS NOT NULL"
        ),
        format!("UPDATE assignment_receipts SET assigned_at = assigned_at - {ago}"),
    ] {
        execute(store, &sql).await;
    }
}

async fn wait_until(store: &Store, sql: &str, wanted: i64) {
    let reached = async {
        while count(store, sql).await != wanted {
            sleep(Duration::from_millis(50)).await;
        }
    };
    let reached = timeout(WAIT_TIMEOUT, reached).await;
    assert!(reached.is_ok(), "{sql} gives {}", count(store, sql).await);
}

/// A shop with ten open orders and so many old closed ones, whose server is stopped.
async fn old_shop(shop: Shop, closed: i64) -> (Server, Desk) {
    shop.hire_technicians().await;
    let mut server = Server::start_in(shop, &[]).await;
    server.shop.import(&orders(10, closed)).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    for number in 1..=10 {
        owner.assign(number, 11).await.good();
    }
    server.sigterm().await;
    let store = server.shop.store().await;
    make_older(&store).await;
    let receipt = "INSERT INTO assignment_receipts (ro_number, technician, seq, assigned_at, by_uid, by_name) \
                   VALUES (1001, 11, 1, 1760000000000, 'x', 'X')";
    execute(&store, receipt).await;
    // On no job, on an open order and on an old one, and the newest.
    let hour = DAY / 24;
    for (id, order) in [(1, "NULL"), (2, "1"), (3, "1001"), (4, "NULL")] {
        let sql = format!(
            "INSERT INTO clock_entries (id, technician, started_at, ended_at, ro_number, job_number) \
             VALUES ({id}, 11, {}, {}, {order}, 1)",
            1_760_000_000_000_i64 + id * hour,
            1_760_000_000_000_i64 + id * hour + hour / 2,
        );
        execute(&store, &sql).await;
    }
    store.close().await;
    (server, owner)
}

async fn old_orders_go_and_open_ones_stay(shop: Shop) {
    let (mut server, owner) = old_shop(shop, 25).await;
    server.restart_with(&SHORT).await;
    let store = server.shop.store().await;
    let top = store.top().await.unwrap();
    wait_until(&store, "SELECT count(*) FROM repair_orders", 10).await;
    wait_until(&store, "SELECT count(*) FROM clock_entries", 2).await;
    for (sql, left) in [
        ("SELECT count(*) FROM events WHERE ro_number > 1000", 0),
        ("SELECT count(*) FROM events WHERE ro_number <= 10", 20),
        ("SELECT count(*) FROM jobs", 10),
        ("SELECT count(*) FROM order_search", 10),
        ("SELECT count(*) FROM clock_entries WHERE id IN (2, 4)", 2),
        (
            "SELECT count(*) FROM assignment_receipts WHERE ro_number > 10",
            0,
        ),
        (
            "SELECT sum(total) FROM daily_totals WHERE kind = 'orders-closed'",
            25,
        ),
        (
            "SELECT sum(total) FROM daily_totals WHERE kind = 'attended-ms' AND subject = '11'",
            DAY / 24,
        ),
        (
            "SELECT sum(total) FROM daily_totals WHERE kind = 'on-jobs-ms'",
            DAY / 48,
        ),
    ] {
        // PostgreSQL adds integers up to a number without an end.
        let sql = sql.replace("sum(total)", "CAST(sum(total) AS BIGINT)");
        assert_eq!(count(&store, &sql).await, left, "{sql}");
    }
    // Numbers go on.
    assert_eq!(store.top().await.unwrap(), top);
    assert_eq!(owner.make_one_change(1).await, top + 1);
    let history = owner.get("/api/repair-orders/1/history").await.result();
    assert_eq!(history.as_array().unwrap().len(), 3, "{history}");
    owner
        .get("/api/repair-orders/1001")
        .await
        .refused(404, "unknown-repair-order");
    store.close().await;
}

#[tokio::test]
async fn old_orders_go_and_open_ones_stay_on_sqlite() {
    old_orders_go_and_open_ones_stay(Shop::new()).await;
}

#[tokio::test]
async fn old_orders_go_and_open_ones_stay_on_postgres() {
    let database = Throwaway::postgres().await;
    old_orders_go_and_open_ones_stay(Shop::on(&database)).await;
}

#[tokio::test]
async fn a_server_that_is_killed_while_it_deletes_leaves_whole_orders_and_goes_on() {
    let (mut server, owner) = old_shop(Shop::new(), 200).await;
    server.restart_with(&SHORT).await;
    let store = server.shop.store().await;
    let reached = async {
        while count(&store, "SELECT count(*) FROM repair_orders").await > 150 {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(WAIT_TIMEOUT, reached)
        .await
        .expect("some are deleted");
    server.sigkill().await;
    let left = count(&store, "SELECT count(*) FROM repair_orders").await;
    assert!(left > 10, "it was in the middle: {left}");
    let broken = "SELECT count(*) FROM repair_orders WHERE NOT EXISTS \
                  (SELECT 1 FROM events WHERE ro_number = number)";
    assert_eq!(count(&store, broken).await, 0);
    let orphans = "SELECT count(*) FROM events WHERE NOT EXISTS \
                   (SELECT 1 FROM repair_orders WHERE ro_number = number)";
    assert_eq!(count(&store, orphans).await, 0);
    let check = Statement::from_string(
        store.reader().get_database_backend(),
        "PRAGMA integrity_check",
    );
    let check = store.reader().query_one_raw(check).await.unwrap().unwrap();
    assert_eq!(check.try_get_by_index::<String>(0).unwrap(), "ok");
    let totals = "SELECT sum(total) FROM daily_totals WHERE kind = 'orders-closed'";
    assert_eq!(
        count(&store, totals).await,
        210 - left,
        "and what went is counted"
    );

    // The turn of the server that was killed lasts for half a minute.
    execute(
        &store,
        "UPDATE settings SET value = '' WHERE name = 'pruning-server'",
    )
    .await;
    server.restart().await;
    wait_until(&store, "SELECT count(*) FROM repair_orders", 10).await;
    assert_eq!(count(&store, totals).await, 200);
    let list = owner.list().await;
    assert_eq!(list["result"].as_array().unwrap().len(), 10);
    store.close().await;
}

#[tokio::test]
async fn a_client_from_before_the_gaps_loads_the_list_again() {
    let shop = Shop::new();
    let mut server = Server::start_in(shop, &[]).await;
    server.shop.import(&orders(2, 5)).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    server.sigterm().await;
    let store = server.shop.store().await;
    make_older(&store).await;
    server.restart().await;
    let client = Client::join(&server, &owner).await;
    let newest = owner.make_one_change(1).await;
    let (first, last) = (
        server.shop.offset(1).await,
        server.shop.offset(newest).await,
    );
    server.sigterm().await;
    server.restart_with(&SHORT).await;
    wait_until(&store, "SELECT count(*) FROM repair_orders", 2).await;
    let next = owner.make_one_change(2).await;
    let mut back = Socket::resume(&server, &owner, &client.pid, &last).await;
    back.hears_what_was_missed(next, next).await;
    let mut too_old = Socket::open(server.address).await;
    let auth = Client::auth(&owner, client.pid.as_str(), first.as_str());
    let pid = too_old.sign_in(&auth).await.unwrap();
    assert_ne!(
        pid, client.pid,
        "it is not recovered, and loads everything again"
    );
    store.close().await;
}

#[tokio::test]
async fn the_log_says_what_was_deleted_and_prometheus_counts_it() {
    let (mut server, _) = old_shop(Shop::new(), 5).await;
    server.restart_with(&SHORT).await;
    let store = server.shop.store().await;
    wait_until(&store, "SELECT count(*) FROM clock_entries", 2).await;
    let says = "deleted because they were kept for long enough: closed repair orders 5, events 10,";
    let reported = async {
        while !server.shop.read("server.log").contains(says) {
            sleep(Duration::from_millis(50)).await;
        }
    };
    let reported = timeout(WAIT_TIMEOUT, reported).await;
    assert!(reported.is_ok(), "{}", server.shop.read("server.log"));
    store.close().await;
}

#[tokio::test]
async fn a_term_that_is_too_short_is_refused() {
    let shop = Shop::new();
    for (option, term) in [
        ("--keep-closed-orders-days", "61"),
        ("--keep-events-days", "1"),
        ("--keep-clocks-days", "10"),
        ("--keep-audit-days", "29"),
        ("--keep-receipts-days", "6"),
        ("--keep-conversations-days", "1"),
    ] {
        let refused = shop.run(&["serve", option, term]).await.refused();
        assert!(refused.starts_with(option), "{refused}");
    }
    let refused = shop.run(&["serve", "--keep-clocks-days", "never"]).await;
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("or forever"), "{refused:?}");
}

//! Old rows are deleted beside the desk, and nothing of an open order ever is.

use std::time::Duration;

use dispatch_actors::store::Store;
use dispatch_actors::testing::Throwaway;
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::figures::figures_after;
use crate::fixture::{Client, Desk, Server, Shop, Socket, WAIT_TIMEOUT};
use crate::metrics::{Scrape, metrics_address, metrics_variable};

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
async fn the_figures_of_the_month_are_the_same_after_old_orders_have_gone() {
    let (mut server, owner) = old_shop(Shop::new().at_noon(), 25).await;
    server.restart().await;
    let used = json!([{ "repairOrderNumber": 2_001, "customer": "Ann", "customerStatus": "Used" }]);
    server.shop.import(&used).await;
    owner
        .post("/api/repair-orders/2001/close", json!({}))
        .await
        .good();
    let before = figures_after(&owner, owner.seq().await).await;
    assert_eq!(before["used"]["completed"]["value"], 1, "{before}");
    server.sigterm().await;
    server.restart_with(&SHORT).await;
    let store = server.shop.store().await;
    wait_until(&store, "SELECT count(*) FROM repair_orders", 11).await;
    store.close().await;
    // The next change is counted on what is left.
    let seq = owner.make_one_change(1).await;
    assert_eq!(figures_after(&owner, seq).await, before);
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

/// Days for which each kind of row is kept, all different.
const TERMS: [(&str, i64); 7] = [
    ("--keep-closed-orders-days", 100),
    ("--keep-events-days", 80),
    ("--keep-receipts-days", 70),
    ("--keep-clocks-days", 90),
    ("--keep-audit-days", 31),
    ("--keep-conversations-days", 3),
    ("--keep-files-days", 10),
];

/// From the end of a term to a row on either side of it.
const NEAR: i64 = 10 * 60 * 1_000;

/// A file in the folder of mails, as old as its name says.
fn put_mail(shop: &Shop, milliseconds_ago: i64, bytes: usize) -> String {
    let at = Timestamp::now().as_millisecond() - milliseconds_ago;
    let (seconds, rest) = (at.div_euclid(1_000), at.rem_euclid(1_000));
    let at = uuid::Timestamp::from_unix(
        uuid::NoContext,
        u64::try_from(seconds).unwrap(),
        u32::try_from(rest).unwrap() * 1_000_000,
    );
    let name = format!("data/mail/{}.eml", uuid::Uuid::new_v7(at));
    shop.write(&name, vec![b'x'; bytes]);
    name
}

async fn wait_until_gone(shop: &Shop, name: &str) {
    let gone = async {
        while shop.path(name).exists() {
            sleep(Duration::from_millis(20)).await;
        }
    };
    assert!(timeout(WAIT_TIMEOUT, gone).await.is_ok(), "{name} stays");
}

/// Rows on both sides of the end of each term, and on the orders that need them.
async fn make_aged_rows(store: &Store) {
    let now = Timestamp::now().as_millisecond();
    let ago = |days: i64, nearer: i64| now - days * DAY + nearer;
    let at = |sql: String| async move { execute(store, &sql).await };
    at(format!("UPDATE events SET at = {}", ago(200, 0))).await;
    // 1001 goes; the events of the next two go; the rest is younger, the last one also than receipts.
    for (number, closed_at) in [
        (1_001, ago(100, -NEAR)),
        (1_002, ago(100, NEAR)),
        (1_003, ago(80, -NEAR)),
        (1_004, ago(80, NEAR)),
        (1_005, ago(70, -NEAR)),
        (1_006, ago(70, NEAR)),
    ] {
        at(format!(
            "UPDATE repair_orders SET closed_at = {closed_at} WHERE number = {number}"
        ))
        .await;
    }
    // 1001's goes with the order, 1005's by its term; an open order's and one of an order that was closed since stay.
    for (order, assigned_at) in [
        (1_001, ago(101, 0)),
        (1_005, ago(70, -NEAR)),
        (1_006, ago(75, 0)),
        (1, ago(150, 0)),
    ] {
        at(format!(
            "INSERT INTO assignment_receipts (ro_number, technician, seq, assigned_at, by_uid, by_name) \
             VALUES ({order}, 11, 1, {assigned_at}, 'x', 'X')"
        ))
        .await;
    }
    // Number 6 is the newest, however old it is.
    for (id, order, ended_at) in [
        (1, "NULL", ago(90, -NEAR)),
        (2, "NULL", ago(90, NEAR)),
        (3, "1", ago(150, 0)),
        (4, "1001", ago(101, 0)),
        (5, "1004", ago(95, 0)),
        (6, "NULL", ago(120, 0)),
    ] {
        at(format!(
            "INSERT INTO clock_entries (id, technician, started_at, ended_at, ro_number, job_number) \
             VALUES ({id}, 11, {}, {ended_at}, {order}, 1)",
            ended_at - 60_000
        ))
        .await;
    }
    for (id, nearer) in [("old", -NEAR), ("young", NEAR)] {
        at(format!(
            "INSERT INTO tech_story_conversations (id, uid, ro_number, job_number, interviewer, language, cause, \
             brief_tech_notes, turns, reply, started_at) \
             VALUES ('{id}', 'x', 1, 1, 'built-in', 'en', '', '', '[]', '{{}}', {})",
            ago(3, nearer)
        ))
        .await;
        // The term of each was written into it when it was made.
        at(format!(
            "INSERT INTO audit_events (at, kind, outcome, actor_kind, actor_name, count, kept_until) \
             VALUES ({}, 'user-removed', 'done', 'server', '{id}', 1, {})",
            ago(400, 0),
            now + nearer
        ))
        .await;
    }
}

#[tokio::test]
async fn each_kind_of_row_goes_when_its_term_is_over_and_is_counted() {
    let mut shop = Shop::new();
    shop.environment.push(metrics_variable());
    shop.hire_technicians().await;
    std::fs::create_dir_all(shop.path("data/mail")).unwrap();
    // Together more than a megabyte, and no longer being written.
    let large = [4, 3].map(|hours| put_mail(&shop, hours * DAY / 24, 600_000));
    let mut server = Server::start_in(shop, &["--keep-files-mb", "1"]).await;
    server.shop.import(&orders(2, 6)).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    // The newest event of the log is always kept: it is to be none of a closed order's.
    owner.make_one_change(1).await;
    wait_until_gone(&server.shop, &large[0]).await;
    assert!(server.shop.path(&large[1]).exists());
    server.sigterm().await;
    let store = server.shop.store().await;
    make_aged_rows(&store).await;
    let mails = [NEAR, -NEAR].map(|more| put_mail(&server.shop, 10 * DAY + more, 9));

    let terms = TERMS.map(|(option, days)| [option.to_owned(), days.to_string()]);
    let terms: Vec<&str> = terms.as_flattened().iter().map(String::as_str).collect();
    server.restart_with(&terms).await;
    let _owner = server.sign_in("owner@example.com").await;
    // Attempts are written beside the desk, and then what is over is deleted.
    let wrong = json!({ "email": "owner@example.com", "password": "not the password" });
    server.post("/api/auth/sign-in", wrong).await;
    let says = "deleted because they were kept for long enough: closed repair orders 1, events 6, receipts of \
                assignments 2, clock entries 2";
    let reported = async {
        while !server.shop.read("server.log").contains(says) {
            sleep(Duration::from_millis(50)).await;
        }
    };
    let reported = timeout(WAIT_TIMEOUT, reported).await;
    assert!(reported.is_ok(), "{}", server.shop.read("server.log"));
    wait_until_gone(&server.shop, &mails[0]).await;
    assert!(server.shop.path(&mails[1]).exists());
    let named = "SELECT count(*) FROM audit_events WHERE actor_name";
    wait_until(&store, &format!("{named} = 'old'"), 0).await;
    wait_until(&store, "SELECT count(*) FROM tech_story_conversations", 1).await;

    let scrape = Scrape::of(metrics_address(&server)).await;
    scrape.has(
        "dispatch_pruned_rows_total",
        "kind",
        &[
            ("orders", 1.0),
            ("events", 6.0),
            ("receipts", 2.0),
            ("clocks", 2.0),
        ],
    );
    let kept_for = format!(
        "SELECT count(*) FROM audit_events WHERE kind = 'sign-in' AND outcome = 'done' AND kept_until - at = {}",
        31 * DAY
    );
    for (sql, left) in [
        ("SELECT count(*) FROM repair_orders WHERE number <= 2", 2),
        ("SELECT count(*) FROM repair_orders WHERE number >= 1002", 5),
        ("SELECT count(*) FROM events WHERE ro_number <= 2", 3),
        (
            "SELECT count(*) FROM events WHERE ro_number BETWEEN 1001 AND 1003",
            0,
        ),
        ("SELECT count(*) FROM events WHERE ro_number >= 1004", 6),
        (
            "SELECT count(*) FROM assignment_receipts WHERE ro_number IN (1, 1006)",
            2,
        ),
        (
            "SELECT count(*) FROM clock_entries WHERE id IN (2, 3, 5, 6)",
            4,
        ),
        (
            "SELECT count(*) FROM tech_story_conversations WHERE id = 'young'",
            1,
        ),
        (&format!("{named} = 'young'"), 1),
        (&kept_for, 1),
    ] {
        assert_eq!(count(&store, sql).await, left, "{sql}");
    }
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

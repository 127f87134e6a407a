//! Backups that the server makes by itself: by the clock, and before it changes a database's schema.

use std::time::Duration;

use sea_orm::ConnectionTrait;
use serde_json::Value;
use tokio::time::sleep;

use super::backups::names;
use crate::fixture::{Desk, Ledger, Server, Shop, plain_orders};

#[tokio::test]
async fn a_server_with_a_backup_folder_writes_a_backup_that_begins_a_shop() {
    let shop = Shop::new();
    let folder = shop.path("backups");
    std::fs::create_dir(&folder).unwrap();
    let mut server = Server::start_in(shop, &[]).await;
    server.shop.import(&plain_orders(8)).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let mut ledger = Ledger::default();
    ledger.change(&owner, 1).await.good();
    let none = owner.get("/api/server-status").await.result();
    assert_eq!(none["backups"], Value::Null, "{none}");
    server.sigterm().await;

    let option = folder.display().to_string();
    server.restart_with(&["--backup-dir", &option]).await;
    let state = owner
        .server_status_when("backups", |backups| backups["newest"].is_string())
        .await;
    assert_eq!(state["failure"], Value::Null, "{state}");
    assert_eq!(state["folder"], option);
    let [name] = &names(&server.shop, "backups")[..] else {
        panic!("one file, and nothing unfinished");
    };
    let log = server.shop.read("server.log");
    let says = "is a backup: 8 open and 0 closed repair orders";
    assert_eq!(log.matches(says).count(), 1, "{log}");

    // None is due: the newest is not an hour old.
    server.sigterm().await;
    server.restart().await;
    owner
        .server_status_when("backups", |backups| backups["newest"] == state["newest"])
        .await;
    assert_eq!(names(&server.shop, "backups").len(), 1);

    // The data folder is lost: the new shop is no reason to forget the old one.
    let has_warned = |server: &Server| {
        let log = server.shop.read("server.log");
        log.contains("this shop is new, and")
    };
    assert!(!has_warned(&server));
    server.sigkill().await;
    std::fs::remove_dir_all(server.shop.data_dir()).unwrap();
    server.restart().await;
    assert!(has_warned(&server));
    // Nothing is written beside them, nor is one deleted, before somebody can sign in.
    sleep(Duration::from_secs(2)).await;
    assert_eq!(names(&server.shop, "backups"), [name.as_str()]);

    server.sigkill().await;
    std::fs::remove_dir_all(server.shop.data_dir()).unwrap();
    let backup = format!("backups/{name}");
    server.shop.run(&["restore", &backup]).await.good();
    server.restart().await;
    ledger.is_kept(&owner).await;
}

/// Somebody has set it up against the warning.
#[tokio::test]
async fn a_new_shop_deletes_no_backup_of_the_one_before_it() {
    let shop = Shop::new();
    std::fs::create_dir(shop.path("backups")).unwrap();
    let option = shop.path("backups").display().to_string();
    let keep = ["--backup-dir", &option, "--backup-keep-hourly", "1"];
    let of_lost: Vec<String> = (10..20)
        .map(|hour| format!("dispatch-2026-01-05T{hour}-00-00Z.sqlite"))
        .collect();
    for name in &of_lost {
        shop.write(&format!("backups/{name}"), "all that is left");
    }
    let server = Server::start_in(shop, &keep).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    owner
        .server_status_when("backups", |backups| {
            let newest = backups["newest"].as_str();
            newest.is_some_and(|newest| !newest.starts_with("2026-01-05"))
        })
        .await;
    let kept = names(&server.shop, "backups");
    assert_eq!(kept.len(), of_lost.len() + 1, "{kept:?}");
    assert!(of_lost.iter().all(|name| kept.contains(name)), "{kept:?}");
}

#[tokio::test]
async fn backups_that_cannot_be_written_are_reported_and_hold_up_nothing() {
    let shop = Shop::new();
    let folder = shop.path("unmounted").display().to_string();
    let server = Server::start_in(shop, &["--backup-dir", &folder]).await;
    server.shop.import(&plain_orders(8)).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let state = owner
        .server_status_when("backups", |backups| backups["failure"].is_string())
        .await;
    let why = state["failure"].as_str().unwrap();
    assert!(why.starts_with(&format!("cannot read {folder}: ")), "{why}");
    assert_eq!(state["newest"], Value::Null);
    assert!(
        !server.shop.path("unmounted").exists(),
        "and it is not made"
    );
    let log = server.shop.read("server.log");
    assert!(log.contains("no backup is written: cannot read"), "{log}");
    let mut ledger = Ledger::default();
    ledger.change(&owner, 1).await.good();
    ledger.is_kept(&owner).await;
}

/// A database in which the newest step of the schema is still to be made.
async fn make_older(shop: &Shop) {
    let store = shop.store().await;
    let sql =
        "DELETE FROM seaql_migrations WHERE version = (SELECT max(version) FROM seaql_migrations)";
    store.writer().execute_unprepared(sql).await.unwrap();
    store.close().await;
}

fn copies_before_migration(shop: &Shop) -> Vec<String> {
    let mut names = names(shop, "data");
    names.retain(|name| name.starts_with("dispatch.sqlite.before-migration-"));
    names
}

#[tokio::test]
async fn a_database_is_copied_before_its_schema_changes_and_the_copy_brings_it_back() {
    let mut server = Server::start().await;
    server.shop.import(&plain_orders(8)).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let mut before = Ledger::default();
    before.change(&owner, 1).await.good();
    server.sigterm().await;
    assert!(
        copies_before_migration(&server.shop).is_empty(),
        "a new shop has no past"
    );
    let mut copies = Vec::new();
    let killed = "data/dispatch.sqlite.before-migration-2026-01-01T00-00-00Z.unfinished";
    server.shop.write(killed, "begun");
    for _ in 0..3 {
        make_older(&server.shop).await;
        server.restart().await;
        server.sigterm().await;
        copies = copies_before_migration(&server.shop);
        // Two in one second would have one name.
        sleep(Duration::from_millis(1_100)).await;
    }
    assert_eq!(copies.len(), 2, "the newest and one more: {copies:?}");
    server.restart().await;
    assert_eq!(
        copies_before_migration(&server.shop),
        copies,
        "nothing changed"
    );
    before.is_kept(&owner).await;
    let mut after = Ledger::default();
    after.change(&owner, 2).await.good();
    server.sigterm().await;
    let copy = format!("data/{}", copies[1]);
    server
        .shop
        .run(&["restore", &copy, "--replace"])
        .await
        .good();
    server.restart().await;
    before.is_kept(&owner).await;
    let list = owner.list().await;
    let mut rows = list["result"].as_array().unwrap().iter();
    let second = rows.find(|row| row["repairOrderNumber"] == 2).unwrap();
    assert_eq!(second["version"], 1, "as it was before: {second}");
}

#[tokio::test]
async fn a_schema_is_not_changed_where_there_is_no_room_for_the_copy() {
    let mut server = Server::start().await;
    server.shop.import(&plain_orders(8)).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let mut ledger = Ledger::default();
    ledger.change(&owner, 1).await.good();
    server.sigterm().await;
    let elsewhere = &server.shop;
    make_older(elsewhere).await;

    let (shop, disk) = Shop::on_small_disk();
    let name = "dispatch.sqlite";
    disk.put(&elsewhere.data_dir().join(name), name);
    // SQLite needs some to open a database at all.
    disk.fill_but(128 * 1024);
    let refused = shop.run(&["migrate"]).await.refused();
    assert!(
        refused.contains("is copied before it is brought up to this one, but"),
        "{refused}"
    );
    disk.free();
    let server = Server::start_in(shop, &[]).await;
    ledger.is_kept(&Desk::at(&server, &owner)).await;
}

//! A disk that has damaged the database's file where nobody looks: found at the start, and told to who can see to it.

use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom, Write};
use std::time::Duration;

use sea_orm::{ConnectionTrait, DbBackend, Statement};
use tokio::time::{sleep, timeout};

use crate::fixture::{ANYWHERE, Server, Shop, WAIT_TIMEOUT, plain_orders};

const PAGE: u64 = 4_096;

/// An index that no start reads.
pub const UNREAD: &str = "tech_stories_of_person";

/// Destroys the first page of a table or an index, and gives its number.
pub async fn destroy(shop: &Shop, name: &str) -> u64 {
    let store = shop.store().await;
    store.write_back_log().await.unwrap();
    let page = "SELECT rootpage FROM sqlite_master WHERE name = $1";
    let page = Statement::from_sql_and_values(DbBackend::Sqlite, page, [name.into()]);
    let row = store.reader().query_one_raw(page).await.unwrap().unwrap();
    let page: i64 = row.try_get_by_index(0).unwrap();
    store.close().await;
    let page = u64::try_from(page).unwrap();
    let file = shop.data_dir().join("dispatch.sqlite");
    let mut file = OpenOptions::new().write(true).open(file).unwrap();
    file.seek(SeekFrom::Start((page - 1) * PAGE)).unwrap();
    file.write_all(&[0x55; PAGE as usize]).unwrap();
    page
}

#[tokio::test]
async fn a_damaged_database_is_found_when_the_server_starts() {
    let mut server = Server::start_in(Shop::new(), &[]).await;
    server.shop.import(&plain_orders(8)).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let checked = async |is_damaged: bool| {
        let looked = async {
            loop {
                let status = owner.get("/api/server-status").await.result();
                let database = &status["server"]["database"];
                if database["checkedAt"].is_string() && database["damage"].is_string() == is_damaged
                {
                    return database.clone();
                }
                sleep(Duration::from_millis(50)).await;
            }
        };
        timeout(WAIT_TIMEOUT, looked).await.expect("a check")
    };
    assert_eq!(checked(false).await["kind"], "sqlite");
    server.sigterm().await;

    let page = destroy(&server.shop, UNREAD).await;
    server.restart().await;
    let database = checked(true).await;
    let damage = database["damage"].as_str().unwrap();
    assert!(damage.contains(&page.to_string()), "{damage}");
    let log = server.shop.read("server.log");
    let says = format!("is damaged: {damage}; stop the server");
    assert_eq!(log.matches(&says).count(), 1, "{log}");
}

#[tokio::test]
async fn what_cannot_be_read_of_a_damaged_database_is_answered_503_and_the_rest_goes_on() {
    let mut server = Server::start_in(Shop::new(), &[]).await;
    server.shop.import(&plain_orders(2)).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    server.sigterm().await;
    destroy(&server.shop, "named_views").await;
    server.restart().await;
    let refused = owner.get("/api/views").await;
    refused.refused(503, "unavailable");
    owner.list().await;
    owner.change_priority(1, 3).await.good();
}

#[tokio::test]
async fn a_server_that_does_not_start_on_a_damaged_database_says_what_to_do() {
    for table in ["repair_orders", "settings", "event_log"] {
        let shop = Shop::new();
        shop.import(&plain_orders(2)).await;
        destroy(&shop, table).await;
        let refused = shop.run(&ANYWHERE).await.refused();
        let file = shop.data_dir().join("dispatch.sqlite");
        let named = format!("the database {}", file.display());
        assert!(refused.contains(&named), "{table}: {refused}");
        assert!(refused.contains(" is damaged"), "{table}: {refused}");
        let advice = "keep a copy of the data folder, and restore a backup with dispatch restore";
        assert!(refused.ends_with(advice), "{table}: {refused}");
    }
}

#[tokio::test]
async fn a_backup_of_a_damaged_database_says_so_and_is_whole_or_is_none() {
    let shop = Shop::new();
    shop.import(&plain_orders(3)).await;
    std::fs::create_dir(shop.path("backups")).unwrap();
    destroy(&shop, UNREAD).await;
    let backup = ["backup", "--to", "backups/of-rows.sqlite"];
    let written = shop.run(&backup).await;
    assert_eq!(written.code, Some(0), "{written:?}");
    assert!(written.out.contains("3 open"), "{written:?}");
    assert!(written.err.contains(" is damaged: "), "{written:?}");
    let restore = ["restore", "backups/of-rows.sqlite", "--replace"];
    shop.run(&restore).await.good();
    shop.run(&["backup", "--to", "backups/whole.sqlite"])
        .await
        .good();

    destroy(&shop, "repair_orders").await;
    let refused = shop.run(&["backup", "--to", "backups/none.sqlite"]).await;
    let refused = refused.refused();
    assert!(
        refused.starts_with("no backup is written: the database "),
        "{refused}"
    );
    assert!(!shop.path("backups/none.sqlite").exists());
}

#[tokio::test]
async fn what_fails_every_second_is_logged_once() {
    let mut shop = Shop::new();
    let levels = "info,dispatch_server::error=debug".to_owned();
    shop.environment.push(("RUST_LOG", levels));
    let server = Server::start_in(shop, &[]).await;
    let store = server.shop.store().await;
    let rename = "ALTER TABLE finished_jobs RENAME TO mislaid";
    store.writer().execute_unprepared(rename).await.unwrap();
    server.shop.import(&plain_orders(1)).await;
    // Each failure is a line of the error's own, though not one for operators.
    let failed_again = async {
        while server
            .shop
            .read("server.log")
            .matches("no such table")
            .count()
            < 5
        {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(WAIT_TIMEOUT, failed_again).await.expect("failures");
    let log = server.shop.read("server.log");
    let says = "how far work is could not be read";
    assert_eq!(log.matches(says).count(), 1, "{log}");
    store.close().await;
}

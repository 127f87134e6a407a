//! A disk that has damaged the database's file where nobody looks: found at the start, and told to who can see to it.

use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom, Write};
use std::time::Duration;

use sea_orm::{ConnectionTrait, DbBackend, Statement};
use tokio::time::{sleep, timeout};

use crate::fixture::{Server, Shop, WAIT_TIMEOUT, plain_orders};

const PAGE: u64 = 4_096;

/// The first page of an index that no start reads.
async fn unread_page(shop: &Shop) -> u64 {
    let store = shop.store().await;
    let page = "SELECT rootpage FROM sqlite_master WHERE name = 'tech_stories_of_person'";
    let page = Statement::from_string(DbBackend::Sqlite, page);
    let row = store.reader().query_one_raw(page).await.unwrap().unwrap();
    let page: i64 = row.try_get_by_index(0).unwrap();
    store.close().await;
    u64::try_from(page).unwrap()
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

    let page = unread_page(&server.shop).await;
    let file = server.shop.data_dir().join("dispatch.sqlite");
    let mut file = OpenOptions::new().write(true).open(file).unwrap();
    file.seek(SeekFrom::Start((page - 1) * PAGE)).unwrap();
    file.write_all(&[0x55; PAGE as usize]).unwrap();
    drop(file);

    server.restart().await;
    let database = checked(true).await;
    let damage = database["damage"].as_str().unwrap();
    assert!(damage.contains(&page.to_string()), "{damage}");
    let log = server.shop.read("server.log");
    let says = format!("is damaged: {damage}; stop the server");
    assert_eq!(log.matches(&says).count(), 1, "{log}");
}

//! Somebody deletes or moves the database's file under a running server: nothing is acknowledged that would be gone with the
//! server, and what was acknowledged before can be brought back.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use tokio::time::{sleep, timeout};

use super::until_readiness;
use crate::fixture::{ANYWHERE, Desk, Ledger, Server, Shop, WAIT_TIMEOUT, plain_orders};

const ORDERS: i64 = 4;

async fn open_shop() -> (Server, Desk, Ledger) {
    let server = Server::start_in(Shop::new(), &[]).await;
    server.shop.import(&plain_orders(ORDERS)).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let mut ledger = Ledger::default();
    for number in 1..=ORDERS {
        ledger.change(&owner, number).await.good();
    }
    (server, owner, ledger)
}

fn database_files(folder: &Path) -> Vec<PathBuf> {
    let names = [
        "dispatch.sqlite",
        "dispatch.sqlite-wal",
        "dispatch.sqlite-shm",
    ];
    names.map(|name| folder.join(name)).into()
}

async fn rescued_copy(folder: &Path) -> PathBuf {
    let found = async {
        loop {
            let entries = fs::read_dir(folder)
                .unwrap()
                .map(|entry| entry.unwrap().path());
            let is_copy = |path: &PathBuf| {
                let name = path.file_name().unwrap().to_string_lossy();
                name.starts_with("dispatch.sqlite.rescued-") && name.ends_with('Z')
            };
            if let Some(copy) = entries.into_iter().find(is_copy) {
                return copy;
            }
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(WAIT_TIMEOUT, found)
        .await
        .expect("a copy of what was open")
}

#[tokio::test]
async fn nothing_is_acknowledged_once_the_database_was_deleted_and_what_was_is_rescued() {
    let (mut server, owner, mut ledger) = open_shop().await;
    let folder = server.shop.data_dir();
    for file in database_files(&folder) {
        fs::remove_file(file).unwrap();
    }
    ledger.change(&owner, 1).await.refused(503, "unavailable");

    until_readiness(&server, 503).await;
    let copy = rescued_copy(&folder).await;
    let told = async {
        loop {
            let status = owner.get("/api/server-status").await.result();
            let database = &status["server"]["database"];
            if database["lostFile"] != Value::Null {
                assert_eq!(database["damage"], Value::Null, "nothing is damaged");
                return database["lostFile"]["copy"].clone();
            }
            sleep(Duration::from_millis(50)).await;
        }
    };
    let told = timeout(WAIT_TIMEOUT, told).await.expect("owners are told");
    assert_eq!(told, copy.to_str().unwrap());
    let log = server.shop.read("server.log");
    assert_eq!(log.matches("all that was saved is in").count(), 1, "{log}");

    server.sigkill().await;
    let advice = format!("run dispatch restore {}", copy.display());
    let refused = server.shop.run(&ANYWHERE).await.refused();
    assert!(refused.ends_with(&advice), "{refused}");
    let restore = ["restore", copy.to_str().unwrap()];
    server.shop.run(&restore).await.good();
    server.restart().await;
    ledger.is_kept(&owner).await;
}

#[tokio::test]
async fn a_file_that_is_moved_away_and_back_is_used_again() {
    let (server, owner, mut ledger) = open_shop().await;
    let folder = server.shop.data_dir();
    let file = folder.join("dispatch.sqlite");
    fs::rename(&file, folder.join("away")).unwrap();
    ledger.change(&owner, 1).await.refused(503, "unavailable");
    // Another file in its place is not the one that is open.
    fs::write(&file, "").unwrap();
    ledger.change(&owner, 1).await.refused(503, "unavailable");

    fs::rename(folder.join("away"), &file).unwrap();
    until_readiness(&server, 200).await;
    ledger.change(&owner, 1).await.good();
    ledger.is_kept(&owner).await;
}

#[tokio::test]
async fn a_deleted_write_ahead_log_is_a_lost_file() {
    let (server, owner, mut ledger) = open_shop().await;
    fs::remove_file(server.shop.data_dir().join("dispatch.sqlite-wal")).unwrap();
    ledger.change(&owner, 1).await.refused(503, "unavailable");
    rescued_copy(&server.shop.data_dir()).await;
}

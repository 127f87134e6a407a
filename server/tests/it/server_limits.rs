//! A machine that has little to give: few open files, full disks.

use std::time::Duration;

use serde_json::Value;
use tokio::time::{sleep, timeout};

use crate::fixture::{ANYWHERE, Server, Shop, Socket, WAIT_TIMEOUT, Wire};

const WEBSOCKET: &str = "/ws?EIO=4&transport=websocket";

#[tokio::test]
async fn with_few_open_files_as_many_screens_get_in_as_fit_and_the_log_says_why_no_more() {
    let mut shop = Shop::new();
    shop.open_files = Some(256);
    let server = Server::start_in(shop, &[]).await;
    let log = server.shop.read("server.log");
    let says = "may open only 256 files, so at most ";
    let (_, sentence) = log.split_once(says).expect(&log);
    // A third of what is not kept for others is for HTTP connections, in equal parts of all threads.
    let screens: usize = sentence.split(' ').next().unwrap().parse().unwrap();
    assert!((64..=127).contains(&screens), "{log}");
    let says = "screens at once; raise LimitNOFILE (systemd) or ulimit -n";
    assert!(sentence.contains(says), "{log}");
    // The account with the most loses one to others, where that is more than 64.
    let people = [
        server.hire("owner@example.com", "Owner").await,
        server.hire("advisor@example.com", "Advisor").await,
    ];
    let mut sockets = Vec::new();
    for screen in 0..screens {
        let token = &people[screen % people.len()].token;
        sockets.push(Socket::join(&server, token).await);
    }
    for _ in 0..3 {
        assert_eq!(Wire::open(server.address, WEBSOCKET).await.err(), Some(503));
    }
    assert_eq!(
        server.get("/readyz").await.status,
        200,
        "there are files for the rest"
    );
    let log = server.shop.read("server.log");
    let says =
        format!("no more files may be open for screens: {screens} are connected, 1 turned away");
    assert_eq!(log.matches(&says).count(), 1, "one line a minute: {log}");
    sockets.pop();
    let room = async {
        while Wire::open(server.address, WEBSOCKET).await.is_err() {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(WAIT_TIMEOUT, room)
        .await
        .expect("whoever leaves makes room");
}

#[tokio::test]
async fn too_few_open_files_are_reported_at_the_start() {
    let mut shop = Shop::new();
    shop.open_files = Some(100);
    assert_eq!(
        shop.run(&ANYWHERE).await.refused(),
        "may open only 100 files, and needs 256 at least: raise LimitNOFILE (systemd) or ulimit -n"
    );
}

async fn disk(server: &Server) -> Value {
    let admin = server.hire("admin@example.com", "Admin").await;
    let status = admin.get("/api/server-status").await.result();
    let disks = status["disk"].as_array().unwrap();
    assert_eq!(
        disks.len(),
        1,
        "data folder and database are on one disk: {status}"
    );
    disks[0].clone()
}

#[tokio::test]
async fn a_low_disk_is_reported_in_the_log_and_in_the_server_status() {
    let whatever = "4294967295";
    let server = Server::start_in(Shop::new(), &["--low-disk-mb", whatever]).await;
    let disk = disk(&server).await;
    let folder = server.shop.data_dir().canonicalize().unwrap();
    assert_eq!(disk["folder"], folder.display().to_string());
    assert_eq!(disk["low"], true);
    let [free, total] = ["freeBytes", "totalBytes"].map(|name| disk[name].as_u64().unwrap());
    assert!(free < total, "{disk}");
    let log = server.shop.read("server.log");
    let says = format!("the disk of {} is nearly full: ", folder.display());
    assert_eq!(log.matches(&says).count(), 1, "{log}");
}

#[tokio::test]
async fn a_disk_with_room_is_not_reported() {
    let server = Server::start_in(Shop::new(), &["--low-disk-mb", "1"]).await;
    assert_eq!(disk(&server).await["low"], false);
    let log = server.shop.read("server.log");
    assert!(!log.contains("the disk of"), "{log}");
}

#[tokio::test]
async fn old_mails_are_deleted_and_nothing_else_in_their_folder() {
    let shop = Shop::new();
    let folder = shop.data_dir().join("mail");
    std::fs::create_dir_all(&folder).unwrap();
    // Of 2020 and of 2100.
    let [old, new] = [
        "016f5e66-e800-7000-8000-000000000000.eml",
        "03bb2cc3-d800-7000-8000-000000000000.eml",
    ]
    .map(|name| folder.join(name));
    let others = folder.join("letters.txt");
    for file in [&old, &new, &others] {
        std::fs::write(file, "text").unwrap();
    }
    let server = Server::start_in(shop, &[]).await;
    let says = format!(
        "1 old files were deleted in {}: 016f5e66-e800-7000-8000-000000000000.eml",
        folder.display()
    );
    let deleted = async {
        while !server.shop.read("server.log").contains(&says) {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(WAIT_TIMEOUT, deleted)
        .await
        .expect("the log says it");
    assert!(!old.exists() && new.exists() && others.exists());
}

//! The disk is full: changes are refused and said so, and all is well again once there is room.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{complaints, readiness, tick_of_one_who_can_read, tick_with, until_readiness, version};
use crate::fixture::{ANYWHERE, Desk, Ledger, Ran, Server, Shop, SmallDisk, Socket, plain_orders};

const ORDERS: i64 = 6;

/// The log may have some room left in what it has been given.
const CHANGES_THAT_STILL_FIT: usize = 100;

/// A server on a small disk, an owner who receives the stream, and some changes.
struct SmallShop {
    disk: SmallDisk,
    server: Server,
    owner: Desk,
    socket: Socket,
    ledger: Ledger,
}

impl SmallShop {
    async fn open() -> Self {
        let (shop, disk) = Shop::on_small_disk();
        let server = Server::start_in(shop, &[]).await;
        server.shop.import(&plain_orders(ORDERS)).await;
        let owner = server.hire("owner@example.com", "Owner").await;
        let socket = owner.listen(&server).await;
        let mut shop = Self {
            disk,
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

    /// Fills the disk, and changes orders until one is refused.
    async fn fill(&mut self) {
        self.disk.fill();
        for number in (1..=ORDERS).cycle().take(CHANGES_THAT_STILL_FIT) {
            let answer = self.ledger.change(&self.owner, number).await;
            if answer.status != 200 {
                answer.refused(503, "unavailable");
                return;
            }
        }
        panic!("{CHANGES_THAT_STILL_FIT} changes fit on a disk that is full");
    }

    async fn comes_back(&mut self) {
        self.server.restart().await;
        self.socket = self.owner.listen(&self.server).await;
        self.ledger.is_kept(&self.owner).await;
        self.changes_every_order().await;
        self.ledger.is_kept(&self.owner).await;
    }
}

/// How full the disk is is looked at now and then, and said besides.
fn complaints_about_saving(server: &Server) -> Vec<String> {
    let mut complaints = complaints(server);
    complaints.retain(|line| !line.contains("is nearly full"));
    complaints
}

/// Prints the version of each order.
const READ: &str = r#"
import json, sqlite3, sys
database = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
print(json.dumps([row[0] for row in database.execute("SELECT version FROM repair_orders ORDER BY number")]))
"#;

/// The version of each order, as another program reads it in the file.
async fn read_by_another_program(shop: &Shop) -> Vec<i64> {
    let file = shop.data_dir().join("dispatch.sqlite");
    let program = shop.program("python3", &["-c", READ, &file.display().to_string()]);
    let read = Ran::of(program, b"").await;
    serde_json::from_str(&read.good()).unwrap()
}

#[tokio::test]
async fn a_server_does_not_start_on_a_read_only_disk_and_says_why() {
    let mut shop = SmallShop::open().await;
    shop.server.sigterm().await;
    shop.disk.make_read_only();
    let refused = shop.server.shop.run(&ANYWHERE).await.refused();
    assert!(refused.contains("Read-only file system"), "{refused}");
    let examined = shop.server.shop.run(&["doctor"]).await;
    assert_eq!(examined.code, Some(2), "{examined:?}");
    assert!(examined.out.contains("mount -o remount,rw"), "{examined:?}");
}

#[tokio::test]
async fn a_full_disk_refuses_changes_and_says_so_until_there_is_room() {
    let mut shop = SmallShop::open().await;
    shop.fill().await;
    let tick = tick_with(&mut shop.socket, "notSavingSince", true).await;
    assert_eq!(readiness(&shop.server).await, 503);
    // A client that connects now learns it, too.
    let auth = json!({ "token": shop.owner.token });
    let mut newcomer = Socket::connect(&shop.server, &auth).await.unwrap();
    let hello = newcomer.next().await;
    assert_eq!(hello.payload["notSavingSince"], tick["notSavingSince"]);

    let complained = complaints_about_saving(&shop.server);
    assert!(!complained.is_empty(), "the log says that nothing is saved");
    let mut seq = Value::Null;
    for number in 1..=2 {
        let refused = shop.ledger.change(&shop.owner, number).await;
        refused.refused(503, "unavailable");
        let mut tick = tick_of_one_who_can_read(&mut shop.socket).await;
        seq = tick["seq"].take();
    }
    assert_eq!(
        complaints_about_saving(&shop.server),
        complained,
        "it is said once"
    );
    assert_eq!(shop.owner.list().await["seq"], seq);
    shop.ledger.is_kept(&shop.owner).await;

    shop.disk.free();
    tick_with(&mut shop.socket, "notSavingSince", false).await;
    until_readiness(&shop.server, 200).await;
    shop.changes_every_order().await;
    shop.ledger.is_kept(&shop.owner).await;
    let versions = read_by_another_program(&shop.server.shop).await;
    let listed: Vec<i64> = join_all((1..=ORDERS).map(|number| version(&shop.owner, number))).await;
    assert_eq!(versions, listed, "it is in the file");
    shop.server.sigkill().await;
    shop.comes_back().await;
}

#[tokio::test]
async fn a_command_that_finds_the_disk_full_says_so_beside_a_server_and_without_one() {
    let mut shop = SmallShop::open().await;
    let full = format!(
        " (the disk of {} is full: make room first)",
        shop.server.shop.data_dir().display()
    );
    let sign_out = ["user", "sign-out", "owner@example.com"];
    shop.fill().await;
    for is_running in [true, false] {
        if !is_running {
            shop.server.sigkill().await;
        }
        let refused = shop.server.shop.run(&sign_out).await;
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.err.trim_end().ends_with(&full), "{refused:?}");
    }
    shop.disk.free();
    let list = ["user", "list"];
    let listed = shop.server.shop.run(&list).await.good();
    assert!(listed.contains("owner@example.com"), "{listed}");
}

#[tokio::test]
async fn a_disk_that_was_full_again_and_again_keeps_every_acknowledged_change() {
    let mut shop = SmallShop::open().await;
    for round in 0..6 {
        shop.fill().await;
        shop.disk.free();
        tick_with(&mut shop.socket, "notSavingSince", false).await;
        shop.changes_every_order().await;
        match round % 3 {
            0 => shop.server.sigkill().await,
            1 => shop.server.sigterm().await,
            _ => continue,
        }
        shop.comes_back().await;
    }
}

#[tokio::test]
async fn a_server_that_ends_while_the_disk_is_full_keeps_every_acknowledged_change() {
    let mut shop = SmallShop::open().await;
    shop.fill().await;
    shop.server.sigkill().await;
    shop.disk.free();
    shop.comes_back().await;
    shop.fill().await;
    shop.server.sigterm().await;
    shop.disk.free();
    shop.comes_back().await;
}

#[tokio::test]
async fn a_server_that_starts_on_a_full_disk_is_not_ready_and_the_doctor_says_so() {
    let mut shop = SmallShop::open().await;
    shop.fill().await;
    shop.server.sigkill().await;
    shop.server.restart().await;
    until_readiness(&shop.server, 503).await;

    let address = shop.server.address.to_string();
    let doctor = ["doctor", "--json", "--listen", &address];
    let examined = shop.server.shop.run(&doctor).await;
    assert_eq!(examined.code, Some(2), "{examined:?}");
    let report: Value = serde_json::from_str(&examined.out).unwrap();
    let found = |check: &str| {
        let findings = report["findings"].as_array().unwrap();
        findings.iter().find(|finding| finding["check"] == check)
    };
    let server = found("server").unwrap();
    assert_eq!(server["verdict"], "wrong", "{server}");
    let says = server["found"].as_str().unwrap();
    assert!(says.contains("Changes cannot be saved since "), "{says}");
    let disk = found("disk space").unwrap();
    assert_eq!(disk["verdict"], "wrong", "{disk}");

    shop.disk.free();
    until_readiness(&shop.server, 200).await;
    shop.changes_every_order().await;
    shop.ledger.is_kept(&shop.owner).await;
}

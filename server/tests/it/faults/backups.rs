//! A backup that is made while everybody works, and the way back to it.

use std::os::unix::fs::PermissionsExt;

use dispatch_actors::testing::Throwaway;
use futures_util::future::join_all;
use sea_orm::{ConnectionTrait, Database};
use tokio::time::timeout;

use super::log_went_back::{
    begins_anew, hears_changes_and_leaves, is_recovered, join, rows_are_the_databases,
};
use crate::fixture::{Desk, FaultyIo, Ledger, Server, Shop, WAIT_TIMEOUT, plain_orders};

const ORDERS: i64 = 8;
/// The first of those that are changed while a backup is made.
const MEANWHILE: i64 = 5;

/// The folder's files, sorted.
pub fn names(shop: &Shop, folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(shop.path(folder)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[tokio::test]
async fn what_was_acknowledged_before_a_backup_is_there_after_a_restore() {
    let mut server = Server::start().await;
    server.shop.import(&plain_orders(ORDERS)).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let mut before = Ledger::default();
    for round in 0..20 {
        before.change(&owner, 1 + round % 4).await.good();
    }
    let early = hears_changes_and_leaves(&server, &owner, 2).await;
    std::fs::create_dir(server.shop.path("backups")).unwrap();
    let mut meanwhile = Ledger::default();
    let working = async {
        for round in 0..100 {
            meanwhile.change(&owner, MEANWHILE + round % 4).await.good();
        }
    };
    let backup = server.shop.run(&["backup", "--to", "backups"]);
    let (backup, ()) = tokio::join!(backup, working);
    let output = backup.good();
    assert!(
        output.contains("8 open and 0 closed repair orders"),
        "{output}"
    );
    let (watching, watched) = join(&server, &owner).await;
    let left = hears_changes_and_leaves(&server, &owner, 3).await;
    let [name] = &names(&server.shop, "backups")[..] else {
        panic!("one file, and nothing unfinished");
    };
    let backup = format!("backups/{name}");
    let mode = std::fs::metadata(server.shop.path(&backup)).unwrap();
    assert_eq!(mode.permissions().mode() & 0o777, 0o600);

    let in_use = server.shop.run(&["restore", &backup]).await.refused();
    assert!(
        in_use.contains("is in use by another dispatch server"),
        "{in_use}"
    );
    server.sigkill().await;
    let closed = timeout(WAIT_TIMEOUT, watching.until_closed()).await;
    closed.expect("its connection ends");
    let restored = server
        .shop
        .run(&["restore", &backup, "--replace"])
        .await
        .good();
    assert!(restored.contains("is restored from"), "{restored}");
    server.restart().await;

    before.is_kept(&owner).await;
    for left in [&early, &watched, &left] {
        begins_anew(&server, &owner, left).await;
    }
    rows_are_the_databases(&server, &owner).await;
    is_recovered(&server, &owner).await;

    // The database that was replaced has all that came after the backup.
    server.sigterm().await;
    let data = names(&server.shop, "data");
    let kept = data
        .iter()
        .find(|name| name.contains(".replaced-"))
        .unwrap();
    let kept = format!("data/{kept}");
    server
        .shop
        .run(&["restore", &kept, "--replace"])
        .await
        .good();
    server.restart().await;
    before.is_kept(&owner).await;
    meanwhile.is_kept(&owner).await;
}

#[tokio::test]
async fn a_copy_that_the_disk_did_not_keep_is_found_and_is_no_backup() {
    let mut shop = Shop::new();
    let io = FaultyIo::of(&mut shop);
    shop.import(&plain_orders(ORDERS)).await;
    std::fs::create_dir(shop.path("backups")).unwrap();
    let backup = ["backup", "--to", "backups"];
    io.begin("pwrite garble");
    let ran = shop.run(&backup).await;
    io.end();
    let refused = ran.refused();
    assert!(refused.contains("is damaged"), "{refused}");
    assert_eq!(names(&shop, "backups"), Vec::<String>::new());
    shop.run(&backup).await.good();
    assert_eq!(names(&shop, "backups").len(), 1);
}

/// As those of a person, of a timer and of the server may be.
#[tokio::test]
async fn backups_that_are_begun_at_once_do_not_disturb_each_other() {
    let shop = Shop::new();
    shop.import(&plain_orders(ORDERS)).await;
    std::fs::create_dir(shop.path("backups")).unwrap();
    let backup = || shop.run(&["backup", "--to", "backups"]);
    for ran in join_all((0..4).map(|_| backup())).await {
        let output = ran.good();
        assert!(
            output.contains("8 open and 0 closed repair orders"),
            "{output}"
        );
    }
    let written = names(&shop, "backups");
    assert_eq!(written.len(), 4, "{written:?}");
    assert!(
        written.iter().all(|name| name.ends_with(".sqlite")),
        "{written:?}"
    );
}

/// Gives what was acknowledged before the backup, too.
async fn backed_up_shop(file: &str) -> (Server, Desk, Ledger) {
    let server = Server::start().await;
    server.shop.import(&plain_orders(ORDERS)).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let mut ledger = Ledger::default();
    ledger.change(&owner, 1).await.good();
    server.shop.run(&["backup", "--to", file]).await.good();
    (server, owner, ledger)
}

#[tokio::test]
async fn a_backup_begins_a_shop_in_an_empty_data_folder() {
    let (mut server, owner, ledger) = backed_up_shop("shop.sqlite").await;
    let again = server
        .shop
        .run(&["backup", "--to", "shop.sqlite"])
        .await
        .refused();
    assert!(again.contains("shop.sqlite is there already"), "{again}");
    server.sigkill().await;
    let occupied = server.shop.run(&["restore", "shop.sqlite"]).await.refused();
    let contents =
        "has a shop's data already (8 open and 0 closed repair orders, the last change of 2";
    assert!(
        occupied.contains(contents) && occupied.contains("--replace"),
        "{occupied}"
    );
    std::fs::remove_dir_all(server.shop.data_dir()).unwrap();
    server.shop.run(&["restore", "shop.sqlite"]).await.good();
    assert_eq!(
        names(&server.shop, "data"),
        ["dispatch.lock", "dispatch.sqlite"]
    );
    server.restart().await;
    ledger.is_kept(&owner).await;
}

#[tokio::test]
async fn the_log_of_a_database_that_was_lost_does_not_meet_the_one_that_is_restored() {
    let (mut server, owner, ledger) = backed_up_shop("shop.sqlite").await;
    let then = owner.list().await["result"].clone();
    for number in 1..=ORDERS {
        owner.change_priority(number, 3).await.good();
    }
    server.sigkill().await;
    std::fs::remove_file(server.shop.data_dir().join("dispatch.sqlite")).unwrap();
    let log = server.shop.data_dir().join("dispatch.sqlite-wal");
    assert!(log.metadata().unwrap().len() > 0, "it is left");
    server.shop.run(&["restore", "shop.sqlite"]).await.good();
    assert!(!log.exists());
    let data = names(&server.shop, "data");
    let is_kept = |name: &String| name.contains(".replaced-") && name.ends_with("-wal");
    assert!(data.iter().any(is_kept), "{data:?}");
    server.restart().await;
    ledger.is_kept(&owner).await;
    assert_eq!(owner.list().await["result"], then);
    rows_are_the_databases(&server, &owner).await;
    server.shop.run(&["doctor"]).await;
}

#[tokio::test]
async fn every_backup_is_one_file_without_a_log_beside_it() {
    let (server, _, _) = backed_up_shop("first.sqlite").await;
    for missing in ["many/1.sqlite", "many/"] {
        let refused = server
            .shop
            .run(&["backup", "--to", missing])
            .await
            .refused();
        assert!(
            refused.starts_with("the folder many") && refused.contains("is not there"),
            "{refused}"
        );
    }
    std::fs::create_dir(server.shop.path("many")).unwrap();
    let mut written = Vec::new();
    for number in 10..30 {
        written.push(format!("{number}.sqlite"));
        let file = format!("many/{number}.sqlite");
        server.shop.run(&["backup", "--to", &file]).await.good();
    }
    assert_eq!(names(&server.shop, "many"), written);
}

#[tokio::test]
async fn what_is_no_whole_backup_is_refused_and_nothing_is_changed() {
    let (mut server, owner, ledger) = backed_up_shop("whole.sqlite").await;
    server.sigterm().await;
    let whole = std::fs::read(server.shop.path("whole.sqlite")).unwrap();
    server.shop.write("cut.sqlite", &whole[..whole.len() / 2]);
    let mut overwritten = whole.clone();
    let half = overwritten.len() / 2;
    for byte in &mut overwritten[half..] {
        *byte ^= 0x5a;
    }
    server.shop.write("overwritten.sqlite", &overwritten);
    server.shop.write(
        "text.sqlite",
        "a shopping list, long enough to be looked at".repeat(200),
    );
    server.shop.write("empty.sqlite", "");
    let url = format!(
        "sqlite:{}?mode=rwc",
        server.shop.path("another.sqlite").display()
    );
    let another = Database::connect(url).await.unwrap();
    another
        .execute_unprepared("CREATE TABLE theirs (id INTEGER)")
        .await
        .unwrap();
    another.close().await.unwrap();
    let before = names(&server.shop, "data");
    for (name, why) in [
        ("cut", "is damaged ("),
        ("overwritten", "is damaged ("),
        ("text", "is damaged (it is not a database of SQLite's)"),
        ("empty", "is damaged (it is empty)"),
        ("another", "is damaged (it is another program's database)"),
        ("absent", "cannot read"),
    ] {
        let file = format!("{name}.sqlite");
        let refused = server
            .shop
            .run(&["restore", &file, "--replace"])
            .await
            .refused();
        assert!(refused.contains(&file), "{refused}");
        assert!(refused.contains(why), "{refused}");
        let names_another = refused.ends_with("use another backup");
        assert_eq!(names_another, name != "absent", "{refused}");
        assert_eq!(names(&server.shop, "data"), before, "{name}");
    }
    server.restart().await;
    ledger.is_kept(&owner).await;
}

#[tokio::test]
async fn a_shop_without_a_database_file_has_nothing_to_copy() {
    let shop = Shop::new();
    let refused = shop.run(&["backup", "--to", "shop.sqlite"]).await.refused();
    assert!(refused.contains("there is no database"), "{refused}");
    assert!(!shop.data_dir().exists(), "and none is made");
    let shop = Shop::on(&Throwaway::postgres().await);
    for command in [
        &["backup", "--to", "shop.sqlite"][..],
        &["restore", "shop.sqlite"],
    ] {
        let refused = shop.run(command).await.refused();
        assert!(refused.contains("pg_dump --format=custom"), "{refused}");
    }
}

//! Databases that earlier builds left (`tests/databases`, made by `make.py` there) are opened by this one: all that they
//! hold is there, and the shop goes on.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use dispatch_actors::store::DatabaseUrl;
use dispatch_actors::testing::Throwaway;
use flate2::read::GzDecoder;
use sea_orm::{ConnectionTrait, Database};
use serde_json::Value;

use crate::fixture::{OWNER, Server, Shop};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/databases");

/// What they hold gets older with every year.
const KEEP_ALL: [&str; 4] = [
    "--keep-closed-orders-days",
    "forever",
    "--keep-clocks-days",
    "forever",
];

/// The files of an engine, the oldest first.
fn databases(ending: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(FOLDER).unwrap();
    let paths = files.map(|file| file.unwrap().path());
    let mut found: Vec<_> = paths
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect();
    found.sort();
    assert!(found.len() >= 3, "{found:?}");
    for version in releases() {
        let file = Path::new(FOLDER).join(format!("{version}{ending}"));
        assert!(
            found.contains(&file),
            "make.py has not kept {}",
            file.display()
        );
    }
    found
}

/// The released versions, as the changelog has them.
fn releases() -> Vec<String> {
    let changelog = concat!(env!("CARGO_MANIFEST_DIR"), "/../CHANGELOG.md");
    let changelog = fs::read_to_string(changelog).unwrap();
    let headings = changelog
        .lines()
        .filter_map(|line| line.strip_prefix("## ["));
    let names = headings.filter_map(|heading| heading.split(']').next());
    names
        .filter(|name| *name != "Unreleased")
        .map(str::to_owned)
        .collect()
}

fn unpacked(path: &Path) -> Vec<u8> {
    let mut content = Vec::new();
    let mut packed = GzDecoder::new(fs::File::open(path).unwrap());
    packed.read_to_end(&mut content).unwrap();
    content
}

/// The path at which `now` lacks what `then` has, or has something else; later builds may say more.
fn lost(then: &Value, now: &Value, path: &str) -> Option<String> {
    match (then, now) {
        (Value::Object(then), Value::Object(now)) => then.iter().find_map(|(name, value)| {
            let path = format!("{path}.{name}");
            match now.get(name) {
                Some(now) => lost(value, now, &path),
                None => Some(path),
            }
        }),
        (Value::Array(then), Value::Array(now)) if then.len() == now.len() => {
            let both = then.iter().zip(now).enumerate();
            both.into_iter()
                .find_map(|(place, (then, now))| lost(then, now, &format!("{path}[{place}]")))
        }
        _ => (then != now).then(|| format!("{path}: {then} is {now}")),
    }
}

async fn opens_with_all_it_holds(shop: Shop, database: &Path) {
    let name = database.file_name().unwrap().to_string_lossy();
    let answers = fs::read(database.with_extension("json")).unwrap();
    let answers: Value = serde_json::from_slice(&answers).unwrap();
    let mut server = Server::start_in(shop, &KEEP_ALL).await;
    for round in ["first", "second"] {
        let owner = server.sign_in(OWNER).await;
        for (what, then) in answers.as_object().unwrap() {
            let now = owner.get(then["path"].as_str().unwrap()).await.result();
            let lost = lost(&then["result"], &now, what);
            assert_eq!(lost, None, "{name}, {round} start");
        }
        server.sigterm().await;
        server.restart().await;
    }
    let owner = server.sign_in(OWNER).await;
    owner.change_priority(1, 3).await.good();
    owner.assign(3, 14).await.good();
}

#[tokio::test]
async fn every_older_sqlite_database_opens_with_all_it_holds() {
    for database in databases(".sqlite.gz") {
        let shop = Shop::new();
        fs::create_dir(shop.data_dir()).unwrap();
        shop.write("data/dispatch.sqlite", unpacked(&database));
        opens_with_all_it_holds(shop, &database).await;
    }
}

#[tokio::test]
async fn every_older_postgres_database_opens_with_all_it_holds() {
    for database in databases(".postgres.gz") {
        let empty = Throwaway::postgres().await;
        let DatabaseUrl::Postgres(url) = &empty.url else {
            panic!("it is PostgreSQL");
        };
        let connection = Database::connect(url).await.unwrap();
        let sql = String::from_utf8(unpacked(&database)).unwrap();
        connection.execute_unprepared(&sql).await.unwrap();
        connection.close().await.unwrap();
        opens_with_all_it_holds(Shop::on(&empty), &database).await;
    }
}

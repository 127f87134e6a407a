//! Backups that are encrypted, and their copies in a store.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use dispatch_actors::testing::Throwaway;
use dispatch_server::backup::{AccessKeys, BackupSchedule, Backups, KeptBackups, S3Location};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use tokio::time::{sleep, timeout};

use super::backups::names;
use crate::fixture::{
    Desk, Ledger, Ran, S3_KEYS, S3Server, Server, Shop, WAIT_TIMEOUT, plain_orders,
};

const PASSPHRASE: &str = "correct horse battery staple";

/// A shop whose backups are encrypted, and the options for it.
fn shop_with_passphrase() -> (Shop, Vec<String>) {
    let shop = Shop::new();
    std::fs::create_dir(shop.path("backups")).unwrap();
    write_passphrase(&shop, "passphrase", PASSPHRASE);
    let options = [
        "--backup-dir",
        "backups",
        "--backup-passphrase-file",
        "passphrase",
    ];
    (shop, options.map(str::to_owned).to_vec())
}

fn write_passphrase(shop: &Shop, name: &str, text: &str) {
    shop.write(name, format!("{text}\n"));
    let private = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(shop.path(name), private).unwrap();
}

fn environment() -> Vec<(&'static str, String)> {
    S3_KEYS.map(|(name, key)| (name, key.to_owned())).to_vec()
}

/// The state of the copies, once it is as wanted.
async fn copies_when(owner: &Desk, is_wanted: impl Fn(&Value) -> bool) -> Value {
    let wanted = async {
        loop {
            let status = owner.get("/api/server-status").await.result();
            let copies = &status["backups"]["offsite"];
            if is_wanted(copies) {
                return copies.clone();
            }
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(WAIT_TIMEOUT, wanted).await.expect("the copies")
}

/// What another program makes of it, which asks a terminal for the passphrase.
async fn opened_by_age(shop: &Shop, file: &str) -> Vec<u8> {
    let age = format!("age --decrypt --output opened.sqlite {file}");
    let mut terminal = Command::new("script");
    terminal
        .args(["--quiet", "--echo", "never", "--command", &age, "/dev/null"])
        .current_dir(shop.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut terminal = terminal.spawn().expect("script runs");
    let mut keyboard = terminal.stdin.take().unwrap();
    let line = format!("{PASSPHRASE}\n");
    keyboard.write_all(line.as_bytes()).await.unwrap();
    let output = timeout(WAIT_TIMEOUT, terminal.wait_with_output()).await;
    let output = output.expect("age ends").unwrap();
    drop(keyboard);
    let opened = std::fs::read(shop.path("opened.sqlite"));
    opened.unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stdout)))
}

#[tokio::test]
async fn an_encrypted_backup_goes_to_a_store_and_brings_back_what_was_acknowledged() {
    let store = S3Server::start(&[]).await;
    let (shop, mut options) = shop_with_passphrase();
    let mut server = Server::start_in(shop, &[]).await;
    server.shop.import(&plain_orders(8)).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let mut ledger = Ledger::default();
    ledger.change(&owner, 1).await.good();
    server.sigterm().await;
    options.extend(["--backup-s3-url".to_owned(), store.url("lake/side")]);
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    server.shop.environment = environment();
    server.restart_with(&options).await;
    let state = copies_when(&owner, |copies| copies["newest"].is_string()).await;
    assert_eq!(state["failure"], Value::Null, "{state}");
    assert_eq!(state["store"], store.url("lake/side"));
    let [name] = &names(&server.shop, "backups")[..] else {
        panic!("one file, and nothing unfinished");
    };
    assert!(name.ends_with(".sqlite.age"), "{name}");
    let backup = std::fs::read(server.shop.path(&format!("backups/{name}"))).unwrap();
    assert!(backup.starts_with(b"age-encryption.org/v1\n-> scrypt "));
    let key = format!("lake/side/{name}");
    let objects = store.objects().await;
    assert_eq!(objects.keys().collect::<Vec<_>>(), [&key]);
    assert_eq!(store.object(&key).await, backup);
    for name in names(&server.shop, "data") {
        assert!(!name.contains(".backup-"), "{name} is left");
    }
    let log = server.shop.read("server.log");
    let secrets = [PASSPHRASE, S3_KEYS[0].1, S3_KEYS[1].1, "X-Amz"];
    for secret in secrets {
        assert!(!log.contains(secret), "{log}");
    }

    server.sigkill().await;
    std::fs::remove_dir_all(server.shop.data_dir()).unwrap();
    let fetched = "fetched.sqlite.age";
    server.shop.write(fetched, store.object(&key).await);
    assert!(
        opened_by_age(&server.shop, fetched)
            .await
            .starts_with(b"SQLite format 3\0")
    );
    write_passphrase(&server.shop, "other", "a wrong one");
    for (arguments, says) in [
        (
            &[][..],
            "is encrypted: name the file with its passphrase by --backup-passphrase-file",
        ),
        (
            &["--backup-passphrase-file", "other"],
            "the passphrase in other does not open",
        ),
    ] {
        let arguments = [&["restore", fetched], arguments].concat();
        let refused = server.shop.run(&arguments).await.refused();
        assert!(refused.contains(says), "{refused}");
        assert_eq!(names(&server.shop, "data"), ["dispatch.lock"]);
    }
    let arguments = ["restore", fetched, "--backup-passphrase-file", "passphrase"];
    server.shop.run(&arguments).await.good();
    server.restart_with(&[]).await;
    ledger.is_kept(&owner).await;
}

#[tokio::test]
async fn a_backup_by_hand_is_encrypted_too_and_a_damaged_byte_is_found() {
    let (shop, _) = shop_with_passphrase();
    let mut server = Server::start_in(shop, &[]).await;
    server.shop.import(&plain_orders(8)).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let mut ledger = Ledger::default();
    ledger.change(&owner, 1).await.good();
    let passphrase = ["--backup-passphrase-file", "passphrase"];
    let back_up = [&["backup", "--to", "backups"], &passphrase[..]].concat();
    let said = server.shop.run(&back_up).await.good();
    assert!(said.contains("is an encrypted backup of"), "{said}");
    let [name] = &names(&server.shop, "backups")[..] else {
        panic!("one file");
    };
    server.sigterm().await;
    let whole = std::fs::read(server.shop.path(&format!("backups/{name}"))).unwrap();
    let before = names(&server.shop, "data");
    for place in [whole.len() / 2, whole.len() - 1] {
        let mut damaged = whole.clone();
        damaged[place] ^= 1;
        server.shop.write("damaged.age", damaged);
        let restore = [&["restore", "damaged.age", "--replace"], &passphrase[..]].concat();
        let refused = server.shop.run(&restore).await.refused();
        assert!(refused.contains("damaged.age is damaged ("), "{refused}");
        assert_eq!(names(&server.shop, "data"), before);
    }
    // The option may be in the file of options.
    server
        .shop
        .write("options.toml", "backup-passphrase-file = \"passphrase\"\n");
    let file = format!("backups/{name}");
    let restore = ["restore", &file, "--replace", "--config", "options.toml"];
    server.shop.run(&restore).await.good();
    server.restart().await;
    ledger.is_kept(&owner).await;
}

#[tokio::test]
async fn options_of_encrypted_and_off_site_backups_are_refused_where_they_cannot_be() {
    let (shop, _) = shop_with_passphrase();
    shop.write("empty", "");
    shop.write("open", PASSPHRASE);
    for (name, mode) in [("empty", 0o600), ("open", 0o644)] {
        let mode = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(shop.path(name), mode).unwrap();
    }
    let backup_dir = ["--backup-dir", "backups"];
    let url = ["--backup-s3-url", "https://s3.example.com/shop"];
    let keys = [
        "--backup-s3-access-key-id",
        "AKIA",
        "--backup-s3-secret-access-key",
        "s3cret",
    ];
    for (arguments, says) in [
        (
            vec!["--backup-passphrase-file", "absent"],
            "cannot read absent (--backup-passphrase-file)",
        ),
        (vec!["--backup-passphrase-file", "empty"], "is empty"),
        (vec!["--backup-passphrase-file", "open"], "chmod o-rwx open"),
        (
            url.to_vec(),
            "needs the keys to the store: DISPATCH_BACKUP_S3_ACCESS_KEY_ID",
        ),
        (keys.to_vec(), "say where it is with --backup-s3-url"),
        (
            [
                &["--backup-s3-url", "http://s3.example.com/shop"],
                &keys[..],
            ]
            .concat(),
            "http:// only for this machine",
        ),
        (
            [&url[..], &keys, &["--backup-s3-region", "a/b"]].concat(),
            "'a/b' cannot be --backup-s3-region",
        ),
    ] {
        let serve = ["serve", "--listen", "127.0.0.1:0", "--data-dir", "data"];
        let command = [&serve[..], &backup_dir, &arguments].concat();
        let refused = Ran::of(shop.bare(&command), b"").await.refused();
        assert!(refused.contains(says), "{refused}");
        assert!(!refused.contains("s3cret"), "{refused}");
    }
    let serve = [&["serve", "--listen", "127.0.0.1:0"], &url[..], &keys].concat();
    let refused = Ran::of(shop.bare(&serve), b"").await.refused();
    assert!(refused.contains("name it with --backup-dir"), "{refused}");
    let mut help = shop.bare(&["serve", "--help"]);
    help.envs(environment());
    let help = Ran::of(help, b"").await.good();
    assert!(
        !help.contains(S3_KEYS[1].1) && !help.contains(S3_KEYS[0].1),
        "{help}"
    );
}

/// The server's backups without the server's clock.
struct Copying {
    backups: Backups,
    database: Throwaway,
    folder: tempfile::TempDir,
}

impl Copying {
    fn to(url: &str, secret: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let keys = AccessKeys {
            id: S3_KEYS[0].1.to_owned(),
            secret: secret.to_owned(),
        };
        let _ = rustls::crypto::ring::default_provider().install_default();
        let backups = Backups::new(BackupSchedule {
            folder: PathBuf::from(folder.path()),
            interval: SignedDuration::from_hours(1),
            kept: KeptBackups {
                hourly: 2,
                daily: 0,
                weekly: 0,
            },
            encryption: None,
            offsite: Some(S3Location::new(&url.parse().unwrap(), None, keys).unwrap()),
        });
        Self {
            backups,
            database: Throwaway::sqlite(),
            folder,
        }
    }

    /// Writes the backup of this hour, and copies it. Gives why not.
    async fn hour(&self, hour: i64) -> Option<String> {
        let store = self.database.store().await;
        let now = at(hour);
        self.backups.write_if_due(&store, now).await;
        assert_eq!(self.backups.state().failure, None, "nothing holds it up");
        self.backups.copy_offsite_if_behind(&store, now).await;
        store.close().await;
        self.state().1
    }

    async fn copies_if_behind(&self, now: Timestamp) -> bool {
        let store = self.database.store().await;
        let is_changed = self.backups.copy_offsite_if_behind(&store, now).await;
        store.close().await;
        is_changed
    }

    fn state(&self) -> (Option<Timestamp>, Option<String>) {
        let (_, state) = self.backups.offsite().unwrap();
        (state.newest, state.failure)
    }
}

/// After the test's shop was made, whose backups these are.
fn at(hour: i64) -> Timestamp {
    let first: Timestamp = "2126-11-24T10:00:00Z".parse().unwrap();
    first + SignedDuration::from_hours(hour)
}

fn key(hour: i64) -> String {
    let time = at(hour).strftime("%Y-%m-%dT%H-%M-%SZ");
    format!("shop/dispatch-{time}.sqlite")
}

#[tokio::test]
async fn a_store_that_was_away_gets_the_newest_backup_and_keeps_as_many_as_the_folder() {
    let store = S3Server::start(&[]).await;
    let copying = Copying::to(&store.url("shop"), S3_KEYS[1].1);
    let others = [
        "shop/notes.txt",
        // Of a shop that was lost.
        "shop/dispatch-2020-01-01T00-00-00Z.sqlite",
        "shop/dispatch-2020-01-01T01-00-00Z.sqlite",
        "shop/dispatch-2020-01-01T02-00-00Z.sqlite",
        "shop/old/dispatch-2020-01-01T00-00-00Z.sqlite",
        "dispatch-2020-01-01T00-00-00Z.sqlite",
    ];
    for other in others {
        store.put(other).await;
    }
    assert_eq!(copying.hour(0).await, None);
    assert_eq!(copying.hour(1).await, None);
    assert_eq!(copying.hour(2).await, None);
    let objects: Vec<String> = store.objects().await.into_keys().collect();
    let mut expected: Vec<String> = others.map(str::to_owned).to_vec();
    expected.extend([key(1), key(2)]);
    expected.sort();
    assert_eq!(
        objects, expected,
        "the first one is deleted, and nothing of others"
    );

    let port = store.stop().await;
    let why = copying.hour(3).await.expect("it is away");
    assert!(why.starts_with("the store cannot be reached: "), "{why}");
    assert_eq!(copying.state().0, Some(at(2)), "as far as is known");
    assert_eq!(copying.hour(4).await.as_ref(), Some(&why), "still the same");
    // As long as nobody is told of another one: once is enough.
    assert!(!copying.copies_if_behind(at(4)).await);
    let store = S3Server::start_at(port).await;
    assert!(copying.copies_if_behind(at(4)).await);
    assert_eq!(copying.state(), (Some(at(4)), None));
    let objects: Vec<String> = store.objects().await.into_keys().collect();
    assert_eq!(objects, [key(4)], "the newest one has all that was missed");
    let folder = std::fs::read_dir(copying.folder.path()).unwrap();
    assert_eq!(folder.count(), 2, "hours 3 and 4");
}

#[tokio::test]
async fn keys_and_buckets_that_the_store_refuses_are_told() {
    let store = S3Server::start(&[]).await;
    let copying = Copying::to(&store.url(""), "another/secret");
    assert_eq!(
        copying.hour(0).await.unwrap(),
        "the store refuses a list of what is in it: 403 SignatureDoesNotMatch"
    );
    let elsewhere = store.url("").replace("/shop/", "/nowhere");
    let copying = Copying::to(&elsewhere, S3_KEYS[1].1);
    assert_eq!(
        copying.hour(0).await.unwrap(),
        "the store refuses a list of what is in it: 404 NoSuchBucket"
    );
    assert!(store.objects().await.is_empty());
}

#[tokio::test]
async fn a_server_that_is_killed_while_it_copies_leaves_no_half_backup() {
    let mut store = S3Server::start(&["cutting", "slow"]).await;
    let (mut shop, mut options) = shop_with_passphrase();
    shop.environment = environment();
    options.extend(["--backup-s3-url".to_owned(), store.url("")]);
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let mut server = Server::start_in(shop, &options).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let begun = store.upload().await;
    let bytes = begun["bytes"].as_u64().unwrap();
    assert!(bytes > 200_000, "{begun}");
    let state = copies_when(&owner, |copies| copies["failure"].is_string()).await;
    let why = state["failure"].as_str().unwrap();
    assert!(why.starts_with("the store cannot be reached: "), "{why}");
    assert!(store.objects().await.is_empty(), "half of it was there");

    server.sigkill().await;
    server.restart().await;
    assert_eq!(store.upload().await, begun, "the same backup");
    server.sigkill().await;
    // What the dead server had sent may still arrive; it is all of it, or nothing.
    sleep(Duration::from_secs(3)).await;
    for (name, size) in store.objects().await {
        assert_eq!(size, bytes, "{name}");
    }
    server.restart().await;
    copies_when(&owner, |copies| copies["newest"].is_string()).await;
    let sizes: Vec<u64> = store.objects().await.into_values().collect();
    assert_eq!(sizes, [bytes]);
    assert_eq!(names(&server.shop, "backups").len(), 1);
}

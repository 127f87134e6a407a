//! `dispatch doctor`: what it says of a shop that is well, and of each thing that is not.

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use dispatch_actors::testing::Throwaway;
use jiff::{SignedDuration, Timestamp};
use sea_orm::ConnectionTrait;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::fixture::{
    FaultyIo, MailServer, OWNER, Ran, S3_KEYS, S3Server, Server, Shop, free_port, plain_orders,
};

/// Verdict, what was found and what to do, of each thing that was looked at.
type Findings = BTreeMap<String, Vec<(String, String)>>;

struct Examined {
    code: Option<i32>,
    findings: Findings,
}

impl Examined {
    #[track_caller]
    fn finds(&self, check: &str, verdict: &str, says: &str) {
        let of_check = self.findings.get(check);
        let of_check = of_check.unwrap_or_else(|| panic!("no {check} in {:#?}", self.findings));
        let is_meant = |(found, text): &(String, String)| found == verdict && text.contains(says);
        assert!(of_check.iter().any(is_meant), "{check}: {of_check:#?}");
    }
}

async fn examine(shop: &Shop, options: &[&str]) -> Examined {
    let ran = shop.run(&[&["doctor", "--json"], options].concat()).await;
    let report: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
    let mut findings = Findings::new();
    for finding in report["findings"].as_array().unwrap() {
        let text = |name: &str| finding[name].as_str().unwrap_or_default().to_owned();
        let both = format!("{} -> {}", text("found"), text("advice"));
        let of_check = findings.entry(text("check")).or_default();
        of_check.push((text("verdict"), both));
    }
    let worst = match report["verdict"].as_str().unwrap() {
        "ok" => 0,
        "warning" => 1,
        _ => 2,
    };
    assert_eq!(ran.code, Some(worst), "{ran:?}");
    Examined {
        code: ran.code,
        findings,
    }
}

/// Every file and folder below, with what it holds: nothing of it is another after a look.
fn contents(folder: &Path) -> BTreeMap<String, (u32, Vec<u8>)> {
    let mut found = BTreeMap::new();
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        let about = path.symlink_metadata().unwrap();
        let bytes = if about.is_file() {
            std::fs::read(&path).unwrap()
        } else {
            Vec::new()
        };
        if about.is_dir() {
            found.extend(contents(&path));
        }
        found.insert(
            path.display().to_string(),
            (about.permissions().mode(), bytes),
        );
    }
    found
}

#[tokio::test]
async fn a_new_shop_has_warnings_and_nothing_is_made() {
    let shop = Shop::new();
    let examined = examine(&shop, &["--listen", "127.0.0.1:0"]).await;
    assert_eq!(examined.code, Some(1), "{:#?}", examined.findings);
    examined.finds("options file", "ok", "");
    examined.finds("server", "skipped", "none runs");
    examined.finds("data folder", "warning", "the first start makes it");
    examined.finds("database", "ok", "there is none yet");
    examined.finds("time zone", "ok", "America/Chicago");
    examined.finds("mail server", "warning", "reach nobody");
    examined.finds("backups", "warning", "--backup-dir");
    assert!(!shop.data_dir().exists());
}

#[tokio::test]
async fn a_running_server_that_is_well_is_found_so_and_left_as_it_is() {
    let mail = MailServer::start(&["starttls", "auth"]).await;
    let behind = format!("?tls=required&ca={}", mail.authority().display());
    let shop = Shop::new();
    let backups = tempfile::tempdir().unwrap();
    std::fs::create_dir(shop.path("intake")).unwrap();
    let url = mail.url("smtp://desk:s3cret%20%40%2F%3A@", &behind);
    let (backups, intake) = (backups.path().display().to_string(), shop.path("intake"));
    let options = [
        "--smtp-url",
        &url,
        "--mail-from",
        "desk@example.com",
        "--backup-dir",
        &backups,
        "--intake-dir",
        &intake.display().to_string(),
    ];
    let server = Server::start_in(shop, &options).await;
    let address = server.address.to_string();
    let public_url = server.url("");
    let options = [
        &options[..],
        &["--listen", &address, "--public-url", &public_url],
    ]
    .concat();
    let examined = examine(&server.shop, &options).await;
    examined.finds("server", "ok", &format!("(process {})", server.id()));
    examined.finds("data folder", "ok", "closed to other users");
    examined.finds("database", "ok", "is whole (SQLite ");
    examined.finds("schema", "ok", "is that of this dispatch");
    examined.finds("public address", "ok", "is this build");
    examined.finds(
        "mail server",
        "ok",
        "answers with TLS, and takes the password",
    );
    examined.finds("intake folder", "ok", "files can be taken");
    examined.finds("open files", "ok", "the server may open");
    examined.finds("listen", "ok", "a dispatch answers");
    let wrong = examined
        .findings
        .values()
        .flatten()
        .filter(|(verdict, _)| verdict == "wrong");
    assert_eq!(wrong.collect::<Vec<_>>(), Vec::<&(String, String)>::new());
    server.get("/readyz").await.good();
}

#[tokio::test]
async fn a_stopped_shop_is_the_same_after_a_look() {
    let mut server = Server::start().await;
    server.shop.add_user("ann@example.com", "Owner").await;
    server.sigterm().await;
    let before = contents(&server.shop.data_dir());
    let ran = server.shop.run(&["doctor"]).await;
    assert!(
        ran.out
            .lines()
            .any(|line| line.starts_with("ok       database ")),
        "{ran:?}"
    );
    assert!(!ran.out.contains('\u{1b}'), "no colours: {ran:?}");
    assert_eq!(contents(&server.shop.data_dir()), before);
}

#[tokio::test]
async fn every_unknown_option_of_the_file_and_an_exposed_secret_are_found() {
    let shop = Shop::new();
    shop.write(
        "d.toml",
        "lisen = \"127.0.0.1:1\"\nbrand-nam = \"x\"\nsmtp-url = \"smtp://a:b@c\"\n",
    );
    let path = shop.path("d.toml").display().to_string();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
    let examined = examine(&shop, &["--config", &path]).await;
    assert_eq!(examined.code, Some(2));
    examined.finds(
        "options file",
        "wrong",
        "there is no option lisen; did you mean listen",
    );
    examined.finds("options file", "wrong", "there is no option brand-nam");
    examined.finds(
        "options file",
        "warning",
        "everybody on this machine can read",
    );
    examined.finds("everything else", "skipped", "");
}

#[tokio::test]
async fn a_folder_that_others_read_and_files_of_others_are_found() {
    let shop = Shop::new();
    shop.run(&["migrate"]).await.good();
    std::fs::set_permissions(shop.data_dir(), PermissionsExt::from_mode(0o755)).unwrap();
    let examined = examine(&shop, &[]).await;
    examined.finds("data folder", "warning", "chmod 700 ");
    // Tests run as root where they may do this.
    let foreign = shop.data_dir().join("left.by.root");
    std::fs::write(&foreign, "").unwrap();
    std::os::unix::fs::chown(&foreign, Some(12_345), None).unwrap();
    let examined = examine(&shop, &[]).await;
    examined.finds("data folder", "wrong", "left.by.root in ");
    // A disk's own folder is root's on every disk.
    std::fs::rename(&foreign, shop.data_dir().join("lost+found")).unwrap();
    std::fs::set_permissions(shop.data_dir(), PermissionsExt::from_mode(0o700)).unwrap();
    let examined = examine(&shop, &[]).await;
    examined.finds("data folder", "ok", "closed to other users");
}

#[tokio::test]
async fn a_machine_whose_time_zone_is_none_is_found() {
    let mut shop = Shop::unplaced();
    shop.environment.push(("TZ", "Nowhere/Land".to_owned()));
    let named = "TZ is 'Nowhere/Land', which is not the name of a time zone, so UTC is used";
    examine(&shop, &[])
        .await
        .finds("time zone", "warning", named);
    examine(&shop, &["--time-zone", "Europe/Berlin"])
        .await
        .finds("time zone", "ok", "Europe/Berlin");
}

#[tokio::test]
async fn a_damaged_a_newer_and_a_lost_database_are_found() {
    let shop = Shop::new();
    let store = shop.store().await;
    let later = "INSERT INTO seaql_migrations VALUES ('m9999_later', 0)";
    store.writer().execute_unprepared(later).await.unwrap();
    store.close().await;
    let examined = examine(&shop, &[]).await;
    examined.finds(
        "schema",
        "wrong",
        "it has m9999_later -> install the newer dispatch",
    );

    let database = shop.data_dir().join("dispatch.sqlite");
    let whole = std::fs::read(&database).unwrap();
    std::fs::write(&database, &whole[..whole.len() / 2]).unwrap();
    examine(&shop, &[])
        .await
        .finds("database", "wrong", "restore");
    std::fs::write(&database, "").unwrap();
    examine(&shop, &[])
        .await
        .finds("database", "wrong", "is an empty file");
    std::fs::remove_file(&database).unwrap();
    std::fs::write(shop.data_dir().join("log-mark.json"), "").unwrap();
    examine(&shop, &[])
        .await
        .finds("database", "wrong", "is missing, though this shop had one");
}

#[tokio::test]
async fn postgres_is_asked_for_its_version_and_its_connections() {
    let database = Throwaway::postgres().await;
    let shop = Shop::on(&database);
    shop.run(&["migrate"]).await.good();
    let examined = examine(&shop, &[]).await;
    examined.finds("database", "ok", "answers (PostgreSQL ");
    examined.finds("connections", "ok", " are free");
    examined.finds("schema", "ok", "is that of this dispatch");
    examined.finds("backups", "skipped", "pg_dump");
    let nowhere = "postgres://postgres@127.0.0.1:1/shop";
    let shop = Shop::new();
    let examined = examine(&shop, &["--database-url", nowhere]).await;
    examined.finds("database", "wrong", "check that PostgreSQL runs");
}

#[tokio::test]
async fn a_mail_server_that_is_not_there_or_refuses_the_password_is_found() {
    let shop = Shop::new();
    let from = ["--mail-from", "desk@example.com"];
    let port = MailServer::nowhere().await;
    let url = format!("smtp://127.0.0.1:{port}");
    let examined = examine(&shop, &[&["--smtp-url", &url], &from[..]].concat()).await;
    examined.finds("mail server", "wrong", "cannot be used");
    let mail = MailServer::start(&["starttls", "auth"]).await;
    let behind = format!("?tls=required&ca={}", mail.authority().display());
    let url = mail.url("smtp://desk:guessed@", &behind);
    let examined = examine(&shop, &[&["--smtp-url", &url], &from[..]].concat()).await;
    examined.finds("mail server", "wrong", "535");
}

#[tokio::test]
async fn a_taken_port_a_missing_backup_folder_and_a_public_url_that_leads_nowhere_are_found() {
    let shop = Shop::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let missing = shop.path("not-mounted").display().to_string();
    let examined = examine(
        &shop,
        &[
            "--listen",
            &address,
            "--backup-dir",
            &missing,
            "--public-url",
            "https://desk.invalid",
            "--trusted-proxy",
            "0.0.0.0/0",
        ],
    )
    .await;
    drop(taken);
    examined.finds("listen", "wrong", "Address already in use");
    examined.finds("backups", "wrong", "mount its disk");
    examined.finds("public address", "wrong", "desk.invalid has no address");
    examined.finds("trusted proxy", "wrong", "anybody can say to be anybody");
}

#[tokio::test]
async fn too_few_files_are_found_before_a_server_starts_with_them() {
    let mut shop = Shop::new();
    shop.open_files = Some(200);
    examine(&shop, &[])
        .await
        .finds("open files", "wrong", "200 files");
    shop.open_files = Some(400);
    examine(&shop, &[])
        .await
        .finds("open files", "warning", "may open 400");
}

#[tokio::test]
async fn a_store_for_backups_is_asked_with_the_keys_and_nothing_is_put_there() {
    let store = S3Server::start(&[]).await;
    let mut shop = Shop::new();
    std::fs::create_dir(shop.path("backups")).unwrap();
    shop.environment = S3_KEYS.map(|(name, key)| (name, key.to_owned())).to_vec();
    let url = store.url("");
    let options = ["--backup-dir", "backups", "--backup-s3-url", &url];
    let examined = examine(&shop, &options).await;
    let says = "takes the keys, and has none yet; they leave the house as they are";
    examined.finds("off-site backups", "warning", says);
    shop.environment[1].1 = "another/secret".to_owned();
    let examined = examine(&shop, &options).await;
    examined.finds("off-site backups", "wrong", "check the two access keys");
    for (_, text) in examined.findings.values().flatten() {
        assert!(!text.contains("another/secret"), "{text}");
    }
    shop.environment[1].1 = S3_KEYS[1].1.to_owned();
    let region = [&options[..], &["--backup-s3-region", "eu-west-1"]].concat();
    let examined = examine(&shop, &region).await;
    examined.finds("off-site backups", "wrong", "check --backup-s3-region");
    let elsewhere = url.replace("/shop/", "/nowhere");
    let options = ["--backup-dir", "backups", "--backup-s3-url", &elsewhere];
    let examined = examine(&shop, &options).await;
    examined.finds("off-site backups", "wrong", "make the bucket");
    assert!(store.objects().await.is_empty());
}

/// Who runs the tests as root gives the shop to another user: what root could write is not what the server can.
#[tokio::test]
async fn folders_that_the_servers_user_cannot_write_are_wrong_whoever_asks() {
    let shop = Shop::new();
    shop.run(&["migrate"]).await.good();
    let [intake, backups] = ["tray", "copies"].map(|name| {
        let folder = shop.path(name);
        std::fs::create_dir(&folder).unwrap();
        std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o555)).unwrap();
        folder.display().to_string()
    });
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(shop.data_dir(), Some(4389), None).unwrap();
    }
    let options = ["--intake-dir", &intake, "--backup-dir", &backups];
    let examined = examine(&shop, &options).await;
    examined.finds("intake folder", "wrong", "cannot be listed and moved in");
    examined.finds("backups", "wrong", "nothing can be written to");

    let database = shop.data_dir().join("dispatch.sqlite");
    std::fs::set_permissions(&database, PermissionsExt::from_mode(0o400)).unwrap();
    let examined = examine(&shop, &[]).await;
    examined.finds("database", "wrong", "nothing can be written to");
}

#[tokio::test]
async fn an_intake_folder_that_no_server_can_use_is_found() {
    let shop = Shop::new();
    shop.run(&["migrate"]).await.good();
    shop.write("orders.csv", "");
    let data = shop.data_dir();
    std::fs::create_dir(data.join("tray")).unwrap();
    for (folder, verdict, says) in [
        (shop.path("soon"), "warning", "the next start makes it"),
        (shop.path("orders.csv"), "wrong", "is no folder"),
        (data.join("tray"), "warning", "is in the data folder"),
        (data, "wrong", "the server does not start"),
    ] {
        let folder = folder.display().to_string();
        let examined = examine(&shop, &["--intake-dir", &folder]).await;
        examined.finds("intake folder", verdict, says);
    }
}

#[tokio::test]
async fn little_room_a_clock_that_is_behind_and_a_data_folder_that_is_none_are_found() {
    let mut server = Server::start().await;
    server.shop.import(&plain_orders(1)).await;
    server.sigterm().await;
    let shop = &server.shop;
    let store = shop.store().await;
    let tomorrow = Timestamp::now() + SignedDuration::from_hours(24);
    let later = format!("UPDATE events SET at = {}", tomorrow.as_millisecond());
    store.writer().execute_unprepared(&later).await.unwrap();
    store.close().await;
    let examined = examine(shop, &["--low-disk-mb", "4294967295"]).await;
    examined.finds("disk space", "warning", "make room");
    examined.finds("clock", "wrong", "the newest change in the database is of");
    let shop = Shop::new();
    shop.write("data", "");
    let examined = examine(&shop, &[]).await;
    examined.finds("data folder", "wrong", "is no folder");
}

/// Who runs the tests as root gives the shop to another user.
#[tokio::test]
async fn an_intake_folder_that_the_servers_user_cannot_make_is_wrong() {
    let shop = Shop::new();
    shop.run(&["migrate"]).await.good();
    let above = shop.path("srv");
    std::fs::create_dir(&above).unwrap();
    std::fs::set_permissions(&above, std::fs::Permissions::from_mode(0o555)).unwrap();
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(shop.data_dir(), Some(4389), None).unwrap();
    }
    let folder = above.join("far/nothere").display().to_string();
    let examined = examine(&shop, &["--intake-dir", &folder]).await;
    let cannot = format!(
        "cannot make it in {}: the server does not start",
        above.display()
    );
    examined.finds("intake folder", "wrong", &cannot);
    examined.finds("intake folder", "wrong", "install -d -o ");
}

#[tokio::test]
async fn a_server_that_has_not_read_its_options_again_is_found() {
    let shop = Shop::new();
    let with_file = ["--config", "dispatch.toml"];
    shop.write("dispatch.toml", "low-disk-mb = 10\n");
    let server = Server::start_in(shop, &with_file).await;
    let examined = examine(&server.shop, &with_file).await;
    let found = &examined.findings["server"];
    assert!(
        found
            .iter()
            .all(|(_, says)| !says.contains("was changed after")),
        "{found:?}"
    );
    let file = server.shop.path("dispatch.toml");
    let file = std::fs::File::options().write(true).open(file);
    let in_a_minute = SystemTime::now() + Duration::from_secs(60);
    file.unwrap().set_modified(in_a_minute).unwrap();
    let examined = examine(&server.shop, &with_file).await;
    examined.finds(
        "server",
        "warning",
        "was changed after the server was started",
    );
}

#[tokio::test]
async fn backups_of_a_shop_whose_data_folder_is_lost_are_found() {
    let shop = Shop::new();
    shop.import(&plain_orders(1)).await;
    std::fs::create_dir(shop.path("backups")).unwrap();
    shop.run(&["backup", "--to", "backups"]).await.good();
    let options = ["--backup-dir", "backups"];
    let examined = examine(&shop, &options).await;
    examined.finds("backups", "ok", "0 h old");
    std::fs::remove_dir_all(shop.data_dir()).unwrap();
    let says = "has the backups of a shop";
    examine(&shop, &options)
        .await
        .finds("backups", "wrong", says);
    shop.run(&["migrate"]).await.good();
    examine(&shop, &options)
        .await
        .finds("backups", "wrong", says);
}

/// A backup in the folder, as old as its name says.
fn age_backup(folder: &Path, hours: i64) {
    let backup = folder.read_dir().unwrap().next().unwrap().unwrap().path();
    let name = backup.file_name().unwrap().to_str().unwrap();
    let at = name.find('T').unwrap();
    let time = Timestamp::now() - SignedDuration::from_hours(hours);
    let time = time.strftime("%Y-%m-%dT%H-%M-%S");
    let older = format!("{}{time}{}", &name[..at - 10], &name[at + 9..]);
    std::fs::rename(&backup, folder.join(older)).unwrap();
}

#[tokio::test]
async fn backups_are_found_that_are_missing_old_on_the_same_disk_or_have_no_room() {
    let shop = Shop::new();
    shop.run(&["migrate"]).await.good();
    let folder = shop.path("backups");
    std::fs::create_dir(&folder).unwrap();
    let options = ["--backup-dir", "backups"];
    let examined = examine(&shop, &options).await;
    examined.finds("backups", "ok", "yet: the next start writes one");
    examined.finds("backups", "warning", "is on the database's own disk");

    shop.run(&["backup", "--to", "backups"]).await.good();
    examine(&shop, &options)
        .await
        .finds("backups", "ok", ", 0 h old");
    age_backup(&folder, 3);
    let examined = examine(&shop, &options).await;
    examined.finds("backups", "warning", "3 h old -> start the server");
    // Twice the time between two is late.
    let every_two_hours = [&options[..], &["--backup-hours", "2"]].concat();
    let examined = examine(&shop, &every_two_hours).await;
    examined.finds("backups", "ok", ", 3 h old");

    // One that runs writes them, or says in its log why not.
    let server = Server::start_in(shop, &[]).await;
    let examined = examine(&server.shop, &options).await;
    examined.finds("backups", "warning", "3 h old -> see in the log why");
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::create_dir(&folder).unwrap();
    let examined = examine(&server.shop, &options).await;
    examined.finds(
        "backups",
        "warning",
        "yet -> see in the log why none is written",
    );

    let (shop, _disk) = Shop::on_small_disk();
    shop.run(&["migrate"]).await.good();
    // By its whole name: the working folder is the one outside.
    let folder = shop.data_dir().join("backups").display().to_string();
    let made = Ran::of(shop.program("mkdir", &[&folder]), b"").await;
    made.good();
    let examined = examine(&shop, &["--backup-dir", &folder]).await;
    examined.finds(
        "backups",
        "wrong",
        "make room, or name a folder on another disk",
    );
}

#[tokio::test]
async fn older_extended_and_foreign_schemas_are_told_from_each_other() {
    let shop = Shop::new();
    let store = shop.store().await;
    let execute = async |sql: &str| {
        store.writer().execute_unprepared(sql).await.unwrap();
    };
    let newest =
        "DELETE FROM seaql_migrations WHERE version = (SELECT max(version) FROM seaql_migrations)";
    execute(newest).await;
    let examined = examine(&shop, &[]).await;
    examined.finds("schema", "warning", "is one step older than this dispatch");
    execute(newest).await;
    let examined = examine(&shop, &[]).await;
    examined.finds("schema", "warning", "is 2 steps older than this dispatch");
    store.close().await;

    let shop = Shop::new();
    let store = shop.store().await;
    let writer = store.writer();
    for later in [
        "INSERT INTO seaql_migrations VALUES ('m9999_later', 0)",
        // As the newer one has written down what older ones may go on beside.
        "INSERT INTO settings (name, value) VALUES ('additive-migrations', 'm9999_later') \
         ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    ] {
        writer.execute_unprepared(later).await.unwrap();
    }
    store.close().await;
    let examined = examine(&shop, &[]).await;
    let says = "which works beside it: it has m9999_later -> install the newer dispatch here";
    examined.finds("schema", "warning", says);

    let shop = Shop::new();
    std::fs::create_dir(shop.data_dir()).unwrap();
    let database = shop.data_dir().join("dispatch.sqlite");
    let url = format!("sqlite:{}?mode=rwc", database.display());
    let other = sea_orm::Database::connect(url).await.unwrap();
    let table = "CREATE TABLE invoices (id INTEGER)";
    other.execute_unprepared(table).await.unwrap();
    other.close().await.unwrap();
    let examined = examine(&shop, &[]).await;
    examined.finds(
        "schema",
        "wrong",
        "another program's: it has the table invoices",
    );
}

/// A web server that says this to whoever asks for a path.
async fn web_server(answers: &'static [(&str, &str)]) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut tcp, _)) = listener.accept().await {
            let mut request = vec![0; 4_096];
            let length = tcp.read(&mut request).await.unwrap_or(0);
            let request = String::from_utf8_lossy(&request[..length]).into_owned();
            let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
            let answer = answers.iter().find(|(at, _)| *at == path);
            let body = answer.map_or("", |(_, body)| body);
            let answer = format!(
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
            let _ = tcp.write_all(answer.as_bytes()).await;
        }
    });
    url
}

#[tokio::test]
async fn what_the_public_url_leads_to_and_who_may_say_who_asks_is_found() {
    let server = Server::start().await;
    let shop = &server.shop;
    let local = ["--listen", "127.0.0.1:0"];
    let examined = examine(shop, &local).await;
    examined.finds("public URL", "ok", "none: for this machine only");
    examined.finds("trusted proxy", "ok", "none is named");
    let everywhere = ["--listen", "0.0.0.0:0"];
    examine(shop, &everywhere).await.finds(
        "public URL",
        "warning",
        "is for other machines, too: links begin with",
    );

    let named =
        async |url: &str| examine(shop, &[&local[..], &["--public-url", url]].concat()).await;
    let examined = named("http://desk.invalid").await;
    examined.finds("public URL", "warning", "is not HTTPS");
    examined.finds(
        "trusted proxy",
        "warning",
        "though the public URL leads to one",
    );
    let proxied = [
        "--public-url",
        "https://desk.invalid",
        "--trusted-proxy",
        "10.0.0.0/8",
    ];
    let examined = examine(shop, &[&local[..], &proxied].concat()).await;
    examined.finds("public URL", "ok", "https://desk.invalid");
    examined.finds("trusted proxy", "ok", "10.0.0.0/8 may say who asks");

    let other = web_server(&[("/healthz", "it works")]).await;
    let examined = named(&other).await;
    examined.finds("public address", "wrong", "answers, but is no dispatch");
    let older = web_server(&[
        ("/healthz", "{\"status\":\"alive\"}"),
        ("/board", "{&quot;version&quot;:&quot;0.0.9-01234567&quot;}"),
    ]);
    let examined = named(&older.await).await;
    let says = "answers with the build 0.0.9-01234567, and this dispatch is ";
    examined.finds("public address", "warning", says);
    let nowhere = format!("http://127.0.0.1:{}", free_port());
    let examined = named(&nowhere).await;
    examined.finds("public address", "warning", "does not answer from here");
    let examined = examine(&Shop::new(), &["--public-url", &nowhere]).await;
    examined.finds("public address", "skipped", "no server runs here, and ");
}

#[tokio::test]
async fn a_server_at_another_address_or_of_another_shop_or_that_does_not_work_is_found() {
    let mut shop = Shop::new();
    let disk = FaultyIo::of(&mut shop);
    let server = Server::start_in(shop, &[]).await;
    let nowhere = format!("127.0.0.1:{}", free_port());
    let examined = examine(&server.shop, &["--listen", &nowhere]).await;
    examined.finds(
        "listen",
        "warning",
        "the server that runs does not answer at",
    );
    let address = server.address.to_string();
    let here = ["--listen", &address];
    let examined = examine(&Shop::new(), &here).await;
    examined.finds(
        "listen",
        "wrong",
        "is held by a dispatch of another data folder",
    );

    server.shop.import(&plain_orders(1)).await;
    let owner = server.hire(OWNER, "Owner").await;
    disk.begin("fsync EIO");
    assert_eq!(owner.change_priority(1, 3).await.status, 503);
    let examined = examine(&server.shop, &here).await;
    examined.finds("server", "wrong", "and does not work: ");
    disk.end();
}

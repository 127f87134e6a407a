//! The watched folder: files that are dropped into it.

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use sea_orm::ConnectionTrait;
use serde_json::json;
use tokio::time::{sleep, timeout};

use crate::fixture::{Desk, FAULT, Server, Shop, WAIT_TIMEOUT};

/// A server that watches `intake`, and an owner at the desk.
async fn watching() -> (Server, Desk) {
    let shop = Shop::new();
    let folder = shop.path("intake").display().to_string();
    let server = Server::start_in(shop, &["--intake-dir", &folder]).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    (server, owner)
}

/// Puts a file into the folder, as a program does that wrote it elsewhere a while ago.
fn put(shop: &Shop, name: &str, content: impl AsRef<[u8]>) {
    let elsewhere = shop.path("elsewhere");
    std::fs::write(&elsewhere, content).unwrap();
    age(&elsewhere);
    std::fs::rename(&elsewhere, shop.path("intake").join(name)).unwrap();
}

/// A file that was just written to is left alone for some seconds: this one was not.
fn age(path: &Path) {
    let file = File::options().append(true).open(path).unwrap();
    let while_ago = SystemTime::now() - Duration::from_secs(60);
    file.set_modified(while_ago).unwrap();
}

async fn wait_for(path: &Path) {
    let there = async {
        while !path.exists() {
            sleep(Duration::from_millis(50)).await;
        }
    };
    let came = timeout(WAIT_TIMEOUT, there).await;
    assert!(came.is_ok(), "{} did not come", path.display());
}

/// Waits until the log says so.
async fn wait_for_line(shop: &Shop, text: &str) {
    let said = async {
        while !shop.read("server.log").contains(text) {
            sleep(Duration::from_millis(50)).await;
        }
    };
    let said = timeout(WAIT_TIMEOUT, said).await;
    assert!(said.is_ok(), "no {text} in {}", shop.read("server.log"));
}

fn names(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_file_is_imported_and_archived() {
    let (server, owner) = watching().await;
    let shop = &server.shop;
    assert_eq!(names(&shop.path("intake")), ["done", "rejected"]);
    put(shop, "orders.csv", "number,customer\n7,Ann\n");
    wait_for(&shop.path("intake/done/orders.csv")).await;
    assert_eq!(names(&shop.path("intake")), ["done", "rejected"]);
    let list = owner.list().await;
    assert_eq!(list["result"][0]["customer"], "Ann");
    // It is written when the file has been moved.
    wait_for_line(
        shop,
        "orders.csv: 1 created, 0 changed, 0 unchanged, 0 refused; moved to ",
    )
    .await;

    // Another of the same name is filed beside it.
    put(shop, "orders.csv", "number,customer\n7,Bob\n");
    let both = async {
        while names(&shop.path("intake/done")).len() < 2 {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(WAIT_TIMEOUT, both).await.unwrap();
    assert_eq!(
        shop.read("intake/done/orders.csv"),
        "number,customer\n7,Ann\n"
    );
    assert_eq!(owner.list().await["result"][0]["customer"], "Bob");
}

/// Writes row after row for some looks of the server. Gives how many, and whether the file was
/// taken before the last one, though it never stood still for long.
fn write_slowly(path: &Path) -> (usize, bool) {
    let mut file = File::create(path).unwrap();
    file.write_all(b"number\n").unwrap();
    let (start, mut rows) = (Instant::now(), 0);
    let mut last = start;
    while start.elapsed() < Duration::from_secs(3) {
        rows += 1;
        writeln!(file, "{rows}").unwrap();
        // A machine too busy to write for so long proves nothing about the server.
        if last.elapsed() > Duration::from_millis(500) {
            break;
        }
        if !path.exists() {
            return (rows, true);
        }
        last = Instant::now();
        std::thread::sleep(Duration::from_millis(20));
    }
    (rows, false)
}

#[tokio::test]
async fn an_unfinished_file_is_left_alone() {
    let (server, owner) = watching().await;
    let shop = &server.shop;
    let row = "number\n666\n";
    for name in [".hidden.csv", "half.csv.part", "half.csv.tmp"] {
        put(shop, name, row);
    }
    std::fs::create_dir(shop.path("intake/a-folder.csv")).unwrap();
    shop.write("outside.csv", row);
    age(&shop.path("outside.csv"));
    symlink(shop.path("outside.csv"), shop.path("intake/a-link.csv")).unwrap();
    let left = names(&shop.path("intake"));

    // A program that is still writing: each look finds the file longer than the last.
    let growing = shop.path("intake/growing.csv");
    let writer = tokio::task::spawn_blocking(move || write_slowly(&growing));
    let (rows, taken_early) = writer.await.unwrap();
    assert!(!taken_early, "it was taken while it grew");
    age(&shop.path("intake/growing.csv"));
    wait_for(&shop.path("intake/done/growing.csv")).await;
    assert_eq!(owner.list().await["result"].as_array().unwrap().len(), rows);
    assert_eq!(names(&shop.path("intake")), left);
}

#[tokio::test]
async fn a_file_that_grew_after_its_import_is_imported_again() {
    let (server, owner) = watching().await;
    let shop = &server.shop;
    put(shop, "orders.csv", "number\n7\n");
    let done = shop.path("intake/done/orders.csv");
    wait_for(&done).await;
    // The interrupted copy continues, in the file wherever it is now.
    let mut copy = File::options().append(true).open(&done).unwrap();
    copy.write_all(b"8\n").unwrap();
    let whole = async {
        while owner.list().await["result"].as_array().unwrap().len() < 2 {
            sleep(Duration::from_millis(200)).await;
        }
    };
    timeout(WAIT_TIMEOUT, whole).await.unwrap();
    let filed = async {
        while names(&shop.path("intake/done")).is_empty() {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(WAIT_TIMEOUT, filed).await.unwrap();
    let names = names(&shop.path("intake/done"));
    let [name] = names.as_slice() else {
        panic!("{names:?}")
    };
    assert!(name.starts_with("orders-2"), "{name}");
}

#[tokio::test]
async fn a_file_waits_while_the_database_does_not_answer() {
    let (server, owner) = watching().await;
    let shop = &server.shop;
    let store = shop.store().await;
    let run = async |sql: &str| store.writer().execute_unprepared(sql).await.unwrap();
    run(FAULT).await;
    put(shop, "orders.csv", "number\n7\n");
    let log_entry = async {
        while !shop
            .read("server.log")
            .contains("orders.csv: The database does not answer")
        {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(WAIT_TIMEOUT, log_entry).await.unwrap();
    assert_eq!(names(&shop.path("intake/done")).len(), 0);
    assert_eq!(names(&shop.path("intake/rejected")).len(), 0);
    // A file that was written again is imported at once, others after a while.
    run("DROP TRIGGER fault").await;
    put(shop, "orders.csv", "number\n7\n8\n");
    wait_for(&shop.path("intake/done/orders.csv")).await;
    assert_eq!(owner.list().await["result"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_broken_file_is_rejected_with_its_reason() {
    let (server, owner) = watching().await;
    let shop = &server.shop;
    put(shop, "broken.csv", b"number,customer\n7,\xe9\n");
    wait_for(&shop.path("intake/rejected/broken.csv")).await;
    let reason = shop.read("intake/rejected/broken.csv.reason.txt");
    assert!(reason.starts_with("The file is not UTF-8"), "{reason}");

    let some = "number,customer\n7,Ann\nnone,Bob\n";
    put(shop, "some.csv", some);
    wait_for(&shop.path("intake/rejected/some.csv")).await;
    assert_eq!(shop.read("intake/rejected/some.csv"), some);
    let rejects = shop.read("intake/rejected/some.csv.rejects.ndjson");
    let reject: serde_json::Value = serde_json::from_str(&rejects).unwrap();
    assert_eq!(
        (&reject["file"], &reject["place"], &reject["row"]),
        (&json!("some.csv"), &json!("line 3"), &json!("none,Bob"))
    );
    assert_eq!(owner.list().await["result"][0]["customer"], "Ann");
    assert_eq!(
        names(&shop.path("intake/rejected")),
        [
            "broken.csv",
            "broken.csv.reason.txt",
            "some.csv",
            "some.csv.rejects.ndjson"
        ]
    );
}

#[tokio::test]
async fn files_that_waited_for_the_server_are_imported_in_the_order_of_their_names() {
    let (mut server, owner) = watching().await;
    server.sigterm().await;
    put(&server.shop, "2.csv", "number,customer\n7,Second\n");
    put(&server.shop, "1.csv", "number,customer\n7,First\n");
    server.restart().await;
    wait_for(&server.shop.path("intake/done/2.csv")).await;
    assert_eq!(names(&server.shop.path("intake/done")), ["1.csv", "2.csv"]);
    let again = server.sign_in("owner@example.com").await;
    assert_eq!(again.uid, owner.uid);
    assert_eq!(again.list().await["result"][0]["customer"], "Second");
}

#[tokio::test]
async fn a_folder_that_cannot_be_used_is_reported() {
    let mut shop = Shop::new();
    shop.write("intake", "a file");
    let folder = shop.path("intake").display().to_string();
    let sentence = shop
        .run(&["serve", "--listen", "127.0.0.1:0", "--intake-dir", &folder])
        .await
        .refused();
    assert_eq!(
        sentence,
        format!("cannot use the intake folder {folder}: Not a directory (os error 20)")
    );
    shop.environment = vec![("DISPATCH_INTAKE_DIR", folder)];
    let outcome = shop.run(&["serve", "--listen", "127.0.0.1:0"]).await;
    assert_eq!(outcome.refused(), sentence);
    shop.environment.clear();
    shop.write("dispatch.toml", "intake-dir = \"intake\"\n");
    let outcome = shop
        .run(&[
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--config",
            "dispatch.toml",
        ])
        .await;
    assert_eq!(
        outcome.refused(),
        "cannot use the intake folder intake: Not a directory (os error 20)"
    );
}

#[tokio::test]
async fn a_folder_of_the_servers_own_is_no_intake_folder() {
    let shop = Shop::new();
    shop.add_user("owner@example.com", "Owner").await;
    std::fs::create_dir(shop.path("backups")).unwrap();
    symlink(shop.path("backups"), shop.path("link")).unwrap();
    let backups = shop.path("backups").display().to_string();
    for (place, name) in [
        ("data", "data"),
        ("data/mail", "mail"),
        ("backups", "backup"),
        ("link/", "backup"),
    ] {
        let folder = shop.path(place).display().to_string();
        let options = ["--backup-dir", &backups, "--intake-dir", &folder];
        let serve = [&["serve", "--listen", "127.0.0.1:0"], &options[..]].concat();
        let refused = shop.run(&serve).await.refused();
        let expected = format!("cannot use the intake folder {folder}: it is the {name} folder, ");
        assert!(refused.starts_with(&expected), "{refused}");
        let examined = shop.run(&[&["doctor"], &options[..]].concat()).await;
        let expected = format!("{folder} is the {name} folder: the server does not start");
        assert!(examined.out.contains(&expected), "{examined:?}");
        assert_eq!(examined.code, Some(2), "{examined:?}");
    }
    assert!(shop.data_dir().join("dispatch.sqlite").exists());
}

#[tokio::test]
async fn an_intake_folder_in_the_data_folder_is_warned_of_because_it_is_closed_to_other_users() {
    for (place, is_closed) in [
        ("data/intake", true),
        ("link/intake", true),
        ("intake", false),
    ] {
        let shop = Shop::new();
        let (folder, data) = (shop.path(place).display().to_string(), shop.data_dir());
        std::fs::create_dir(&data).unwrap();
        symlink(&data, shop.path("link")).unwrap();
        let server = Server::start_in(shop, &["--intake-dir", &folder]).await;
        let warning = format!(
            "the intake folder {folder} is in the data folder {}, which is closed to other users",
            data.display()
        );
        let log = server.shop.read("server.log");
        assert_eq!(log.contains(&warning), is_closed, "{place}: {log}");
    }
}

#[tokio::test]
async fn a_fault_is_logged_once_and_the_file_is_imported_when_it_is_over() {
    let (server, owner) = watching().await;
    let shop = &server.shop;
    // Nothing can be moved into a path that is not a folder.
    let done = shop.path("intake/done");
    std::fs::remove_dir(&done).unwrap();
    shop.write("intake/done", "a file");
    put(shop, "orders.csv", "number,customer\n7,Ann\n");
    let log_entry = async {
        while !shop
            .read("server.log")
            .contains("orders.csv: done/: Not a directory")
        {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(WAIT_TIMEOUT, log_entry).await.unwrap();
    assert_eq!(owner.list().await["result"][0]["customer"], "Ann");
    // It does not delay files before it, and the fault is not logged again.
    put(shop, "broken.csv", b"\xe9");
    wait_for(&shop.path("intake/rejected/broken.csv")).await;
    let log = shop.read("server.log");
    assert_eq!(log.matches("orders.csv: ").count(), 1, "{log}");

    // A file that was written again is imported at once.
    put(shop, "orders.csv", "number,customer\n7,Bob\n");
    std::fs::remove_file(&done).unwrap();
    wait_for(&shop.path("intake/done/orders.csv")).await;
    assert_eq!(owner.list().await["result"][0]["customer"], "Bob");
    wait_for_line(shop, "the intake folder works again").await;
}

/// For as long as some scans take.
async fn assert_stays(path: &Path) {
    let end = Instant::now() + Duration::from_secs(4);
    while Instant::now() < end {
        assert!(path.exists(), "{} was taken", path.display());
        sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn a_file_waits_for_an_older_one_that_could_not_be_imported() {
    let (server, owner) = watching().await;
    let shop = &server.shop;
    let store = shop.store().await;
    let run = async |sql: &str| store.writer().execute_unprepared(sql).await.unwrap();
    run(FAULT).await;
    put(shop, "1.csv", "number,customer\n7,First\n");
    wait_for_line(shop, "1.csv: The database does not answer").await;
    wait_for_line(shop, "the files after it wait").await;
    put(shop, "2.csv", "number,customer\n7,Second\n");
    run("DROP TRIGGER fault").await;
    // The first one is tried again after a minute.
    assert_stays(&shop.path("intake/2.csv")).await;
    assert_eq!(owner.list().await["result"], json!([]));

    // It is written again, which makes it due.
    put(shop, "1.csv", "number,customer\n7,Later\n");
    wait_for(&shop.path("intake/done/2.csv")).await;
    assert_eq!(names(&shop.path("intake/done")), ["1.csv", "2.csv"]);
    assert_eq!(owner.list().await["result"][0]["customer"], "Second");
}

#[tokio::test]
async fn a_file_that_could_not_be_moved_is_moved_later_and_not_imported_again() {
    let (server, owner) = watching().await;
    let shop = &server.shop;
    let done = shop.path("intake/done");
    std::fs::remove_dir(&done).unwrap();
    shop.write("intake/done", "a file");
    put(shop, "1.csv", "number,customer\n7,First\n");
    wait_for_line(shop, "1.csv: done/: Not a directory").await;
    wait_for_line(shop, "only its move is tried again").await;
    put(shop, "2.csv", "number,customer\n8,Ann\n");
    // What comes another way is newer.
    let newer = json!([{ "repairOrderNumber": 7, "customer": "Newer" }]);
    shop.import(&newer).await;
    assert_stays(&shop.path("intake/2.csv")).await;
    let list = owner.list().await["result"].clone();
    assert_eq!(list.as_array().unwrap().len(), 1, "it waits: {list}");

    std::fs::remove_file(&done).unwrap();
    wait_for(&shop.path("intake/done/2.csv")).await;
    assert_eq!(names(&done), ["1.csv", "2.csv"]);
    let list = owner.list().await["result"].clone();
    let orders = list.as_array().unwrap();
    assert_eq!(orders.len(), 2, "{list}");
    assert!(
        orders.iter().any(|order| order["customer"] == "Newer"),
        "{list}"
    );
    // As it was imported, once.
    wait_for_line(shop, "1.csv: 1 created, 0 changed, 0 unchanged").await;
}

/// Links that another user of this machine has planted in the folder, in the place of what the
/// server is about to write; they lead to files and folders of others.
#[tokio::test]
async fn nothing_outside_changes_by_way_of_planted_links() {
    let (server, owner) = watching().await;
    let shop = &server.shop;
    shop.write("theirs", "theirs");
    std::fs::create_dir(shop.path("other")).unwrap();
    let outside = [
        "rejected/.rejects.part",
        "rejected/bad.csv",
        "rejected/bad.csv.reason.txt",
        "rejected/bad.csv.rejects.ndjson",
        "done/orders.csv",
    ];
    for link in outside {
        symlink(shop.path("theirs"), shop.path("intake").join(link)).unwrap();
    }
    put(shop, "bad.csv", "number,customer\nseven,Ann\n8,Bob\n");
    put(shop, "orders.csv", "number,customer\n7,Ann\n");
    put(shop, "unreadable.csv", [0; 64]);
    for left in ["bad.csv", "orders.csv", "unreadable.csv"] {
        let there = async {
            while shop.path("intake").join(left).exists() {
                sleep(Duration::from_millis(50)).await;
            }
        };
        timeout(WAIT_TIMEOUT, there).await.unwrap();
    }
    assert_eq!(owner.list().await["result"].as_array().unwrap().len(), 2);
    assert_eq!(shop.read("theirs"), "theirs");

    // A link in the place of `done/` leads somewhere else: the file stays until it is gone.
    std::fs::rename(shop.path("intake/done"), shop.path("intake/moved")).unwrap();
    symlink(shop.path("other"), shop.path("intake/done")).unwrap();
    put(shop, "later.csv", "number,customer\n9,Eve\n");
    let output = async {
        while !shop
            .read("server.log")
            .contains("later.csv: done/: it is a link")
        {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(WAIT_TIMEOUT, output).await.unwrap();
    assert!(shop.path("intake/later.csv").exists());
    std::fs::remove_file(shop.path("intake/done")).unwrap();
    put(shop, "later.csv", "number,customer\n9,Eva\n");
    wait_for(&shop.path("intake/done/later.csv")).await;
    assert_eq!(names(&shop.path("other")), Vec::<String>::new());
}

#[tokio::test]
async fn a_server_starts_although_a_link_was_planted_in_its_folder() {
    let shop = Shop::new();
    std::fs::create_dir_all(shop.path("intake")).unwrap();
    std::fs::create_dir(shop.path("other")).unwrap();
    symlink(shop.path("other"), shop.path("intake/rejected")).unwrap();
    let folder = shop.path("intake").display().to_string();
    let server = Server::start_in(shop, &["--intake-dir", &folder]).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    put(&server.shop, "orders.csv", "number\nseven\n");
    let log = server.shop.read("server.log");
    assert!(log.contains("rejected/: it is a link"), "{log}");
    assert_eq!(owner.list().await["result"], json!([]));
    assert_eq!(names(&server.shop.path("other")), Vec::<String>::new());
}

/// A hard link to another user's file, and things that are not files: none of them is read, and
/// the server waits for none.
#[tokio::test]
async fn pipes_and_files_with_two_names_are_not_read() {
    let (server, owner) = watching().await;
    let shop = &server.shop;
    shop.write("theirs.csv", "number\n666\n");
    age(&shop.path("theirs.csv"));
    std::fs::hard_link(shop.path("theirs.csv"), shop.path("intake/theirs.csv")).unwrap();
    let pipe = shop.path("intake/a-pipe.csv");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    put(shop, "orders.csv", "number\n7\n");
    wait_for(&shop.path("intake/done/orders.csv")).await;
    let output = async {
        while !shop
            .read("server.log")
            .contains("theirs.csv: it has another name")
        {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(WAIT_TIMEOUT, output).await.unwrap();
    assert_eq!(owner.list().await["result"].as_array().unwrap().len(), 1);
    assert!(pipe.exists() && shop.path("intake/theirs.csv").exists());
}

#[tokio::test]
async fn a_files_name_cannot_forge_a_line_of_the_log() {
    let (server, _owner) = watching().await;
    let shop = &server.shop;
    let forged = "9999-12-31T00:00:00Z  INFO dispatch: owner@example.com signed in";
    let name = format!("x\n{forged}\u{1b}[2J\u{202e}.csv");
    put(shop, &name, "number\n7\n");
    wait_for(&shop.path("intake/done").join(&name)).await;
    let output = async {
        while !shop.read("server.log").contains("1 created") {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(WAIT_TIMEOUT, output).await.unwrap();
    let log = shop.read("server.log");
    assert!(log.contains(r"x\n9999-12-31"), "{log}");
    assert!(!log.lines().any(|line| line.starts_with("9999")), "{log}");
    assert!(
        !log.contains("\u{1b}[2J") && !log.contains('\u{202e}'),
        "{log}"
    );
}

#[tokio::test]
async fn owners_see_that_the_folder_is_gone_and_that_it_is_back() {
    let (server, owner) = watching().await;
    let shop = &server.shop;
    let (folder, away) = (shop.path("intake"), shop.path("away"));
    let well = owner
        .server_status_when("intake", |intake| intake["failure"].is_null())
        .await;
    assert_eq!(well["folder"], folder.display().to_string());

    std::fs::rename(&folder, &away).unwrap();
    let gone = owner
        .server_status_when("intake", |intake| intake["failure"].is_string())
        .await;
    let failure = gone["failure"].as_str().unwrap();
    assert!(
        failure.starts_with(well["folder"].as_str().unwrap()),
        "{failure}"
    );

    std::fs::rename(&away, &folder).unwrap();
    owner
        .server_status_when("intake", |intake| intake["failure"].is_null())
        .await;
    put(shop, "orders.csv", "number,customer\n7,Ann\n");
    wait_for(&folder.join("done/orders.csv")).await;
}

#[tokio::test]
async fn owners_see_which_file_holds_up_the_others() {
    let (server, owner) = watching().await;
    let shop = &server.shop;
    let done = shop.path("intake/done");
    std::fs::remove_dir(&done).unwrap();
    std::fs::write(&done, "no folder").unwrap();
    put(shop, "orders.csv", "number,customer\n7,Ann\n");
    let held_up = owner
        .server_status_when("intake", |intake| intake["failure"].is_string())
        .await;
    let failure = held_up["failure"].as_str().unwrap();
    assert!(failure.starts_with("orders.csv: "), "{failure}");

    std::fs::remove_file(&done).unwrap();
    std::fs::create_dir(&done).unwrap();
    owner
        .server_status_when("intake", |intake| intake["failure"].is_null())
        .await;
    wait_for(&done.join("orders.csv")).await;
}

//! A fault that keeps a command from its work is reported in one line, with exit code 2.

use std::net::TcpListener;
use std::process::Stdio;
use std::time::Duration;

use dispatch_actors::store::DatabaseUrl;
use dispatch_actors::testing::Throwaway;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

use crate::fixture::{ANYWHERE, Ran, Server, Shop, free_port, until};

#[tokio::test]
async fn a_port_in_use_is_reported() {
    let shop = Shop::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let sentence = shop.run(&["serve", "--listen", &address]).await.refused();
    assert_eq!(
        sentence,
        format!(
            "cannot listen on {address}: Address already in use (os error 98); stop the program that holds it \
             (ss -ltnp shows it), or use another --listen"
        )
    );
    let sentence = shop
        .run(&["serve", "--listen", "203.0.113.1:80"])
        .await
        .refused();
    assert_eq!(
        sentence,
        "cannot listen on 203.0.113.1:80: Cannot assign requested address (os error 99); name an address of this \
         machine with --listen, such as 127.0.0.1:8080"
    );
}

#[tokio::test]
async fn a_machine_without_certificates_of_authorities_is_told_what_to_install() {
    let shop = Shop::new();
    let mut command = shop.command(&ANYWHERE);
    command.env("SSL_CERT_FILE", shop.path("none"));
    command.env("SSL_CERT_DIR", shop.path("none"));
    let sentence = Ran::of(command, b"").await.refused();
    assert!(
        sentence.contains("the package ca-certificates"),
        "{sentence}"
    );
}

#[tokio::test]
async fn every_command_reports_a_file_that_is_not_a_database() {
    let shop = Shop::new();
    std::fs::create_dir(shop.data_dir()).unwrap();
    let database = shop.data_dir().join("dispatch.sqlite");
    std::fs::write(
        &database,
        "This is no database, but somebody's letter. ".repeat(100),
    )
    .unwrap();
    for command in [
        &ANYWHERE[..],
        &["migrate"],
        &["import", "-"],
        &["user", "role", "ann@example.com"],
    ] {
        let sentence = shop.run_with(command, "[]").await.refused();
        let expected = format!(
            "cannot open the database {}: this file is not a database of SQLite's; restore it from a \
             backup, or name another file",
            database.display()
        );
        assert_eq!(sentence, expected);
    }
    assert!(
        std::fs::read_to_string(&database)
            .unwrap()
            .starts_with("This is no database"),
        "it is left alone"
    );
}

#[tokio::test]
async fn a_damaged_database_is_reported() {
    let shop = Shop::new();
    // Everything into the one file that is damaged next.
    let store = shop.store().await;
    let checkpoint = store
        .writer()
        .execute_unprepared("PRAGMA wal_checkpoint(TRUNCATE)");
    checkpoint.await.unwrap();
    store.close().await;
    let database = shop.data_dir().join("dispatch.sqlite");
    let mut bytes = std::fs::read(&database).unwrap();
    bytes[100..8_000].fill(0x5a);
    std::fs::write(&database, bytes).unwrap();
    let sentence = shop.run(&ANYWHERE).await.refused();
    assert!(sentence.contains("malformed"), "{sentence}");
}

#[tokio::test]
async fn an_empty_database_file_is_not_taken_for_a_new_shop() {
    let shop = Shop::new();
    std::fs::create_dir(shop.data_dir()).unwrap();
    let database = shop.data_dir().join("dispatch.sqlite");
    std::fs::write(&database, "").unwrap();
    for command in [&ANYWHERE[..], &["migrate"], &["import", "-"]] {
        assert_eq!(
            shop.run_with(command, "[]").await.refused(),
            format!(
                "the database {} is an empty file: restore it from a backup, or delete it to begin a \
                 new shop",
                database.display()
            )
        );
    }
    assert_eq!(database.metadata().unwrap().len(), 0, "it is left alone");
    std::fs::remove_file(&database).unwrap();
    Server::start_in(shop, &[]).await;
}

#[tokio::test]
async fn a_running_servers_file_without_its_log_is_no_copy_and_is_not_taken_for_a_new_shop() {
    let server = Server::start().await;
    server.hire("owner@example.com", "Owner").await;
    let shop = Shop::new();
    std::fs::create_dir(shop.data_dir()).unwrap();
    let database = shop.data_dir().join("dispatch.sqlite");
    // All that a new shop has is in the log for days.
    std::fs::copy(server.shop.data_dir().join("dispatch.sqlite"), &database).unwrap();
    let whole = std::fs::read(&database).unwrap();
    for command in [&ANYWHERE[..], &["migrate"], &["doctor"]] {
        let ran = shop.run(command).await;
        assert_eq!(ran.code, Some(2), "{ran:?}");
        let said = format!("the database {} has nothing in it", database.display());
        assert!(format!("{}{}", ran.out, ran.err).contains(&said), "{ran:?}");
    }
    assert_eq!(std::fs::read(&database).unwrap(), whole, "it is left alone");
    std::fs::rename(&database, shop.path("copy.sqlite")).unwrap();
    let refused = shop.run(&["restore", "copy.sqlite"]).await.refused();
    assert!(refused.contains("it has nothing in it"), "{refused}");

    let log = server.shop.data_dir().join("dispatch.sqlite-wal");
    std::fs::copy(log, shop.path("copy.sqlite-wal")).unwrap();
    shop.run(&["restore", "copy.sqlite"]).await.good();
    let server = Server::start_in(shop, &[]).await;
    server.sign_in("owner@example.com").await;
}

#[tokio::test]
async fn a_truncated_database_is_reported() {
    let shop = Shop::new();
    let store = shop.store().await;
    store.close().await;
    let database = shop.data_dir().join("dispatch.sqlite");
    let whole = std::fs::read(&database).unwrap();
    for length in [whole.len() / 2, 5_000, 50] {
        std::fs::write(&database, &whole[..length]).unwrap();
        assert_eq!(
            shop.run(&ANYWHERE).await.refused(),
            format!(
                "cannot open the database {}: the file is damaged or was cut off (SQLite says it is \
                 malformed); stop the server, keep a copy of the data folder, and restore a backup with \
                 dispatch restore",
                database.display()
            )
        );
    }
    std::fs::write(&database, whole).unwrap();
    Server::start_in(shop, &[]).await;
}

#[tokio::test]
async fn a_database_that_is_missing_is_not_replaced_by_a_new_one() {
    let shop = Shop::new();
    shop.run(&["migrate"]).await.good();
    let [database, mark] =
        ["dispatch.sqlite", "log-mark.json"].map(|name| shop.data_dir().join(name));
    std::fs::write(&mark, "{}").unwrap();
    shop.run(&["migrate"]).await.good();
    std::fs::remove_file(&database).unwrap();
    for command in [&ANYWHERE[..], &["migrate"], &["import", "-"]] {
        assert_eq!(
            shop.run_with(command, "[]").await.refused(),
            format!(
                "the database {} is missing, though this shop had one ({mark} says so): restore it, or \
                 delete {mark} to begin a new shop",
                database.display(),
                mark = mark.display(),
            )
        );
    }
    assert!(!database.exists());
    std::fs::remove_file(mark).unwrap();
    Server::start_in(shop, &[]).await;
}

#[tokio::test]
async fn another_programs_database_is_left_alone() {
    let shop = Shop::new();
    std::fs::create_dir(shop.data_dir()).unwrap();
    let database = shop.data_dir().join("dispatch.sqlite");
    let url = format!("sqlite:{}?mode=rwc", database.display());
    let theirs = sea_orm::Database::connect(url).await.unwrap();
    let made = theirs.execute_unprepared("CREATE TABLE letters (id INTEGER)");
    made.await.unwrap();
    assert_eq!(
        shop.run(&ANYWHERE).await.refused(),
        format!(
            "the database {} is another program's (it has the table letters): name another file",
            database.display()
        )
    );
}

#[tokio::test]
async fn a_path_that_cannot_hold_data_is_reported() {
    let shop = Shop::new();
    std::fs::create_dir_all(shop.data_dir().join("dispatch.sqlite")).unwrap();
    let sentence = shop.run(&ANYWHERE).await.refused();
    let expected = format!(
        "cannot open the database {}: ",
        shop.data_dir().join("dispatch.sqlite").display()
    );
    assert!(sentence.starts_with(&expected), "{sentence}");

    let shop = Shop::new();
    shop.write("data", "a file");
    let sentence = shop.run(&ANYWHERE).await.refused();
    let data_dir = shop.data_dir().display().to_string();
    assert_eq!(
        sentence,
        format!("cannot use the data folder {data_dir}: File exists (os error 17)")
    );
}

#[tokio::test]
async fn a_data_folder_has_one_server() {
    let server = Server::start().await;
    let data_dir = server.shop.data_dir().display().to_string();
    for command in [&ANYWHERE[..], &["migrate"]] {
        assert_eq!(
            server.shop.run(command).await.refused(),
            format!(
                "the data folder {data_dir} is in use by another dispatch server (process {}); \
                 stop it first, or use another --data-dir",
                server.id()
            )
        );
    }
    assert_eq!(
        server.get("/readyz").await.status,
        200,
        "the first one is not disturbed"
    );
}

/// An import that takes its rows from a pipe ends when the pipe does.
#[tokio::test]
async fn a_start_waits_for_a_command_that_works_on_the_data_folder() {
    let shop = Shop::new();
    let mut import = shop.command(&["import", "-", "--format", "json"]);
    let mut import = import.stdin(Stdio::piped()).spawn().unwrap();
    let lock = shop.data_dir().join("dispatch.lock");
    let holder = format!("{} import\n", import.id().unwrap());
    until("the import holds the folder", || {
        std::fs::read_to_string(&lock).is_ok_and(|it| it == holder)
    })
    .await;
    let migrated = shop.run(&["migrate"]).await.refused();
    assert_eq!(
        migrated,
        format!(
            "the data folder {} is in use by dispatch import (process {}); try again when it has ended",
            shop.data_dir().display(),
            import.id().unwrap()
        )
    );
    let ending = async {
        // Long enough that the server is refused a few times.
        tokio::time::sleep(Duration::from_secs(2)).await;
        import.stdin.take().unwrap().write_all(b"[]").await.unwrap();
        import.wait().await.unwrap()
    };
    let (server, ended) = tokio::join!(Server::start_in(shop, &[]), ending);
    assert!(ended.success(), "{ended}");
    assert_eq!(server.get("/readyz").await.status, 200);
}

#[tokio::test]
async fn a_postgres_that_does_not_answer_is_reported_without_its_password() {
    let shop = Shop::new();
    let closed = format!("127.0.0.1:{}", free_port());
    let url = format!("postgres://dispatch:s3cret@{closed}/shop");
    let sentence = shop
        .run(&[&ANYWHERE[..], &["--database-url", &url]].concat())
        .await
        .refused();
    let expected = format!("cannot open the database postgres://{closed}/shop: ");
    assert!(sentence.starts_with(&expected), "{sentence}");
    assert!(!sentence.contains("s3cret"), "{sentence}");
    assert!(
        sentence.contains("Connection refused"),
        "it says why: {sentence}"
    );
}

#[tokio::test]
async fn a_postgres_without_that_database_is_reported() {
    let shop = Shop::new();
    let database = Throwaway::postgres().await;
    let DatabaseUrl::Postgres(url) = &database.url else {
        panic!("it is PostgreSQL");
    };
    let url = format!("{}/nowhere", url.rsplit_once('/').unwrap().0);
    let sentence = shop
        .run(&[&ANYWHERE[..], &["--database-url", &url]].concat())
        .await
        .refused();
    assert!(
        sentence.contains(r#"database "nowhere" does not exist"#),
        "{sentence}"
    );
}

#[tokio::test]
async fn the_openapi_document_is_the_one_that_is_served() {
    let server = Server::start().await;
    let printed = Ran::of(server.shop.bare(&["openapi"]), b"").await.good();
    let printed: Value = serde_json::from_str(&printed).unwrap();
    assert!(printed["openapi"].as_str().unwrap().starts_with("3."));
    assert_eq!(printed["info"]["title"], "Dispatch");
    for message in ["RoModified", "StreamState"] {
        assert!(
            printed["components"]["schemas"][message].is_object(),
            "{message}"
        );
    }
    assert_eq!(server.get("/api/openapi.json").await.body, printed);
}

#[tokio::test]
async fn a_reader_that_closes_the_pipe_causes_no_panic() {
    let shop = Shop::new();
    shop.write(
        "orders.json",
        json!([{ "repairOrderNumber": 1 }]).to_string(),
    );
    for arguments in [
        &["openapi"][..],
        &["migrate", "--data-dir", "d"],
        &["import", "orders.json", "--data-dir", "d"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = shop.bare(arguments);
        let output = command
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .await
            .unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(!err.contains("panicked"), "{arguments:?}: {err}");
    }
}

#[tokio::test]
async fn the_schema_is_brought_up_to_date_once() {
    let shop = Shop::new();
    let file = shop
        .data_dir()
        .join("dispatch.sqlite")
        .display()
        .to_string();
    for _ in 0..2 {
        assert_eq!(
            shop.run(&["migrate"]).await.good(),
            format!("The database {file} is up to date.\n")
        );
    }
    let database = Throwaway::postgres().await;
    let shop = Shop::on(&database);
    for _ in 0..2 {
        let printed = shop.run(&["migrate"]).await.good();
        assert!(
            printed.starts_with("The database postgres://127.0.0.1:"),
            "{printed}"
        );
    }
}

#[tokio::test]
async fn the_data_folder_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let server = Server::start().await;
    let mode = server
        .shop
        .data_dir()
        .metadata()
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o700);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn files_that_the_server_creates_are_private_to_its_user_from_the_first_moment() {
    use std::os::unix::fs::PermissionsExt;

    let shop = Shop::new();
    let elsewhere = tempfile::tempdir().unwrap();
    let database = elsewhere.path().join("shop.db");
    let url = format!("sqlite:{}", database.display());
    let intake = elsewhere.path().join("parts/intake");
    std::fs::create_dir(elsewhere.path().join("usual")).unwrap();
    let options = [
        "--database-url",
        &url,
        "--intake-dir",
        intake.to_str().unwrap(),
    ];
    let server = Server::start_in(shop, &options).await;
    // So that nothing has to be closed afterwards.
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    assert!(status.contains("\nUmask:\t0077\n"), "{status}");
    let mode = |name: &str| {
        let about = elsewhere.path().join(name).metadata().unwrap();
        about.permissions().mode() & 0o777
    };
    for name in ["shop.db", "shop.db-wal", "shop.db-shm"] {
        assert_eq!(mode(name), 0o600, "{name}");
    }
    // Others put files there, and read what was wrong with them.
    for name in ["parts", "parts/intake", "parts/intake/done"] {
        assert_eq!(mode(name), mode("usual"), "{name}");
    }
}

/// Where the user who runs the tests may give files away: root, without the capability to change files of
/// others.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn another_users_backup_in_the_data_folder_gives_only_a_warning() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

    let shop = Shop::new();
    let data_dir = shop.data_dir();
    std::fs::create_dir(&data_dir).unwrap();
    if data_dir.metadata().unwrap().uid() != 0 {
        return;
    }
    let backup = data_dir.join("dispatch.sqlite.bak");
    std::fs::write(&backup, "").unwrap();
    std::fs::set_permissions(&backup, std::fs::Permissions::from_mode(0o644)).unwrap();
    chown(&backup, Some(4389), None).unwrap();
    let migrate = |capabilities: &str| {
        let (dispatch, data_dir) = (env!("CARGO_BIN_EXE_dispatch"), data_dir.to_str().unwrap());
        let arguments = [capabilities, dispatch, "migrate", "--data-dir", data_dir];
        Ran::of(shop.program("setpriv", &arguments), b"")
    };
    let ran = migrate("--bounding-set=-fowner").await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let warning = format!(
        "other users have rights to {}, and this user cannot take them away: move what is not the \
         server's out of {}, or give it to this user with chown",
        backup.display(),
        data_dir.display()
    );
    assert!(ran.err.contains(&warning), "{ran:?}");
    assert_eq!(ran.err.lines().count(), 1, "{ran:?}");
    migrate("--bounding-set=+fowner").await.good();
}

//! The command line: what goes wrong is told in one line with exit code 2, and options come from
//! where people put them.

use std::net::TcpListener;
use std::process::Stdio;

use dispatch_actors::store::DatabaseUrl;
use dispatch_actors::testing::Throwaway;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::fixture::{PASSWORD, Ran, Server, Shop, Socket};

const ANYWHERE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

#[tokio::test]
async fn a_port_that_is_taken_is_told() {
    let shop = Shop::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let sentence = shop.run(&["serve", "--listen", &address]).await.refused();
    assert_eq!(
        sentence,
        format!("cannot listen on {address}: Address already in use (os error 98)")
    );
    let sentence = shop
        .run(&["serve", "--listen", "203.0.113.1:80"])
        .await
        .refused();
    assert_eq!(
        sentence,
        "cannot listen on 203.0.113.1:80: Cannot assign requested address (os error 99)"
    );
}

#[tokio::test]
async fn a_file_that_is_no_database_is_told_by_every_command() {
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
        let expected = format!("cannot open the database {}: ", database.display());
        assert!(sentence.starts_with(&expected), "{sentence}");
        assert!(sentence.contains("not a database"), "{sentence}");
    }
    assert!(
        std::fs::read_to_string(&database)
            .unwrap()
            .starts_with("This is no database"),
        "it is left alone"
    );
}

#[tokio::test]
async fn a_database_that_is_damaged_is_told() {
    let shop = Shop::new();
    // Everything into the one file that is damaged next.
    let store = shop.store().await;
    let checkpoint = store
        .writer()
        .execute_unprepared("PRAGMA wal_checkpoint(TRUNCATE)");
    checkpoint.await.unwrap();
    store.reader().clone().close().await.unwrap();
    store.writer().clone().close().await.unwrap();
    let database = shop.data_dir().join("dispatch.sqlite");
    let mut bytes = std::fs::read(&database).unwrap();
    bytes[100..8_000].fill(0x5a);
    std::fs::write(&database, bytes).unwrap();
    let sentence = shop.run(&ANYWHERE).await.refused();
    assert!(sentence.contains("malformed"), "{sentence}");
}

#[tokio::test]
async fn a_place_that_cannot_hold_data_is_told() {
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
                "the data folder {data_dir} is in use by another dispatch server; \
                 stop it first, or use another --data-dir"
            )
        );
    }
    assert_eq!(
        server.get("/readyz").await.status,
        200,
        "the first one is not disturbed"
    );
}

#[tokio::test]
async fn a_wrong_option_is_told() {
    let shop = Shop::unplaced();
    for (arguments, says) in [
        (&["serve", "--lisen", "127.0.0.1:0"][..], "--lisen"),
        (&["serve", "--listen", "8080"], "8080"),
        (&["serve", "--listen", "localhost:8080"], "localhost:8080"),
        (&["serve", "--demo=wild"], "moving, still"),
        (&["import"], "<FILE>"),
        (&["import", "x.csv", "--format", "xls"], "auto, json, csv"),
        (&["user", "add", "ann@example.com"], "--role"),
        (
            &["user", "add", "ann@example.com", "--role", "Boss"],
            "'Boss' is not a role: use Admin, Technician, Advisor, Service_Manager, Used or Owner",
        ),
        (
            &[
                "user",
                "add",
                "a@example.com",
                "--role",
                "Owner",
                "--technician",
                "Ann",
            ],
            "'Ann'",
        ),
        (&["fly"], "'fly'"),
    ] {
        let sentence = shop.run(arguments).await.refused();
        assert!(sentence.contains(says), "{sentence}");
    }
    for nothing in [&[][..], &["user"]] {
        let ran = shop.run(nothing).await;
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
        assert!(
            ran.err.contains("Usage: dispatch"),
            "it shows the help: {ran:?}"
        );
    }
    assert!(!shop.data_dir().exists(), "nothing was made");
}

#[tokio::test]
async fn every_command_explains_itself() {
    let shop = Shop::new();
    for command in [
        &["--help"][..],
        &["serve", "--help"],
        &["migrate", "--help"],
        &["import", "--help"],
        &["user", "add", "--help"],
        &["user", "role", "--help"],
        &["user", "remove", "--help"],
        &["openapi", "--help"],
    ] {
        let help = Ran::of(shop.bare(command), b"").await.good();
        assert!(help.contains("Usage: dispatch"), "{help}");
    }
    let help = Ran::of(shop.bare(&["serve", "--help"]), b"").await.good();
    for option in [
        "LISTEN",
        "DATA_DIR",
        "DATABASE_URL",
        "TIME_ZONE",
        "DEMO",
        "BRAND_NAME",
        "CONFIG",
    ] {
        assert!(help.contains(&format!("DISPATCH_{option}")), "{help}");
    }
}

#[tokio::test]
async fn a_demo_stays_on_this_machine() {
    let shop = Shop::new();
    for address in ["0.0.0.0:8080", "[::]:8080", "192.0.2.1:8080"] {
        let sentence = shop
            .run(&["serve", "--demo", "--listen", address])
            .await
            .refused();
        let expected = "a demo shop listens on this machine only, since everybody knows its passwords: \
            use --listen 127.0.0.1:8080";
        assert_eq!(sentence, expected);
    }
    assert!(!shop.data_dir().exists(), "nothing was made");
}

#[tokio::test]
async fn a_demos_database_stays_on_this_machine_even_without_the_option() {
    let mut server = Server::demo().await;
    server.sigkill().await;
    let sentence = server
        .shop
        .run(&["serve", "--listen", "0.0.0.0:0"])
        .await
        .refused();
    assert!(sentence.contains("passwords"), "{sentence}");
}

#[tokio::test]
async fn what_is_no_database_url_or_time_zone_is_told() {
    let shop = Shop::unplaced();
    for url in [
        "mysql://localhost/shop",
        "shop.db",
        "sqlite:",
        "",
        "postgres:shop",
    ] {
        let sentence = shop
            .run(&[&ANYWHERE[..], &["--database-url", url]].concat())
            .await
            .refused();
        let expected = format!(
            "'{url}' is not a database URL: use sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME"
        );
        assert_eq!(sentence, expected);
    }
    for zone in ["Chicago", "America/Chicgo", "", "CST6CDT,M3.2.0"] {
        let sentence = shop
            .run(&[&ANYWHERE[..], &["--time-zone", zone]].concat())
            .await
            .refused();
        assert_eq!(
            sentence,
            format!("'{zone}' is not a time zone; use a name such as America/Chicago")
        );
    }
    assert!(!shop.data_dir().exists(), "nothing was made");
}

#[tokio::test]
async fn a_postgres_that_does_not_answer_is_told_without_its_password() {
    let shop = Shop::new();
    let closed = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
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
async fn a_postgres_without_that_database_is_told() {
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
    for message in ["RoModified", "Hello", "Tick"] {
        assert!(
            printed["components"]["schemas"][message].is_object(),
            "{message}"
        );
    }
    assert_eq!(server.get("/api/openapi.json").await.body, printed);
}

#[tokio::test]
async fn a_reader_that_hangs_up_is_no_reason_to_panic() {
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

async fn customer_opened(server: &Server) -> Value {
    server
        .shop
        .import(&json!([{ "repairOrderNumber": 1, "createDateTime": "2026-07-14T08:00" }]))
        .await;
    let owner = server.hire("owner@example.com", "Owner").await;
    owner.get("/api/repair-orders/1").await.result()["createDateTime"].clone()
}

#[tokio::test]
async fn options_come_from_the_environment() {
    let mut shop = Shop::unplaced();
    let elsewhere = shop.path("elsewhere").display().to_string();
    shop.environment = vec![
        ("DISPATCH_LISTEN", "127.0.0.1:0".to_owned()),
        ("DISPATCH_DATA_DIR", elsewhere),
        ("DISPATCH_TIME_ZONE", "Asia/Tokyo".to_owned()),
        ("DISPATCH_DATABASE_URL", "sqlite:shop.sqlite".to_owned()),
    ];
    let server = Server::start_as(shop, &["serve"]).await;
    assert_eq!(customer_opened(&server).await, "2026-07-13T23:00:00Z");
    assert!(server.shop.path("elsewhere/dispatch.lock").exists());
    assert!(server.shop.path("shop.sqlite").exists());
    assert!(!server.shop.path("elsewhere/dispatch.sqlite").exists());
    assert!(!server.shop.data_dir().exists());
}

#[tokio::test]
async fn options_come_from_dispatch_toml() {
    let shop = Shop::unplaced();
    shop.write(
        "dispatch.toml",
        "listen = \"127.0.0.1:0\"\ndata-dir = \"elsewhere\"\ntime-zone = \"Asia/Tokyo\"\n\
         database-url = \"sqlite:shop.sqlite\"\nbrand-name = \"Lakeside\"\n",
    );
    let server = Server::start_as(shop, &["serve"]).await;
    assert_eq!(customer_opened(&server).await, "2026-07-13T23:00:00Z");
    assert!(server.shop.path("elsewhere/dispatch.lock").exists());
    assert!(server.shop.path("shop.sqlite").exists());
    assert!(!server.shop.data_dir().exists());
}

#[tokio::test]
async fn the_command_line_comes_before_the_environment_and_that_before_the_file() {
    let mut shop = Shop::unplaced();
    shop.write("other.toml", "listen = \"0.0.0.0:0\"\ndata-dir = \"from-file\"\ntime-zone = \"Asia/Tokyo\"\ndemo = \"still\"\n");
    shop.environment = vec![
        ("DISPATCH_CONFIG", "other.toml".to_owned()),
        ("DISPATCH_LISTEN", "nonsense".to_owned()),
        ("DISPATCH_DATA_DIR", "from-environment".to_owned()),
    ];
    let mut server = Server::start_as(shop, &["serve", "--listen", "127.0.0.1:0"]).await;
    assert_eq!(
        server.next_line().await,
        "This is a demo shop. Sign in with the password dispatch-demo as one of:"
    );
    assert!(server.shop.path("from-environment").exists());
    assert!(!server.shop.path("from-file").exists());
}

#[tokio::test]
async fn the_demo_can_be_asked_for_in_the_environment() {
    let mut shop = Shop::new();
    shop.environment = vec![("DISPATCH_DEMO", "still".to_owned())];
    let mut server = Server::start_in(shop, &[]).await;
    assert!(server.next_line().await.starts_with("This is a demo shop."));
}

#[tokio::test]
async fn a_file_of_options_that_cannot_be_read_is_told() {
    let shop = Shop::unplaced();
    let sentence = shop
        .run(&[&ANYWHERE[..], &["--config", "missing.toml"]].concat())
        .await
        .refused();
    assert_eq!(
        sentence,
        "cannot read missing.toml: No such file or directory (os error 2)"
    );
    for (content, says) in [
        ("listen = ", "dispatch.toml: "),
        ("lisen = \"127.0.0.1:0\"", "unknown field `lisen`"),
        ("listen = \"8080\"", "dispatch.toml: "),
        ("demo = \"wild\"", "dispatch.toml: "),
        ("demo = true", "dispatch.toml: "),
        ("data-dir = 7", "dispatch.toml: "),
    ] {
        shop.write("dispatch.toml", content);
        let sentence = shop.run(&ANYWHERE).await.refused();
        assert!(sentence.contains(says), "{sentence}");
    }
    assert!(!shop.data_dir().exists(), "nothing was made");
}

/// Does in a shell what the server printed, and types a password.
async fn do_what_it_says(server: &mut Server) {
    assert_eq!(
        server.next_line().await,
        "There are no users yet. Make the first owner with:"
    );
    let command = server.next_line().await;
    assert!(
        command.starts_with("  dispatch user add you@example.com "),
        "{command}"
    );
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_dispatch"), server.shop.path("dispatch"))
        .unwrap();
    let mut shell = tokio::process::Command::new("/bin/sh");
    shell
        .args(["-c", &command])
        .current_dir(server.shop.path(""))
        .env("PATH", server.shop.path(""))
        .kill_on_drop(true);
    let said = Ran::of(shell, format!("{PASSWORD}\n").as_bytes())
        .await
        .good();
    assert_eq!(said, "you@example.com can sign in now.\n");
    let owner = server.sign_in("you@example.com").await;
    assert_eq!(owner.name, "Your Name");
    owner.assign(1, 1).await.refused(404, "unknown-technician");
}

#[tokio::test]
async fn an_empty_shop_says_how_to_make_the_first_owner() {
    let mut server = Server::start().await;
    do_what_it_says(&mut server).await;
    server.sigkill().await;
    server.restart().await;
    Socket::open(server.address).await;
    server.sign_in("you@example.com").await;

    let mut server = Server::start_as(Shop::unplaced(), &ANYWHERE).await;
    do_what_it_says(&mut server).await;

    let arguments = [&ANYWHERE[..], &["--data-dir", "Ann's shop $HOME"]].concat();
    let mut server = Server::start_as(Shop::unplaced(), &arguments).await;
    do_what_it_says(&mut server).await;
}

#[tokio::test]
async fn users_are_added_changed_and_removed_beside_a_server_and_without_one() {
    for with_server in [false, true] {
        let server = if with_server {
            Some(Server::start().await)
        } else {
            None
        };
        let alone = Shop::new();
        let shop = server.as_ref().map_or(&alone, |server| &server.shop);
        let add = [
            "user",
            "add",
            "Ann@Example.com",
            "--role",
            "Advisor",
            "--password-stdin",
        ];
        let said = shop.run_with(&add, PASSWORD).await.good();
        assert_eq!(said, "Ann@Example.com can sign in now.\n");
        let twice = shop.run_with(&add, PASSWORD).await.refused();
        assert_eq!(
            twice,
            "There is already a user with the email ann@example.com"
        );
        let weak = [
            "user",
            "add",
            "bob@example.com",
            "--role",
            "Advisor",
            "--password-stdin",
        ];
        assert_eq!(
            shop.run_with(&weak, "12345").await.refused(),
            "The password needs at least 6 characters"
        );
        assert_eq!(
            shop.run_with(&weak, "").await.refused(),
            "The password needs at least 6 characters"
        );
        let no_email = [
            "user",
            "add",
            "bob",
            "--role",
            "Advisor",
            "--password-stdin",
        ];
        let sentence = shop.run_with(&no_email, PASSWORD).await.refused();
        assert_eq!(
            sentence,
            "This is not an email address: write it like name@example.com"
        );
        let said = shop
            .run(&[
                "user",
                "role",
                "ann@example.com",
                "--role",
                "service manager",
            ])
            .await
            .good();
        assert_eq!(said, "The roles of ann@example.com are changed.\n");
        let unknown = "There is no user with the email eve@example.com";
        assert_eq!(
            shop.run(&["user", "role", "eve@example.com"])
                .await
                .refused(),
            unknown
        );
        assert_eq!(
            shop.run(&["user", "remove", "eve@example.com"])
                .await
                .refused(),
            unknown
        );
        shop.run(&["user", "remove", "ann@example.com"])
            .await
            .good();
        assert_eq!(
            shop.run(&["user", "remove", "ann@example.com"])
                .await
                .refused(),
            "There is no user with the email ann@example.com"
        );
    }
}

#[tokio::test]
async fn a_proxy_is_not_asked_about_the_server_next_door() {
    let mut shop = Shop::new();
    let nobody = "http://127.0.0.1:9".to_owned();
    shop.environment = ["HTTP_PROXY", "http_proxy", "ALL_PROXY"]
        .map(|name| (name, nobody.clone()))
        .to_vec();
    let server = Server::start_in(shop, &[]).await;
    server.shop.add_user("owner@example.com", "Owner").await;
    server
        .shop
        .import(&json!([{ "repairOrderNumber": 1 }]))
        .await;
}

#[tokio::test]
async fn a_demo_prints_its_sign_ins_and_they_work() {
    let mut server = Server::demo().await;
    let said = server.next_line().await;
    assert_eq!(
        said,
        "This is a demo shop. Sign in with the password dispatch-demo as one of:"
    );
    for who in [
        "owner", "admin", "advisor", "manager", "used", "tech", "tech2",
    ] {
        let email = server.next_line().await;
        assert_eq!(email, format!("  {who}@example.com"));
        let desk = server.sign_in(email.trim()).await;
        let list = desk.list().await;
        let mut numbers: Vec<_> = list["result"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| &row["repairOrderNumber"])
            .collect();
        numbers.dedup();
        assert_eq!(numbers.len(), 420);
    }
    let technicians = server
        .sign_in("owner@example.com")
        .await
        .get("/api/repair-orders/technicians")
        .await
        .result();
    assert_eq!(technicians.as_array().unwrap().len(), 28);
}

#[tokio::test]
async fn a_demo_that_starts_again_keeps_its_changes() {
    let mut server = Server::demo().await;
    let owner = server.sign_in("owner@example.com").await;
    let before = owner.list().await;
    let number = before["result"][0]["repairOrderNumber"].as_i64().unwrap();
    owner.make_one_change(number).await;
    let changed = owner.list().await;
    server.sigkill().await;
    server.restart().await;
    assert_eq!(
        owner.list().await,
        changed,
        "and it is not filled a second time"
    );
}

#[tokio::test]
async fn a_real_shop_is_never_made_a_demo() {
    let refusal =
        "this database holds a real shop; --demo needs an empty one: use another --data-dir";
    let with_order = Shop::new();
    with_order
        .import(&json!([{ "repairOrderNumber": 1 }]))
        .await;
    let with_owner = Shop::new();
    with_owner.add_user("owner@example.com", "Owner").await;
    for shop in [with_order, with_owner] {
        let sentence = shop
            .run(&[&ANYWHERE[..], &["--demo=still"]].concat())
            .await
            .refused();
        assert_eq!(sentence, refusal);
        let server = Server::start_in(shop, &[]).await;
        let demo = json!({ "email": "admin@example.com", "password": "dispatch-demo" });
        server
            .post("/api/auth/sign-in", demo)
            .await
            .refused(401, "wrong-credentials");
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
        let said = shop.run(&["migrate"]).await.good();
        assert!(
            said.starts_with("The database postgres://127.0.0.1:"),
            "{said}"
        );
    }
}

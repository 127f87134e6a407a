//! Options: from the command line, the environment and a file, and how wrong ones are reported.

use serde_json::{Value, json};

use crate::fixture::{ANYWHERE, Ran, Server, Shop};

#[tokio::test]
async fn a_wrong_option_is_reported() {
    let shop = Shop::unplaced();
    for (arguments, says) in [
        (
            &["serve", "--lisen", "127.0.0.1:0"][..],
            "there is no option --lisen; did you mean --listen",
        ),
        (&["serve", "--story", "x"], "--story-provider, "),
        (&["serve", "--frobnicate"], "--allow-common-passwords, "),
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
        (&["migrate", "--database-connections", "3"], "4 at least"),
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
        &["user", "reset-two-factor", "--help"],
        &["user", "sign-out", "--help"],
        &["token-key", "rotate", "--help"],
        &["openapi", "--help"],
    ] {
        let help = Ran::of(shop.bare(command), b"").await.good();
        assert!(help.contains("Usage: dispatch"), "{help}");
    }
    for command in [&["--help"][..], &["--version"]] {
        let mut mistyped = shop.bare(command);
        mistyped.env("DISPATCH_LISTN", "127.0.0.1:0");
        let output = Ran::of(mistyped, b"").await.good();
        assert!(output.contains("dispatch"), "{output}");
    }
    let help = Ran::of(shop.bare(&["serve", "--help"]), b"").await.good();
    for option in [
        "LISTEN",
        "DATA_DIR",
        "DATABASE_URL",
        "TIME_ZONE",
        "DEMO",
        "BRAND_NAME",
        "INTAKE_DIR",
        "CONFIG",
        "SIGN_IN_LIMIT",
        "KEEP_FILES_DAYS",
        "KEEP_FILES_MB",
        "LOG_FORMAT",
        "LOW_DISK_MB",
        "METRICS_LISTEN",
        "PUSH_SERVICE",
        "STORY_PROVIDER",
        "STORY_KEY",
        "STORY_TIMEOUT",
    ] {
        assert!(help.contains(&format!("DISPATCH_{option}")), "{help}");
    }
}

#[tokio::test]
async fn a_malformed_database_url_or_time_zone_is_reported() {
    let shop = Shop::unplaced();
    for (url, shown_url) in [
        ("mysql://localhost/shop", "mysql://localhost/shop"),
        ("postgress://ann:s3c@ret@host/shop", "host/shop"),
        ("shop.db", "shop.db"),
        ("sqlite:", "sqlite:"),
        ("", ""),
        ("postgres:shop", "postgres:shop"),
    ] {
        let sentence = shop
            .run(&[&ANYWHERE[..], &["--database-url", url]].concat())
            .await
            .refused();
        let expected = format!(
            "'{shown_url}' is not a database URL (--database-url, DISPATCH_DATABASE_URL): use sqlite:PATH \
             or postgres://USER:PASSWORD@HOST/NAME, with commas between several hosts"
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
            format!(
                "'{zone}' is not a time zone (--time-zone, DISPATCH_TIME_ZONE): use a name such as \
                 America/Chicago"
            )
        );
    }
    assert!(!shop.data_dir().exists(), "nothing was made");
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
async fn options_come_from_the_file_that_is_named() {
    let mut shop = Shop::unplaced();
    shop.environment = vec![("DISPATCH_CONFIG", "dispatch.toml".to_owned())];
    shop.write(
        "dispatch.toml",
        "listen = \"127.0.0.1:0\"\ndata-dir = \"elsewhere\"\ntime-zone = \"Asia/Tokyo\"\n\
         database-url = \"sqlite:shop.sqlite\"\nbrand-name = \"Lakeside\"\n",
    );
    let server = Server::start_as(shop, &["serve"]).await;
    let log = server.shop.read("server.log");
    assert!(log.contains("options are read from dispatch.toml"), "{log}");
    assert!(!log.contains("is not read"), "{log}");
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
async fn an_options_file_that_cannot_be_read_is_reported() {
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
        (
            "lisen = \"127.0.0.1:0\"",
            "dispatch.toml: there is no option lisen; did you mean listen",
        ),
        ("listen = \"8080\"", "dispatch.toml: "),
        ("demo = \"wild\"", "dispatch.toml: "),
        ("demo = true", "dispatch.toml: "),
        ("data-dir = 7", "dispatch.toml: "),
    ] {
        shop.write("dispatch.toml", content);
        let named = [&ANYWHERE[..], &["--config", "dispatch.toml"]].concat();
        let sentence = shop.run(&named).await.refused();
        assert!(sentence.contains(says), "{sentence}");
    }
    assert!(!shop.data_dir().exists(), "nothing was made");
}

#[tokio::test]
async fn a_file_of_options_that_only_lies_in_the_working_directory_is_not_read() {
    let shop = Shop::new();
    shop.write(
        "dispatch.toml",
        "listen = \"0.0.0.0:0\"\ndemo = \"still\"\n",
    );
    let server = Server::start_in(shop, &[]).await;
    let log = server.shop.read("server.log");
    let here = server.shop.path("dispatch.toml").canonicalize().unwrap();
    let says = format!(
        "{} is not read; to use it say --config dispatch.toml, or move it to \
         /etc/dispatch/dispatch.toml",
        here.display()
    );
    assert!(log.contains(&says), "{log}");
}

#[tokio::test]
async fn a_mistyped_variable_is_refused_and_another_programs_is_named() {
    let mut shop = Shop::new();
    shop.environment = vec![("DISPATCH_DATADIR", "elsewhere".to_owned())];
    for command in [&ANYWHERE[..], &["migrate"]] {
        assert_eq!(
            shop.run(command).await.refused(),
            "the variable DISPATCH_DATADIR is no option; did you mean DISPATCH_DATA_DIR?"
        );
    }
    assert!(!shop.data_dir().exists(), "nothing was made");
    shop.environment = vec![
        ("DISPATCH_SERVICE_HOST", "10.0.0.1".to_owned()),
        ("DISPATCH_BIN", "target/release/dispatch".to_owned()),
    ];
    let server = Server::start_in(shop, &[]).await;
    let log = server.shop.read("server.log");
    let says = "not options of dispatch: DISPATCH_BIN, DISPATCH_SERVICE_HOST";
    assert!(log.contains(says), "{log}");
}

#[tokio::test]
async fn a_wrong_value_of_a_variable_is_reported_with_its_name() {
    let mut shop = Shop::new();
    for (name, value, says) in [
        (
            "DISPATCH_LISTEN",
            "",
            "the variable DISPATCH_LISTEN is empty",
        ),
        (
            "DISPATCH_BRAND_NAME",
            "",
            "the variable DISPATCH_BRAND_NAME is empty",
        ),
        (
            "DISPATCH_LISTEN",
            "8080",
            "DISPATCH_LISTEN: invalid value '8080'",
        ),
        (
            "DISPATCH_DEMO",
            "wild",
            "DISPATCH_DEMO: invalid value 'wild'",
        ),
        ("DISPATCH_COMMIT_GROUP", "0", "DISPATCH_COMMIT_GROUP: "),
        (
            "DISPATCH_COMMIT_GROUP",
            "many",
            "DISPATCH_COMMIT_GROUP: invalid value 'many'",
        ),
        (
            "DISPATCH_KEEP_FILES_DAYS",
            "0",
            "DISPATCH_KEEP_FILES_DAYS: ",
        ),
        ("DISPATCH_TEST_PAGE", "maybe", "DISPATCH_TEST_PAGE: "),
        ("DISPATCH_TIME_ZONE", "Chicago", "DISPATCH_TIME_ZONE"),
    ] {
        shop.environment = vec![(name, value.to_owned())];
        let mut command = shop.bare(&["serve", "--data-dir", "nowhere"]);
        if name != "DISPATCH_LISTEN" {
            command.args(["--listen", "127.0.0.1:0"]);
        }
        let sentence = Ran::of(command, b"").await.refused();
        assert!(sentence.contains(says), "{sentence}");
    }
    shop.environment = vec![(
        "DISPATCH_SMTP_URL",
        "post:s3cret@mail.example.com".to_owned(),
    )];
    let sentence = shop.run(&ANYWHERE).await.refused();
    assert!(!sentence.contains("s3cret"), "{sentence}");
    assert!(!shop.path("nowhere").exists(), "nothing was made");
}

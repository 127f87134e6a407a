//! Options: from the command line, the environment and `dispatch.toml`, and how wrong ones are told.

use serde_json::{Value, json};

use crate::fixture::{ANYWHERE, Ran, Server, Shop};

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
        &["user", "reset-two-factor", "--help"],
        &["user", "sign-out", "--help"],
        &["token-key", "rotate", "--help"],
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
        "INTAKE_DIR",
        "CONFIG",
        "SIGN_IN_LIMIT",
        "PUSH_SERVICE",
        "STORY_PROVIDER",
        "STORY_KEY",
        "STORY_TIMEOUT",
    ] {
        assert!(help.contains(&format!("DISPATCH_{option}")), "{help}");
    }
}

#[tokio::test]
async fn what_is_no_database_url_or_time_zone_is_told() {
    let shop = Shop::unplaced();
    for (url, told) in [
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
            "'{told}' is not a database URL: use sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME"
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

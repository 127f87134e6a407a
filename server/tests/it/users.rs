//! `dispatch user`: the first owner, and everybody after, beside a running server and without one.

use serde_json::json;

use crate::fixture::{ANYWHERE, Desk, PASSWORD, Ran, Server, Shop, Socket, plain_orders};

/// Does in a shell what the server printed, and types a password.
async fn do_what_it_says(server: &mut Server) {
    let says = server.next_line().await;
    assert!(says.starts_with("Nobody can sign in yet. "), "{says}");
    let link = server.next_line().await;
    assert!(link.contains("/set-up#token="), "{link}");
    assert_eq!(server.next_line().await, "or here, with:");
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
    let output = Ran::of(shell, format!("{PASSWORD}\n").as_bytes())
        .await
        .good();
    assert_eq!(output, "you@example.com can sign in now.\n");
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
        let output = shop.run_with(&add, PASSWORD).await.good();
        assert_eq!(output, "Ann@Example.com can sign in now.\n");
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
            "The password needs at least 8 characters"
        );
        assert_eq!(
            shop.run_with(&weak, "").await.refused(),
            "The password needs at least 8 characters"
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
        let output = shop
            .run(&[
                "user",
                "role",
                "ann@example.com",
                "--role",
                "service manager",
            ])
            .await
            .good();
        assert_eq!(output, "The roles of ann@example.com are changed.\n");
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
async fn a_forgotten_password_is_replaced_beside_a_server_and_without_one() {
    const ANOTHER: &str = "another-safe-4390";
    let set = |email| ["user", "set-password", email, "--password-stdin"];
    let alone = Shop::new();
    alone.add_user("ann@example.com", "Owner").await;
    let output = alone
        .run_with(&set("Ann@Example.com"), ANOTHER)
        .await
        .good();
    assert_eq!(
        output,
        "Ann@Example.com has another password now, and has to sign in again.\n"
    );
    let server = Server::start_in(alone, &[]).await;
    let sign_in = |password| {
        let credentials = json!({ "email": "ann@example.com", "password": password });
        server.post("/api/auth/sign-in", credentials)
    };
    sign_in(PASSWORD).await.refused(401, "wrong-password");
    let ann = Desk::new(&server, sign_in(ANOTHER).await);

    let shop = &server.shop;
    shop.run_with(&set("ann@example.com"), PASSWORD)
        .await
        .good();
    sign_in(ANOTHER).await.refused(401, "wrong-password");
    sign_in(PASSWORD).await.good();
    ann.get("/api/repair-orders")
        .await
        .refused(401, "unauthorized");

    let refused = shop.run_with(&set("eve@example.com"), PASSWORD).await;
    assert_eq!(
        refused.refused(),
        "There is no user with the email eve@example.com"
    );
    let weak = shop.run_with(&set("ann@example.com"), "12345").await;
    assert_eq!(weak.refused(), "The password needs at least 8 characters");
}

#[tokio::test]
async fn users_are_listed_with_their_roles() {
    let shop = Shop::new();
    shop.add_user("owner@example.com", "Owner").await;
    shop.add_user("ann@example.com", "Advisor").await;
    let expected = "ann@example.com    ann    Advisor\nowner@example.com  owner  Owner\n";
    assert_eq!(shop.run(&["user", "list"]).await.good(), expected);
    let server = Server::start_in(shop, &[]).await;
    assert_eq!(server.shop.run(&["user", "list"]).await.good(), expected);
}

#[tokio::test]
async fn a_command_that_finds_no_database_says_that_the_shop_is_new() {
    let shop = Shop::new();
    let add = [
        "user",
        "add",
        "ann@example.com",
        "--role",
        "Owner",
        "--password-stdin",
    ];
    let first = shop.run_with(&add, PASSWORD).await.new_shop.unwrap();
    let file = shop.data_dir().join("dispatch.sqlite");
    assert!(first.contains(&file.display().to_string()), "{first}");
    let second = shop.run(&["user", "list"]).await;
    assert_eq!(second.new_shop, None, "{second:?}");
}

#[tokio::test]
async fn a_command_about_what_a_shop_has_makes_no_new_one() {
    let shop = Shop::new();
    for command in [
        &["user", "list"][..],
        &["user", "remove", "ann@example.com"],
        &["token-key", "rotate"],
        &["customer", "export", "--name", "Ann", "--to", "ann.json"],
    ] {
        let refused = shop.run(command).await.refused();
        assert!(refused.starts_with("there is no database "), "{refused}");
        assert!(!shop.data_dir().exists(), "{command:?}");
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
async fn a_user_who_is_added_with_a_technician_id_can_be_assigned_orders() {
    let (server, owner) = Server::with_owner().await;
    server.shop.import(&plain_orders(1)).await;
    owner
        .assign(1, 1_104)
        .await
        .refused(404, "unknown-technician");

    let add = [
        "user",
        "add",
        "joe@example.com",
        "--name",
        "Joe Wrench",
        "--role",
        "Technician",
        "--technician",
        "1104",
        "--password-stdin",
    ];
    server.shop.run_with(&add, PASSWORD).await.good();

    let technicians = owner.get("/api/repair-orders/technicians").await.result();
    let joe = technicians
        .as_array()
        .unwrap()
        .iter()
        .find(|technician| technician["idTechnician"] == 1_104)
        .expect("Joe is a technician now");
    assert_eq!(joe["displayName"], "Joe Wrench");
    let changed = owner.assign(1, 1_104).await.result();
    assert_eq!(changed["rows"][0]["regularTechFullName"], "Joe Wrench");
}

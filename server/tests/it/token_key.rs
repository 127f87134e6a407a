//! The key that signs ID tokens, when it got out: what it signed is refused and what it opened is
//! closed, here and at every server on the same database.

use dispatch_actors::testing::Throwaway;
use serde_json::json;

use crate::boards::Screen;
use crate::fixture::{Desk, Server, Shop, Socket};
use crate::sessions::sql;

/// A DISCONNECT, after which a page first asks for another token.
const GOODBYE: &str = "41";

async fn is_closed(socket: Socket) {
    assert_eq!(socket.until_closed().await, [GOODBYE]);
}

/// Acts as a page whose session continued: it refreshes its token and reconnects.
async fn comes_back(server: &Server, desk: &Desk) -> Desk {
    let refused = Socket::connect(server, &json!({ "token": desk.token })).await;
    assert_eq!(refused.err().unwrap()["data"]["code"], "unauthorized");
    let refreshed = Desk::new(server, desk.refresh().await);
    refreshed.listen(server).await;
    refreshed
}

async fn rotating_the_key_at_once_ends_the_sockets_it_voids(shop: Shop) {
    let server = Server::start_in(shop, &[]).await;
    let one = server.hire("owner@example.com", "Owner").await;
    let two = server.hire("ann@example.com", "Advisor").await;
    let sockets = [one.listen(&server).await, two.listen(&server).await];
    let rotated = server.shop.run(&["token-key", "rotate", "--now"]).await;
    let output = rotated.good();
    assert!(
        output.ends_with("end them all with\n  dispatch token-key rotate --now --end-sessions\n"),
        "{output}"
    );
    for socket in sockets {
        is_closed(socket).await;
    }
    for desk in [&one, &two] {
        desk.get("/api/auth/me").await.refused(401, "unauthorized");
        comes_back(&server, desk).await;
    }
}

#[tokio::test]
async fn rotating_the_key_at_once_ends_the_sockets_it_voids_on_sqlite() {
    rotating_the_key_at_once_ends_the_sockets_it_voids(Shop::new()).await;
}

#[tokio::test]
async fn rotating_the_key_at_once_ends_the_sockets_it_voids_on_postgres() {
    let database = Throwaway::postgres().await;
    rotating_the_key_at_once_ends_the_sockets_it_voids(Shop::on(&database)).await;
}

#[tokio::test]
async fn rotating_the_key_at_one_server_ends_the_sockets_of_the_others() {
    let database = Throwaway::postgres().await;
    let one = Server::start_in(Shop::on(&database), &[]).await;
    let other = Server::start_in(Shop::on(&database), &[]).await;
    let desk = one.hire("owner@example.com", "Owner").await;
    let elsewhere = other.sign_in("owner@example.com").await;
    let socket = elsewhere.listen(&other).await;
    let rotated = one.shop.run(&["token-key", "rotate", "--now"]).await;
    rotated.good();
    is_closed(socket).await;
    let elsewhere = comes_back(&other, &elsewhere).await;

    let socket = elsewhere.listen(&other).await;
    let ended = ["token-key", "rotate", "--now", "--end-sessions"];
    one.shop.run(&ended).await.good();
    is_closed(socket).await;
    for desk in [desk, elsewhere] {
        desk.refresh().await.refused(401, "unauthorized");
    }
}

#[tokio::test]
async fn an_earlier_key_that_is_still_good_keeps_its_sockets() {
    let server = Server::start().await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let mut earlier = owner.listen(&server).await;
    server.shop.run(&["token-key", "rotate"]).await.good();
    let newer = server.hire("ann@example.com", "Advisor").await;
    let newer_socket = newer.listen(&server).await;
    // Its hour is over.
    let retired = r#"UPDATE settings SET value = replace(value, '"retiredAt":1', '"retiredAt":-1')
        WHERE name = 'token-keys'"#;
    // Both were looked at once more when a tick has come.
    while earlier.next().await.name != "tick" {}
    owner.get("/api/auth/me").await.good();
    sql(&server, retired).await;
    is_closed(earlier).await;
    newer.get("/api/auth/me").await.good();
    drop(newer_socket);
    comes_back(&server, &owner).await;
}

#[tokio::test]
async fn ending_every_session_signs_every_user_out_and_leaves_boards_alone() {
    let mut server = Server::start().await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let board = json!({ "name": "Lounge", "layout": "lounge" });
    let screen = Screen::by_link(&server, &owner, board).await;
    for with_server in [true, false] {
        let desk = server.sign_in("owner@example.com").await;
        let socket = desk.listen(&server).await;
        if !with_server {
            server.sigterm().await;
        }
        let command = ["token-key", "rotate", "--now", "--end-sessions"];
        let output = server.shop.run(&command).await.good();
        assert_eq!(
            output,
            "ID tokens are signed with a new key, and every session is ended: everybody signs in again.\n"
        );
        if with_server {
            is_closed(socket).await;
        } else {
            server.restart().await;
        }
        desk.get("/api/auth/me").await.refused(401, "unauthorized");
        desk.refresh().await.refused(401, "unauthorized");
        screen.picture(&server).await;
    }
    owner.refresh().await.refused(401, "unauthorized");
    let command = ["token-key", "rotate", "--end-sessions"];
    let refused = server.shop.run(&command).await.refused();
    assert!(refused.contains("--now"), "{refused}");
}

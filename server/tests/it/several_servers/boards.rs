//! Boards whose screens are connected to one server, and looked after at another.

use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::time::{Duration, Instant, sleep};

use super::two_servers;
use crate::boards::{Screen, begin_pairing, pairing_state};
use crate::fixture::{Desk, WAIT_TIMEOUT};

/// Waits until the only board is as it should be, and gives it.
async fn board_when(desk: &Desk, is_so: impl Fn(&Value) -> bool) -> Value {
    let deadline = Instant::now() + WAIT_TIMEOUT;
    loop {
        let board = desk.get("/api/boards").await.result()[0].take();
        if is_so(&board) {
            return board;
        }
        assert!(Instant::now() < deadline, "{board}");
        sleep(Duration::from_millis(50)).await;
    }
}

fn last_seen(board: &Value) -> Timestamp {
    board["lastSeenAt"].as_str().unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_screen_that_shows_a_code_of_one_server_is_paired_at_another() {
    let (_database, first, second, owner) = two_servers().await;
    let pairing = begin_pairing(&first).await;
    let claim = json!({ "code": pairing["code"], "name": "Shop floor" });
    let there = Desk::at(&second, &owner);
    let board = there.post("/api/boards/pairings/claim", claim).await;
    assert_eq!(board.result()["name"], "Shop floor");
    for server in [&first, &second] {
        let paired = pairing_state(server, &pairing).await;
        assert_eq!(paired["state"], "paired", "{paired}");
    }
    let screen = Screen::of(&pairing_state(&first, &pairing).await);
    for server in [&second, &first] {
        assert_eq!(screen.picture(server).await["board"]["name"], "Shop floor");
    }
}

#[tokio::test]
async fn a_board_is_live_wherever_it_is_connected_until_its_server_dies() {
    let (_database, first, mut second, owner) = two_servers().await;
    let screen = Screen::pair(&first, &owner, json!({ "name": "Shop floor" })).await;
    assert_eq!(board_when(&owner, |_| true).await["live"], false);
    let mut here = owner.listen(&first).await;
    let before = Timestamp::now();
    let (socket, ..) = screen.listen(&second).await;
    here.event_named("BOARDS_CHANGED").await;
    let board = board_when(&owner, |board| board["live"] == true).await;
    assert!(last_seen(&board) >= before, "{board}");

    screen.check(&second, 0, "00000000").await.good();
    let board = board_when(&owner, |board| !board["shows"].is_null()).await;
    assert_eq!(
        (
            &board["shows"]["orders"],
            &board["version"],
            &board["screen"]["width"]
        ),
        (&json!(3), &json!("0.1.0-test"), &json!(1280))
    );

    // It leaves, and comes again.
    drop(socket);
    board_when(&owner, |board| board["live"] == false).await;
    let (_socket, ..) = screen.listen(&second).await;
    let board = board_when(&owner, |board| board["live"] == true).await;
    let seen_alive = last_seen(&board);

    second.sigkill().await;
    let board = board_when(&owner, |board| board["live"] == false).await;
    assert!(last_seen(&board) >= seen_alive, "{board}");
    assert!(last_seen(&board) <= Timestamp::now(), "{board}");
    assert_eq!(board["version"], "0.1.0-test");
}

#[tokio::test]
async fn a_board_that_is_revoked_at_one_server_ends_at_the_other() {
    let (_database, first, second, owner) = two_servers().await;
    let screen = Screen::pair(&first, &owner, json!({ "name": "Shop floor" })).await;
    let (socket, ..) = screen.listen(&second).await;
    let path = format!("/api/boards/{}/revoke", screen.id);
    owner.post(&path, Value::Null).await.good();
    assert_eq!(socket.until_closed().await, ["41"]);
    screen.get(&second).await.refused(401, "board-revoked");
    board_when(&owner, |board| board["live"] == false).await;
}

#[tokio::test]
async fn a_board_is_called_and_reloaded_from_a_server_that_it_is_not_connected_to() {
    let (_database, first, second, owner) = two_servers().await;
    let screen = Screen::pair(&first, &owner, json!({ "name": "Shop floor" })).await;
    let (mut socket, ..) = screen.listen(&second).await;
    board_when(&owner, |board| board["live"] == true).await;
    let path = format!("/api/boards/{}", screen.id);
    for (call, expected) in [("identify", "BOARD_IDENTIFY"), ("reload", "BOARD_RELOAD")] {
        let path = format!("{path}/{call}");
        owner.post(&path, Value::Null).await.good();
        assert_eq!(socket.event().await.name, expected);
    }
    let renamed = json!({ "name": "Bay 3" });
    owner.patch(&path, renamed).await.good();
    let event = socket.event().await;
    assert_eq!(
        (event.name.as_str(), &event.payload["board"]["name"]),
        ("BOARD_SETTINGS", &json!("Bay 3"))
    );
}

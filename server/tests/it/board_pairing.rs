//! How a screen becomes a board: by the code that it shows, or by a link.

use std::time::Instant;

use futures_util::future::join_all;
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::boards::{
    ANN, Screen, a_shop, begin_pairing, link_of, lounge, next_card, pairing_state, redeem,
    redeem_with, ro_numbers,
};
use crate::fixture::{Desk, Server, Shop, Socket};

#[tokio::test]
async fn a_screen_becomes_a_board_by_the_code_it_shows() {
    let (server, owner) = a_shop(Shop::new()).await;
    let pairing = begin_pairing(&server).await;
    let code = pairing["code"].as_str().unwrap();
    assert_eq!(code.len(), 6);
    assert_eq!(
        pairing_state(&server, &pairing).await,
        json!({ "state": "waiting" })
    );

    let lower = format!(" {}-{} ", &code[..3].to_lowercase(), &code[3..]);
    let claim = json!({ "code": lower, "name": "Bay 1", "layout": "queue" });
    let claim_once = || owner.post_with_key("/api/boards/pairings/claim", claim.clone(), "claim-1");
    let board = claim_once().await;
    assert_eq!(claim_once().await.body, board.body, "sent again");
    let board = board.result();
    assert_eq!(board["name"], "Bay 1");
    assert_eq!(board["state"], "paired");
    assert_eq!(board["pairedBy"]["uid"], json!(owner.uid));
    assert_eq!(board["screen"], json!({ "width": 1920, "height": 1080 }));
    assert_eq!(board["settings"]["categories"], json!(["Drop", "Waiting"]));
    owner
        .post("/api/boards/pairings/claim", claim.clone())
        .await
        .refused(404, "unknown-code");

    // The token is given until it is used.
    let paired = pairing_state(&server, &pairing).await;
    assert_eq!(pairing_state(&server, &pairing).await, paired);
    assert_eq!(paired["boardId"], board["boardId"]);
    let screen = Screen::of(&paired);
    let picture = screen.picture(&server).await;
    assert_eq!(
        pairing_state(&server, &pairing).await,
        json!({ "state": "expired" })
    );

    assert_eq!(picture["seq"], owner.seq().await);
    let offsets = picture["offsets"].as_array().unwrap();
    assert!(offsets.len() > 4, "twice a year: {offsets:?}");
    assert_eq!(picture["board"]["layout"], "queue");
    assert_eq!(ro_numbers(&picture["cards"]), ["C901", "C902", "C903"]);
    let cards = picture["cards"].as_array().unwrap();
    let first = cards
        .iter()
        .find(|card| card["roNumber"] == "C901")
        .unwrap();
    assert_eq!(first["customer"], "Wilson");
    assert_eq!(first["advisor"], "Dana Scully");
    assert_eq!(first["technician"], "Ann Kowalczyk");
    assert_eq!(first["promised"], "2026-11-21T22:00:00Z");
    let keys: Vec<&str> = cards
        .iter()
        .map(|card| card["key"].as_str().unwrap())
        .collect();
    assert!(keys.is_sorted());

    let (mut socket, ..) = screen.listen(&server).await;
    let listed = &owner.get("/api/boards").await.result()[0];
    assert_eq!(
        (&listed["live"], &listed["name"]),
        (&json!(true), &json!("Bay 1"))
    );
    assert!(listed["lastSeenAt"].is_string());

    // What changes on it, and nothing else.
    owner.change_status(904, 13).await.good();
    owner.change_priority(903, 3).await.good();
    let card = next_card(&mut socket).await;
    assert_eq!(
        card["card"]["roNumber"], "C903",
        "and nothing of the used car"
    );
    assert_eq!(card["card"]["priority"], "High");
    assert_eq!(card["seq"], owner.seq().await);
    owner.change_status(903, 12).await.good();
    let removed_card = next_card(&mut socket).await;
    assert_eq!(
        (&removed_card["key"], &removed_card["card"]),
        (&card["key"], &Value::Null)
    );
    assert_eq!(
        ro_numbers(&screen.picture(&server).await["cards"]),
        ["C901", "C902"]
    );
}

#[tokio::test]
async fn a_link_makes_one_screen_a_board_and_no_second_one() {
    let (server, owner) = a_shop(Shop::new()).await;
    let link = owner.post("/api/boards/links", lounge()).await.result();
    let id = link["boardId"].as_str().unwrap();
    assert_eq!(
        owner.get("/api/boards").await.result()[0]["state"],
        "unpaired"
    );
    let other = json!({ "boardId": id });
    let second = owner.post("/api/boards/links", other).await.result();

    let redeemed = redeem(&server, link_of(&link)).await.result();
    let lost = redeem(&server, link_of(&link)).await.result();
    assert_eq!(lost, redeemed, "the answer may have been lost");
    let screen = Screen::of(&redeemed);
    screen.picture(&server).await;
    let board = &owner.get("/api/boards").await.result()[0];
    assert_eq!(board["state"], "paired");
    assert_eq!(board["pairedBy"]["uid"], json!(owner.uid));
    for spent in [link_of(&link), link_of(&second), "nonsense", "ü"] {
        redeem(&server, spent).await.refused(404, "unknown-link");
    }
    // Revoking makes links void that were not used.
    let unused = owner
        .post("/api/boards/links", json!({ "boardId": id }))
        .await
        .result();
    let revoke = format!("/api/boards/{id}/revoke");
    owner.post(&revoke, Value::Null).await.good();
    redeem(&server, link_of(&unused))
        .await
        .refused(404, "unknown-link");
    // Also of a board that no screen is.
    let unused = owner
        .post("/api/boards/links", json!({ "boardId": id }))
        .await
        .result();
    owner.post(&revoke, Value::Null).await.good();
    redeem(&server, link_of(&unused))
        .await
        .refused(404, "unknown-link");
    let unknown = json!({ "boardId": "00000000-0000-0000-0000-000000000404" });
    owner
        .post("/api/boards/links", unknown)
        .await
        .refused(404, "unknown-board");
}

#[tokio::test]
async fn a_link_that_one_screen_opened_works_on_no_other_screen() {
    let (server, owner) = a_shop(Shop::new()).await;
    for secret in [json!("t".repeat(43)), Value::Null] {
        let link = owner.post("/api/boards/links", lounge()).await.result();
        let first = redeem_with(&server, link_of(&link), secret.clone()).await;
        let first = first.result();
        for other in [json!("u".repeat(43)), Value::Null] {
            let refused = redeem_with(&server, link_of(&link), other).await;
            refused.refused(404, "unknown-link");
        }
        if !secret.is_null() {
            let again = redeem_with(&server, link_of(&link), secret).await;
            assert_eq!(again.result(), first, "the answer may have been lost");
        }
        Screen::of(&first).picture(&server).await;
    }
    let link = owner.post("/api/boards/links", lounge()).await.result();
    let guessable = redeem_with(&server, link_of(&link), json!("short")).await;
    guessable.refused(400, "invalid-request");
}

#[tokio::test]
async fn a_link_ends_when_its_author_loses_the_permission() {
    let (server, owner) = a_shop(Shop::new()).await;
    let link = async |desk: &Desk, board: Value| {
        let link = desk.post("/api/boards/links", board).await.result();
        (link_of(&link).to_owned(), link["boardId"].clone())
    };
    let ann = server.hire("ann@example.com", "Admin").await;
    let bob = server.hire("bob@example.com", "Admin").await;
    let (of_ann, board) = link(&ann, lounge()).await;
    let (of_bob, _) = link(&bob, lounge()).await;
    let advisor = json!({ "roles": ["Advisor"] });
    owner
        .patch("/api/users/ann@example.com", advisor)
        .await
        .good();
    owner.delete("/api/users/bob@example.com").await.good();
    redeem(&server, &of_ann).await.refused(404, "unknown-link");
    redeem(&server, &of_bob).await.refused(404, "unknown-link");
    // Nor is it good again by another's for the same board.
    let (of_owner, _) = link(&owner, json!({ "boardId": board })).await;
    redeem(&server, &of_ann).await.refused(404, "unknown-link");
    redeem(&server, &of_owner).await.good();
}

#[tokio::test]
async fn a_board_is_paired_by_the_user_who_typed_its_code_or_made_its_link() {
    let (server, owner) = a_shop(Shop::new()).await;
    let admin = server.hire("ann@example.com", "Admin").await;
    let screen = Screen::pair(&server, &owner, lounge()).await;
    let by = async || owner.get("/api/boards").await.result()[0]["pairedBy"]["uid"].clone();
    let link = admin
        .post("/api/boards/links", json!({ "boardId": screen.id }))
        .await
        .result();
    assert_eq!(by().await, json!(owner.uid), "nobody has opened it yet");
    redeem(&server, link_of(&link)).await.good();
    assert_eq!(by().await, json!(admin.uid));
}

#[tokio::test]
async fn a_change_based_on_a_stale_board_is_refused() {
    let (_server, owner) = a_shop(Shop::new()).await;
    let floor = json!({ "name": "Floor", "layout": "shop-floor", "settings": { "columns": 5 } });
    let created = owner.post("/api/boards", floor).await.result();
    let path = format!("/api/boards/{}", created["boardId"].as_str().unwrap());
    let lounge = json!({ "layout": "lounge", "expectedRevision": created["revision"] });
    let changed = owner.patch(&path, lounge).await.result();
    // Neither fits another layout.
    let settings = &changed["settings"];
    assert_eq!(
        (&settings["columns"], &settings["categories"]),
        (&Value::Null, &json!(["Waiting"]))
    );
    let stale = json!({
    "settings": { "categories": ["Waiting", "Drop", "Used"] },
    "expectedRevision": created["revision"],
    });
    owner
        .patch(&path, stale)
        .await
        .refused(409, "board-changed");
    let anew = json!({ "settings": { "language": "de" }, "expectedRevision": changed["revision"] });
    let spoken = owner.patch(&path, anew).await.result();
    assert_eq!(spoken["settings"]["language"], "de");
    assert_ne!(spoken["revision"], changed["revision"]);
    let listed = &owner.get("/api/boards").await.result()[0];
    assert_eq!(listed["revision"], spoken["revision"]);
}

#[tokio::test]
async fn a_screen_without_a_valid_token_gets_nothing() {
    let (server, owner) = a_shop(Shop::new()).await;
    let screen = Screen::pair(&server, &owner, lounge()).await;
    let other = Screen::pair(&server, &owner, lounge()).await;
    let mut forged = screen.token.clone();
    forged.replace_range(10..11, if &forged[10..11] == "A" { "B" } else { "A" });
    for token in [
        "",
        "db_",
        "nonsense",
        &forged,
        &owner.token,
        &screen.token[3..],
    ] {
        let stranger = Screen {
            id: screen.id.clone(),
            token: token.to_owned(),
        };
        stranger.get(&server).await.refused(401, "unauthorized");
        let checked = stranger.check(&server, 1, "00000000").await;
        checked.refused(401, "unauthorized");
        let refused = Socket::connect(&server, &stranger.auth())
            .await
            .err()
            .unwrap();
        assert_eq!(refused["data"]["code"], "unauthorized", "{token}");
    }
    // A board's token is valid for that board, and for no call of people.
    for (scope, code) in [
        (json!({ "board": other.id }), "unauthorized"),
        (json!({ "technician": ANN }), "invalid-request"),
        (json!({ "ros": [901] }), "invalid-request"),
        (Value::Null, "invalid-request"),
    ] {
        let auth = json!({ "token": screen.token, "scope": scope });
        let refused = Socket::connect(&server, &auth).await.err().unwrap();
        assert_eq!(refused["data"]["code"], code, "{scope}");
    }
    let document = server.get("/api/openapi.json").await.body;
    let mut request_count = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, call) in methods.as_object().unwrap() {
            if call["security"] != json!([{ "idToken": [] }]) || path.starts_with("/api/test") {
                continue;
            }
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let path = path.replace(['{', '}'], "");
            let request = server.request(method.clone(), &path).json(&json!({}));
            let answer = request.bearer_auth(&screen.token).send().await.unwrap();
            assert_eq!(answer.status(), 401, "{method} {path}");
            request_count += 1;
        }
    }
    assert!(request_count > 50, "{request_count}");
    // A board sends nothing to other clients.
    let (mut socket, ..) = screen.listen(&server).await;
    for event in ["RO_OPEN", "RO_LEAVE", "RO_MODIFIED"] {
        let action = r#"{"roNumber":901,"action":"STATUS_CHANGED"}"#;
        socket.send(&format!(r#"420["{event}",{action}]"#)).await;
        let answer = socket.packet().await.unwrap();
        assert!(
            answer.starts_with("430[{") && answer.contains("forbidden"),
            "{answer}"
        );
    }
}

#[tokio::test]
async fn ten_thousand_guesses_find_no_code() {
    let (server, owner) = a_shop(Shop::new()).await;
    let admin = server.hire("ada@example.com", "Admin").await;
    let [owner, admin] = [owner, admin].map(Desk::on_one_connection);
    let pairing = begin_pairing(&server).await;
    // So many guesses may take a busy machine longer than the ten minutes for which a code is good.
    let later = "UPDATE board_pairings SET expires_at = expires_at + 36000000";
    let store = server.shop.store().await;
    store.writer().execute_unprepared(later).await.unwrap();
    store.close().await;
    let started = Instant::now();
    let mut looked_up = 0;
    for guess in 0..10_000 {
        let desk = if guess % 2 == 0 { &owner } else { &admin };
        let code = format!("{guess:06}").replace(['0', '1'], "Z");
        looked_up += u32::from(guess_code(desk, &code).await == 404);
    }
    // 10 at once, then one in six seconds from this address.
    let allowed = 11 + u32::try_from(started.elapsed().as_secs() / 6).unwrap();
    assert!((10..=allowed).contains(&looked_up), "{looked_up}");
    assert_eq!(pairing_state(&server, &pairing).await["state"], "waiting");
    assert_eq!(owner.get("/api/boards").await.result(), json!([]));
}

#[tokio::test]
async fn while_wrong_codes_are_refused_a_right_one_is_too() {
    let (server, owner) = a_shop(Shop::new()).await;
    // A guess is given back every six seconds, so between a refusal and the right code, too, where a machine is slow.
    for _ in 0..10 {
        let pairing = begin_pairing(&server).await;
        while guess_code(&owner, "ZZZZZZ").await != 429 {}
        if guess_code(&owner, pairing["code"].as_str().unwrap()).await == 429 {
            assert_eq!(pairing_state(&server, &pairing).await["state"], "waiting");
            return;
        }
    }
    panic!("ten right codes were accepted just after a wrong one had been refused");
}

/// The status of the answer: 404 for a code that was looked up, 429 for one too many.
async fn guess_code(desk: &Desk, code: &str) -> u16 {
    let claim = json!({ "code": code, "name": "Mine", "layout": "queue" });
    let answer = desk.post("/api/boards/pairings/claim", claim).await;
    assert!(matches!(answer.status, 200 | 404 | 429), "{answer:?}");
    assert_eq!(
        answer.headers.contains_key("Retry-After"),
        answer.status == 429
    );
    answer.status
}

#[tokio::test]
async fn an_expired_code_pairs_no_screen() {
    let (server, owner) = a_shop(Shop::new()).await;
    let (unclaimed, claimed) = (begin_pairing(&server).await, begin_pairing(&server).await);
    let claim = |pairing: &Value| json!({ "code": pairing["code"], "name": "Bay" });
    owner
        .post("/api/boards/pairings/claim", claim(&claimed))
        .await
        .good();
    let store = server.shop.store().await;
    let expire = "UPDATE board_pairings SET expires_at = 1";
    store.writer().execute_unprepared(expire).await.unwrap();
    for pairing in [&unclaimed, &claimed] {
        assert_eq!(
            pairing_state(&server, pairing).await,
            json!({ "state": "expired" })
        );
        owner
            .post("/api/boards/pairings/claim", claim(pairing))
            .await
            .refused(404, "unknown-code");
    }
    let unknown = json!({ "pairingId": "A".repeat(43) });
    assert_eq!(
        pairing_state(&server, &unknown).await,
        json!({ "state": "expired" })
    );
}

#[tokio::test]
async fn the_number_of_open_pairings_is_bounded() {
    let server = Server::start().await;
    let body = json!({ "version": "1", "screen": { "width": 1920, "height": 1080 } });
    // Twenty a minute, and one more every three seconds: so many at once are never all accepted.
    let requests = (0..60).map(|_| server.post("/api/boards/pairings", body.clone()));
    let answers = join_all(requests).await;
    let (paired, refused): (Vec<_>, Vec<_>) =
        answers.into_iter().partition(|answer| answer.status == 200);
    assert!(paired.len() >= 20, "{} of 60", paired.len());
    assert!(!refused.is_empty());
    for answer in refused {
        answer.refused(429, "too-many-requests");
    }
}

#[tokio::test]
async fn a_screen_gets_a_code_although_pairings_from_before_a_restart_fill_all_places() {
    let (server, owner) = a_shop(Shop::new()).await;
    let store = server.shop.store().await;
    // They came just before: a code is valid for ten minutes.
    let expires_at = jiff::Timestamp::now().as_millisecond() + 9 * 60 * 1_000;
    let many = format!(
        "WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 1000) \
INSERT INTO board_pairings (id_hash, code, token_hash, version, screen_width, \
screen_height, expires_at) \
SELECT 'id ' || n, 'code ' || n, 'token ' || n, '1', 1, 1, {expires_at} FROM number"
    );
    store.writer().execute_unprepared(&many).await.unwrap();
    let screens = [begin_pairing(&server).await, begin_pairing(&server).await];
    for screen in &screens {
        assert_eq!(pairing_state(&server, screen).await["state"], "waiting");
        let claim = json!({ "code": screen["code"], "name": "Bay" });
        owner.post("/api/boards/pairings/claim", claim).await.good();
    }
    let count = "SELECT count(*) AS n FROM board_pairings WHERE board IS NULL";
    let count = sea_orm::Statement::from_string(sea_orm::DbBackend::Sqlite, count);
    let count = store.reader().query_one_raw(count).await.unwrap().unwrap();
    assert_eq!(count.try_get::<i64>("", "n").unwrap(), 998);
}

//! Boards on the walls: how a screen becomes one, what it shows and what it never receives, and that
//! it ends when it is revoked.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use dispatch_actors::testing::Throwaway;
use futures_util::future::join_all;
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::clocks::minutes_ago;
use crate::fixture::{Answer, Desk, Server, Shop, Socket, WAIT_TIMEOUT, answer};

const ANN: i64 = 11;
const LUC: i64 = 14;

/// A screen that is a board.
pub struct Screen {
    pub id: String,
    pub token: String,
}

impl Screen {
    /// By a code.
    pub async fn pair(server: &Server, desk: &Desk, board: Value) -> Self {
        let pairing = begin(server).await;
        let mut claim = board;
        claim["code"] = pairing["code"].clone();
        desk.post("/api/boards/pairings/claim", claim)
            .await
            .result();
        let paired = state(server, &pairing).await;
        assert_eq!(paired["state"], "paired", "{paired}");
        Self::of(&paired)
    }

    /// By a link.
    pub async fn by_link(server: &Server, desk: &Desk, board: Value) -> Self {
        let link = desk.post("/api/boards/links", board).await.result();
        let redeemed = redeem(server, link_of(&link)).await.result();
        assert_eq!(redeemed["boardId"], link["boardId"]);
        Self::of(&redeemed)
    }

    pub fn of(paired: &Value) -> Self {
        let text = |name: &str| paired[name].as_str().unwrap().to_owned();
        let token = text("token");
        assert!(token.starts_with("db_") && token.len() == 46, "{token}");
        Self {
            id: text("boardId"),
            token,
        }
    }

    pub async fn get(&self, server: &Server) -> Answer {
        let request = server.request(Method::GET, "/api/board");
        answer(request.bearer_auth(&self.token)).await
    }

    pub async fn picture(&self, server: &Server) -> Value {
        self.get(server).await.result()
    }

    pub async fn check(&self, server: &Server, seq: i64, checksum: &str) -> Answer {
        let body = json!({
        "seq": seq,
        "checksum": checksum,
        "shows": { "orders": 3, "pages": 2, "page": 1 },
        "version": "0.1.0-test",
        "screen": { "width": 1280, "height": 720 },
        });
        let request = server.request(Method::POST, "/api/board/check").json(&body);
        answer(request.bearer_auth(&self.token)).await
    }

    pub fn auth(&self) -> Value {
        json!({ "token": self.token, "scope": { "board": self.id } })
    }

    /// Connected, past `hello`; the name and the offset to come back with.
    pub async fn listen(&self, server: &Server) -> (Socket, String, String) {
        let mut socket = Socket::open(server.address).await;
        let pid = socket.sign_in(&self.auth()).await.unwrap();
        let hello = socket.next().await;
        assert_eq!(hello.name, "hello");
        assert!(hello.payload["version"].is_string(), "{hello:?}");
        (socket, pid, hello.offset)
    }

    /// The missed events, each card by its key, up to `hello`.
    async fn back(&self, server: &Server, pid: &str, offset: &str) -> BTreeMap<String, Value> {
        let mut socket = Socket::open(server.address).await;
        let mut auth = self.auth();
        auth["pid"] = pid.into();
        auth["offset"] = offset.into();
        assert_eq!(socket.sign_in(&auth).await.unwrap(), pid, "recovered");
        let mut cards = BTreeMap::new();
        loop {
            let event = socket.next().await;
            match event.name.as_str() {
                "hello" => return cards,
                "BOARD_CARD" => {
                    assert_eq!(event.reaches(), event.payload["seq"].as_i64().unwrap());
                    let key = event.payload["key"].as_str().unwrap().to_owned();
                    let again = cards.insert(key, event.payload["card"].clone());
                    assert_eq!(again, None, "each once");
                }
                other => panic!("a board hears {other}"),
            }
        }
    }
}

pub async fn begin(server: &Server) -> Value {
    let body = json!({ "version": "0.1.0-test", "screen": { "width": 1920, "height": 1080 } });
    server.post("/api/boards/pairings", body).await.result()
}

pub async fn state(server: &Server, pairing: &Value) -> Value {
    let secret = pairing["pairingId"].as_str().unwrap();
    let body = json!({ "pairingId": secret });
    let answer = server.post("/api/boards/pairings/state", body).await;
    answer.result()
}

fn link_of(link: &Value) -> &str {
    let url = link["url"].as_str().unwrap();
    url.strip_prefix("/board#link=").unwrap()
}

async fn redeem(server: &Server, link: &str) -> Answer {
    redeem_with(server, link, json!("s".repeat(43))).await
}

async fn redeem_with(server: &Server, link: &str, secret: Value) -> Answer {
    let body = json!({
    "link": link,
    "secret": secret,
    "version": "0.1.0-test",
    "screen": { "width": 1920, "height": 1080 },
    });
    server.post("/api/boards/links/redeem", body).await
}

async fn next_card(socket: &mut Socket) -> Value {
    let event = socket.event().await;
    assert_eq!(event.name, "BOARD_CARD", "{event:?}");
    event.payload
}

/// Orders 1 and 2 wait, 3 is a drop-off, 4 used. Ann is on 1, and so is Luc; Luc is on 4.
async fn a_shop(shop: Shop) -> (Server, Desk) {
    shop.hire_technicians().await;
    let server = Server::start_in(shop, &[]).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let order = |number: i64, customer: &str, status: &str| {
        json!({
        "repairOrderNumber": format!("C90{number}"),
        "customer": customer,
        "vehicle": "2021 Kia Telluride",
        "vehicleVIN": format!("5XYP5DHC1MG10700{number}"),
        "tagNumber": format!("Yellow 7{number}"),
        "advisor": "Dana Scully",
        "customerStatus": status,
        "promisedDateTime": "2026-11-21T22:00:00Z",
        "jobs": [
        { "jobNumber": 1, "concern": "smells of burnt almonds", "operations": [] },
        { "jobNumber": 2, "concern": "whistles at 60 mph", "operations": [] },
        ],
        })
    };
    server
        .shop
        .import(&json!([
            order(1, "Joe Wilson", "Waiting"),
            order(2, "QUISPE,MARIA B", "Waiting"),
            order(3, "Ted Abernathy", "Drop"),
            order(4, "USED VEHICLE INVENTORY U7123", "Used"),
        ]))
        .await;
    for (number, technician) in [(901, ANN), (901, LUC), (904, LUC)] {
        owner.assign(number, technician).await.good();
    }
    (server, owner)
}

fn lounge() -> Value {
    json!({
    "name": "Lounge",
    "layout": "lounge",
    "settings": { "categories": ["Waiting", "Drop"] },
    })
}

fn ro_numbers(cards: &Value) -> Vec<&str> {
    let cards = cards.as_array().unwrap().iter();
    let mut numbers: Vec<&str> = cards
        .map(|card| card["roNumber"].as_str().unwrap())
        .collect();
    numbers.sort_unstable();
    numbers
}

#[tokio::test]
async fn a_screen_becomes_a_board_by_the_code_it_shows() {
    let (server, owner) = a_shop(Shop::new()).await;
    let pairing = begin(&server).await;
    let code = pairing["code"].as_str().unwrap();
    assert_eq!(code.len(), 6);
    assert_eq!(
        state(&server, &pairing).await,
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
    let paired = state(&server, &pairing).await;
    assert_eq!(state(&server, &pairing).await, paired);
    assert_eq!(paired["boardId"], board["boardId"]);
    let screen = Screen::of(&paired);
    let picture = screen.picture(&server).await;
    assert_eq!(
        state(&server, &pairing).await,
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

async fn a_revoked_board_is_over(shop: Shop) {
    let (server, owner) = a_shop(shop).await;
    let screen = Screen::pair(&server, &owner, lounge()).await;
    let (socket, ..) = screen.listen(&server).await;
    let path = format!("/api/boards/{}", screen.id);
    owner.delete(&path).await.refused(409, "board-paired");
    let revoke = async || owner.post(&format!("{path}/revoke"), Value::Null).await;
    revoke().await.good();
    assert_eq!(socket.until_closed().await, ["41"]);
    screen.get(&server).await.refused(401, "board-revoked");
    screen
        .check(&server, 1, "00000000")
        .await
        .refused(401, "board-revoked");
    let refused = Socket::connect(&server, &screen.auth())
        .await
        .err()
        .unwrap();
    assert_eq!(refused["data"]["code"], "board-revoked");
    revoke().await.good();
    let listed = owner.get("/api/boards").await.result();
    assert_eq!(
        listed[0]["state"], "revoked",
        "also where it was said twice"
    );

    // Another screen can take over the same board.
    let again = json!({ "boardId": screen.id, "name": "Lounge again" });
    let other = Screen::pair(&server, &owner, again).await;
    assert_eq!(other.id, screen.id);
    assert_eq!(other.picture(&server).await["board"]["layout"], "lounge");
    screen.get(&server).await.refused(401, "board-revoked");
    let third = Screen::by_link(&server, &owner, json!({ "boardId": screen.id })).await;
    other.get(&server).await.refused(401, "board-revoked");
    third.picture(&server).await;

    revoke().await.good();
    owner.delete(&path).await.good();
    assert_eq!(owner.get("/api/boards").await.result(), json!([]));
    owner.delete(&path).await.refused(404, "unknown-board");
    third.get(&server).await.refused(401, "board-revoked");
}

#[tokio::test]
async fn a_revoked_board_is_disconnected_within_a_second() {
    a_revoked_board_is_over(Shop::new()).await;
}

#[tokio::test]
async fn a_revoked_board_is_disconnected_within_a_second_on_postgres() {
    let database = Throwaway::postgres().await;
    a_revoked_board_is_over(Shop::on(&database)).await;
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
    let pairing = begin(&server).await;
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
    assert_eq!(state(&server, &pairing).await["state"], "waiting");
    assert_eq!(owner.get("/api/boards").await.result(), json!([]));
}

#[tokio::test]
async fn while_wrong_codes_are_refused_a_right_one_is_too() {
    let (server, owner) = a_shop(Shop::new()).await;
    // A guess is given back every six seconds, so between a refusal and the right code, too, where a machine is slow.
    for _ in 0..10 {
        let pairing = begin(&server).await;
        while guess_code(&owner, "ZZZZZZ").await != 429 {}
        if guess_code(&owner, pairing["code"].as_str().unwrap()).await == 429 {
            assert_eq!(state(&server, &pairing).await["state"], "waiting");
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
    let (unclaimed, claimed) = (begin(&server).await, begin(&server).await);
    let claim = |pairing: &Value| json!({ "code": pairing["code"], "name": "Bay" });
    owner
        .post("/api/boards/pairings/claim", claim(&claimed))
        .await
        .good();
    let store = server.shop.store().await;
    let expire = "UPDATE board_pairings SET expires_at = 1";
    store.writer().execute_unprepared(expire).await.unwrap();
    for pairing in [&unclaimed, &claimed] {
        assert_eq!(state(&server, pairing).await, json!({ "state": "expired" }));
        owner
            .post("/api/boards/pairings/claim", claim(pairing))
            .await
            .refused(404, "unknown-code");
    }
    let unknown = json!({ "pairingId": "A".repeat(43) });
    assert_eq!(
        state(&server, &unknown).await,
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
    let screens = [begin(&server).await, begin(&server).await];
    for screen in &screens {
        assert_eq!(state(&server, screen).await["state"], "waiting");
        let claim = json!({ "code": screen["code"], "name": "Bay" });
        owner.post("/api/boards/pairings/claim", claim).await.good();
    }
    let count = "SELECT count(*) AS n FROM board_pairings WHERE board IS NULL";
    let count = sea_orm::Statement::from_string(sea_orm::DbBackend::Sqlite, count);
    let count = store.reader().query_one_raw(count).await.unwrap().unwrap();
    assert_eq!(count.try_get::<i64>("", "n").unwrap(), 998);
}

/// Everything that goes to a lounge board while this happens.
async fn traffic(server: &Server, desk: &Desk, screen: &Screen) -> String {
    let mut heard = screen.picture(server).await.to_string();
    let (mut socket, pid, offset) = screen.listen(server).await;
    desk.change_priority(901, 3).await.good();
    desk.change_status(902, 10).await.good();
    desk.unassign(901, ANN).await.good();
    desk.unassign(901, LUC).await.good();
    desk.assign(903, LUC).await.good();
    let order = json!([{
    "repairOrderNumber": "C905", "customer": "Zed Quartermaine", "customerStatus": "Waiting",
    "vehicle": "2020 Jeep Gladiator", "vehicleVIN": "5XYP5DHC1MG107005",
    "jobs": [{ "jobNumber": 1, "concern": "smells of burnt almonds", "operations": [] }],
    }]);
    server.shop.import(&order).await;
    desk.change_status(903, 12).await.good();
    desk.post("/api/repair-orders/902/close", json!({}))
        .await
        .good();
    let mut cards = 0;
    // The last is the closed one.
    while cards < 4 {
        let packet = socket.packet().await.unwrap();
        cards += usize::from(packet.contains("BOARD_CARD"));
        heard += &packet;
    }
    drop(socket);
    let missed = screen.back(server, &pid, &offset).await;
    heard + &json!(missed).to_string()
}

#[tokio::test]
async fn the_lounge_receives_nothing_private() {
    let (server, owner) = a_shop(Shop::new()).await;
    let screen = Screen::pair(&server, &owner, lounge()).await;
    let heard = traffic(&server, &owner, &screen).await;
    for public in ["Joe W.", "Maria Q.", "Zed Q.", "checked-in", "in-line"] {
        assert!(heard.contains(public), "{public}: {heard}");
    }
    for private in [
        "Wilson",
        "Quispe",
        "QUISPE",
        "Abernathy",
        "Quartermaine",
        "MARIA",
        "5XYP5DHC",
        "Yellow 7",
        "almonds",
        "whistles",
        "C90",
        ":901",
        ":902",
        ":903",
        ":904",
        ":905",
        "Telluride",
        "Gladiator",
        "Scully",
        "Kowalczyk",
        "U7123",
        "RO_MODIFIED",
        "owner@example.com",
    ] {
        assert!(!heard.contains(private), "{private}: {heard}");
    }
}

#[tokio::test]
async fn boards_of_one_view_get_the_same_bytes() {
    let (server, owner) = a_shop(Shop::new()).await;
    let floor = |name: &str, technicians: Value, seconds: i64| {
        json!({
        "name": name,
        "layout": "shop-floor",
        "settings": { "technicians": technicians, "pageSeconds": seconds },
        })
    };
    let one = Screen::pair(&server, &owner, floor("One", json!([LUC, ANN]), 10)).await;
    let two = Screen::pair(&server, &owner, floor("Two", json!([ANN, LUC, ANN]), 20)).await;
    let lucs = Screen::pair(&server, &owner, floor("Luc's", json!([LUC]), 10)).await;
    let pictures = [
        one.picture(&server).await,
        two.picture(&server).await,
        lucs.picture(&server).await,
    ];
    assert_eq!(pictures[0]["cards"], pictures[1]["cards"]);
    assert_eq!(pictures[0]["checksum"], pictures[1]["checksum"]);
    assert_ne!(pictures[0]["cards"], pictures[2]["cards"]);
    let technicians = |picture: &Value| -> Vec<i64> {
        let all = picture["technicians"].as_array().unwrap();
        all.iter().map(|one| one["id"].as_i64().unwrap()).collect()
    };
    assert_eq!(technicians(&pictures[0]), [ANN, LUC]);
    assert_eq!(technicians(&pictures[2]), [LUC]);
    for card in pictures[2]["cards"].as_array().unwrap() {
        assert_eq!(card["technicianIds"], json!([LUC]));
    }

    let mut sockets = Vec::new();
    for screen in [&one, &two, &lucs] {
        sockets.push(screen.listen(&server).await.0);
    }
    owner.change_priority(901, 3).await.good();
    let mut packets = Vec::new();
    for socket in &mut sockets {
        loop {
            let packet = socket.packet().await.unwrap();
            if packet.contains("BOARD_CARD") {
                packets.push(packet);
                break;
            }
        }
    }
    assert_eq!(packets[0], packets[1]);
    assert_ne!(packets[0], packets[2]);
}

/// Order 901 gets dearer, 902 leaves, 903 becomes Ann's, 904 is no business of a queue.
async fn some_changes(desk: &Desk) {
    desk.change_priority(901, 3).await.good();
    desk.change_priority(901, 2).await.good();
    desk.change_status(902, 12).await.good();
    desk.assign(903, ANN).await.good();
    desk.change_status(904, 13).await.good();
}

async fn a_board_comes_back(shop: Shop) {
    let (mut server, owner) = a_shop(shop).await;
    let queue = json!({ "name": "Queue", "layout": "queue" });
    let screen = Screen::pair(&server, &owner, queue).await;
    let before = screen.picture(&server).await;
    let (socket, pid, offset) = screen.listen(&server).await;
    assert_eq!(offset, server.shop.offset(owner.seq().await).await);
    drop(socket);
    some_changes(&owner).await;

    // From what is in memory, and from the log.
    let missed = screen.back(&server, &pid, &offset).await;
    server.sigkill().await;
    server.restart().await;
    assert_eq!(screen.back(&server, &pid, &offset).await, missed);

    let mut cards: BTreeMap<String, Value> = BTreeMap::new();
    for card in before["cards"].as_array().unwrap() {
        cards.insert(card["key"].as_str().unwrap().to_owned(), card.clone());
    }
    for (key, card) in missed {
        match card {
            Value::Null => cards.remove(&key),
            card => cards.insert(key, card),
        };
    }
    let now = screen.picture(&server).await;
    let cards: Vec<Value> = cards.into_values().collect();
    assert_eq!(now["cards"], json!(cards));
    assert_eq!(ro_numbers(&now["cards"]), ["C901", "C903"]);

    // Its pid is valid for the view that it showed, and for its token.
    let path = format!("/api/boards/{}", screen.id);
    let other = json!({ "layout": "used-pdi" });
    owner.patch(&path, other).await.good();
    let mut socket = Socket::open(server.address).await;
    let mut auth = screen.auth();
    auth["pid"] = pid.clone().into();
    auth["offset"] = offset.into();
    assert_ne!(socket.sign_in(&auth).await.unwrap(), pid);
    assert_eq!(socket.next().await.name, "hello");
    let picture = screen.picture(&server).await;
    assert_eq!(ro_numbers(&picture["cards"]), ["C902", "C904"]);
}

#[tokio::test]
async fn a_board_that_reconnects_receives_what_it_missed_also_after_a_power_cut() {
    a_board_comes_back(Shop::new()).await;
}

#[tokio::test]
async fn a_board_that_reconnects_receives_what_it_missed_on_postgres() {
    let database = Throwaway::postgres().await;
    a_board_comes_back(Shop::on(&database)).await;
}

#[tokio::test]
async fn a_board_receives_its_new_settings() {
    let (server, owner) = a_shop(Shop::new()).await;
    let screen = Screen::pair(&server, &owner, lounge()).await;
    let other = Screen::pair(&server, &owner, lounge()).await;
    let mut desk = owner.listen(&server).await;
    let (mut socket, ..) = screen.listen(&server).await;
    let (mut bystander, ..) = other.listen(&server).await;
    let path = format!("/api/boards/{}", screen.id);

    owner
        .post(&format!("{path}/identify"), Value::Null)
        .await
        .good();
    let event = socket.event().await;
    assert_eq!(
        (event.name.as_str(), &event.payload["name"]),
        ("BOARD_IDENTIFY", &json!("Lounge"))
    );
    assert_eq!(event.offset, "", "of the moment");
    owner
        .post(&format!("{path}/reload"), Value::Null)
        .await
        .good();
    assert_eq!(socket.event().await.name, "BOARD_RELOAD");
    let settings = json!({ "name": "Front", "settings": { "theme": "dark", "dimFrom": null } });
    let changed = owner.patch(&path, settings).await.result();
    assert_eq!(changed["settings"]["theme"], "dark");
    assert_eq!(changed["settings"]["dimFrom"], Value::Null);
    assert_eq!(changed["settings"]["dimUntil"], "06:30", "stays");
    let event = socket.event().await;
    assert_eq!(event.name, "BOARD_SETTINGS");
    assert_eq!(event.payload["board"]["name"], "Front");
    assert_eq!(event.payload["board"]["settings"], changed["settings"]);

    // Another layout: it comes back to that.
    owner
        .patch(&path, json!({ "layout": "queue" }))
        .await
        .good();
    socket.until_closed().await;
    assert_eq!(screen.picture(&server).await["board"]["layout"], "queue");

    owner.change_priority(901, 3).await.good();
    owner.change_status(901, 10).await.good();
    owner.assign(902, ANN).await.good();
    let event = bystander.event().await;
    assert_eq!(event.name, "BOARD_CARD", "the first it hears: {event:?}");
    let mut heard = Vec::new();
    while !["RO_MODIFIED", "BOARDS_CHANGED"]
        .iter()
        .all(|name| heard.iter().any(|heard| heard == name))
    {
        heard.push(desk.event().await.name);
    }
    assert!(
        !heard.iter().any(|name| name.starts_with("BOARD_")),
        "{heard:?}"
    );
    for wrong in [
        json!({ "settings": { "columns": 13 } }),
        json!({ "settings": { "pageSeconds": 4 } }),
        json!({ "settings": { "dimFrom": "24:00" } }),
        json!({ "settings": { "categories": ["ENG"] } }),
        json!({ "settings": [] }),
        json!({ "layout": "cinema" }),
        json!({ "name": "" }),
    ] {
        owner.patch(&path, wrong).await.refused_as_invalid();
    }
}

impl Answer {
    fn refused_as_invalid(&self) {
        assert_eq!(
            (self.status, &self.body["code"]),
            (400, &json!("invalid-request"))
        );
    }
}

#[tokio::test]
async fn the_shop_floor_shows_running_clocks_and_the_progress_of_work() {
    let (mut server, owner) = a_shop(Shop::new()).await;
    let floor = json!({ "name": "Floor", "layout": "shop-floor" });
    let floor = Screen::pair(&server, &owner, floor).await;
    let lounge = Screen::pair(&server, &owner, lounge()).await;
    let picture = floor.picture(&server).await;
    assert_eq!(
        ro_numbers(&picture["cards"]),
        ["C901", "C904"],
        "somebody is on them"
    );
    let card = |picture: &Value, number: &str| -> Value {
        let cards = picture["cards"].as_array().unwrap();
        let found = cards.iter().find(|card| card["roNumber"] == number);
        found.unwrap().clone()
    };
    assert_eq!(card(&picture, "C901")["tagNumber"], "Yellow 71");
    let key = card(&picture, "C901")["key"].clone();
    let (mut on_floor, ..) = floor.listen(&server).await;
    let (mut in_lounge, ..) = lounge.listen(&server).await;
    let clock = format!("/api/technicians/{ANN}/clock");
    let tap = async |action: &str, job: i64| {
        let body = json!({ "action": action, "roNumber": 901, "jobNumber": job });
        owner.post(&clock, body).await.good();
    };

    tap("start", 1).await;
    let event = on_floor.event().await;
    assert_eq!(event.name, "BOARD_CLOCK", "{event:?}");
    assert_eq!(
        (&event.payload["id"], &event.payload["name"]),
        (&json!(ANN), &json!("Ann Kowalczyk"))
    );
    assert_eq!(event.payload["running"]["key"], key);
    let stage = next_card(&mut in_lounge).await;
    assert_eq!(stage["card"]["stage"], "in-work");
    let picture = floor.picture(&server).await;
    let ann = &picture["technicians"][0];
    assert_eq!((&ann["id"], &ann["running"]["key"]), (&json!(ANN), &key));

    for (job, stage, done) in [(1, "almost-done", 1), (2, "ready", 2)] {
        tap("finish", job).await;
        assert_eq!(next_card(&mut in_lounge).await["card"]["stage"], stage);
        loop {
            let event = on_floor.event().await;
            if event.name == "BOARD_CARD" {
                assert_eq!(event.offset, "", "there is no event");
                let card = &event.payload["card"];
                assert_eq!((&card["jobs"], &card["done"]), (&json!(2), &json!(done)));
                break;
            }
        }
    }
    assert_eq!(card(&floor.picture(&server).await, "C901")["done"], 2);
    // A new start knows it, too.
    let picture = lounge.picture(&server).await;
    server.sigkill().await;
    server.restart().await;
    assert_eq!(lounge.picture(&server).await["cards"], picture["cards"]);
}

#[tokio::test]
async fn a_board_can_check_whether_its_picture_is_current() {
    let (server, owner) = a_shop(Shop::new()).await;
    let screen = Screen::pair(&server, &owner, lounge()).await;
    let picture = screen.picture(&server).await;
    let (seq, checksum) = (
        picture["seq"].as_i64().unwrap(),
        picture["checksum"].as_str().unwrap(),
    );
    let verdict = screen.check(&server, seq, checksum).await.result();
    assert_eq!(
        verdict,
        json!({ "same": true, "seq": seq, "checksum": checksum })
    );
    let wrong = screen.check(&server, seq, "00000001").await.result();
    assert_eq!(wrong["same"], false);
    let behind = screen.check(&server, seq - 1, "00000001").await.result();
    assert_eq!(
        (&behind["same"], &behind["seq"]),
        (&Value::Null, &json!(seq))
    );
    owner.change_status(904, 13).await.good();
    let elsewhere = screen.check(&server, seq, checksum).await.result();
    assert_eq!(elsewhere["same"], true, "nothing on it changed");
    let listed = &owner.get("/api/boards").await.result()[0];
    assert_eq!(
        listed["shows"],
        json!({ "orders": 3, "pages": 2, "page": 1 })
    );
    assert_eq!(listed["version"], "0.1.0-test");
    assert_eq!(listed["screen"], json!({ "width": 1280, "height": 720 }));
    for (seq, checksum) in [
        (-1, "00000000"),
        (1, "0000000"),
        (1, "0000000G"),
        (1, "ABCDEF00"),
    ] {
        screen
            .check(&server, seq, checksum)
            .await
            .refused_as_invalid();
    }
}

#[tokio::test]
async fn running_clocks_are_part_of_a_boards_checksum() {
    let (server, owner) = a_shop(Shop::new()).await;
    let deliveries = json!({
    "name": "Deliveries",
    "layout": "shop-floor",
    "settings": { "categories": ["PDI"] },
    });
    let screen = Screen::pair(&server, &owner, deliveries).await;
    let (mut socket, ..) = screen.listen(&server).await;
    let picture = screen.picture(&server).await;
    let verdict = async |picture: &Value| {
        let checksum = picture["checksum"].as_str().unwrap();
        let seq = picture["seq"].as_i64().unwrap();
        let verdict = screen.check(&server, seq, checksum).await.result();
        verdict["same"].clone()
    };
    assert_eq!(verdict(&picture).await, true);

    let start = json!({ "action": "start", "roNumber": 901, "jobNumber": 1 });
    let clock = format!("/api/technicians/{ANN}/clock");
    owner.post(&clock, start).await.good();
    let event = socket.event().await;
    assert_eq!(event.name, "BOARD_CLOCK");
    assert_eq!(verdict(&picture).await, Value::Null, "it may be on its way");
    let deadline = Instant::now() + WAIT_TIMEOUT;
    while verdict(&picture).await == Value::Null {
        assert!(Instant::now() < deadline);
        sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(verdict(&picture).await, false);
    assert_eq!(verdict(&screen.picture(&server).await).await, true);

    // The order comes to this board only now, and the clock is known to be on it.
    owner.change_status(901, 13).await.good();
    let card = next_card(&mut socket).await;
    assert_eq!(card["card"]["roNumber"], "C901");
    assert_eq!(card["key"], event.payload["running"]["key"]);
}

#[tokio::test]
async fn work_that_is_recorded_afterwards_shows_on_boards_too() {
    let (server, owner) = a_shop(Shop::new()).await;
    let screen = Screen::pair(&server, &owner, lounge()).await;
    let (mut socket, ..) = screen.listen(&server).await;
    let entries = format!("/api/technicians/{ANN}/clock/entries");
    let forgotten = json!({
    "startedAt": minutes_ago(90),
    "endedAt": minutes_ago(60),
    "roNumber": 901,
    "jobNumber": 1,
    "reason": "Forgotten",
    });
    let entry = owner.post(&entries, forgotten).await.result();
    let card = next_card(&mut socket).await;
    assert_eq!(card["card"]["stage"], "in-work");

    let entry = format!("{entries}/{}", entry["entryId"]);
    let wrong = json!({ "reason": "It was another car" });
    let taken_out = owner.request(Method::DELETE, &entry).json(&wrong);
    answer(taken_out).await.good();
    let card = next_card(&mut socket).await;
    assert_eq!(card["card"]["stage"], "in-line");
}

#[tokio::test]
async fn a_change_of_a_board_in_another_process_takes_effect_here_too() {
    let database = Throwaway::postgres().await;
    let (server, owner) = a_shop(Shop::on(&database)).await;
    let other = Server::start_in(Shop::on(&database), &[]).await;
    let screen = Screen::pair(&server, &owner, lounge()).await;
    screen.picture(&other).await;
    let (mut socket, ..) = screen.listen(&other).await;
    owner.change_priority(901, 3).await.good();
    owner.unassign(901, ANN).await.good();
    owner.unassign(901, LUC).await.good();
    // Each change is announced as it comes, or some of them together.
    while next_card(&mut socket).await["card"]["stage"] != "checked-in" {}
    owner
        .post(&format!("/api/boards/{}/revoke", screen.id), Value::Null)
        .await
        .good();
    // A card that was sent late may be sent again before.
    assert_eq!(socket.until_closed().await.pop().unwrap(), "41");
    let deadline = Instant::now() + WAIT_TIMEOUT;
    while screen.get(&other).await.status != 401 {
        assert!(Instant::now() < deadline);
        sleep(Duration::from_millis(50)).await;
    }
}

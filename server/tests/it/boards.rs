//! Boards on the walls: how a screen becomes one, what it shows and what it never receives, and that
//! it ends when it is revoked.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use dispatch_actors::testing::Throwaway;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::clocks::minutes_ago;
use crate::fixture::{Answer, Desk, Server, Shop, Socket, WAIT_TIMEOUT, answer};

pub const ANN: i64 = 11;
const LUC: i64 = 14;

/// A screen that is a board.
pub struct Screen {
    pub id: String,
    pub token: String,
}

impl Screen {
    /// By a code.
    pub async fn pair(server: &Server, desk: &Desk, board: Value) -> Self {
        let pairing = begin_pairing(server).await;
        let mut claim = board;
        claim["code"] = pairing["code"].clone();
        desk.post("/api/boards/pairings/claim", claim)
            .await
            .result();
        let paired = pairing_state(server, &pairing).await;
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

pub async fn begin_pairing(server: &Server) -> Value {
    let body = json!({ "version": "0.1.0-test", "screen": { "width": 1920, "height": 1080 } });
    server.post("/api/boards/pairings", body).await.result()
}

pub async fn pairing_state(server: &Server, pairing: &Value) -> Value {
    let secret = pairing["pairingId"].as_str().unwrap();
    let body = json!({ "pairingId": secret });
    let answer = server.post("/api/boards/pairings/state", body).await;
    answer.result()
}

pub fn link_of(link: &Value) -> &str {
    let url = link["url"].as_str().unwrap();
    url.strip_prefix("/board#link=").unwrap()
}

pub async fn redeem(server: &Server, link: &str) -> Answer {
    redeem_with(server, link, json!("s".repeat(43))).await
}

pub async fn redeem_with(server: &Server, link: &str, secret: Value) -> Answer {
    let body = json!({
    "link": link,
    "secret": secret,
    "version": "0.1.0-test",
    "screen": { "width": 1920, "height": 1080 },
    });
    server.post("/api/boards/links/redeem", body).await
}

pub async fn next_card(socket: &mut Socket) -> Value {
    let event = socket.event().await;
    assert_eq!(event.name, "BOARD_CARD", "{event:?}");
    event.payload
}

/// Orders 1 and 2 wait, 3 is a drop-off, 4 used. Ann is on 1, and so is Luc; Luc is on 4.
pub async fn a_shop(shop: Shop) -> (Server, Desk) {
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

pub fn lounge() -> Value {
    json!({
    "name": "Lounge",
    "layout": "lounge",
    "settings": { "categories": ["Waiting", "Drop"] },
    })
}

pub fn ro_numbers(cards: &Value) -> Vec<&str> {
    let cards = cards.as_array().unwrap().iter();
    let mut numbers: Vec<&str> = cards
        .map(|card| card["roNumber"].as_str().unwrap())
        .collect();
    numbers.sort_unstable();
    numbers
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
    let before = Instant::now();
    owner.post(&clock, start).await.good();
    let event = socket.event().await;
    assert_eq!(event.name, "BOARD_CLOCK");
    let at_once = verdict(&picture).await;
    // For two seconds; a busy machine may ask later.
    if before.elapsed() < Duration::from_secs(2) {
        assert_eq!(at_once, Value::Null, "it may be on its way");
    }
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

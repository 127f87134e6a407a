//! Every event of the socket for every role: who connects with which scope, who receives what, and
//! who may send what.
//!
//! The rules, beside the table of calls in `roles.rs`: the stream of orders and their presence is the
//! dashboard's, and for every admitted user; a technician who is not Owner or Admin receives their
//! own clock and receipts only, and nothing about boards and the server; a board receives what it
//! shows. A caller who may make a change may announce it.

use std::collections::BTreeSet;
use std::path::Path;

use futures_util::future::select_all;
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::boards::Screen;
use crate::clocks::technician;
use crate::fixture::{Desk, Server, Shop, Socket, WAIT_TIMEOUT, answer};
use crate::sample::sample_shop_in;
use crate::unverified::unverified_tokens;
use crate::visibility::orders;

const ANN: i64 = 11;
const LUC: i64 = 14;
const ORDER: i64 = 500;
/// Was Luc's until its last change.
const HANDED_BACK: i64 = 501;

/// Who connects: people by their roles, and two boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Recipient {
    Roles(&'static [&'static str]),
    /// The technician whose clock and receipts are announced.
    Ann,
    /// Another technician.
    Luc,
    /// Shows the shop floor, and gets its settings.
    ShopFloor,
    /// Shows used cars, of which nothing changes.
    UsedCars,
}

use Recipient::{Ann, Luc, Roles, ShopFloor, UsedCars};

const OWNER: Recipient = Roles(&["Owner"]);

impl Recipient {
    fn is_board(self) -> bool {
        matches!(self, ShopFloor | UsedCars)
    }

    /// Neither a board nor a technician alone.
    fn sees_the_shop(self) -> bool {
        match self {
            Roles(roles) => {
                let has = |role: &str| roles.contains(&role);
                !has("Technician") || has("Owner") || has("Admin")
            }
            Ann | Luc | ShopFloor | UsedCars => false,
        }
    }

    fn has_one_of(self, enough: &[&str]) -> bool {
        match self {
            Roles(roles) => roles.iter().any(|role| enough.contains(role)),
            Ann | Luc => enough.contains(&"Technician"),
            ShopFloor | UsedCars => false,
        }
    }
}

/// Who receives an event.
#[derive(Clone, Copy, Debug)]
enum Listeners {
    /// Boards, too.
    All,
    People,
    /// The technician it is about, and everybody but other technicians.
    DesksAndAnn,
    /// Everybody but technicians alone.
    Desks,
    /// Boards that show it, or are meant.
    TheBoard,
}

impl Listeners {
    fn include(self, recipient: Recipient) -> bool {
        match self {
            Listeners::All => true,
            Listeners::People => !recipient.is_board(),
            Listeners::DesksAndAnn => recipient.sees_the_shop() || recipient == Ann,
            Listeners::Desks => recipient.sees_the_shop(),
            Listeners::TheBoard => recipient == ShopFloor,
        }
    }
}

/// What the server sends.
const SERVER_EVENTS: [(&str, Listeners); 18] = [
    ("hello", Listeners::All),
    ("tick", Listeners::All),
    ("RO_MODIFIED", Listeners::People),
    // A client's notice of its own change.
    ("RO_MODIFIED without rows", Listeners::People),
    ("RO_PRESENCE", Listeners::People),
    ("RO_PRESENCES", Listeners::People),
    ("STAFF_CHANGED", Listeners::People),
    ("TECHNICIANS_CHANGED", Listeners::People),
    ("STAGES_CHANGED", Listeners::People),
    ("CLOCK_CHANGED", Listeners::DesksAndAnn),
    ("ASSIGNMENT_RECEIPT", Listeners::DesksAndAnn),
    ("BOARDS_CHANGED", Listeners::Desks),
    ("SERVER_STATUS_CHANGED", Listeners::Desks),
    ("BOARD_CARD", Listeners::TheBoard),
    ("BOARD_CLOCK", Listeners::TheBoard),
    ("BOARD_SETTINGS", Listeners::TheBoard),
    ("BOARD_RELOAD", Listeners::TheBoard),
    ("BOARD_IDENTIFY", Listeners::TheBoard),
];

/// Who may send a message about another technician's order.
#[derive(Clone, Copy, Debug)]
enum Senders {
    People,
    /// The roles that may make the change.
    Roles(&'static [&'static str]),
    /// Everybody but technicians alone.
    Desks,
    LucAnd(&'static [&'static str]),
    Nobody,
}

impl Senders {
    fn include(self, recipient: Recipient) -> bool {
        match self {
            Senders::People => !recipient.is_board(),
            Senders::Roles(enough) => recipient.has_one_of(enough),
            Senders::Desks => recipient.sees_the_shop(),
            Senders::LucAnd(enough) => recipient == Luc || recipient.has_one_of(enough),
            Senders::Nobody => false,
        }
    }
}

const DISPATCHERS: &[&str] = &["Owner", "Admin"];
const DESK: &[&str] = &["Owner", "Admin", "Advisor"];

/// What a client sends, and what about, if it is an `RO_MODIFIED`.
fn client_messages() -> Vec<(&'static str, Value, Senders)> {
    let notice = |action: &str| json!({ "roNumber": ORDER, "action": action });
    let of = |action: &str, technician: i64| json!({ "roNumber": ORDER, "action": action, "techId": technician });
    let order = json!({ "roNumber": ORDER });
    vec![
        ("RO_OPEN", order.clone(), Senders::People),
        ("RO_LEAVE", order.clone(), Senders::People),
        ("RO_MODIFIED", notice("STATUS_CHANGED"), Senders::People),
        // It follows the status by itself.
        ("RO_MODIFIED", notice("PRIORITY_CHANGED"), Senders::People),
        ("RO_MODIFIED", notice("JOB_CHANGED"), Senders::Desks),
        ("RO_MODIFIED", notice("STAGE_CHANGED"), Senders::Desks),
        (
            "RO_MODIFIED",
            of("TECH_ASSIGNED", LUC),
            Senders::Roles(DISPATCHERS),
        ),
        (
            "RO_MODIFIED",
            of("TECH_UNASSIGNED", 22),
            Senders::Roles(DISPATCHERS),
        ),
        (
            "RO_MODIFIED",
            of("TECH_UNASSIGNED", LUC),
            Senders::Roles(DISPATCHERS),
        ),
        (
            "RO_MODIFIED",
            json!({ "roNumber": HANDED_BACK, "action": "TECH_UNASSIGNED", "techId": LUC }),
            Senders::LucAnd(DISPATCHERS),
        ),
        ("RO_MODIFIED", notice("CLOSED"), Senders::Roles(DESK)),
        ("RO_MODIFIED", notice("IMPORTED"), Senders::Roles(DESK)),
        ("CLOCK_CHANGED", order, Senders::Nobody),
    ]
}

struct Everybody {
    server: Server,
    owner: Desk,
    people: Vec<(Recipient, Desk)>,
    boards: [(Recipient, Screen); 2],
}

impl Everybody {
    async fn hire() -> Self {
        Self::hire_in(Shop::new(), &[]).await
    }

    async fn hire_in(shop: Shop, options: &[&str]) -> Self {
        let (server, owner) = sample_shop_in(shop, options).await;
        server.shop.import(&orders()).await;
        let mut people = Vec::new();
        for roles in [
            &["Owner"][..],
            &["Admin"],
            &["Advisor"],
            &["Service_Manager"],
            &["Used"],
            &["Technician", "Admin"],
            &["Technician", "Advisor"],
        ] {
            let email = format!("{}@example.com", roles.join(".")).to_lowercase();
            if roles != ["Owner"] {
                server.shop.add_user(&email, roles[0]).await;
                let flags = roles.iter().flat_map(|role| ["--role", role]);
                let set: Vec<&str> = ["user", "role", &email].into_iter().chain(flags).collect();
                server.shop.run(&set).await.good();
            }
            people.push((Roles(roles), server.sign_in(&email).await));
        }
        people.push((Ann, technician(&server, "ann@example.com", ANN).await));
        people.push((Luc, server.sign_in("jl@example.com").await));
        let board = |name: &str, layout: &str| json!({ "name": name, "layout": layout });
        let floor = Screen::by_link(&server, &owner, board("Floor", "shop-floor")).await;
        let used_screen = Screen::by_link(&server, &owner, board("Used", "used-pdi")).await;
        Self {
            server,
            owner,
            people,
            boards: [(ShopFloor, floor), (UsedCars, used_screen)],
        }
    }

    /// How everybody connects, without a scope but for boards.
    fn auths(&self) -> Vec<(Recipient, Value)> {
        let people = self.people.iter();
        let people = people.map(|(recipient, desk)| (*recipient, json!({ "token": desk.token })));
        let boards = self.boards.iter();
        let boards = boards.map(|(recipient, screen)| (*recipient, screen.auth()));
        people.chain(boards).collect()
    }
}

/// A session and the names of the events that it has received.
struct Listener {
    recipient: Recipient,
    socket: Socket,
    heard: BTreeSet<String>,
    /// The newest event that a tick was sent behind.
    ticked: i64,
}

impl Listener {
    async fn connect(server: &Server, recipient: Recipient, auth: &Value) -> Self {
        Self {
            recipient,
            socket: Socket::connect(server, auth).await.unwrap(),
            heard: BTreeSet::new(),
            ticked: -1,
        }
    }

    async fn hear(&mut self) {
        let packet = self.socket.any_packet().await.expect("the socket is open");
        let Some(list) = packet.strip_prefix("42") else {
            return;
        };
        let list: Value = serde_json::from_str(list).unwrap();
        let (name, payload) = (list[0].as_str().unwrap(), &list[1]);
        let hint = name == "RO_MODIFIED" && payload.get("rows").is_none();
        self.heard
            .insert(format!("{name}{}", if hint { " without rows" } else { "" }));
        if name == "tick" {
            self.ticked = payload["seq"].as_i64().unwrap();
        }
    }
}

/// All sessions read until each has enough: a socket that is not read is closed.
async fn hear_until(listeners: &mut [Listener], is_enough: impl Fn(&Listener) -> bool) {
    let hears_all = async {
        while !listeners.iter().all(&is_enough) {
            select_all(listeners.iter_mut().map(|one| Box::pin(one.hear()))).await;
        }
    };
    let heard = timeout(WAIT_TIMEOUT, hears_all).await.is_ok();
    let missing = listeners.iter().filter(|one| !is_enough(one));
    let missing: Vec<_> = missing.map(|one| (one.recipient, &one.heard)).collect();
    assert!(heard, "they heard only {missing:?}");
}

/// The events that are for somebody.
fn events_for(recipient: Recipient) -> BTreeSet<&'static str> {
    let theirs = SERVER_EVENTS
        .iter()
        .filter(|(_, listeners)| listeners.include(recipient));
    theirs.map(|(name, _)| *name).collect()
}

#[tokio::test]
async fn each_role_receives_only_the_events_it_may_receive() {
    let (shop, disk) = Shop::with_small_intake_disk();
    // Of 16.
    let options = ["--intake-dir", "intake", "--low-disk-mb", "4"];
    let everybody = Everybody::hire_in(shop, &options).await;
    let Everybody { server, owner, .. } = &everybody;
    let mut actor = owner.listen(server).await;
    let say = async |actor: &mut Socket, name: &str, payload: Value| {
        actor
            .send(&format!(r#"42{}"#, json!([name, payload])))
            .await;
    };
    say(&mut actor, "RO_OPEN", json!({ "roNumber": ORDER })).await;
    assert_eq!(actor.event().await.name, "RO_PRESENCE");
    let mut listeners = Vec::new();
    for (recipient, auth) in everybody.auths() {
        listeners.push(Listener::connect(server, recipient, &auth).await);
    }
    hear_until(&mut listeners, |one| one.heard.contains("hello")).await;

    owner.change_status(ORDER, 10).await.good();
    owner.assign(ORDER, ANN).await.good();
    say(
        &mut actor,
        "RO_MODIFIED",
        json!({ "roNumber": 501, "action": "CLOSED" }),
    )
    .await;
    say(&mut actor, "RO_LEAVE", json!({ "roNumber": ORDER })).await;
    let clock = format!("/api/technicians/{ANN}/clock");
    owner
        .post(&clock, json!({ "action": "clock-in" }))
        .await
        .good();
    let hire = json!({ "idTechnician": 99, "displayName": "Somebody New" });
    owner.post("/api/technicians", hire).await.good();
    server.hire("new@example.com", "Used").await;
    owner
        .put("/api/stages", json!({ "enabled": true }))
        .await
        .good();
    let (_, floor) = &everybody.boards[0];
    let board = format!("/api/boards/{}", floor.id);
    owner.patch(&board, json!({ "name": "Bay 1" })).await.good();
    for deed in ["reload", "identify"] {
        let path = format!("{board}/{deed}");
        owner.post(&path, Value::Null).await.good();
    }
    // It is measured once a minute.
    disk.fill();
    // Everything has been sent once its receivers have it; later events are sent after it.
    hear_until(&mut listeners, |one| {
        let is_first = [OWNER, ShopFloor].contains(&one.recipient);
        !is_first
            || events_for(one.recipient)
                .iter()
                .all(|name| one.heard.contains(*name))
    })
    .await;
    let last = owner.make_one_change(ORDER).await;
    hear_until(&mut listeners, |one| one.ticked >= last).await;
    for listener in &listeners {
        let heard: BTreeSet<&str> = listener.heard.iter().map(String::as_str).collect();
        assert_eq!(
            heard,
            events_for(listener.recipient),
            "{:?}",
            listener.recipient
        );
    }
}

#[tokio::test]
async fn each_role_sends_only_the_events_it_may_send() {
    let everybody = Everybody::hire().await;
    let Everybody { server, owner, .. } = &everybody;
    owner.assign(HANDED_BACK, LUC).await.good();
    owner.unassign(HANDED_BACK, LUC).await.good();
    for (recipient, auth) in everybody.auths() {
        let mut socket = Socket::connect(server, &auth).await.unwrap();
        assert_eq!(socket.next().await.name, "hello");
        for (name, payload, senders) in client_messages() {
            socket.send(&format!("428{}", json!([name, payload]))).await;
            let answer = loop {
                let packet = socket.packet().await.expect("the socket is open");
                if let Some(answer) = packet.strip_prefix("438") {
                    break serde_json::from_str::<Value>(answer).unwrap()[0].take();
                }
            };
            let what = format!("{recipient:?}: {name} {payload}: {answer}");
            if senders.include(recipient) {
                assert_eq!(answer, json!({ "ok": true }), "{what}");
            } else {
                let code = match senders {
                    Senders::Nobody if !recipient.is_board() => "unknown-event",
                    _ => "forbidden",
                };
                assert_eq!(answer["data"]["code"], code, "{what}");
            }
        }
    }
}

/// The answer to a person's CONNECT with each scope: a code, or none where they are admitted.
fn scopes(recipient: Recipient, board: &str) -> Vec<(Value, Option<&'static str>)> {
    let of_technician = |id: i64, own: Recipient| {
        let may = recipient.sees_the_shop() || recipient == own;
        (json!({ "technician": id }), (!may).then_some("forbidden"))
    };
    vec![
        (Value::Null, None),
        of_technician(ANN, Ann),
        of_technician(LUC, Luc),
        (json!({ "ros": [ORDER] }), None),
        (json!({ "board": board }), Some("unauthorized")),
    ]
}

async fn connects(server: &Server, token: &Value, scope: &Value, code: Option<&str>) {
    let auth = json!({ "token": token, "scope": scope });
    let refused = Socket::connect(server, &auth).await.err();
    let refused = refused.map(|refused| refused["data"]["code"].clone());
    assert_eq!(refused, code.map(Value::from), "{auth}");
}

#[tokio::test]
async fn each_role_connects_with_its_own_scope_only_and_strangers_are_refused() {
    let mut everybody = Everybody::hire().await;
    let [(_, floor), (_, used_screen)] = &everybody.boards;
    for (recipient, desk) in &everybody.people {
        for (scope, code) in scopes(*recipient, &floor.id) {
            connects(&everybody.server, &json!(desk.token), &scope, code).await;
        }
    }
    let own = json!({ "board": floor.id });
    let server = &everybody.server;
    connects(server, &json!(floor.token), &own, None).await;
    for (scope, code) in [
        (Value::Null, "invalid-request"),
        (json!({ "technician": ANN }), "invalid-request"),
        (json!({ "ros": [ORDER] }), "invalid-request"),
        (json!({ "board": used_screen.id }), "unauthorized"),
    ] {
        connects(server, &json!(floor.token), &scope, Some(code)).await;
    }

    // Nobody else is admitted, whatever they ask for.
    let key = json!({ "name": "Nightly export" });
    let key = everybody.owner.post("/api/intake/keys", key).await.result();
    let left = server.hire("left@example.com", "Owner").await;
    left.sign_out().await.good();
    let no_role = server.hire("no.role@example.com", "Owner").await;
    let no_record = server.hire("no.record@example.com", "Owner").await;
    everybody.server.sigterm().await;
    let store = everybody.server.shop.store().await;
    for statement in [
        "UPDATE staff_documents SET roles = '[]' WHERE id = 'no.role@example.com'",
        "DELETE FROM staff_documents WHERE id = 'no.record@example.com'",
    ] {
        store.writer().execute_unprepared(statement).await.unwrap();
    }
    store.close().await;
    everybody.server.restart().await;
    let server = &everybody.server;
    for (token, code) in [
        (Value::Null, "unauthorized"),
        (json!("made up"), "unauthorized"),
        (key["key"].clone(), "unauthorized"),
        (json!(left.token), "unauthorized"),
        (json!(no_role.token), "no-role"),
        (json!(no_record.token), "no-role"),
    ] {
        refused_with_every_scope(server, &token, &floor.id, code).await;
    }
}

async fn refused_with_every_scope(server: &Server, token: &Value, board: &str, code: &str) {
    for scope in [
        Value::Null,
        json!({ "technician": ANN }),
        json!({ "ros": [ORDER] }),
        json!({ "board": board }),
    ] {
        connects(server, token, &scope, Some(code)).await;
    }
}

#[tokio::test]
async fn a_user_with_an_unverified_email_is_refused_whatever_the_scope() {
    let (server, tokens) = unverified_tokens().await;
    for (_, token) in tokens {
        refused_with_every_scope(&server, &json!(token), "404", "unauthorized").await;
    }
}

/// What stands between quotes after one of these, in a folder of sources without its tests.
fn quoted_in(folder: &Path, before: &[&str], found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // Its stream is an answer's own, and no socket's.
        if path.ends_with("tech_story/interviews/stream.rs") {
            continue;
        }
        if path.is_dir() {
            quoted_in(&path, before, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]").next().unwrap();
            for before in before {
                for rest in text.split(before).skip(1) {
                    if let Some(rest) = rest.trim_start().strip_prefix('"') {
                        found.insert(rest.split('"').next().unwrap().to_owned());
                    }
                }
            }
        }
    }
}

fn source(folder: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src")
        .join(folder)
}

/// Every event that the table knows, by its name on the wire.
fn table() -> BTreeSet<String> {
    let sent = SERVER_EVENTS.iter().map(|(name, _)| *name);
    let client_names = client_messages().into_iter().map(|(name, ..)| name);
    let names = sent.chain(client_names);
    let plain = names.map(|name| name.trim_end_matches(" without rows"));
    plain.map(str::to_owned).collect()
}

#[tokio::test]
async fn every_event_of_the_document_and_of_the_server_is_in_the_table() {
    let server = Server::start().await;
    let document = answer(server.request(Method::GET, "/api/openapi.json")).await;
    let about = document.body["info"]["description"].as_str().unwrap();
    let is_event = |text: &&str| {
        let is_shouted = text.len() > 3
            && text.contains('_')
            && text
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte == b'_');
        is_shouted || ["hello", "tick"].contains(text)
    };
    let documented: BTreeSet<String> = about
        .split('`')
        .filter(is_event)
        .map(str::to_owned)
        .collect();
    assert_eq!(
        documented,
        table(),
        "write in socket_events.rs who hears or sends it, and in about.md what it is"
    );

    let mut sent = BTreeSet::new();
    let before = [
        "announce(",
        "event(",
        "event_without_offset(",
        "const NAME: &'static str =",
    ];
    quoted_in(&source(""), &before, &mut sent);
    // What a client may say is read by name.
    let stream = std::fs::read_to_string(source("socket/stream.rs")).unwrap();
    let names = stream.split("match event.name()").nth(1).unwrap();
    let names = names.split("};").next().unwrap();
    sent.extend(names.split('"').filter(is_event).map(str::to_owned));
    assert!(sent.len() > 15, "{sent:?}");
    assert_eq!(
        sent,
        table(),
        "the server sends or takes what is in no table"
    );
}

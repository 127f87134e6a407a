//! Every call of the OpenAPI document for every role: who may, who may not, who need not sign in.

use std::collections::BTreeSet;
use std::path::Path;

use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::boards::Screen;
use crate::fixture::{Answer, Desk, Server, Shop, answer};
use crate::unverified::unverified_tokens;

/// Who asks: a person with these roles, as they are written on the wire; the last has none any more.
const PEOPLE: [&[&str]; 10] = [
    &["Owner"],
    &["Admin"],
    &["Advisor"],
    &["Service_Manager"],
    &["Used"],
    &["Technician"],
    &["Technician", "Admin"],
    &["Technician", "Advisor"],
    &["Used", "Service_Manager"],
    &[],
];

#[derive(Clone, Copy)]
enum RequestedBy {
    /// Needs no token.
    Anybody,
    /// Every admitted user, that is, one with a role.
    SignedIn,
    /// Every user with one of these roles.
    Roles(&'static [&'static str]),
    /// Every user with a role; technicians who are neither Owner nor Admin only for themselves.
    Colleagues,
    /// Another program, with an intake key; nobody who has signed in.
    Program,
    /// A screen, with its board's token; nobody who has signed in.
    Board,
}

use RequestedBy::{Anybody, Board, Colleagues, Program, Roles, SignedIn};

impl RequestedBy {
    /// Whether a person with these roles may make the call.
    fn include(self, roles: &[&str]) -> bool {
        let has = |role: &str| roles.contains(&role);
        match self {
            Anybody => true,
            SignedIn => !roles.is_empty(),
            Roles(enough) => enough.iter().any(|role| has(role)),
            Colleagues => !roles.is_empty() && (!has("Technician") || has("Owner") || has("Admin")),
            Program | Board => false,
        }
    }
}

/// Only the technician in the address, who is another user here.
const THEMSELVES: RequestedBy = Roles(&[]);
const TECHNICIAN: RequestedBy = Roles(&["Technician"]);
const OWNER: RequestedBy = Roles(&["Owner"]);
const DISPATCHERS: RequestedBy = Roles(&["Owner", "Admin"]);
const DESK: RequestedBy = Roles(&["Owner", "Admin", "Advisor"]);
const STAFF: RequestedBy = Roles(&[
    "Owner",
    "Admin",
    "Advisor",
    "Service_Manager",
    "Used",
    "Technician",
]);

/// A call as the document writes it, who may make it, and a harmless body: permitted callers are
/// answered that there is no such order.
///
/// The product's owners said: who dispatches, who changes priority, who manages users and their
/// skill, who sees all technicians. They left the rest open, and we chose:
/// - callers who manage users list and invite them; the debug page, where there is one, shows
///   everybody their own document;
/// - nobody is admitted without a role, whatever they ask for (`outsiders` below: nor without a staff
///   record, with another screen's or program's token, or with one that has ended), nor without a
///   verified email (`unverified.rs`);
/// - every admitted user reads orders, history, technicians and skills; of the technicians'
///   assignments a technician who is not Owner or Admin sees their own;
/// - the dashboard is open to technicians: the list, the job sheets and histories of all orders, the
///   search of what the list shows, and the desk's figures, which name nobody; of clocks, receipts and stories a technician who is not
///   Owner or Admin (`Visibility`) sees their own, on the socket too (`socket_events.rs`);
/// - every user with a role changes statuses, on any order, as on the dashboard; the portal does not
///   show ENG and Trans. The same users change a job's texts, a technician who is not Owner or Admin
///   on their own orders;
/// - the desk closes and reopens, sees which customers are to be called, and says that one was; users who dispatch change skills and match unknown numbers; the
///   owner manages intake keys;
/// - every user with a role sees clocks, a technician who is not Owner or Admin their own; its
///   technician, Owner and Admin tap a clock, and these two correct it; what is to be corrected its technician proposes;
/// - users who dispatch change the technicians' list, its levels and skills; the owner sets the
///   skills that an opcode requires; every user with a role reads them, and a technician who is not
///   Owner or Admin sees no other technician's orders;
/// - every user with a role reads, writes and restores stories, a technician who is not Owner or
///   Admin on their own orders;
/// - every user with a role names views of the desk and sees those that others share; a view is changed by its author
///   alone, and users who dispatch delete shared ones, too;
/// - users who dispatch set up boards, and also see how full the server's disks are;
/// - an undo asks for what the change asked for, and others' changes are undone by Owner and Admin.
fn table() -> Vec<(&'static str, &'static str, RequestedBy, Value)> {
    let none = Value::Null;
    let empty = json!({});
    let stranger = json!({ "email": "stranger@example.com", "password": "a long password" });
    let preferences = json!({ "expectedVersion": 404, "value": {} });
    let nameless_view = json!({ "name": "", "query": "" });
    let status = json!({ "data": [{ "repairOrderNumber": "404", "idStatus": "12" }] });
    let priority = json!({ "data": [{ "roNumber": 404, "priorityLevel": "3" }] });
    let assignment = json!({ "repairOrderNumber": 404, "idTechnician": 404 });
    let reassignment =
        json!({ "repairOrderNumber": 404, "fromIdTechnician": 404, "toIdTechnician": 405 });
    let batch = json!({ "idTechnician": 404, "data": [{ "repairOrderNumber": 404 }] });
    let nameless = json!({ "data": [{ "skillName": "", "skillLevel": 1 }] });
    let current_skill = json!({ "data": [{ "idTechnician": 404, "idSkill": 404 }] });
    let orders = json!([{ "repairOrderNumber": 404 }]);
    let key = json!({ "name": "Nightly export" });
    let new_password = json!({ "token": "404", "newPassword": "a new password" });
    let token = json!({ "token": "404" });
    let first_start = json!({
        "token": "404", "email": "a@example.com", "name": "A", "password": "a long password",
    });
    let passwords = json!({ "currentPassword": "wrong", "newPassword": "a new password" });
    let code = json!({ "password": "wrong", "code": "123456" });
    let invitation = json!({ "data": { "email": "", "userData": { "name": "Somebody" } } });
    let nobody = json!({ "idTechnician": 404, "displayName": "" });
    let rule = json!({ "pattern": "LOF", "idSkill": 404, "level": 1 });
    let a_match = json!({ "kind": "technician", "number": "77", "idTechnician": 404 });
    let accepted = json!({ "stage": "accepted" });
    let reason = json!({ "reason": "The lift is taken" });
    let endpoint = json!({ "endpoint": "https://push.example.com/404" });
    let subscription = json!({
        "endpoint": "https://push.example.com/404",
        "keys": { "p256dh": "B".repeat(87), "auth": "A".repeat(22) },
    });
    let receipt = json!({ "receipt": "404" });
    let turn = json!({
        "roNumber": 404,
        "jobNumber": 1,
        "cause": "Loose shield",
        "briefTechNotes": "Tightened it",
        "language": "en",
        "conversation": [],
    });
    let story = json!({ "story": "Loose shield.", "confirmed": [] });
    let no_layout = json!({ "name": "" });
    let no_board = json!({ "boardId": "00000000-0000-0000-0000-000000000404" });
    let screen = json!({ "version": "1", "screen": { "width": 1920, "height": 1080 } });
    let link = json!({
        "link": "404",
        "version": "1",
        "screen": { "width": 1920, "height": 1080 },
    });
    let board_check = json!({
        "seq": 0,
        "checksum": "00000000",
        "shows": { "orders": 0, "pages": 1, "page": 1 },
    });
    vec![
        ("get", "/api/assignments", STAFF, none.clone()),
        ("get", "/api/tech-stories/interviewers", STAFF, none.clone()),
        ("get", "/api/tech-stories/open", STAFF, none.clone()),
        ("post", "/api/tech-stories/next", STAFF, turn),
        (
            "post",
            "/api/tech-stories/{conversationId}/save",
            STAFF,
            story,
        ),
        (
            "delete",
            "/api/tech-stories/{conversationId}",
            STAFF,
            none.clone(),
        ),
        (
            "get",
            "/api/repair-orders/{roNumber}/jobs/{jobNumber}/stories",
            STAFF,
            none.clone(),
        ),
        (
            "post",
            "/api/repair-orders/{roNumber}/jobs/{jobNumber}/stories/{seq}/restore",
            STAFF,
            empty.clone(),
        ),
        (
            "post",
            "/api/technicians/{id}/assignments/{roNumber}/receipt",
            THEMSELVES,
            accepted,
        ),
        (
            "post",
            "/api/technicians/{id}/assignments/{roNumber}/hand-back",
            THEMSELVES,
            reason,
        ),
        ("get", "/api/push/key", STAFF, none.clone()),
        ("put", "/api/push/subscription", TECHNICIAN, subscription),
        ("delete", "/api/push/subscription", TECHNICIAN, endpoint),
        ("post", "/api/push/delivered", Anybody, receipt),
        ("get", "/healthz", Anybody, none.clone()),
        ("get", "/readyz", Anybody, none.clone()),
        ("get", "/api/server-status", DISPATCHERS, none.clone()),
        ("get", "/.well-known/security.txt", Anybody, none.clone()),
        ("get", "/api/about", SignedIn, none.clone()),
        ("get", "/api/audit", OWNER, none.clone()),
        ("get", "/api/audit/events.csv", OWNER, none.clone()),
        ("post", "/api/auth/sign-in", Anybody, stranger.clone()),
        ("post", "/api/auth/refresh", Anybody, none.clone()),
        ("post", "/api/auth/sign-out", Anybody, none.clone()),
        ("post", "/api/auth/oidc/start", Anybody, none.clone()),
        ("get", "/api/auth/oidc/link", Anybody, none.clone()),
        ("post", "/api/auth/oidc/link", Anybody, code.clone()),
        ("get", "/api/auth/oidc/callback", Anybody, none.clone()),
        ("get", "/api/auth/password-policy", Anybody, none.clone()),
        ("post", "/api/set-up/check", Anybody, token),
        ("post", "/api/set-up", Anybody, first_start),
        ("post", "/api/auth/password-reset", Anybody, stranger),
        (
            "post",
            "/api/auth/password-reset/confirm",
            Anybody,
            new_password,
        ),
        ("get", "/api/auth/me", SignedIn, none.clone()),
        ("get", "/api/me/preferences", SignedIn, none.clone()),
        ("put", "/api/me/preferences", SignedIn, preferences),
        ("get", "/api/views", SignedIn, none.clone()),
        ("post", "/api/views", SignedIn, nameless_view),
        (
            "patch",
            "/api/views/{id}",
            SignedIn,
            json!({ "shared": true }),
        ),
        ("delete", "/api/views/{id}", SignedIn, none.clone()),
        ("get", "/api/auth/sessions", SignedIn, none.clone()),
        ("delete", "/api/auth/sessions/{id}", SignedIn, none.clone()),
        ("post", "/api/auth/password", SignedIn, passwords),
        ("get", "/api/auth/two-factor", SignedIn, none.clone()),
        ("post", "/api/auth/two-factor/begin", SignedIn, code.clone()),
        (
            "post",
            "/api/auth/two-factor/confirm",
            SignedIn,
            code.clone(),
        ),
        ("post", "/api/auth/two-factor/end", SignedIn, code),
        ("get", "/api/repair-orders", SignedIn, none.clone()),
        (
            "get",
            "/api/repair-orders/activity-metrics",
            SignedIn,
            none.clone(),
        ),
        ("get", "/api/repair-orders/figures", SignedIn, none.clone()),
        ("get", "/api/repair-orders/search", SignedIn, none.clone()),
        (
            "get",
            "/api/repair-orders/next-batch/{roNumber}",
            SignedIn,
            none.clone(),
        ),
        (
            "get",
            "/api/repair-orders/specific/{roNumber}",
            SignedIn,
            none.clone(),
        ),
        (
            "get",
            "/api/repair-orders/{roNumber}",
            SignedIn,
            none.clone(),
        ),
        (
            "get",
            "/api/repair-orders/{roNumber}/history",
            SignedIn,
            none.clone(),
        ),
        (
            "post",
            "/api/repair-orders/{roNumber}/undo",
            SignedIn,
            empty.clone(),
        ),
        (
            "post",
            "/api/repair-orders/{roNumber}/close",
            DESK,
            empty.clone(),
        ),
        (
            "post",
            "/api/repair-orders/{roNumber}/reopen",
            DESK,
            empty.clone(),
        ),
        (
            "patch",
            "/api/repair-orders/{roNumber}/jobs/{jobNumber}",
            STAFF,
            json!({ "cause": "Loose shield" }),
        ),
        ("post", "/api/repair-orders/update-status", STAFF, status),
        ("post", "/api/repair-orders/update-priority", DESK, priority),
        (
            "get",
            "/api/repair-orders/technicians",
            SignedIn,
            none.clone(),
        ),
        ("get", "/api/repair-orders/promises", SignedIn, none.clone()),
        (
            "get",
            "/api/repair-orders/{roNumber}/promise-moves",
            SignedIn,
            none.clone(),
        ),
        ("get", "/api/customers-to-call", DESK, none.clone()),
        (
            "post",
            "/api/repair-orders/{roNumber}/calls",
            DESK,
            json!({ "about": ["late"] }),
        ),
        (
            "get",
            "/api/repair-orders/technician-assignments",
            Roles(&["Owner", "Admin", "Technician"]),
            none.clone(),
        ),
        (
            "post",
            "/api/repair-orders/technicians/assign",
            DISPATCHERS,
            assignment.clone(),
        ),
        (
            "post",
            "/api/repair-orders/technicians/unassign",
            DISPATCHERS,
            assignment,
        ),
        (
            "post",
            "/api/repair-orders/technicians/reassign",
            DISPATCHERS,
            reassignment,
        ),
        (
            "post",
            "/api/repair-orders/technicians/dispatch",
            DISPATCHERS,
            batch,
        ),
        ("get", "/api/clocks", STAFF, none.clone()),
        (
            "get",
            "/api/technicians/{id}/clock",
            Colleagues,
            none.clone(),
        ),
        (
            "get",
            "/api/technicians/{id}/closed-orders",
            Colleagues,
            none.clone(),
        ),
        (
            "post",
            "/api/technicians/{id}/clock",
            DISPATCHERS,
            json!({ "action": "clock-in" }),
        ),
        (
            "get",
            "/api/technicians/{id}/clock/entries",
            DISPATCHERS,
            none.clone(),
        ),
        (
            "post",
            "/api/technicians/{id}/clock/entries",
            DISPATCHERS,
            json!({
                "startedAt": "2026-07-14T12:42:00Z",
                "endedAt": "2026-07-14T13:42:00Z",
                "reason": "Forgotten",
            }),
        ),
        (
            "patch",
            "/api/technicians/{id}/clock/entries/{entryId}",
            DISPATCHERS,
            json!({ "reason": "Forgotten" }),
        ),
        (
            "delete",
            "/api/technicians/{id}/clock/entries/{entryId}",
            DISPATCHERS,
            json!({ "reason": "Forgotten" }),
        ),
        ("get", "/api/clock-proposals", DISPATCHERS, none.clone()),
        (
            "put",
            "/api/technicians/{id}/clock/entries/{entryId}/proposal",
            THEMSELVES,
            json!({ "endedAt": "2026-07-14T13:42:00Z", "reason": "Forgotten" }),
        ),
        (
            "delete",
            "/api/technicians/{id}/clock/entries/{entryId}/proposal",
            THEMSELVES,
            none.clone(),
        ),
        (
            "post",
            "/api/technicians/{id}/clock/entries/{entryId}/proposal/decision",
            DISPATCHERS,
            json!({ "decision": "accept" }),
        ),
        ("get", "/api/repair-orders/skills", SignedIn, none.clone()),
        ("post", "/api/repair-orders/skills", DISPATCHERS, nameless),
        (
            "patch",
            "/api/repair-orders/skills/{idSkill}",
            DISPATCHERS,
            json!({ "skillLevel": 1 }),
        ),
        (
            "delete",
            "/api/repair-orders/skills/{idSkill}",
            DISPATCHERS,
            none.clone(),
        ),
        (
            "post",
            "/api/repair-orders/technician-skills",
            OWNER,
            current_skill,
        ),
        (
            "get",
            "/api/repair-orders/candidates",
            DISPATCHERS,
            none.clone(),
        ),
        ("get", "/api/technicians/{id}", Colleagues, none.clone()),
        ("post", "/api/technicians", DISPATCHERS, nobody),
        (
            "patch",
            "/api/technicians/{id}",
            DISPATCHERS,
            json!({ "dailyHours": 6 }),
        ),
        ("delete", "/api/technicians/{id}", DISPATCHERS, none.clone()),
        (
            "put",
            "/api/technicians/{id}/skills/{idSkill}",
            DISPATCHERS,
            empty.clone(),
        ),
        (
            "delete",
            "/api/technicians/{id}/skills/{idSkill}",
            DISPATCHERS,
            none.clone(),
        ),
        ("get", "/api/organisation", STAFF, none.clone()),
        (
            "post",
            "/api/organisation/levels",
            DISPATCHERS,
            json!({ "name": "" }),
        ),
        (
            "patch",
            "/api/organisation/levels/{idLevel}",
            DISPATCHERS,
            empty.clone(),
        ),
        (
            "delete",
            "/api/organisation/levels/{idLevel}",
            DISPATCHERS,
            none.clone(),
        ),
        ("get", "/api/stages", SignedIn, none.clone()),
        ("get", "/api/stages/totals", DISPATCHERS, none.clone()),
        ("put", "/api/stages", OWNER, empty.clone()),
        ("post", "/api/stages", OWNER, empty.clone()),
        ("patch", "/api/stages/{id}", OWNER, empty.clone()),
        ("delete", "/api/stages/{id}", OWNER, none.clone()),
        (
            "post",
            "/api/repair-orders/{roNumber}/stage",
            STAFF,
            json!({ "stage": "ready" }),
        ),
        (
            "post",
            "/api/repair-orders/{roNumber}/holds",
            STAFF,
            json!({ "reason": "parts" }),
        ),
        (
            "post",
            "/api/repair-orders/{roNumber}/holds/{holdId}/end",
            STAFF,
            empty.clone(),
        ),
        (
            "get",
            "/api/repair-orders/{roNumber}/stages",
            SignedIn,
            none.clone(),
        ),
        ("get", "/api/story-kinds", STAFF, none.clone()),
        (
            "put",
            "/api/story-kinds",
            OWNER,
            json!({ "pattern": "NOSUCH", "kind": null }),
        ),
        (
            "get",
            "/api/repair-orders/{roNumber}/clocked-time",
            STAFF,
            none.clone(),
        ),
        ("get", "/api/opcode-rules", STAFF, none.clone()),
        ("post", "/api/opcode-rules", OWNER, rule),
        ("patch", "/api/opcode-rules/{idRule}", OWNER, empty.clone()),
        ("delete", "/api/opcode-rules/{idRule}", OWNER, none.clone()),
        ("get", "/api/users", OWNER, none.clone()),
        ("get", "/api/users/{id}", OWNER, none.clone()),
        ("put", "/api/users/{id}", OWNER, empty.clone()),
        ("patch", "/api/users/{id}", OWNER, empty),
        ("delete", "/api/users/{id}", OWNER, none.clone()),
        ("get", "/api/users/{id}/sessions", OWNER, none.clone()),
        ("delete", "/api/users/{id}/sessions", OWNER, none.clone()),
        (
            "delete",
            "/api/users/{id}/sessions/{session}",
            OWNER,
            none.clone(),
        ),
        ("post", "/inviteUser", OWNER, invitation.clone()),
        (
            "post",
            "/{project}/us-central1/inviteUser",
            OWNER,
            invitation,
        ),
        ("get", "/api/test/documents", SignedIn, none.clone()),
        ("put", "/api/test/document", SignedIn, none.clone()),
        ("post", "/api/intake/repair-orders", Program, orders),
        ("get", "/api/intake/keys", OWNER, none.clone()),
        ("post", "/api/intake/keys", OWNER, key),
        ("delete", "/api/intake/keys/{id}", OWNER, none.clone()),
        ("get", "/api/intake/unmatched", DISPATCHERS, none.clone()),
        ("get", "/api/intake/matches", DISPATCHERS, none.clone()),
        ("post", "/api/intake/matches", DISPATCHERS, a_match),
        (
            "delete",
            "/api/intake/matches/{kind}/{number}",
            DISPATCHERS,
            none.clone(),
        ),
        ("get", "/api/boards", DISPATCHERS, none.clone()),
        ("post", "/api/boards", DISPATCHERS, no_layout),
        (
            "patch",
            "/api/boards/{id}",
            DISPATCHERS,
            json!({ "name": "Bay" }),
        ),
        ("delete", "/api/boards/{id}", DISPATCHERS, none.clone()),
        ("post", "/api/boards/{id}/revoke", DISPATCHERS, none.clone()),
        ("post", "/api/boards/{id}/reload", DISPATCHERS, none.clone()),
        (
            "post",
            "/api/boards/{id}/identify",
            DISPATCHERS,
            none.clone(),
        ),
        (
            "post",
            "/api/boards/pairings/claim",
            DISPATCHERS,
            json!({ "code": "wrong" }),
        ),
        ("post", "/api/boards/links", DISPATCHERS, no_board),
        ("post", "/api/boards/pairings", Anybody, screen),
        (
            "post",
            "/api/boards/pairings/state",
            Anybody,
            json!({ "pairingId": "wrong" }),
        ),
        ("post", "/api/boards/links/redeem", Anybody, link),
        ("get", "/api/board", Board, none.clone()),
        ("post", "/api/board/check", Board, board_check),
        // Last, since nobody who asks is signed in afterwards.
        ("post", "/api/auth/sign-out-everywhere", SignedIn, none),
    ]
}

/// The address of a call, about what is not there.
fn example_path(path: &str) -> String {
    let filled = path
        .replace("{kind}", "technician")
        .replace("{project}", "shop")
        .replace("{session}", "404")
        .replace("{jobNumber}", "1");
    [
        "{roNumber}",
        "{number}",
        "{id}",
        "{idSkill}",
        "{entryId}",
        "{idLevel}",
        "{idRule}",
        "{conversationId}",
        "{seq}",
        "{pairingId}",
    ]
    .iter()
    .fold(filled, |path, name| path.replace(name, "404"))
}

/// A server on which every call of the document is.
async fn server_with_every_call() -> Server {
    Server::start_in(Shop::new(), &["--test-page"]).await
}

/// A refusal, in the words of callable functions for those that are.
#[track_caller]
fn refused(answer: &Answer, path: &str, status: u16, code: &str) {
    if path.ends_with("/inviteUser") {
        let name = ["PERMISSION_DENIED", "UNAUTHENTICATED"][usize::from(status == 401)];
        assert_eq!(answer.body["error"]["status"], name, "{answer:?}");
        assert_eq!(answer.status, status);
    } else {
        answer.refused(status, code);
    }
}

async fn openapi_document(server: &Server) -> Value {
    let document = answer(server.request(Method::GET, "/api/openapi.json")).await;
    assert_eq!(document.status, 200);
    document.body
}

/// The table, which has every call of the document and no other.
async fn every_call(server: &Server) -> Vec<(&'static str, &'static str, RequestedBy, Value)> {
    let document = openapi_document(server).await;
    let mut calls = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            calls.insert((method.clone(), path.clone()));
        }
    }
    let table = table();
    let listed: BTreeSet<_> = table
        .iter()
        .map(|(method, path, ..)| ((*method).to_owned(), (*path).to_owned()))
        .collect();
    let missing: Vec<_> = calls.difference(&listed).collect();
    assert!(
        missing.is_empty(),
        "say in roles.rs who may call {missing:?}"
    );
    let stale_calls: Vec<_> = listed.difference(&calls).collect();
    assert!(
        stale_calls.is_empty(),
        "roles.rs speaks of calls that are not in the document: {stale_calls:?}"
    );
    table
}

#[tokio::test]
async fn every_call_is_in_the_table() {
    every_call(&Server::start().await).await;
}

/// Everybody who may ask.
async fn staff(server: &mut Server) -> Vec<(&'static [&'static str], Desk)> {
    let mut staff = Vec::new();
    for roles in PEOPLE {
        let email = format!("{}@example.com", roles.join(".")).to_lowercase();
        let email = if roles.is_empty() {
            "none@example.com".to_owned()
        } else {
            email
        };
        server.shop.add_user(&email, "Used").await;
        if roles.is_empty() {
            // While the server is away: it would end the session.
            staff.push((roles, server.sign_in(&email).await));
            server.sigterm().await;
            let sql = format!("UPDATE staff_documents SET roles = '[]' WHERE id = '{email}'");
            let store = server.shop.store().await;
            store.writer().execute_unprepared(&sql).await.unwrap();
            store.close().await;
            server.restart().await;
            continue;
        }
        let flags = roles.iter().flat_map(|role| ["--role", role]);
        let set: Vec<&str> = ["user", "role", &email].into_iter().chain(flags).collect();
        server.shop.run(&set).await.good();
        staff.push((roles, server.sign_in(&email).await));
    }
    staff
}

fn request(desk: &Desk, method: &str, path: &str, body: &Value) -> reqwest::RequestBuilder {
    let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
    let request = desk.request(method, &example_path(path));
    if body.is_null() {
        request
    } else {
        request.json(body)
    }
}

#[tokio::test]
async fn every_call_asks_for_the_right_role() {
    let mut server = server_with_every_call().await;
    let staff = staff(&mut server).await;
    for (method, path, audience, body) in every_call(&server).await {
        match audience {
            // Asking with a token could end its session.
            Anybody => continue,
            SignedIn | Roles(_) | Colleagues => {}
            Program | Board => {
                for (_, desk) in &staff {
                    let answer = answer(request(desk, method, path, &body)).await;
                    answer.refused(401, "unauthorized");
                }
                continue;
            }
        }
        for (roles, desk) in &staff {
            let request = request(desk, method, path, &body);
            if path.ends_with(".csv") && audience.include(roles) {
                // A file is no JSON.
                assert_eq!(request.send().await.unwrap().status(), 200, "{path}");
                continue;
            }
            let answer = answer(request).await;
            let what = format!("{method} {path} as {roles:?}: {answer:?}");
            if audience.include(roles) {
                assert!(![401, 403].contains(&answer.status), "{what}");
            } else {
                assert_eq!(answer.status, 403, "{what}");
                let code = if roles.is_empty() {
                    "no-role"
                } else {
                    "forbidden"
                };
                refused(&answer, path, 403, code);
            }
        }
    }
}

/// Callers with a token who are refused, and the refusal.
type Outsider = (&'static str, String, u16, &'static str);

async fn outsiders(server: &mut Server) -> Vec<Outsider> {
    let owner = server.hire("an.owner@example.com", "Owner").await;
    let no_record = server.hire("no.record@example.com", "Owner").await;
    let left = server.hire("left@example.com", "Owner").await;
    left.sign_out().await.good();
    let board = json!({ "name": "Bay", "layout": "queue" });
    let board = Screen::by_link(server, &owner, board).await;
    let name = json!({ "name": "Nightly export" });
    let key = owner.post("/api/intake/keys", name).await.result();
    let key = key["key"].as_str().unwrap().to_owned();
    server.sigterm().await;
    let deleted = "DELETE FROM staff_documents WHERE id = 'no.record@example.com'";
    let store = server.shop.store().await;
    store.writer().execute_unprepared(deleted).await.unwrap();
    store.close().await;
    server.restart().await;
    vec![
        (NO_RECORD, no_record.token, 403, "no-role"),
        ("who has signed out", left.token, 401, "unauthorized"),
        (A_BOARD, board.token, 401, "unauthorized"),
        (A_PROGRAM, key, 401, "unauthorized"),
        (
            "a stranger",
            "made.up.token".to_owned(),
            401,
            "unauthorized",
        ),
    ]
}

const NO_RECORD: &str = "who has no staff record";
const A_BOARD: &str = "a board";
const A_PROGRAM: &str = "a program with an intake key";

#[tokio::test]
async fn every_call_refuses_a_caller_who_is_not_admitted() {
    let mut server = server_with_every_call().await;
    let outsiders = outsiders(&mut server).await;
    refuse_everywhere(&server, &outsiders).await;
}

#[tokio::test]
async fn every_call_refuses_a_caller_whose_email_is_not_verified() {
    let (server, tokens) = unverified_tokens().await;
    let outsider = |(name, token)| (name, token, 401, "unauthorized");
    let outsiders: Vec<Outsider> = tokens.into_iter().map(outsider).collect();
    refuse_everywhere(&server, &outsiders).await;
}

async fn refuse_everywhere(server: &Server, outsiders: &[Outsider]) {
    for (method, path, audience, body) in every_call(server).await {
        for (name, token, status, code) in outsiders {
            let permitted = match audience {
                // Asking with a token could end its session.
                Anybody => continue,
                Program => *name == A_PROGRAM,
                Board => *name == A_BOARD,
                SignedIn | Roles(_) | Colleagues => false,
            };
            let method_name = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let request = server.request(method_name, &example_path(path));
            let request = request.bearer_auth(token);
            let answer = answer(match &body {
                Value::Null => request,
                body => request.json(body),
            })
            .await;
            if permitted {
                let what = format!("{method} {path} for {name}: {answer:?}");
                assert!(![401, 403].contains(&answer.status), "{what}");
            } else if matches!(audience, Program | Board) {
                // They know no people.
                refused(&answer, path, 401, "unauthorized");
            } else {
                refused(&answer, path, *status, code);
            }
        }
    }
}

#[tokio::test]
async fn every_call_that_needs_a_token_says_so_without_one() {
    let server = server_with_every_call().await;
    let document = openapi_document(&server).await;
    for (method, path, audience, body) in every_call(&server).await {
        let method_name = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
        let request = server.request(method_name, &example_path(path));
        let answer = answer(if body.is_null() {
            request
        } else {
            request.json(&body)
        })
        .await;
        let needs_token = document["paths"][path][method]["security"] == json!([{ "idToken": [] }]);
        match audience {
            Anybody => {
                assert!(!needs_token, "{method} {path}");
                assert!(
                    answer.body["code"] != "unauthorized" || path == "/api/auth/refresh",
                    "{method} {path}: {answer:?}"
                );
            }
            Program | Board => {
                let security = &document["paths"][path][method]["security"];
                let scheme = match audience {
                    Board => "boardToken",
                    _ => "intakeKey",
                };
                assert_eq!(security, &json!([{ scheme: [] }]), "{method} {path}");
                answer.refused(401, "unauthorized");
            }
            SignedIn | Roles(_) | Colleagues => {
                assert!(needs_token, "{method} {path}");
                refused(&answer, path, 401, "unauthorized");
            }
        }
    }
}

/// Calls outside the document, each open to everybody.
const UNDOCUMENTED: [&str; 3] = [
    "/api/openapi.json",
    "/api/docs{slash:/?}",
    "/api/docs/{name}",
];

/// The paths of the route attributes in a folder of sources.
fn routes_in(folder: &Path, found: &mut BTreeSet<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.file_stem().is_some_and(|name| name == "tests") {
            continue;
        }
        if path.is_dir() {
            routes_in(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            for method in ["get", "put", "post", "patch", "delete"] {
                for rest in text.split(&format!("#[{method}(\"")).skip(1) {
                    let route = rest.split('"').next().unwrap();
                    found.insert((method.to_owned(), route.to_owned()));
                }
            }
        }
    }
}

#[tokio::test]
async fn every_route_of_the_server_is_in_the_document() {
    let server = Server::start().await;
    let document = openapi_document(&server).await;
    let mut routes = BTreeSet::new();
    routes_in(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut routes,
    );
    assert!(routes.len() > 30, "{routes:?}");
    for (method, path) in routes {
        // The local socket's, which only this machine's owner can open.
        let local = [
            "/import",
            "/user",
            "/users",
            "/customer",
            "/staff",
            "/token-key",
        ]
        .contains(&path.as_str());
        assert!(
            local
                || UNDOCUMENTED.contains(&path.as_str())
                || document["paths"][&path][&method].is_object(),
            "{method} {path} is not in the document, and so in no table of roles"
        );
    }
}

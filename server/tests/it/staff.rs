//! Staff records: who is on the staff and what they may do, changed by an owner, and what happens
//! to users who lose a permission.

use std::time::{Duration, Instant};

use dispatch_server::staff::{StaffCollection, StaffDocuments, StaffPatch};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::fixture::{Desk, PASSWORD, Server, Shop, WAIT_TIMEOUT, answer, plain_orders};

const ADA: &str = "/api/users/ada%40example.com";

async fn shop() -> (Server, Desk) {
    let (server, owner) = Server::with_owner().await;
    server.shop.add_user("ada@example.com", "Advisor").await;
    (server, owner)
}

async fn is_signed_in(desk: &Desk) -> bool {
    let answer = desk.get("/api/repair-orders").await;
    match answer.status {
        200 => true,
        _ => {
            answer.refused(401, "unauthorized");
            false
        }
    }
}

#[tokio::test]
async fn an_owner_sees_every_user() {
    let (server, owner) = shop().await;
    let users = owner.get("/api/users").await.result();
    let ada = json!({
        "id": "ada@example.com",
        "email": "ada@example.com",
        "name": "ada",
        "roles": ["Advisor"],
        "skill": null,
        "technicianId": null,
        "invited": false,
        "invitedAt": null,
        "invitationMail": null,
        "role": null,
        "createdAt": null,
    });
    assert_eq!(users.as_array().unwrap().len(), 2);
    assert_eq!(users[0], ada);
    assert_eq!(owner.get(ADA).await.result(), ada);
    assert_eq!(owner.get("/api/users/ADA@Example.com").await.result(), ada);
    let desk = server.sign_in("ada@example.com").await;
    let by_uid = owner.get(&format!("/api/users/{}", desk.uid)).await;
    assert_eq!(by_uid.result(), ada);
    for nobody in ["eve@example.com", "nobody", "%00", "..%2f..", "a%0Ab"] {
        let answer = owner.get(&format!("/api/users/{nobody}")).await;
        answer.refused(404, "unknown-user");
    }
    desk.get("/api/users").await.refused(403, "forbidden");
}

#[tokio::test]
async fn only_the_fields_that_are_sent_change() {
    let (_server, owner) = shop().await;
    let changed = owner
        .patch(ADA, json!({ "skill": "Brakes", "technicianId": 11 }))
        .await
        .result();
    assert_eq!(
        (
            &changed["skill"],
            &changed["technicianId"],
            &changed["roles"]
        ),
        (&json!("Brakes"), &json!(11), &json!(["Advisor"]))
    );
    let changed = owner
        .put(
            ADA,
            json!({ "name": " Ada B. ", "roles": ["Technician", "Advisor", "Advisor"] }),
        )
        .await
        .result();
    assert_eq!(changed["name"], "Ada B.");
    assert_eq!(changed["roles"], json!(["Technician", "Advisor"]));
    assert_eq!(changed["skill"], "Brakes");
    let changed = owner.patch(ADA, json!({ "skill": null })).await.result();
    assert_eq!(changed["skill"], Value::Null);
    assert_eq!(owner.get(ADA).await.result(), changed);

    let bob = "/api/users/Bob%40example.com";
    let named = json!({ "name": "Bob" });
    owner
        .patch(bob, named.clone())
        .await
        .refused(404, "unknown-user");
    let made = owner.put(bob, named.clone()).await.result();
    assert_eq!(
        (&made["id"], &made["email"]),
        (&json!("bob@example.com"), &json!("bob@example.com"))
    );
    assert_eq!(made["roles"], json!([]));
    owner
        .put("/api/users/nobody", named)
        .await
        .refused(404, "unknown-user");
    for wrong in [
        json!({ "name": "" }),
        json!({ "name": "x".repeat(101) }),
        json!({ "roles": ["Boss"] }),
        json!({ "technicianId": 0 }),
        json!({ "technicianId": 1.5 }),
        json!({ "skill": "a\nb" }),
    ] {
        owner
            .patch(ADA, wrong)
            .await
            .refused(400, "invalid-request");
    }
}

#[tokio::test]
async fn a_role_taken_away_ends_sign_ins_and_one_given_counts_at_once() {
    let (server, owner) = shop().await;
    let ada = server.sign_in("ada@example.com").await;
    let socket = ada.listen(&server).await;
    server.shop.import(&plain_orders(1)).await;
    ada.assign(1, 11).await.refused(403, "forbidden");

    owner
        .patch(ADA, json!({ "roles": ["Advisor", "Admin"] }))
        .await
        .good();
    ada.assign(1, 11).await.good();

    owner.patch(ADA, json!({ "roles": ["Admin"] })).await.good();
    assert!(!is_signed_in(&ada).await);
    socket.until_closed().await;
    let ada = server.sign_in("ada@example.com").await;
    assert!(is_signed_in(&ada).await);
}

#[tokio::test]
async fn the_link_to_a_technician_taken_away_ends_sign_ins() {
    let (server, owner) = shop().await;
    let link = |id: Value| json!({ "roles": ["Technician", "Advisor"], "technicianId": id });
    owner.patch(ADA, link(json!(11))).await.good();
    let mut ada = server.sign_in("ada@example.com").await;
    for (id, goes_on) in [(json!(11), true), (json!(14), false), (json!(null), false)] {
        let socket = ada.listen(&server).await;
        owner.patch(ADA, link(id)).await.good();
        assert_eq!(is_signed_in(&ada).await, goes_on);
        if !goes_on {
            socket.until_closed().await;
            ada = server.sign_in("ada@example.com").await;
        }
    }
    owner.patch(ADA, link(json!(11))).await.good();
    assert!(is_signed_in(&ada).await, "what is given takes nothing");
}

#[tokio::test]
async fn a_deleted_user_is_signed_out_at_once() {
    let (server, owner) = shop().await;
    let ada = server.sign_in("ada@example.com").await;
    let socket = ada.listen(&server).await;
    owner.delete(ADA).await.good();
    assert!(!is_signed_in(&ada).await);
    socket.until_closed().await;
    owner.get(ADA).await.refused(404, "unknown-user");
    owner.delete(ADA).await.refused(404, "unknown-user");
    let body = json!({ "email": "ada@example.com", "password": PASSWORD });
    let again = server.post("/api/auth/sign-in", body).await;
    again.refused(401, "wrong-password");
}

#[tokio::test]
async fn the_last_owner_and_the_caller_cannot_be_deleted() {
    let (server, owner) = shop().await;
    let own = "/api/users/owner%40example.com";
    let own_by_uid = format!("/api/users/{}", owner.uid);
    let demoted = json!({ "roles": ["Admin"] });
    for id in [own, &own_by_uid] {
        let sentence = owner
            .patch(id, demoted.clone())
            .await
            .refused(409, "last-owner");
        assert_eq!(
            sentence,
            "This is the last owner who can sign in: make somebody else an owner first"
        );
        owner
            .put(id, demoted.clone())
            .await
            .refused(409, "last-owner");
        owner.delete(id).await.refused(409, "last-owner");
    }
    // An invited owner who never signed in cannot sign in, and neither can a mere staff record.
    let record = json!({ "roles": ["Owner"] });
    owner
        .put("/api/users/ghost%40example.com", record)
        .await
        .good();
    let invited = json!({ "data": { "email": "new@example.com", "userData": { "name": "New", "roles": ["Owner"] } } });
    owner.post("/inviteUser", invited).await;
    owner
        .patch(own, demoted.clone())
        .await
        .refused(409, "last-owner");

    owner.patch(ADA, json!({ "roles": ["Owner"] })).await.good();
    for id in [own, &own_by_uid] {
        owner
            .patch(id, demoted.clone())
            .await
            .refused(409, "own-account");
        owner
            .put(id, demoted.clone())
            .await
            .refused(409, "own-account");
        owner.delete(id).await.refused(409, "own-account");
    }
    // A change that is no demotion is allowed on oneself, and signs nobody out.
    owner
        .patch(
            own,
            json!({ "roles": ["Owner", "Used"], "technicianId": 11 }),
        )
        .await
        .good();
    owner
        .patch(own, json!({ "roles": ["Owner"], "technicianId": null }))
        .await
        .good();
    assert!(is_signed_in(&owner).await);

    let ada = server.sign_in("ada@example.com").await;
    ada.patch(own, demoted).await.good();
    assert!(!is_signed_in(&owner).await);
    ada.delete(&own_by_uid).await.good();
    ada.delete(ADA).await.refused(409, "last-owner");
}

#[tokio::test]
async fn one_of_two_owners_who_delete_each_other_stays() {
    for _ in 0..5 {
        let (server, owner) = shop().await;
        owner.patch(ADA, json!({ "roles": ["Owner"] })).await.good();
        let ada = server.sign_in("ada@example.com").await;
        let (one, other) = tokio::join!(
            owner.delete(ADA),
            ada.delete("/api/users/owner%40example.com")
        );
        let good = [&one, &other].iter().filter(|it| it.status == 200).count();
        assert_eq!(good, 1, "{one:?} {other:?}");
    }
}

#[tokio::test]
async fn the_command_line_removes_the_last_owner_with_a_warning() {
    let (server, _owner) = Server::with_owner().await;
    for arguments in [
        &["user", "role", "owner@example.com", "--role", "Admin"][..],
        &["user", "role", "owner@example.com", "--role", "Owner"],
        &["user", "remove", "owner@example.com"],
    ] {
        let ran = server.shop.run(arguments).await;
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let warned = ran
            .err
            .starts_with("dispatch: warning: no owner is left who can sign in");
        assert_eq!(warned, !arguments.contains(&"Owner"), "{ran:?}");
    }
    let help = server.shop.run(&["user", "role", "--help"]).await.good();
    assert!(help.contains("last owner"), "{help}");
}

#[tokio::test]
async fn every_session_receives_a_change_and_a_burst_arrives_as_a_few_events() {
    let (server, owner) = shop().await;
    let ada = server.sign_in("ada@example.com").await;
    let mut sockets = [owner.listen(&server).await, ada.listen(&server).await];
    tokio::time::sleep(Duration::from_secs(1)).await;
    owner.patch(ADA, json!({ "name": "Ada B." })).await.good();
    for socket in &mut sockets {
        let event = socket.staff_changed().await;
        assert_eq!(event.as_array().unwrap().len(), 2, "no offset: {event}");
        assert_eq!(event[1]["type"], "STAFF_CHANGED");
        assert!(event[1]["timestamp"].as_str().unwrap().ends_with('Z'));
    }
    server.shop.add_user("bob@example.com", "Used").await;
    sockets[0].staff_changed().await;

    let begun = Instant::now();
    for number in 0..40 {
        let path = format!("/api/users/p{number}%40example.com");
        owner
            .put(&path, json!({ "name": format!("Person {number}") }))
            .await
            .good();
    }
    let mut heard = 0;
    let mut hear = async || loop {
        sockets[1].staff_changed().await;
        heard += 1;
    };
    let _ = timeout(Duration::from_secs(1), hear()).await;
    let most = 4 * (begun.elapsed().as_secs() + 2);
    assert!(
        heard >= 1 && heard <= most,
        "{heard} in {:?}",
        begun.elapsed()
    );
}

#[tokio::test]
async fn a_technician_goes_by_the_name_of_the_record() {
    let (server, owner) = shop().await;
    let mut socket = owner.listen(&server).await;
    owner
        .patch(
            ADA,
            json!({ "roles": ["Technician"], "technicianId": 4_711, "name": "Ada L." }),
        )
        .await
        .good();
    let technicians = owner.get("/api/repair-orders/technicians").await.result();
    let all = technicians.as_array().unwrap();
    let ada = all.iter().find(|one| one["idTechnician"] == 4_711);
    assert_eq!(ada.unwrap()["displayName"], "Ada L.");
    socket.staff_changed().await;
}

/// Another process on the same database is as far away as a hosted collection's own screens; only
/// the news of its change comes by the server's own hand here.
#[tokio::test]
async fn a_permission_that_is_lost_by_an_outside_change_ends_the_sign_ins() {
    let (server, owner) = shop().await;
    let ada = server.sign_in("ada@example.com").await;
    let socket = ada.listen(&server).await;
    let documents = StaffDocuments::new(server.shop.store().await);
    let patch = StaffPatch {
        roles: Some(vec![]),
        ..StaffPatch::default()
    };
    documents.merge("ada@example.com", patch).await.unwrap();
    owner.patch(ADA, json!({ "name": "Ada B." })).await.good();
    assert!(!is_signed_in(&ada).await);
    socket.until_closed().await;
}

async fn test_page() -> (Server, Desk) {
    let server = Server::start_in(Shop::new(), &["--test-page"]).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    (server, owner)
}

#[tokio::test]
async fn the_debug_page_shows_documents_and_its_role_grants_nothing() {
    let (server, owner) = test_page().await;
    let ada = server.hire("ada@example.com", "Advisor").await;
    let result = ada.get("/api/test/documents").await.result();
    assert_eq!(
        (&result["uid"], &result["email"]),
        (&json!(ada.uid), &json!("ada@example.com"))
    );
    assert_eq!(result["own"]["id"], "ada@example.com");
    assert_eq!(result["documents"], Value::Null);

    let path = "/api/test/document";
    let written = answer(ada.request(Method::PUT, path)).await.result();
    assert_eq!(written["id"], json!(ada.uid));
    assert_eq!(written["role"], "owner");
    assert!(written["createdAt"].is_string());
    let again = answer(ada.request(Method::PUT, path)).await.result();
    assert_eq!(again["createdAt"], written["createdAt"]);
    assert_eq!(ada.get("/api/test/documents").await.result()["own"], again);

    let anew = server.sign_in("ada@example.com").await;
    for desk in [&ada, &anew] {
        desk.get("/api/users").await.refused(403, "forbidden");
        let signed_in = server.sign_in("ada@example.com").await;
        signed_in
            .get("/api/intake/keys")
            .await
            .refused(403, "forbidden");
        let own = desk.get("/api/test/documents").await.result();
        assert_eq!(own["documents"], Value::Null);
    }
    let all = owner.get("/api/test/documents").await.result();
    assert_eq!(all["documents"].as_array().unwrap().len(), 3);
    let users = owner.get("/api/users").await.result();
    assert_eq!(users.as_array().unwrap().len(), 2, "a person each: {users}");

    // A person with only such a document has no role at all, and is refused.
    server.shop.add_user("bob@example.com", "Owner").await;
    let bob = server.sign_in("bob@example.com").await;
    answer(bob.request(Method::PUT, path)).await.good();
    let store = StaffDocuments::new(server.shop.store().await);
    store.delete("bob@example.com").await.unwrap();
    owner.get("/api/users/bob@example.com").await.good();
    owner
        .patch("/api/users/owner%40example.com", json!({ "name": "O" }))
        .await
        .good();
    let credentials = json!({ "email": "bob@example.com", "password": PASSWORD });
    let deadline = Instant::now() + WAIT_TIMEOUT;
    let refused = loop {
        let signed_in = server.post("/api/auth/sign-in", credentials.clone()).await;
        if signed_in.status != 200 || Instant::now() > deadline {
            break signed_in;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    };
    refused.refused(403, "no-role");
}

#[tokio::test]
async fn without_the_option_nothing_reveals_a_debug_page() {
    let (server, owner) = Server::with_owner().await;
    for path in ["/api/test/documents", "/api/test/document"] {
        for method in [Method::GET, Method::PUT, Method::POST, Method::DELETE] {
            let answer = answer(owner.request(method, path)).await;
            answer.refused(404, "unknown-route");
            assert!(!answer.headers.contains_key("allow"));
        }
    }
    let page = |server: &Server| server.request(Method::GET, "/login").send();
    let off = page(&server).await.unwrap().text().await.unwrap();
    if off.contains("dispatch-shop") {
        assert!(off.contains("&quot;testPage&quot;:false"), "{off}");
    }
    let (server, _) = test_page().await;
    let on = timeout(WAIT_TIMEOUT, page(&server)).await.unwrap().unwrap();
    let on = on.text().await.unwrap();
    if on.contains("dispatch-shop") {
        assert!(on.contains("&quot;testPage&quot;:true"), "{on}");
    }
}

//! Inviting somebody, from the call to the mail.

use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};

use crate::fixture::{Answer, Desk, MailServer, PASSWORD, Server, Shop, answer};
use crate::mail_queue::mail_state;

const INVITE: &str = "/inviteUser";
const NEW: &str = "/api/users/new%40example.com";

/// As an Advisor, unless it says otherwise.
fn invitation(email: &str, mut user_data: Value) -> Value {
    let person = user_data.as_object_mut().unwrap();
    person.entry("roles").or_insert(json!(["Advisor"]));
    json!({ "data": { "email": email, "userData": user_data } })
}

/// What a call that went through says.
#[track_caller]
fn outcome(answer: &Answer) -> (bool, String) {
    assert_eq!(answer.status, 200, "{answer:?}");
    let data = &answer.body["data"];
    assert_eq!(answer.body, json!({ "data": data }));
    let error = data["error"].as_str().unwrap_or_default().to_owned();
    let success = data["success"].as_bool().unwrap();
    assert_eq!(success, error.is_empty(), "{answer:?}");
    (success, error)
}

/// The sentence of a call that did not.
#[track_caller]
fn failed(answer: &Answer, code: u16, status: &str) -> String {
    let message = answer.body["error"]["message"].as_str().unwrap_or_default();
    assert!(!message.is_empty(), "{answer:?}");
    let body = json!({ "error": { "status": status, "message": message } });
    assert_eq!((answer.status, &answer.body), (code, &body), "{answer:?}");
    message.to_owned()
}

/// A shop that mails to this server, and its owner.
async fn shop_with(mail: &MailServer) -> (Server, Desk) {
    let shop = Shop::new();
    shop.hire_technicians().await;
    let url = mail.url("smtp://", "");
    let options = ["--smtp-url", &url, "--mail-from", "Desk <desk@example.com>"];
    let server = Server::start_in(shop, &options).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    (server, owner)
}

#[tokio::test]
async fn an_invitation_is_mailed_with_a_link_and_the_user_is_pending() {
    let mut mail = MailServer::start(&[]).await;
    let (_server, owner) = shop_with(&mail).await;
    let mut links = Vec::new();
    for path in [INVITE, "/shop-1/us-central1/inviteUser"] {
        let body = invitation(" New@Example.com", json!({ "name": "Nora New" }));
        let request = owner.request(Method::POST, path).json(&body);
        let invited = answer(
            request
                .header("Firebase-Instance-ID-Token", "messaging")
                .header("X-Firebase-AppCheck", "integrity"),
        )
        .await;
        assert_eq!(outcome(&invited), (true, String::new()));
        let received = mail.next_mail().await;
        assert_eq!(received["to"], "new@example.com");
        let text = received["text"].as_str().unwrap().to_owned();
        let link = text
            .lines()
            .find(|line| line.contains("/reset-password#token="));
        links.push(link.expect("a link on a line of its own").to_owned());
        let user = owner.get(NEW).await.result();
        assert_eq!(user["name"], "Nora New");
        assert_eq!(user["roles"], json!(["Advisor"]));
        assert_eq!(user["invited"], true);
        assert!(user["invitedAt"].is_string());
    }
    assert!(
        links.iter().all(|link| link.ends_with("&invitation=1")),
        "{links:?}"
    );
    assert_ne!(links[0], links[1], "sent again, the link is another");
}

#[tokio::test]
async fn a_person_who_follows_the_link_is_not_invited_again() {
    let mut mail = MailServer::start(&[]).await;
    let (server, owner) = shop_with(&mail).await;
    let body = invitation("new@example.com", json!({ "name": "Nora New" }));
    outcome(&owner.post(INVITE, body.clone()).await);
    let received = mail.next_mail().await;
    let text = received["text"].as_str().unwrap();
    let (_, token) = text.split_once("#token=").unwrap();
    let token = token.split(['&', '\n', '\r']).next().unwrap();
    let confirm = json!({ "token": token, "newPassword": PASSWORD });
    server
        .post("/api/auth/password-reset/confirm", confirm)
        .await
        .good();
    let nora = server.sign_in("new@example.com").await;
    nora.list().await;
    let user = owner.get(NEW).await.result();
    assert_eq!(
        (&user["invited"], &user["invitationMail"]),
        (&json!(false), &Value::Null)
    );
    let (success, error) = outcome(&owner.post(INVITE, body).await);
    assert!(
        !success && error.starts_with("There is already a user with"),
        "{error}"
    );
}

#[tokio::test]
async fn without_a_mail_server_the_invitation_is_a_file() {
    let (server, owner) = Server::with_owner().await;
    let body = invitation("new@example.com", json!({ "name": "Nora New" }));
    let request = owner.request(Method::POST, INVITE).json(&body);
    let invited = answer(request.header("Accept-Language", "de-AT, en;q=0.5")).await;
    assert_eq!(outcome(&invited), (true, String::new()));
    let mail = mail_state(&owner, "new@example.com", "sent").await;
    assert_eq!(mail["failure"], Value::Null);
    let files = std::fs::read_dir(server.shop.path("data/mail")).unwrap();
    let files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    let [file] = &files[..] else {
        panic!("{files:?}");
    };
    let received = std::fs::read_to_string(file).unwrap();
    let start = format!("{}#token=", server.url("/reset-password"));
    assert!(
        received.lines().any(|line| line.starts_with(&start)),
        "{received}"
    );
    let log = server.shop.read("server.log");
    assert!(
        log.contains(&file.display().to_string()) || log.contains(".eml"),
        "{log}"
    );
}

#[tokio::test]
async fn an_existing_user_is_not_invited() {
    let (server, owner) = Server::with_owner().await;
    server.shop.add_user("ada@example.com", "Advisor").await;
    for email in ["ada@example.com", "ADA@example.com ", "owner@example.com"] {
        let body = invitation(email, json!({ "name": "Somebody else" }));
        let (success, error) = outcome(&owner.post(INVITE, body).await);
        assert!(
            !success && error.starts_with("There is already a user with"),
            "{error}"
        );
    }
    let ada = owner.get("/api/users/ada%40example.com").await.result();
    assert_eq!(
        (&ada["name"], &ada["invited"]),
        (&json!("ada"), &json!(false))
    );
}

#[tokio::test]
async fn a_technician_who_is_invited_is_known_and_has_the_skill() {
    let (_server, owner) = Server::with_owner().await;
    for (email, id, skill) in [
        ("new@example.com", 22, "brakes"),
        ("other@example.com", 4_711, "Upholstery"),
    ] {
        let person = json!({
            "name": "Nora New",
            "roles": ["Technician"],
            "technicianId": id,
            "skill": skill,
        });
        owner.post(INVITE, invitation(email, person)).await;
    }
    let user = owner.get(NEW).await.result();
    assert_eq!(user["technicianId"], 22);
    assert_eq!(user["skill"], "brakes");
    let technicians = owner.get("/api/repair-orders/technicians").await.result();
    let skill = |id: i64| {
        let all = technicians.as_array().unwrap();
        let one = all.iter().find(|one| one["idTechnician"] == id).unwrap();
        assert_eq!(one["displayName"], "Nora New");
        one["maxSkillName"].clone()
    };
    assert_eq!((skill(22), skill(4_711)), (json!("Brakes"), Value::Null));
}

#[tokio::test]
async fn an_invitation_leaves_a_technician_the_skills_they_have() {
    let (_server, owner) = Server::with_owner().await;
    for (skill, level) in [(1, 4), (2, 2)] {
        let path = format!("/api/technicians/22/skills/{skill}");
        owner.put(&path, json!({ "level": level })).await.good();
    }
    let person = json!({
        "name": "Nora New",
        "roles": ["Technician"],
        "technicianId": 22,
        "skill": "Brakes",
    });
    // The second time it is sent again.
    for _ in 0..2 {
        let body = invitation("new@example.com", person.clone());
        outcome(&owner.post(INVITE, body).await);
        let technicians = owner.get("/api/repair-orders/technicians").await.result();
        let all = technicians.as_array().unwrap();
        let one = all.iter().find(|one| one["idTechnician"] == 22).unwrap();
        assert_eq!(
            one["skills"],
            json!([
                { "idSkill": 1, "skillName": "Oil change", "level": 4 },
                { "idSkill": 2, "skillName": "Brakes", "level": 2 },
            ])
        );
    }
}

#[tokio::test]
async fn an_incomplete_invitation_is_refused_in_a_sentence() {
    let (_server, owner) = Server::with_owner().await;
    for (email, person, says) in [
        ("new", json!({ "name": "New" }), "not an email address"),
        (
            "new@example.com",
            json!({ "name": " " }),
            "The name is missing",
        ),
        ("new@example.com", json!({ "name": "a\nb" }), "line breaks"),
        (
            "new@example.com",
            json!({ "name": "New", "roles": [] }),
            "at least one role",
        ),
        (
            "new@example.com",
            json!({ "name": "New", "skill": "x".repeat(101) }),
            "The skill is longer",
        ),
    ] {
        let (success, error) = outcome(&owner.post(INVITE, invitation(email, person)).await);
        assert!(!success && error.contains(says), "{error}");
    }
    let roleless = json!({ "email": "new@example.com", "userData": { "name": "New" } });
    let answer = owner.post(INVITE, json!({ "data": roleless })).await;
    let refusal = "Choose at least one role".to_owned();
    assert_eq!(outcome(&answer), (false, refusal));
    owner.get(NEW).await.refused(404, "unknown-user");
}

#[tokio::test]
async fn a_call_that_fails_says_so_as_callable_functions_do() {
    let (server, owner) = Server::with_owner().await;
    let good = invitation("new@example.com", json!({ "name": "New" }));
    for (kind, body) in [
        ("application/json", "{".to_owned()),
        ("application/json", String::new()),
        ("application/json", json!({}).to_string()),
        ("application/json", json!({ "data": null }).to_string()),
        (
            "application/json",
            json!({ "data": { "email": "new@example.com" } }).to_string(),
        ),
        (
            "application/json",
            invitation("new@example.com", json!({})).to_string(),
        ),
        (
            "application/json",
            invitation("new@example.com", json!({ "name": "N", "roles": ["Boss"] })).to_string(),
        ),
        (
            "application/json",
            invitation("new@example.com", json!({ "name": "N", "technicianId": 0 })).to_string(),
        ),
        ("text/plain", good.to_string()),
    ] {
        let request = owner
            .request(Method::POST, INVITE)
            .header(CONTENT_TYPE, kind);
        failed(&answer(request.body(body)).await, 400, "INVALID_ARGUMENT");
    }
    let nobody = server.post(INVITE, good.clone()).await;
    failed(&nobody, 401, "UNAUTHENTICATED");
    assert!(nobody.headers.contains_key("www-authenticate"));
    let admin = server.hire("admin@example.com", "Admin").await;
    let message = failed(&admin.post(INVITE, good).await, 403, "PERMISSION_DENIED");
    assert_eq!(message, "Managing users needs the role Owner");
    for path in [INVITE, "/shop/us-central1/inviteUser"] {
        let wrong = answer(owner.request(Method::PUT, path)).await;
        wrong.refused(405, "wrong-method");
        assert_eq!(wrong.headers["allow"], "POST");
    }
    owner.get(NEW).await.refused(404, "unknown-user");
}

#[tokio::test]
async fn hundreds_of_invitations_in_a_minute_are_refused() {
    let (_server, owner) = Server::with_owner().await;
    let mut sent = 0;
    let refused = loop {
        let email = format!("p{sent}@example.com");
        let body = invitation(&email, json!({ "name": "Somebody" }));
        let answer = owner.post(INVITE, body).await;
        if answer.status != 200 {
            break answer;
        }
        sent += 1;
        assert!(sent < 100);
    };
    assert!(sent >= 30);
    failed(&refused, 429, "RESOURCE_EXHAUSTED");
    assert!(refused.headers.contains_key("retry-after"));
}

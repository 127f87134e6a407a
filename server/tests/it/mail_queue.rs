//! The queue of mails: each is sent once, whatever happens to mail servers, to our server and to
//! the recipient, and its state is shown beside the invitation.

use std::path::Path;

use dispatch_actors::testing::Throwaway;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};
use tokio::time::{Duration, sleep, timeout};

use crate::fixture::{Answer, Desk, MailServer, PASSWORD, Server, Shop, WAIT_TIMEOUT};

pub const ANN: &str = "ann@example.com";
pub const BEN: &str = "ben@example.com";

/// A server that mails to this port, and its owner.
async fn mailing_to(port: u16) -> (Server, Desk) {
    let server = serve(Shop::new(), port).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    (server, owner)
}

pub async fn serve(shop: Shop, port: u16) -> Server {
    let url = format!("smtp://127.0.0.1:{port}");
    Server::start_in(
        shop,
        &["--smtp-url", &url, "--mail-from", "desk@example.com"],
    )
    .await
}

pub async fn invite(owner: &Desk, email: &str) {
    let person = json!({ "name": "Somebody", "roles": ["Advisor"] });
    let body = json!({ "data": { "email": email, "userData": person } });
    let answer = owner.post("/inviteUser", body).await;
    assert_eq!(answer.body, json!({ "data": { "success": true } }));
}

async fn ask_for_reset(server: &Server, email: &str) {
    let body = json!({ "email": email });
    server.post("/api/auth/password-reset", body).await.good();
}

/// The state shown beside an invitation.
async fn invitation_mail(owner: &Desk, email: &str) -> Value {
    let user = owner.get(&format!("/api/users/{email}")).await.result();
    let users = owner.get("/api/users").await.result();
    let listed = users.as_array().unwrap().iter();
    let listed = listed.clone().find(|user| user["email"] == email).unwrap();
    let mail = &user["invitationMail"];
    assert!(mail["at"].as_str().unwrap().ends_with('Z'), "{mail}");
    // It may have changed in between.
    assert!(listed["invitationMail"]["state"].is_string());
    mail.clone()
}

/// Waits until what is shown beside an invitation is in this state.
pub async fn mail_state(owner: &Desk, email: &str, state: &str) -> Value {
    let comes = async {
        loop {
            let mail = invitation_mail(owner, email).await;
            if mail["state"] == state {
                return mail;
            }
            sleep(Duration::from_millis(50)).await;
        }
    };
    let comes = timeout(WAIT_TIMEOUT, comes).await;
    comes.unwrap_or_else(|_| panic!("the mail is never {state}"))
}

fn token(received: &Value) -> String {
    let (_, link) = received["text"]
        .as_str()
        .unwrap()
        .split_once("#token=")
        .unwrap();
    link.split(['&', '\r', '\n']).next().unwrap().to_owned()
}

async fn set_password(server: &Server, token: &str, password: &str) -> Answer {
    let body = json!({ "token": token, "newPassword": password });
    server.post("/api/auth/password-reset/confirm", body).await
}

async fn sql(shop: &Shop, statement: &str) {
    let store = shop.store().await;
    store.writer().execute_unprepared(statement).await.unwrap();
}

/// As if a quarter of an hour had passed.
pub async fn let_leases_end(shop: &Shop) {
    sql(shop, "UPDATE mail_queue SET due_at = due_at - 900000").await;
}

/// Waits until the queue has so many mails for which this holds, sent ones included.
pub async fn mails(shop: &Shop, condition: &str, expected: i64) {
    let store = shop.store().await;
    let reader = store.reader();
    let query = format!("SELECT count(*) AS mails FROM mail_queue WHERE {condition}");
    let count = async || -> i64 {
        let query = Statement::from_string(reader.get_database_backend(), query.clone());
        let row = reader.query_one_raw(query).await.unwrap();
        row.unwrap().try_get("", "mails").unwrap()
    };
    let comes = async {
        while count().await != expected {
            sleep(Duration::from_millis(50)).await;
        }
    };
    let comes = timeout(WAIT_TIMEOUT, comes).await;
    comes.unwrap_or_else(|_| panic!("the queue never has {expected} with {condition}"));
}

#[tokio::test]
async fn a_mail_server_that_hangs_holds_up_no_invitation_and_gets_it_when_it_is_back() {
    let deaf = MailServer::start(&["deaf"]).await;
    let (_server, owner) = mailing_to(deaf.port).await;
    invite(&owner, ANN).await;
    let mail = invitation_mail(&owner, ANN).await;
    assert!(
        ["queued", "retrying"].contains(&mail["state"].as_str().unwrap()),
        "{mail}"
    );
    let (port, _) = deaf.stop().await;
    let mut back = MailServer::start_at(port, &[]).await;
    assert_eq!(back.next_mail().await["to"], ANN);
    let mail = mail_state(&owner, ANN, "sent").await;
    assert_eq!(
        (&mail["failure"], &mail["nextAttemptAt"]),
        (&Value::Null, &Value::Null)
    );
}

#[tokio::test]
async fn an_invitation_that_was_answered_is_mailed_although_the_server_was_killed() {
    let port = MailServer::nowhere().await;
    let (mut server, owner) = mailing_to(port).await;
    invite(&owner, ANN).await;
    server.sigkill().await;
    // It may have been about to be sent.
    let_leases_end(&server.shop).await;
    let mut mail = MailServer::start_at(port, &[]).await;
    server.restart().await;
    assert_eq!(mail.next_mail().await["to"], ANN);
    mail_state(&owner, ANN, "sent").await;
}

#[tokio::test]
async fn a_mail_that_was_being_sent_when_the_server_was_killed_is_sent_when_its_lease_ends() {
    let deaf = MailServer::start(&["deaf"]).await;
    let (mut server, owner) = mailing_to(deaf.port).await;
    invite(&owner, ANN).await;
    mails(&server.shop, "attempts = 0", 0).await;
    server.sigkill().await;
    let (port, _) = deaf.stop().await;
    let mut mail = MailServer::start_at(port, &[]).await;
    server.restart().await;
    let_leases_end(&server.shop).await;
    assert_eq!(mail.next_mail().await["to"], ANN);
}

#[tokio::test]
async fn a_mail_refused_permanently_is_shown_and_an_owner_sends_it_again() {
    let rejecting = MailServer::start(&["rejecting"]).await;
    let (_server, owner) = mailing_to(rejecting.port).await;
    invite(&owner, ANN).await;
    let mail = mail_state(&owner, ANN, "failed").await;
    let failure = mail["failure"].as_str().unwrap();
    assert!(
        failure.contains("550") && failure.contains("Nobody of that name lives here"),
        "{failure}"
    );
    assert_eq!(mail["nextAttemptAt"], Value::Null);
    let (port, _) = rejecting.stop().await;
    let mut friendly = MailServer::start_at(port, &[]).await;
    invite(&owner, ANN).await;
    assert_eq!(friendly.next_mail().await["to"], ANN);
    mail_state(&owner, ANN, "sent").await;
    owner.delete(&format!("/api/users/{ANN}")).await.good();
    owner
        .get(&format!("/api/users/{ANN}"))
        .await
        .refused(404, "unknown-user");
}

#[tokio::test]
async fn a_mail_refused_temporarily_is_retried_and_every_desk_sees_it() {
    let mut busy = MailServer::start(&["busy"]).await;
    let (server, owner) = mailing_to(busy.port).await;
    let mut socket = owner.listen(&server).await;
    invite(&owner, ANN).await;
    let mail = mail_state(&owner, ANN, "retrying").await;
    assert!(mail["failure"].as_str().unwrap().contains("451"), "{mail}");
    assert!(
        mail["nextAttemptAt"].as_str().unwrap().ends_with('Z'),
        "{mail}"
    );
    while invitation_mail(&owner, ANN).await["state"] != "sent" {
        socket.staff_changed().await;
    }
    assert_eq!(busy.next_mail().await["to"], ANN);
    assert_eq!(busy.stop().await.1, Vec::<Value>::new());
}

#[tokio::test]
async fn two_servers_on_one_database_send_every_mail_once() {
    let database = Throwaway::postgres().await;
    let mut mail = MailServer::start(&[]).await;
    let one = serve(Shop::on(&database), mail.port).await;
    let other = serve(Shop::on(&database), mail.port).await;
    let owner = one.hire("owner@example.com", "Owner").await;
    let elsewhere = other.sign_in("owner@example.com").await;
    let emails: Vec<String> = (0..16).map(|n| format!("p{n}@example.com")).collect();
    let (even, odd) = emails.split_at(8);
    let invite_all = async |owner: &Desk, emails: &[String]| {
        for email in emails {
            invite(owner, email).await;
        }
    };
    tokio::join!(invite_all(&owner, even), invite_all(&elsewhere, odd));
    for email in &emails {
        mail_state(&owner, email, "sent").await;
    }
    let mut received_mails = vec![mail.next_mail().await];
    received_mails.extend(mail.stop().await.1);
    let mut to: Vec<_> = received_mails
        .iter()
        .map(|received| received["to"].as_str().unwrap())
        .collect();
    to.sort_unstable();
    let mut expected: Vec<_> = emails.iter().map(String::as_str).collect();
    expected.sort_unstable();
    assert_eq!(to, expected);
}

/// Whether any file in the folder, or below, has these bytes.
fn is_written_in(folder: &Path, text: &str) -> bool {
    std::fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() {
            return is_written_in(&path, text);
        }
        // The local socket is not a regular file.
        let content = std::fs::read(&path).unwrap_or_default();
        content
            .windows(text.len())
            .any(|bytes| bytes == text.as_bytes())
    })
}

#[tokio::test]
async fn no_link_is_written_anywhere_but_in_its_mail() {
    for (traits, state) in [(&[][..], "sent"), (&["quoting"][..], "failed")] {
        let mut mail = MailServer::start(traits).await;
        let (server, owner) = mailing_to(mail.port).await;
        invite(&owner, ANN).await;
        let token = token(&mail.next_mail().await);
        let shown = mail_state(&owner, ANN, state).await;
        if state == "failed" {
            let failure = shown["failure"].as_str().unwrap();
            assert!(failure.contains("#token=..."), "{failure}");
        }
        let folder = server.shop.path("");
        assert!(is_written_in(&folder, ANN), "the queue is looked into");
        assert!(!is_written_in(&folder, &token));
        set_password(&server, &token, PASSWORD).await.good();
    }
}

#[tokio::test]
async fn a_link_that_may_have_arrived_is_good_until_a_newer_mail_was_sent() {
    let mut dropping = MailServer::start(&["dropping"]).await;
    let (server, owner) = mailing_to(dropping.port).await;
    invite(&owner, ANN).await;
    let (first, second) = (dropping.next_mail().await, dropping.next_mail().await);
    assert_eq!(first["messageId"], second["messageId"], "they are one mail");
    mail_state(&owner, ANN, "sent").await;
    for received in [&first, &second] {
        // An invalid link would be refused before the password is checked.
        let refused = set_password(&server, &token(received), "short").await;
        refused.refused(400, "weak-password");
    }
    invite(&owner, ANN).await;
    let newer = dropping.next_mail().await;
    assert_ne!(newer["messageId"], first["messageId"]);
    mail_state(&owner, ANN, "sent").await;
    for received in [&first, &second] {
        let refused = set_password(&server, &token(received), PASSWORD).await;
        refused.refused(400, "invalid-link");
    }
    set_password(&server, &token(&newer), PASSWORD).await.good();
}

#[tokio::test]
async fn a_person_whose_mail_broke_off_after_delivery_gets_no_second_one() {
    let mut dropping = MailServer::start(&["dropping"]).await;
    let (server, owner) = mailing_to(dropping.port).await;
    invite(&owner, ANN).await;
    let first = dropping.next_mail().await;
    let (port, _) = dropping.stop().await;
    set_password(&server, &token(&first), PASSWORD).await.good();
    mails(&server.shop, "email = 'ann@example.com'", 0).await;
    let mut mail = MailServer::start_at(port, &[]).await;
    invite(&owner, BEN).await;
    assert_eq!(mail.next_mail().await["to"], BEN);
}

#[tokio::test]
async fn a_person_who_was_removed_meanwhile_gets_no_mail() {
    let port = MailServer::nowhere().await;
    let (server, owner) = mailing_to(port).await;
    invite(&owner, ANN).await;
    mail_state(&owner, ANN, "retrying").await;
    owner.delete(&format!("/api/users/{ANN}")).await.good();
    mails(&server.shop, "email = 'ann@example.com'", 0).await;
    let mut mail = MailServer::start_at(port, &[]).await;
    invite(&owner, BEN).await;
    assert_eq!(mail.next_mail().await["to"], BEN);
    mail_state(&owner, BEN, "sent").await;
    assert_eq!(mail.stop().await.1, Vec::<Value>::new());
}

#[tokio::test]
async fn a_reset_is_sent_within_its_hour_or_not_at_all() {
    let port = MailServer::nowhere().await;
    let (mut server, owner) = mailing_to(port).await;
    ask_for_reset(&server, "owner@example.com").await;
    server.sigkill().await;
    // As if an hour had passed.
    sql(
        &server.shop,
        "UPDATE mail_queue SET due_at = due_at - 3600000, queued_at = queued_at - 3600000",
    )
    .await;
    let mut mail = MailServer::start_at(port, &[]).await;
    server.restart().await;
    mails(&server.shop, "purpose = 'reset'", 0).await;
    invite(&owner, ANN).await;
    assert_eq!(mail.next_mail().await["to"], ANN);
    ask_for_reset(&server, "owner@example.com").await;
    assert_eq!(mail.next_mail().await["to"], "owner@example.com");
    mails(&server.shop, "purpose = 'reset'", 0).await;
}

#[tokio::test]
async fn resets_of_strangers_leave_the_queue_although_the_mail_server_hangs() {
    let deaf = MailServer::start(&["deaf"]).await;
    let (server, owner) = mailing_to(deaf.port).await;
    // More than are sent at once.
    for number in 0..6 {
        invite(&owner, &format!("p{number}@example.com")).await;
    }
    for number in 0..10 {
        ask_for_reset(&server, &format!("stranger{number}@example.com")).await;
    }
    mails(&server.shop, "purpose = 'reset'", 0).await;
    mails(&server.shop, "purpose = 'invitation'", 6).await;
}

#[tokio::test]
async fn a_mail_that_cannot_be_written_to_its_folder_is_written_when_it_can() {
    let (server, owner) = Server::with_owner().await;
    let folder = server.shop.data_dir().join("mail");
    std::fs::write(&folder, "in the way").unwrap();
    invite(&owner, ANN).await;
    let mail = mail_state(&owner, ANN, "retrying").await;
    let failure = mail["failure"].as_str().unwrap();
    assert!(failure.contains("could not be written"), "{failure}");
    std::fs::remove_file(&folder).unwrap();
    mail_state(&owner, ANN, "sent").await;
    assert_eq!(server.shop.mails().len(), 1);
}

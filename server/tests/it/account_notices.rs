//! What the holder of an account is mailed, so that nobody else does it unseen.

use reqwest::Method;
use reqwest::header::SET_COOKIE;
use serde_json::{Value, json};

use crate::fixture::{Answer, Desk, MailServer, PASSWORD, Server, Shop, answer};

const ANN: &str = "ann@example.com";
const FIREFOX: &str =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";

/// A server that mails there, and believes what its tests say of where they come from.
async fn mailing_to(mail: &MailServer) -> Server {
    let url = format!("smtp://127.0.0.1:{}", mail.port);
    let options = ["--smtp-url", &url, "--mail-from", "desk@example.com"];
    let proxy = ["--trusted-proxy", "127.0.0.1"];
    Server::start_in(Shop::new(), &[&options[..], &proxy].concat()).await
}

/// In a browser that reads German and has these cookies.
async fn sign_in(server: &Server, address: &str, cookies: &str) -> Answer {
    let body = json!({ "email": ANN, "password": PASSWORD });
    let request = server
        .request(Method::POST, "/api/auth/sign-in")
        .json(&body);
    let request = request
        .header("x-forwarded-for", address)
        .header("user-agent", FIREFOX)
        .header("accept-language", "de-DE,de;q=0.9");
    answer(match cookies {
        "" => request,
        cookies => request.header("cookie", cookies),
    })
    .await
}

/// As a browser keeps them.
fn cookies(signed_in: &Answer) -> String {
    let cookies = signed_in.headers.get_all(SET_COOKIE).iter();
    let cookies: Vec<&str> = cookies
        .map(|cookie| cookie.to_str().unwrap().split(';').next().unwrap())
        .collect();
    cookies.join("; ")
}

async fn change_password(desk: &Desk, from: &str, to: &str) {
    let body = json!({ "currentPassword": from, "newPassword": to });
    desk.post("/api/auth/password", body).await.good();
}

fn text(received: &Value) -> &str {
    let text = received["text"].as_str().unwrap();
    assert!(!text.contains("://"), "it has no link: {text}");
    assert_eq!(received["to"], ANN);
    text
}

#[tokio::test]
async fn a_sign_in_from_a_new_device_is_mailed_and_one_from_a_known_device_or_network_is_not() {
    let mut mail = MailServer::start(&[]).await;
    let server = mailing_to(&mail).await;
    server.shop.add_user(ANN, "Advisor").await;
    let first = cookies(&sign_in(&server, "192.0.2.7", "").await);
    // The same network, where she is signed in; then her own browser, somewhere else.
    sign_in(&server, "192.0.2.7", "").await.good();
    sign_in(&server, "198.51.100.9", &first).await.good();
    sign_in(&server, "203.0.113.66", "").await.good();
    let received = mail.next_mail().await;
    assert_eq!(received["subject"], "Neue Anmeldung bei Dispatch");
    let output = text(&received);
    for part in [
        ANN,
        "203.0.113.66",
        "Firefox auf Windows",
        "(America/Chicago)",
    ] {
        assert!(output.contains(part), "{output}");
    }
    for other in ["192.0.2.7", "198.51.100.9"] {
        assert!(!output.contains(other), "{output}");
    }
}

#[tokio::test]
async fn notices_that_follow_soon_are_mailed_together() {
    let mut mail = MailServer::start(&[]).await;
    let server = mailing_to(&mail).await;
    let ann = server.hire(ANN, "Advisor").await;
    change_password(&ann, PASSWORD, "the second long password").await;
    let received = mail.next_mail().await;
    assert_eq!(
        received["subject"],
        "Your password for Dispatch was changed"
    );
    assert!(text(&received).contains("127.0.0.1"));
    change_password(&ann, "the second long password", "the third long password").await;
    change_password(&ann, "the third long password", "the fourth long password").await;
    let store = server.shop.store().await;
    let now = "UPDATE mail_queue SET due_at = due_at - 600000";
    sea_orm::ConnectionTrait::execute_unprepared(store.writer(), now)
        .await
        .unwrap();
    let received = mail.next_mail().await;
    assert_eq!(text(&received).matches("127.0.0.1").count(), 2);
    assert!(mail.stop().await.1.is_empty(), "three changes, two mails");
}

#[tokio::test]
async fn a_reset_password_is_mailed_and_the_first_one_by_an_invitation_is_not() {
    let mut mail = MailServer::start(&[]).await;
    let server = mailing_to(&mail).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let person = json!({ "name": "Ann", "roles": ["Advisor"] });
    let invitation = json!({ "data": { "email": ANN, "userData": person } });
    owner.post("/inviteUser", invitation).await;
    let set = async |received: &Value, password: &str| {
        let link = received["text"]
            .as_str()
            .unwrap()
            .split_once("#token=")
            .unwrap()
            .1;
        let token = link.split(['&', '\r', '\n']).next().unwrap();
        let body = json!({ "token": token, "newPassword": password });
        server
            .post("/api/auth/password-reset/confirm", body)
            .await
            .good();
    };
    set(&mail.next_mail().await, PASSWORD).await;
    let ask = json!({ "email": ANN });
    server.post("/api/auth/password-reset", ask).await.good();
    let reset = mail.next_mail().await;
    assert_eq!(reset["subject"], "A new password for Dispatch");
    set(&reset, "another long password").await;
    let received = mail.next_mail().await;
    assert_eq!(
        received["subject"],
        "Your password for Dispatch was changed"
    );
    text(&received);
}

#[tokio::test]
async fn a_second_factor_that_is_turned_on_or_off_is_mailed() {
    let mut mail = MailServer::start(&[]).await;
    let server = mailing_to(&mail).await;
    let ann = server.hire(ANN, "Owner").await;
    crate::two_factor::turn_on(&ann).await;
    let received = mail.next_mail().await;
    assert_eq!(
        received["subject"],
        "Two-factor authentication for Dispatch is on"
    );
    text(&received);
    server
        .shop
        .run(&["user", "reset-two-factor", ANN])
        .await
        .good();
    let received = mail.next_mail().await;
    assert_eq!(
        received["subject"],
        "Two-factor authentication for Dispatch is off"
    );
    assert!(text(&received).contains("From: the server's command line"));
}

#[tokio::test]
async fn an_account_takeover_cannot_suppress_the_holders_notice() {
    let port = MailServer::nowhere().await;
    let url = format!("smtp://127.0.0.1:{port}");
    let options = ["--smtp-url", &url, "--mail-from", "desk@example.com"];
    let options = [&options[..], &["--trusted-proxy", "127.0.0.1"]].concat();
    let server = Server::start_in(Shop::new(), &options).await;
    server.shop.add_user(ANN, "Advisor").await;
    sign_in(&server, "192.0.2.7", "").await.good();
    // A stranger signs in while no mail goes out, and changes the password.
    let stranger = sign_in(&server, "203.0.113.66", "").await;
    let stranger = Desk::new(&server, stranger);
    change_password(&stranger, PASSWORD, "another long password").await;
    let mut mail = MailServer::start_at(port, &[]).await;
    let mut subjects = Vec::new();
    for _ in 0..2 {
        let received = mail.next_mail().await;
        subjects.push(received["subject"].as_str().unwrap().to_owned());
    }
    subjects.sort();
    assert_eq!(
        subjects,
        [
            "Neue Anmeldung bei Dispatch",
            "Your password for Dispatch was changed"
        ]
    );
}

#[tokio::test]
async fn without_a_mail_server_nothing_fails_and_the_mails_are_in_the_folder() {
    let server = Server::start().await;
    let ann = server.hire(ANN, "Advisor").await;
    change_password(&ann, PASSWORD, "another long password").await;
    let comes = async {
        while !server
            .shop
            .mails()
            .iter()
            .any(|mail| mail.contains("was changed"))
        {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(crate::fixture::WAIT_TIMEOUT, comes)
        .await
        .unwrap();
}

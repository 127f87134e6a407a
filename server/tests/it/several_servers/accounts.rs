//! What is begun at one server on the way into an account, and ended at another.

use dispatch_actors::store::DatabaseUrl;
use dispatch_actors::testing::Throwaway;
use sea_orm::ConnectionTrait;
use sea_orm::sqlx::postgres::PgListener;
use serde_json::json;
use tokio::time::{Duration, sleep, timeout};

use super::two_servers;
use crate::fixture::{Desk, OWNER, PASSWORD, Server, WAIT_TIMEOUT};
use crate::two_factor::code;

/// The token of the link that was mailed, by whichever server.
async fn mailed_token(servers: [&Server; 2]) -> String {
    let comes = async {
        loop {
            let mut mails = servers.iter().flat_map(|server| server.shop.mails());
            let link = mails.find_map(|mail| {
                let (_, rest) = mail.split_once("#token=")?;
                Some(rest.chars().take(43).collect::<String>())
            });
            match link {
                Some(token) if token.len() == 43 => return token,
                _ => sleep(Duration::from_millis(20)).await,
            }
        }
    };
    timeout(WAIT_TIMEOUT, comes)
        .await
        .expect("a mail is written")
}

#[tokio::test]
async fn a_second_factor_that_is_begun_at_one_server_is_confirmed_and_used_at_the_other() {
    let (_database, first, second, owner) = two_servers().await;
    let there = Desk::at(&second, &owner);
    let begin = json!({ "password": PASSWORD });
    let setup = owner.post("/api/auth/two-factor/begin", begin).await;
    let setup = setup.result();
    let secret = setup["secret"].as_str().unwrap();
    let now = code(secret, 0);
    let confirm = json!({ "code": now });
    let confirmed = there.post("/api/auth/two-factor/confirm", confirm).await;
    let codes = confirmed.result()["recoveryCodes"].clone();
    // What was used at one server is used up at the other.
    for (server, code, status) in [
        (&first, json!(now), 401),
        (&first, codes[0].clone(), 200),
        (&second, codes[0].clone(), 401),
        (&second, codes[1].clone(), 200),
    ] {
        let credentials = json!({ "email": OWNER, "password": PASSWORD, "code": code });
        let answer = server.post("/api/auth/sign-in", credentials).await;
        assert_eq!(answer.status, status, "{}", answer.body);
    }
}

#[tokio::test]
async fn a_password_is_set_at_one_server_by_a_link_that_was_asked_for_at_the_other() {
    let (_database, first, second, owner) = two_servers().await;
    let ask = json!({ "email": OWNER });
    first.post("/api/auth/password-reset", ask).await.good();
    let token = mailed_token([&first, &second]).await;
    let new = "another long password";
    let confirm = json!({ "token": token, "newPassword": new });
    let path = "/api/auth/password-reset/confirm";
    second.post(path, confirm.clone()).await.good();
    first.post(path, confirm).await.refused(400, "invalid-link");
    for server in [&first, &second] {
        let credentials = json!({ "email": OWNER, "password": new });
        server.post("/api/auth/sign-in", credentials).await.good();
        let credentials = json!({ "email": OWNER, "password": PASSWORD });
        let refused = server.post("/api/auth/sign-in", credentials).await;
        refused.refused(401, "wrong-password");
    }
    // Every session of before has ended at both servers, within as long as one remembers who asked.
    for desk in [Desk::at(&first, &owner), Desk::at(&second, &owner)] {
        let ends = async {
            while desk.get("/api/auth/me").await.status != 401 {
                sleep(Duration::from_millis(50)).await;
            }
        };
        timeout(WAIT_TIMEOUT, ends).await.unwrap();
    }
}

/// Hears, and says, what servers say to each other.
async fn third_server(database: &Throwaway) -> PgListener {
    let DatabaseUrl::Postgres(url) = &database.url else {
        panic!("it is PostgreSQL");
    };
    let mut listener = PgListener::connect(url).await.unwrap();
    listener.listen("dispatch").await.unwrap();
    listener
}

async fn session_of(desk: &Desk) -> String {
    let sessions = desk.get("/api/auth/sessions").await.result();
    let mut sessions = sessions.as_array().unwrap().iter();
    let own = sessions.find(|session| session["current"] == true).unwrap();
    own["id"].as_str().unwrap().to_owned()
}

/// No server waits until it looks at the database again.
#[tokio::test]
async fn the_end_of_a_session_is_said_to_the_other_servers_and_acted_on() {
    let (database, first, _second, owner) = two_servers().await;
    let mut third = third_server(&database).await;
    let session = session_of(&owner).await;
    owner.sign_out().await.good();
    let said = async {
        loop {
            let said = third.recv().await.unwrap();
            let of_sign_ins = said.payload().split_once(" sign-ins ");
            if let Some((_server, sessions)) = of_sign_ins {
                return sessions.to_owned();
            }
        }
    };
    assert_eq!(timeout(WAIT_TIMEOUT, said).await.unwrap(), session);

    // The database has this session, so that nothing but what is said can end its socket.
    let bea = first.hire("bea@shop.example", "Advisor").await;
    let mut socket = bea.listen(&first).await;
    let session = session_of(&bea).await;
    let say = format!("SELECT pg_notify('dispatch', 'third sign-ins {session}')");
    let store = database.store().await;
    store.writer().execute_unprepared(&say).await.unwrap();
    let ends = async { while socket.packet().await.is_some() {} };
    timeout(WAIT_TIMEOUT, ends).await.unwrap();
    bea.get("/api/auth/me").await.good();
}

#[tokio::test]
async fn a_session_goes_on_at_whichever_server_and_ends_at_both() {
    let (_database, first, second, owner) = two_servers().await;
    let there = Desk::at(&second, &owner);
    let mut socket = there.listen(&second).await;
    there.get("/api/auth/me").await.good();
    owner.sign_out().await.good();
    // The socket at the other server, too.
    while socket.packet().await.is_some() {}
    for desk in [&owner, &there] {
        let ends = async {
            while desk.get("/api/auth/me").await.status != 401 {
                sleep(Duration::from_millis(50)).await;
            }
        };
        timeout(WAIT_TIMEOUT, ends).await.unwrap();
    }
    drop(first);
}

//! Two-factor authentication on the wire.

use serde_json::{Value, json};
use totp_rs::{Builder, Secret};

use crate::fixture::{Answer, Desk, PASSWORD, Server};

const ANN: &str = "ann@example.com";

fn code(secret: &str, steps: i64) -> String {
    let secret = Secret::try_from_base32(secret).unwrap();
    let totp = Builder::new().with_secret(secret).build().unwrap();
    let seconds = jiff::Timestamp::now().as_second() + steps * 30;
    totp.generate(seconds.try_into().unwrap()).to_string()
}

async fn sign_in(server: &Server, code: Value) -> Answer {
    let mut credentials = json!({ "email": ANN, "password": PASSWORD });
    if !code.is_null() {
        credentials["code"] = code;
    }
    server.post("/api/auth/sign-in", credentials).await
}

/// Turns it on, and gives the secret and the recovery codes.
async fn turn_on(ann: &Desk) -> (String, Vec<String>) {
    let begin = json!({ "password": PASSWORD });
    let setup = ann.post("/api/auth/two-factor/begin", begin).await;
    assert_eq!(setup.headers["cache-control"], "no-store");
    let setup = setup.result();
    let secret = setup["secret"].as_str().unwrap().to_owned();
    let confirm = json!({ "code": code(&secret, 0) });
    let codes = ann
        .post("/api/auth/two-factor/confirm", confirm)
        .await
        .result();
    let codes = codes["recoveryCodes"].as_array().unwrap();
    let codes = codes.iter().map(|code| code.as_str().unwrap().to_owned());
    (secret, codes.collect())
}

#[tokio::test]
async fn a_second_factor_is_asked_for_and_codes_are_good_once() {
    let server = Server::start().await;
    let ann = server.hire(ANN, "Owner").await;
    let state = async || ann.get("/api/auth/two-factor").await.result();
    assert_eq!(
        state().await,
        json!({ "enabled": false, "recoveryCodesLeft": 0 })
    );
    let (secret, codes) = turn_on(&ann).await;
    assert_eq!(
        state().await,
        json!({ "enabled": true, "recoveryCodesLeft": 10 })
    );

    let asked = sign_in(&server, Value::Null).await;
    asked.refused(401, "second-factor-required");
    assert!(!asked.headers.contains_key("set-cookie"));
    let wrong = json!({ "email": ANN, "password": "wrong", "code": codes[0] });
    let wrong = server.post("/api/auth/sign-in", wrong).await;
    wrong.refused(401, "wrong-password");
    let next = json!(code(&secret, 1));
    sign_in(&server, next.clone()).await.good();
    sign_in(&server, next).await.refused(401, "wrong-code");
    sign_in(&server, json!(codes[0])).await.good();
    sign_in(&server, json!(codes[0]))
        .await
        .refused(401, "wrong-code");
    assert_eq!(state().await["recoveryCodesLeft"], 9);

    let end = async |password: &str, code: &str| {
        let body = json!({ "password": password, "code": code });
        ann.post("/api/auth/two-factor/end", body).await
    };
    end("wrong", &codes[1]).await.refused(400, "wrong-password");
    end(PASSWORD, &codes[0]).await.refused(400, "wrong-code");
    end(PASSWORD, &codes[1]).await.good();
    end(PASSWORD, &codes[2])
        .await
        .refused(409, "two-factor-off");
    sign_in(&server, Value::Null).await.good();
}

#[tokio::test]
async fn guessed_codes_are_stopped_and_the_password_alone_is_of_no_use() {
    let server = Server::start().await;
    let ann = server.hire(ANN, "Owner").await;
    let (_, codes) = turn_on(&ann).await;
    let mut refused = 0;
    for guess in 0..30 {
        let guess = sign_in(&server, json!(format!("{guess:06}"))).await;
        if guess.status == 429 {
            guess.refused(429, "too-many-requests");
            refused += 1;
        } else {
            guess.refused(401, "wrong-code");
        }
    }
    assert!(refused >= 24, "{refused}");
    sign_in(&server, json!(codes[0]))
        .await
        .refused(429, "too-many-requests");
    // Whoever is signed in stays so.
    ann.refresh().await.good();
}

#[tokio::test]
async fn whoever_has_lost_the_phone_is_helped_beside_a_server_and_without_one() {
    let mut server = Server::start().await;
    let ann = server.hire(ANN, "Owner").await;
    let reset = ["user", "reset-two-factor", ANN];
    turn_on(&ann).await;
    let socket = ann.listen(&server).await;
    let said = server.shop.run(&reset).await.good();
    assert_eq!(
        said,
        "ann@example.com signs in without a second factor now, and has to sign in again.\n"
    );
    socket.until_closed().await;
    ann.refresh().await.refused(401, "unauthorized");
    let ann = Desk::new(&server, sign_in(&server, Value::Null).await);
    turn_on(&ann).await;
    server.sigterm().await;
    server.shop.run(&reset).await.good();
    assert_eq!(
        server.shop.run(&reset).await.refused(),
        "Two-factor authentication is not on"
    );
    server.restart().await;
    ann.refresh().await.refused(401, "unauthorized");
    sign_in(&server, Value::Null).await.good();
}

//! Tokens as Google signs them, and as it does not, with a key server of our own.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex as StdMutex, OnceLock};

use actix_web::dev::ServerHandle;
use actix_web::{App, HttpResponse, HttpServer, web};
use jsonwebtoken::{EncodingKey, Header};
use rsa::pkcs1::EncodeRsaPrivateKey;
use rsa::pkcs8::{EncodePublicKey, LineEnding};
use rsa::traits::PublicKeyParts;
use rsa::{RsaPrivateKey, RsaPublicKey};
use serde_json::{Value, json};

use super::*;
use crate::AuthenticationError;

const PROJECT: &str = "shop-4389";
const GOOGLES_CACHING: &str = "public, max-age=19302, must-revalidate, no-transform";

/// Two keys, made once, since making one takes a while.
fn keys() -> &'static [RsaPrivateKey; 2] {
    static KEYS: OnceLock<[RsaPrivateKey; 2]> = OnceLock::new();
    KEYS.get_or_init(|| {
        [0, 1].map(|_| RsaPrivateKey::new(&mut rsa::rand_core::OsRng, 2_048).unwrap())
    })
}

fn jwk(id: &str, key: &RsaPrivateKey) -> Value {
    let number = |number: &rsa::BigUint| URL_SAFE_NO_PAD.encode(number.to_bytes_be());
    json!({
        "kty": "RSA", "alg": "RS256", "use": "sig", "kid": id,
        "n": number(key.n()), "e": number(key.e()),
    })
}

struct Published {
    keys: StdMutex<Vec<Value>>,
    caching: StdMutex<Option<&'static str>>,
    fetches: AtomicUsize,
}

struct KeyServer {
    published: web::Data<Published>,
    server: ServerHandle,
    tokens: IdTokens,
}

impl KeyServer {
    /// With the first key as `one`, and somebody who verifies tokens by it.
    async fn start() -> Self {
        // Another test may have been first.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let published = web::Data::new(Published {
            keys: StdMutex::new(vec![jwk("one", &keys()[0])]),
            caching: StdMutex::new(Some(GOOGLES_CACHING)),
            fetches: AtomicUsize::new(0),
        });
        let data = published.clone();
        let server = HttpServer::new(move || {
            App::new()
                .app_data(data.clone())
                .route("/keys", web::get().to(publish))
        })
        .workers(1)
        .disable_signals()
        .bind(("127.0.0.1", 0))
        .unwrap();
        let address = server.addrs()[0];
        let server = server.run();
        let handle = server.handle();
        actix_web::rt::spawn(server);
        let mut tokens = IdTokens::new(
            Client::builder().no_proxy().build().unwrap(),
            PROJECT,
            TokenIssuer::Google,
        );
        tokens.keys_url = format!("http://{address}/keys");
        Self {
            published,
            server: handle,
            tokens,
        }
    }

    fn fetches(&self) -> usize {
        self.published.fetches.load(Ordering::SeqCst)
    }

    fn publish(&self, keys: Vec<Value>) {
        *self.published.keys.lock().unwrap() = keys;
    }

    async fn verify(&self, token: &str) -> Result<Claims, IdTokenError> {
        self.tokens
            .verify(token)
            .await
            .map_err(|error| match error {
                VerifyError::Token(why) => why,
                VerifyError::Keys(why) => panic!("{why}"),
            })
    }
}

async fn publish(published: web::Data<Published>) -> HttpResponse {
    published.fetches.fetch_add(1, Ordering::SeqCst);
    let mut answer = HttpResponse::Ok();
    if let Some(caching) = *published.caching.lock().unwrap() {
        answer.insert_header(("Cache-Control", caching));
    }
    answer.json(json!({ "keys": *published.keys.lock().unwrap() }))
}

/// As Google says it of a person who has just signed in.
fn claims() -> Value {
    let now = Timestamp::now().as_second();
    json!({
        "iss": format!("https://securetoken.google.com/{PROJECT}"),
        "aud": PROJECT,
        "auth_time": now - 1,
        "user_id": "uid-1",
        "sub": "uid-1",
        "iat": now - 1,
        "exp": now + 3_600,
        "email": "ann@shop.example",
        "email_verified": false,
        "firebase": {
            "identities": { "email": ["ann@shop.example"] },
            "sign_in_provider": "password",
        },
    })
}

fn with(name: &str, value: impl Into<Value>) -> Value {
    let mut claims = claims();
    claims[name] = value.into();
    claims
}

fn header(algorithm: Algorithm, id: Option<&str>) -> Header {
    Header {
        kid: id.map(str::to_owned),
        ..Header::new(algorithm)
    }
}

fn signed_with(header: &Header, key: &RsaPrivateKey, claims: &Value) -> String {
    let der = key.to_pkcs1_der().unwrap();
    jsonwebtoken::encode(header, claims, &EncodingKey::from_rsa_der(der.as_bytes())).unwrap()
}

fn sign_claims(claims: &Value) -> String {
    signed_with(&header(Algorithm::RS256, Some("one")), &keys()[0], claims)
}

fn unsigned_token(header: &Value, claims: &Value) -> String {
    let part = |part: &Value| URL_SAFE_NO_PAD.encode(part.to_string());
    format!("{}.{}.", part(header), part(claims))
}

#[actix_web::test]
async fn a_genuine_token_is_verified_and_the_keys_are_fetched_once() {
    let server = KeyServer::start().await;
    for _ in 0..3 {
        let claims = server.verify(&sign_claims(&claims())).await.unwrap();
        assert_eq!(claims.sub, "uid-1");
        assert_eq!(claims.email.as_deref(), Some("ann@shop.example"));
    }
    let token = sign_claims(&claims());
    let many = (0..20).map(|_| server.verify(&token));
    for verified in futures_util::future::join_all(many).await {
        verified.unwrap();
    }
    assert_eq!(server.fetches(), 1);
}

#[actix_web::test]
async fn many_who_come_at_once_share_one_fetch() {
    let server = KeyServer::start().await;
    let token = sign_claims(&claims());
    let many = (0..20).map(|_| server.verify(&token));
    for verified in futures_util::future::join_all(many).await {
        verified.unwrap();
    }
    assert_eq!(server.fetches(), 1);
}

#[actix_web::test]
async fn a_token_of_another_key_or_algorithm_is_refused() {
    let server = KeyServer::start().await;
    let public = RsaPublicKey::from(&keys()[0]);
    let pem = public.to_public_key_pem(LineEnding::LF).unwrap();
    let modulus = keys()[0].n().to_bytes_be();
    let hmac = |secret: &[u8]| {
        let header = header(Algorithm::HS256, Some("one"));
        jsonwebtoken::encode(&header, &claims(), &EncodingKey::from_secret(secret)).unwrap()
    };
    let rs512 = header(Algorithm::RS512, Some("one"));
    let genuine = sign_claims(&claims());
    let (head, rest) = genuine.split_once('.').unwrap();
    let (_, signature) = rest.split_once('.').unwrap();
    let other_claims = URL_SAFE_NO_PAD.encode(with("sub", "uid-2").to_string());
    for (token, why) in [
        (
            signed_with(
                &header(Algorithm::RS256, Some("one")),
                &keys()[1],
                &claims(),
            ),
            IdTokenError::Signature,
        ),
        (
            format!("{head}.{other_claims}.{signature}"),
            IdTokenError::Signature,
        ),
        (
            unsigned_token(
                &json!({ "alg": "none", "typ": "JWT", "kid": "one" }),
                &claims(),
            ),
            IdTokenError::Algorithm,
        ),
        (
            unsigned_token(&json!({ "alg": "RS256", "kid": "one" }), &claims()),
            IdTokenError::Signature,
        ),
        (hmac(pem.as_bytes()), IdTokenError::Algorithm),
        (hmac(&modulus), IdTokenError::Algorithm),
        (
            signed_with(&rs512, &keys()[0], &claims()),
            IdTokenError::Algorithm,
        ),
        (
            signed_with(&header(Algorithm::RS256, None), &keys()[0], &claims()),
            IdTokenError::UnknownKey,
        ),
    ] {
        assert_eq!(server.verify(&token).await, Err(why), "{token}");
    }
}

#[actix_web::test]
async fn a_token_of_another_time_or_place_is_refused() {
    let server = KeyServer::start().await;
    let now = Timestamp::now().as_second();
    for (claims, why) in [
        (with("exp", now - 60), IdTokenError::Time),
        (with("iat", now + 120), IdTokenError::Time),
        (with("auth_time", now + 120), IdTokenError::Time),
        (with("aud", "another-shop"), IdTokenError::Audience),
        (
            with("iss", "https://securetoken.google.com/another-shop"),
            IdTokenError::Audience,
        ),
        (
            with("iss", "https://accounts.google.com"),
            IdTokenError::Audience,
        ),
        (with("sub", ""), IdTokenError::Subject),
        (with("sub", "x".repeat(129)), IdTokenError::Subject),
        (with("aud", json!([PROJECT])), IdTokenError::Malformed),
    ] {
        assert_eq!(
            server.verify(&sign_claims(&claims)).await,
            Err(why),
            "{claims}"
        );
    }
    for missing in ["iss", "aud", "auth_time", "sub", "iat", "exp"] {
        let mut claims = claims();
        claims.as_object_mut().unwrap().remove(missing);
        let refused = server.verify(&sign_claims(&claims)).await;
        assert_eq!(refused, Err(IdTokenError::Malformed), "without {missing}");
    }
    for rubbish in ["", ".", "..", "a.b.c", "ü", &"x".repeat(100_000)] {
        let refused = server.verify(rubbish).await;
        assert_eq!(refused, Err(IdTokenError::Malformed), "{rubbish:.10}");
    }
    assert_eq!(server.fetches(), 1);
}

#[actix_web::test]
async fn a_new_key_is_fetched_but_made_up_ones_ask_google_no_more() {
    let mut server = KeyServer::start().await;
    let of_two = signed_with(
        &header(Algorithm::RS256, Some("two")),
        &keys()[1],
        &claims(),
    );
    server.verify(&sign_claims(&claims())).await.unwrap();
    server.publish(vec![jwk("two", &keys()[1])]);
    for _ in 0..10 {
        let refused = server.verify(&of_two).await;
        assert_eq!(refused, Err(IdTokenError::UnknownKey));
    }
    assert_eq!(server.fetches(), 1, "it has just asked");

    server.tokens.min_fetch_interval = Duration::ZERO;
    server.verify(&of_two).await.unwrap();
    assert_eq!(server.fetches(), 2);
    let refused = server.verify(&sign_claims(&claims())).await;
    assert_eq!(refused, Err(IdTokenError::UnknownKey), "it was taken away");
}

#[actix_web::test]
async fn keys_that_have_grown_old_are_fetched_again() {
    let server = KeyServer::start().await;
    *server.published.caching.lock().unwrap() = Some("max-age=0");
    for fetches in 1..=3 {
        server.verify(&sign_claims(&claims())).await.unwrap();
        assert_eq!(server.fetches(), fetches);
    }
    server.publish(vec![
        jwk("two", &keys()[1]),
        json!({ "kty": "EC", "kid": "one", "crv": "P-256", "x": "AA", "y": "AA" }),
    ]);
    let refused = server.verify(&sign_claims(&claims())).await;
    assert_eq!(refused, Err(IdTokenError::UnknownKey));
}

#[actix_web::test]
async fn without_its_keys_nobody_is_let_in_and_nobody_is_blamed() {
    let server = KeyServer::start().await;
    server.server.stop(false).await;
    let failed = server
        .tokens
        .verify(&sign_claims(&claims()))
        .await
        .unwrap_err();
    assert!(matches!(failed, VerifyError::Keys(_)), "{failed}");
    assert!(matches!(
        AuthenticationError::from(failed),
        AuthenticationError::Unreachable(_)
    ));
}

#[actix_web::test]
async fn unsigned_tokens_count_with_an_emulator_alone_and_signed_ones_do_not() {
    let server = KeyServer::start().await;
    let emulator = IdTokens::new(server.tokens.http.clone(), PROJECT, TokenIssuer::Emulator);
    let none = json!({ "alg": "none", "typ": "JWT" });
    let token = unsigned_token(&none, &claims());
    assert_eq!(emulator.verify(&token).await.unwrap().sub, "uid-1");
    assert_eq!(
        server.verify(&token).await,
        Err(IdTokenError::Algorithm),
        "Google signs"
    );
    let refused = async |token: String| emulator.verify(&token).await.unwrap_err().to_string();
    let elsewhere = unsigned_token(&none, &with("aud", "another-shop"));
    assert!(refused(elsewhere).await.ends_with("from somebody else"));
    assert!(
        refused(sign_claims(&claims()))
            .await
            .ends_with("not signed as it should be")
    );
}

#[test]
fn how_long_keys_are_good_is_what_is_left_of_max_age() {
    let headers = |pairs: &[(&'static str, &'static str)]| {
        pairs
            .iter()
            .map(|&(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
            .collect::<HeaderMap>()
    };
    for (pairs, seconds) in [
        (&[("cache-control", GOOGLES_CACHING)][..], 19_302),
        (&[("cache-control", GOOGLES_CACHING), ("age", "19000")], 302),
        (&[("cache-control", "max-age=60"), ("age", "100")], 0),
        (&[("cache-control", "max-age=9999999")], 86_400),
        (&[("cache-control", "no-store")], 300),
        (&[], 300),
    ] {
        let keys_ttl = keys_ttl(&headers(pairs));
        assert_eq!(keys_ttl, Duration::from_secs(seconds), "{pairs:?}");
    }
}

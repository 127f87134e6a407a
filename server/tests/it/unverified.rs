//! An account whose email is not verified, at a hosted provider: no session, and the end of a
//! session from when the email was verified.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::fixture::{Desk, PASSWORD, Server, Shop};

const PROJECT: &str = "shop-4389";
const EMAIL: &str = "ann@shop.example";

/// Firebase's identity services as far as one account needs them, with the words of their emulator.
struct Google {
    address: String,
    email_is_verified: Arc<AtomicBool>,
}

impl Google {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let email_is_verified = Arc::new(AtomicBool::new(false));
        let verified = Arc::clone(&email_is_verified);
        tokio::spawn(async move {
            while let Ok((tcp, _)) = listener.accept().await {
                tokio::spawn(serve(tcp, Arc::clone(&verified)));
            }
        });
        Self {
            address,
            email_is_verified,
        }
    }

    fn says_verified(&self, is_verified: bool) {
        self.email_is_verified.store(is_verified, Ordering::SeqCst);
    }
}

/// One request, and the end of the connection.
async fn serve(mut tcp: TcpStream, is_verified: Arc<AtomicBool>) {
    let mut request = Vec::new();
    let mut bytes = [0; 4_096];
    while !is_whole(&request) {
        match tcp.read(&mut bytes).await {
            Ok(count) if count > 0 => request.extend_from_slice(&bytes[..count]),
            _ => return,
        }
    }
    let request = String::from_utf8_lossy(&request).into_owned();
    let path = request.split(' ').nth(1).unwrap_or_default();
    let token = token(is_verified.load(Ordering::SeqCst));
    let body = if path.contains("/v1/token") {
        json!({ "id_token": token, "refresh_token": "refresh" })
    } else if path.contains("accounts:signInWithPassword") {
        json!({
            "localId": "uid-1", "email": EMAIL, "idToken": token, "refreshToken": "refresh",
            "expiresIn": "3600",
        })
    } else if path.contains("accounts:lookup") {
        json!({ "users": [{ "localId": "uid-1", "disabled": false }] })
    } else {
        json!({ "localId": "uid-1" })
    };
    let body = body.to_string();
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    // The caller may be gone.
    let _ = tcp.write_all((head + &body).as_bytes()).await;
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let lengths = head.lines().filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length
            .then(|| value.trim().parse::<usize>().ok())
            .flatten()
    });
    lengths.max().unwrap_or(0) <= body.len()
}

/// As the emulator makes them: not signed.
fn token(email_is_verified: bool) -> String {
    let now = Timestamp::now().as_second();
    let claims = json!({
        "iss": format!("https://securetoken.google.com/{PROJECT}"),
        "aud": PROJECT, "auth_time": now, "sub": "uid-1", "iat": now, "exp": now + 3_600,
        "email": EMAIL, "email_verified": email_is_verified,
    });
    let part = |part: Value| URL_SAFE_NO_PAD.encode(part.to_string());
    format!("{}.{}.", part(json!({ "alg": "none" })), part(claims))
}

/// A server whose accounts are the provider's, and the owner [`EMAIL`] on its staff.
async fn hosted(google: &Google) -> Server {
    let mut shop = Shop::new();
    shop.environment = vec![
        ("DISPATCH_IDENTITY", "firebase".to_owned()),
        ("DISPATCH_FIREBASE_EMULATOR", google.address.clone()),
        ("DISPATCH_GOOGLE_PROJECT", PROJECT.to_owned()),
    ];
    // With every call of the document.
    let server = Server::start_in(shop, &["--test-page"]).await;
    server.shop.add_user(EMAIL, "Owner").await;
    server
}

/// An owner who is signed in until the provider does not take their email for verified any more.
async fn lose_verification(google: &Google, server: &Server) -> Desk {
    google.says_verified(true);
    let ann = server.sign_in(EMAIL).await;
    ann.get("/api/repair-orders").await.good();
    let socket = ann.listen(server).await;
    // The provider is asked at every renewal of the session.
    google.says_verified(false);
    let refused = ann.refresh().await;
    assert!([401, 403].contains(&refused.status), "{refused:?}");
    assert_eq!(socket.until_closed().await, ["41"]);
    ann
}

/// A server with every call, and whatever a person holds there whose email is not verified: the
/// token of a session that was begun while it was, and the provider's own.
pub async fn unverified_tokens() -> (Server, Vec<(&'static str, String)>) {
    let google = Google::start().await;
    let server = hosted(&google).await;
    let ann = lose_verification(&google, &server).await;
    let tokens = vec![
        ("whose email is not verified any more", ann.token),
        ("who has a token of the provider", token(false)),
    ];
    (server, tokens)
}

#[tokio::test]
async fn an_unverified_email_gets_no_session_and_loses_the_one_it_had() {
    let google = Google::start().await;
    let server = hosted(&google).await;
    let credentials = json!({ "email": EMAIL, "password": PASSWORD });
    let refused = server.post("/api/auth/sign-in", credentials).await;
    refused.refused(403, "unverified-email");
    assert!(!refused.headers.contains_key("set-cookie"), "{refused:?}");

    let ann = lose_verification(&google, &server).await;
    ann.get("/api/repair-orders")
        .await
        .refused(401, "unauthorized");
}

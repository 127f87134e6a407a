//! A client that floods the server or hoards its scarce resources does not keep others out.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use dispatch_server::limits::{ARRIVING_BODIES, JSON_BODY, UNROUTED_BODY};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::{Duration, timeout};

use crate::boards::Screen;
use crate::fixture::{
    Browser, OWNER, PASSWORD, Server, Shop, Socket, WAIT_TIMEOUT, answer, plain_orders,
};

/// That guess without a pause, each at one password: more than a site may have waiting, so that there
/// is always somebody who is refused.
const FLOODERS: usize = 210;

/// Clients from elsewhere during the flood.
const NEWCOMERS: usize = 10;

/// How often the flood was answered with which status.
#[derive(Clone, Default)]
struct Answers(Arc<Mutex<BTreeMap<u16, usize>>>, Arc<Notify>);

impl Answers {
    fn count(&self, status: u16) {
        *self.0.lock().unwrap().entry(status).or_default() += 1;
        self.1.notify_one();
    }

    async fn wait_until(&self, status: u16, count: usize) {
        while self.of(status) < count {
            self.1.notified().await;
        }
    }

    fn of(&self, status: u16) -> usize {
        let answers = self.0.lock().unwrap();
        answers.get(&status).copied().unwrap_or_default()
    }
}

/// Guesses without a pause from one network until the set is dropped.
fn flood(server: &Server, address: &str) -> (JoinSet<()>, Answers) {
    let answers = Answers::default();
    let mut flood = JoinSet::new();
    let flooder = Browser::at(address);
    let url = server.url("/api/auth/sign-in");
    for number in 0..FLOODERS {
        let (flooder, url, answers) = (flooder.clone(), url.clone(), answers.clone());
        flood.spawn(async move {
            let email = format!("{number}@example.com");
            let body = json!({ "email": email, "password": "a wrong password" });
            loop {
                let request = flooder.client.post(&url);
                let request = request.header("X-Forwarded-For", &flooder.address);
                let refused = answer(request.json(&body)).await;
                match refused.status {
                    401 => {}
                    503 => assert!(refused.headers.contains_key("retry-after")),
                    _ => panic!("{refused:?}"),
                }
                answers.count(refused.status);
            }
        });
    }
    (flood, answers)
}

#[tokio::test]
async fn a_flood_of_passwords_to_hash_leaves_room_for_others() {
    let server = Server::behind_a_proxy(&["--sign-in-limit", "100000"]).await;
    server.shop.add_user(OWNER, "Owner").await;
    let mut owner = Browser::at("2001:db8:1:1::7");
    owner.sign_in(&server).await;
    let (mut flood, answers) = flood(&server, "2001:db8:1:1::66");
    answers.wait_until(503, FLOODERS).await;
    // All 200 places of the site are taken from now on. Others have one all the same, whether they are
    // on a known device, in another network of the site or elsewhere.
    let hashed = answers.of(401);
    for number in 0..NEWCOMERS {
        for address in [
            format!("2001:db8:1:2::{number:x}"),
            format!("192.0.2.{number}"),
        ] {
            let newcomer = Browser::at(address);
            newcomer.try_password(&server, OWNER, PASSWORD).await.good();
        }
        owner.try_password(&server, OWNER, PASSWORD).await.good();
    }
    // Nobody has waited until those who were there before had their turns: 200 of them each time.
    let hashed = answers.of(401) - hashed;
    assert!(hashed < NEWCOMERS * 200, "{hashed} of the flood came first");
    assert!(flood.try_join_next().is_none(), "it goes on");
}

/// How many refreshes were answered before one was refused as one too many.
async fn refreshes_until_refused(browser: &mut Browser, server: &Server, made_up: bool) -> usize {
    for number in 0..5_000 {
        if made_up {
            browser.cookies = format!("dispatch_refresh={number:043}");
        }
        let answer = browser.post(server, "/api/auth/refresh", json!({})).await;
        match answer.status {
            429 => return number,
            status => assert_eq!(status, if made_up { 401 } else { 200 }),
        }
    }
    panic!("nobody stops them");
}

#[tokio::test]
async fn invented_refresh_tokens_do_not_hinder_others() {
    let server = Server::behind_a_proxy(&[]).await;
    server.shop.add_user(OWNER, "Owner").await;
    let mut owner = Browser::at("198.51.100.7");
    owner.sign_in(&server).await;
    // Behind the same address, and elsewhere.
    for address in ["198.51.100.7", "203.0.113.66"] {
        let mut stranger = Browser::at(address);
        let answered = refreshes_until_refused(&mut stranger, &server, true).await;
        assert!(answered >= 60, "{answered}");
    }
    owner
        .post(&server, "/api/auth/refresh", json!({}))
        .await
        .good();
    // One session asks so often and no more; another does not notice.
    refreshes_until_refused(&mut owner, &server, false).await;
    let mut another = owner.at_address("192.0.2.1");
    another.sign_in(&server).await;
    another
        .post(&server, "/api/auth/refresh", json!({}))
        .await
        .good();
}

#[tokio::test]
async fn a_hundred_and_first_session_of_an_account_ends_the_oldest() {
    let server = Server::start().await;
    let first = server.hire(OWNER, "Owner").await;
    let socket = first.listen(&server).await;
    for _ in 1..100 {
        server.sign_in(OWNER).await;
    }
    first.get("/api/auth/me").await.good();
    let last = server.sign_in(OWNER).await;
    let closed = timeout(WAIT_TIMEOUT, socket.until_closed()).await;
    closed.expect("its session has ended");
    first.get("/api/auth/me").await.refused(401, "unauthorized");
    first.refresh().await.refused(401, "unauthorized");
    let sessions = last.get("/api/auth/sessions").await.result();
    assert_eq!(sessions.as_array().unwrap().len(), 100);
}

#[tokio::test]
async fn screens_can_be_paired_while_others_flood() {
    let server = Server::behind_a_proxy(&[]).await;
    let screen = json!({ "version": "1", "screen": { "width": 1920, "height": 1080 } });
    let elsewhere = Browser::at("198.51.100.7");
    let begin = async |address: String| {
        let screen = screen.clone();
        let browser = elsewhere.at_address(&address);
        let begun = browser.post(&server, "/api/boards/pairings", screen);
        begun.await.status
    };
    // Many networks of one site, and many sites: until all of them together are refused.
    for networks in [1, 30] {
        let mut number = 0;
        let address = |number: usize| format!("2001:db8:{:x}:{number:x}::1", number % networks);
        while begin(address(number)).await != 429 {
            number += 1;
            assert!(number < 5_000, "nobody stops them");
        }
        assert_eq!(begin("198.51.100.7".to_owned()).await, 200);
    }
}

/// A polling session on which nobody signs in, or why there is none.
async fn hoard(server: &Server, address: &str) -> u16 {
    let request = server.request(Method::GET, "/ws?EIO=4&transport=polling");
    let opened = request.header("X-Forwarded-For", address).send().await;
    opened.unwrap().status().as_u16()
}

#[tokio::test]
async fn sessions_without_a_sign_in_take_no_place_of_others() {
    let mut shop = Shop::new();
    shop.open_files = Some(256);
    shop.import(&plain_orders(1)).await;
    let server = Server::start_in(shop, &["--trusted-proxy", "127.0.0.1"]).await;
    let owner = server.hire(OWNER, "Owner").await;
    let mut hoarded = 0;
    while hoard(&server, "203.0.113.66").await == 200 {
        hoarded += 1;
        assert!(hoarded < 1_000, "nobody stops them");
    }
    let mut sockets = Vec::new();
    for _ in 0..10 {
        sockets.push(Socket::join(&server, &owner.token).await);
    }
    // One each of many.
    for number in 0..250_u8 {
        hoard(&server, &format!("203.0.113.{number}")).await;
    }
    for _ in 0..10 {
        sockets.push(Socket::join(&server, &owner.token).await);
    }
    owner.make_one_change(1).await;
    for socket in &mut sockets {
        assert_eq!(socket.modified().await["roNumber"], 1);
    }
}

#[tokio::test]
async fn a_client_that_holds_every_connection_does_not_keep_others_out() {
    let mut shop = Shop::new();
    shop.open_files = Some(256);
    let server = Server::start_in(shop, &[]).await;
    let mut connections = Vec::new();
    for _ in 0..200 {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.66:0".parse().unwrap()).unwrap();
        let mut connection = socket.connect(server.address).await.unwrap();
        let unfinished = "POST /api/auth/sign-in HTTP/1.1\r\nHost: localhost\r\n\
             Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
        // A client that is refused at once may learn it here.
        let _ = connection.write_all(unfinished.as_bytes()).await;
        connections.push(connection);
    }
    for _ in 0..10 {
        let health = timeout(WAIT_TIMEOUT, server.get("/healthz")).await;
        assert_eq!(health.expect("others are served").status, 200);
    }
    drop(connections);
}

/// An answer that ends with a JSON object, in small letters.
async fn answer_on(connection: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    while !answer.ends_with(b"}") {
        let mut piece = [0; 4_096];
        let count = connection.read(&mut piece).await.unwrap();
        assert!(count > 0, "{}", String::from_utf8_lossy(&answer));
        answer.extend_from_slice(&piece[..count]);
    }
    String::from_utf8(answer).unwrap().to_ascii_lowercase()
}

/// Begins to sign in with the longest body there is, from an address of this machine, and never sends its
/// last byte. Gives the answer that comes all the same.
async fn answer_to_unfinished_body(server: SocketAddr, body: Arc<[u8]>) -> String {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.66:0".parse().unwrap()).unwrap();
    let mut connection = socket.connect(server).await.unwrap();
    let head = format!(
        "POST /api/auth/sign-in HTTP/1.1\r\nHost: localhost\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len() + 1
    );
    // A client that is refused at once may learn it here.
    let _ = connection.write_all(head.as_bytes()).await;
    let _ = connection.write_all(&body).await;
    answer_on(&mut connection).await
}

#[tokio::test]
async fn a_client_that_never_ends_its_bodies_does_not_keep_others_out() {
    const TOO_MANY: usize = 24;
    let server = Server::start().await;
    server.hire(OWNER, "Owner").await;
    let body: Arc<[u8]> = vec![b' '; JSON_BODY - 1].into();
    let mut flood = JoinSet::new();
    for _ in 0..ARRIVING_BODIES / JSON_BODY + TOO_MANY {
        flood.spawn(answer_to_unfinished_body(server.address, Arc::clone(&body)));
    }
    for _ in 0..TOO_MANY {
        let refused = timeout(WAIT_TIMEOUT, flood.join_next()).await;
        let refused = refused.expect("there is no room for all").unwrap().unwrap();
        assert!(refused.starts_with("http/1.1 503 "), "{refused}");
        assert!(refused.contains("\r\nretry-after: "), "{refused}");
        assert!(refused.contains("\"code\":\"busy\""), "{refused}");
    }

    // Others have room, also for a body that comes in pieces.
    server.sign_in(OWNER).await;
    let body = json!({ "email": OWNER, "password": PASSWORD }).to_string();
    let (begun, rest) = body.split_at(10);
    let begun = format!(
        "POST /api/auth/sign-in HTTP/1.1\r\nHost: localhost\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{begun}",
        body.len()
    );
    let mut connection = TcpStream::connect(server.address).await.unwrap();
    connection.write_all(begun.as_bytes()).await.unwrap();
    // It has arrived: a later request has been answered.
    assert_eq!(server.get("/healthz").await.status, 200);
    connection.write_all(rest.as_bytes()).await.unwrap();
    let signed_in = timeout(WAIT_TIMEOUT, answer_on(&mut connection)).await;
    let signed_in = signed_in.expect("it is answered");
    assert!(signed_in.starts_with("http/1.1 200 "), "{signed_in}");
}

/// The answer to a request of which only so many bytes of the body come. The server waits for the rest of a
/// body for thirty seconds.
async fn answer_without_waiting(server: &Server, call: &str, sent: usize) -> String {
    let mut connection = TcpStream::connect(server.address).await.unwrap();
    let head = format!("{call} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90000\r\n\r\n");
    connection.write_all(head.as_bytes()).await.unwrap();
    connection.write_all(&vec![b' '; sent]).await.unwrap();
    let answer = timeout(Duration::from_secs(20), answer_on(&mut connection)).await;
    answer.expect("it is answered before the body is whole")
}

#[tokio::test]
async fn a_long_body_for_no_route_is_not_waited_for() {
    let server = Server::start().await;
    let answer = answer_without_waiting(&server, "POST /api/nothing", UNROUTED_BODY + 1).await;
    assert!(answer.starts_with("http/1.1 404 "), "{answer}");
    assert!(answer.contains("unknown-route"), "{answer}");
}

#[tokio::test]
async fn a_body_for_no_session_of_the_stream_is_not_waited_for() {
    let server = Server::start().await;
    let call = "POST /ws?EIO=4&transport=polling&sid=AAAAAAAAAAAAAAAA";
    let answer = answer_without_waiting(&server, call, 1).await;
    assert!(answer.starts_with("http/1.1 400 "), "{answer}");
    assert!(answer.contains("session id unknown"), "{answer}");
}

#[tokio::test]
async fn one_machines_silent_sessions_do_not_keep_its_site_out() {
    let mut shop = Shop::new();
    shop.open_files = Some(256);
    let server = Server::start_in(shop, &["--trusted-proxy", "127.0.0.1"]).await;
    let mut hoarded = 0;
    while hoard(&server, "2001:db8:1:1::66").await == 200 {
        hoarded += 1;
        assert!(hoarded < 1_000, "nobody stops them");
    }
    for neighbour in ["2001:db8:1:2::1", "2001:db8:1:1::1", "2001:db8:1:3::1"] {
        assert_eq!(hoard(&server, neighbour).await, 200, "{neighbour}");
    }
    assert_ne!(hoard(&server, "2001:db8:1:1::66").await, 200);
}

#[tokio::test]
async fn one_account_takes_no_place_of_others_on_the_stream() {
    let mut shop = Shop::new();
    shop.open_files = Some(512);
    let server = Server::start_in(shop, &[]).await;
    let owner = server.hire(OWNER, "Owner").await;
    let mut screens = Vec::new();
    server.hire("ann@example.com", "Advisor").await;
    for _ in 0..6 {
        let greedy = server.sign_in("ann@example.com").await;
        for _ in 0..64 {
            screens.push(greedy.listen(&server).await);
        }
    }
    for _ in 0..10 {
        screens.push(owner.listen(&server).await);
    }
}

#[tokio::test]
async fn guessed_board_tokens_are_counted_on_the_stream_too() {
    let (server, owner) = Server::with_owner().await;
    let mut guessed = 0;
    let mut too_many = false;
    while !too_many {
        let mut socket = Socket::open(server.address).await;
        for _ in 0..5 {
            let token = format!("db_{guessed:043}");
            let auth = json!({ "token": token, "scope": { "board": "x" } });
            let refused = socket.sign_in(&auth).await.unwrap_err();
            too_many = refused["data"]["code"] == "too-many-requests";
            if !too_many {
                assert_eq!(refused["data"]["code"], "unauthorized");
                guessed += 1;
            }
        }
        assert_eq!(socket.packet().await, None, "five are enough");
        assert!(guessed < 5_000, "nobody stops them");
    }
    assert!(guessed >= 30, "{guessed}");
    owner.listen(&server).await;
    let log = server.shop.read("server.log");
    let noted = log.lines().find(|line| line.contains("board-refused"));
    let noted = noted.expect("it is in the trail");
    assert!(noted.contains("address=127.0.0.1"), "{noted}");
}

#[tokio::test]
async fn no_unknown_board_token_is_looked_up_for_a_network_with_too_many_wrong_ones() {
    let (server, owner) = Server::with_owner().await;
    let lounge = json!({ "name": "Lounge", "layout": "lounge" });
    let screen = Screen::pair(&server, &owner, lounge.clone()).await;
    let ended = Screen::pair(&server, &owner, lounge).await;
    let revoke = format!("/api/boards/{}/revoke", ended.id);
    owner.post(&revoke, Value::Null).await.good();
    ended.get(&server).await.refused(401, "board-revoked");
    let guessed = Screen {
        id: ended.id.clone(),
        token: format!("db_{:043}", 0),
    };
    let mut attempts = 0;
    loop {
        while guessed.get(&server).await.status != 429 {}
        // Whether a token was a board's once, only the database knows.
        let answer = ended.get(&server).await;
        if answer.status == 429 {
            break;
        }
        // A guess has come back in between, as one does every two seconds.
        answer.refused(401, "board-revoked");
        attempts += 1;
        assert!(attempts < 50, "it is looked up every time");
    }
    // A board that there is waits for nobody.
    screen.get(&server).await.good();
}

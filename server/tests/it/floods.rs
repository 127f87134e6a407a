//! Whoever floods or hoards what a server has little of keeps nobody else out.

use reqwest::Method;
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpSocket;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::fixture::{
    Browser, OWNER, PASSWORD, PATIENCE, Server, Shop, Socket, answer, plain_orders,
};

#[tokio::test]
async fn a_flood_of_passwords_to_hash_leaves_room_for_others() {
    let server = Server::behind_a_proxy(&["--sign-in-limit", "100000"]).await;
    server.shop.add_user(OWNER, "Owner").await;
    let mut owner = Browser::at("198.51.100.7");
    owner.sign_in(&server).await;
    let mut flood = JoinSet::new();
    let flooder = Browser::at("203.0.113.66");
    let url = server.url("/api/auth/sign-in");
    for number in 0..600 {
        let body =
            json!({ "email": format!("{number}@example.com"), "password": "a wrong password" });
        let request = flooder
            .client
            .post(&url)
            .header("X-Forwarded-For", &flooder.address);
        flood.spawn(answer(request.json(&body)));
    }
    // Whoever is refused says that there is no room.
    let busy = loop {
        let answer = flood.join_next().await.unwrap().unwrap();
        if answer.status != 401 {
            break answer;
        }
    };
    busy.refused(503, "busy");
    assert!(busy.headers.contains_key("retry-after"));
    let newcomer = Browser::at("192.0.2.1");
    newcomer.try_password(&server, OWNER, PASSWORD).await.good();
    owner.try_password(&server, OWNER, PASSWORD).await.good();
    assert!(!flood.is_empty(), "it was over before");
    flood.abort_all();
}

#[tokio::test]
async fn made_up_refresh_tokens_hinder_nobody_else() {
    let server = Server::behind_a_proxy(&[]).await;
    server.shop.add_user(OWNER, "Owner").await;
    let mut owner = Browser::at("198.51.100.7");
    owner.sign_in(&server).await;
    // Behind the same address, and elsewhere.
    for address in ["198.51.100.7", "203.0.113.66"] {
        let mut stranger = Browser::at(address);
        let mut statuses = Vec::new();
        for number in 0..100 {
            stranger.cookies = format!("dispatch_refresh={number:043}");
            let refused = stranger.post(&server, "/api/auth/refresh", json!({})).await;
            statuses.push(refused.status);
        }
        assert_eq!((statuses[0], statuses[99]), (401, 429));
    }
    owner
        .post(&server, "/api/auth/refresh", json!({}))
        .await
        .good();
    // One session asks so often and no more; another does not notice.
    let mut statuses = Vec::new();
    for _ in 0..100 {
        statuses.push(
            owner
                .post(&server, "/api/auth/refresh", json!({}))
                .await
                .status,
        );
    }
    assert!(statuses.contains(&429), "{statuses:?}");
    let mut another = owner.moved("192.0.2.1");
    another.sign_in(&server).await;
    another
        .post(&server, "/api/auth/refresh", json!({}))
        .await
        .good();
}

#[tokio::test]
async fn of_a_hundred_sessions_of_an_account_the_oldest_is_ended_and_told_so() {
    let server = Server::start().await;
    let first = server.hire(OWNER, "Owner").await;
    let socket = first.listen(&server).await;
    for _ in 1..100 {
        server.sign_in(OWNER).await;
    }
    first.get("/api/auth/me").await.good();
    let last = server.sign_in(OWNER).await;
    let closed = timeout(PATIENCE, socket.until_closed()).await;
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
        let browser = elsewhere.moved(&address);
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
async fn sessions_that_nobody_signs_in_on_take_no_place_of_others() {
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
async fn whoever_holds_every_connection_keeps_nobody_else_out() {
    let mut shop = Shop::new();
    shop.open_files = Some(256);
    let server = Server::start_in(shop, &[]).await;
    let mut held = Vec::new();
    for _ in 0..200 {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.66:0".parse().unwrap()).unwrap();
        let mut connection = socket.connect(server.address).await.unwrap();
        let unfinished = "POST /api/auth/sign-in HTTP/1.1\r\nHost: localhost\r\n\
             Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
        // Whoever is refused at once may learn it here.
        let _ = connection.write_all(unfinished.as_bytes()).await;
        held.push(connection);
    }
    for _ in 0..10 {
        let health = timeout(PATIENCE, server.get("/healthz")).await;
        assert_eq!(health.expect("others are served").status, 200);
    }
    drop(held);
}

#[tokio::test]
async fn one_machines_silent_sessions_keep_nobody_of_its_site_out() {
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
    let mut codes = Vec::new();
    for number in 0..7 {
        let mut socket = Socket::open(server.address).await;
        for try_ in 0..5 {
            let token = format!("db_{:043}", number * 5 + try_);
            let auth = json!({ "token": token, "scope": { "board": "x" } });
            let refused = socket.sign_in(&auth).await.unwrap_err();
            codes.push(refused["data"]["code"].as_str().unwrap().to_owned());
        }
        assert_eq!(socket.packet().await, None, "five are enough");
    }
    assert!(codes[..30].iter().all(|code| code == "unauthorized"));
    assert!(codes[31..].iter().all(|code| code == "too-many-requests"));
    owner.listen(&server).await;
    let log = server.shop.read("server.log");
    let noted = log.lines().find(|line| line.contains("board-refused"));
    let noted = noted.expect("it is in the trail");
    assert!(noted.contains("address=127.0.0.1"), "{noted}");
}

//! Long replays, many at once, and at another server than before.

use std::time::Duration;

use dispatch_actors::testing::Throwaway;
use futures_util::future::join_all;
use serde_json::json;
use tokio::time::{sleep, timeout};

use crate::fixture::{Client, Desk, Server, Shop, Socket, WAIT_TIMEOUT, plain_orders};

/// As many as a client may have missed; the ring of recent messages holds fewer.
const RECOVERABLE: i64 = 10_000;

#[tokio::test]
async fn ten_thousand_missed_events_are_read_from_the_log_while_more_come() {
    let (server, owner) = Server::with_owner().await;
    let client = Client::join(&server, &owner).await;
    assert_eq!(client.offset, "0-00000000");
    drop(client.socket);
    let count = RECOVERABLE + 10;
    server.shop.import(&plain_orders(count)).await;
    assert_eq!(owner.seq().await, count);

    // Too far back by one, and not.
    let mut socket = Socket::open(server.address).await;
    let named = socket
        .sign_in(&Client::auth(
            &owner,
            client.pid.as_str(),
            server.shop.offset(9).await,
        ))
        .await;
    assert_ne!(named.unwrap(), client.pid);
    assert_eq!(socket.next().await.reaches(), count);
    let tenth = server.shop.offset(10).await;

    // Clients that do not read, and one that leaves in the middle.
    let before = server.memory();
    let mut stuck = Vec::new();
    for _ in 0..20 {
        let pid = Client::join(&server, &owner).await.pid;
        stuck.push(Socket::resume(&server, &owner, &pid, &tenth).await);
    }
    let mut fickle = Socket::resume(&server, &owner, &client.pid, &tenth).await;
    fickle.send("41").await;
    sleep(Duration::from_millis(500)).await;
    fickle.send("42[\"still here?\"]").await;
    let heard = timeout(WAIT_TIMEOUT, fickle.until_closed()).await.unwrap();
    assert!(heard.len() < 10_000 && !heard.iter().any(|packet| packet.contains("hello")));

    let mut slow = Socket::resume(&server, &owner, &client.pid, &tenth).await;
    // Its replay waits for it; meanwhile things happen.
    sleep(Duration::from_millis(300)).await;
    let mut bystander = owner.listen(&server).await;
    bystander.send(r#"42["RO_OPEN",{"roNumber":5}]"#).await;
    assert_eq!(bystander.event().await.name, "RO_PRESENCE");
    for number in 1..=20 {
        bystander.modified_by(&owner, number).await;
    }
    let mut changing = std::pin::pin!(async {
        for number in 1..=100 {
            owner.make_one_change(number).await;
        }
    });
    let mut heard = 10;
    let mut changed = false;
    let hello = loop {
        let event = tokio::select! {
        () = &mut changing, if !changed => {
        changed = true;
        continue;
        }
        event = slow.next() => event,
        };
        if event.name == "hello" {
            break event;
        }
        heard += 1;
        assert_eq!(event.payload["seq"], heard, "{}", event.name);
    };
    assert_eq!(hello.reaches(), heard);
    assert!(heard >= count + 20);
    let presence = slow.event().await;
    assert_eq!(
        (presence.name.as_str(), &presence.payload["roNumber"]),
        ("RO_PRESENCE", &json!(5)),
        "who opened an order meanwhile is known"
    );
    if !changed {
        changing.await;
    }
    let last = owner.seq().await;
    assert_eq!(last, count + 120);
    for seq in heard + 1..=last {
        assert_eq!(slow.modified().await["seq"], seq);
    }
    let grown = server.memory().saturating_sub(before);
    println!("20 who do not read their replay cost {} kB", grown / 1024);
    assert!(grown < 100 * 1024 * 1024, "{grown} bytes more");
    drop(stuck);
    assert_eq!(slow.modified_by(&owner, 7).await, last + 1);
}

#[tokio::test]
async fn clients_that_reconnect_together_read_the_log_once() {
    const CLIENTS: usize = 50;
    let mut shop = Shop::new();
    let log_filter = "info,sea_orm_migration=warn,dispatch_server::socket=debug".to_owned();
    shop.environment.push(("RUST_LOG", log_filter));
    shop.hire_technicians().await;
    let mut server = Server::start_in(shop, &[]).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    server.shop.import(&plain_orders(200)).await;
    let clients = (0..CLIENTS).map(|_| Client::join(&server, &owner));
    let clients: Vec<Client> = join_all(clients).await;
    server.sigkill().await;
    server.restart().await;
    // How often a page of events was read.
    let reads = || {
        let log = server.shop.read("server.log");
        log.matches("a page of the log is read").count()
    };
    let before = reads();
    let fifth = server.shop.offset(5).await;
    let back = clients.iter().map(async |client| {
        let mut socket = Socket::resume(&server, &owner, &client.pid, &fifth).await;
        socket.hears_what_was_missed(6, 200).await;
    });
    join_all(back).await;
    let read = reads() - before;
    println!("{CLIENTS} clients read the log {read} times");
    assert!(
        (1..=3).contains(&read),
        "{read} reads for {CLIENTS} clients"
    );
}

#[tokio::test]
async fn a_client_recovers_at_another_server_on_the_same_database() {
    let database = Throwaway::postgres().await;
    let shop = Shop::on(&database);
    shop.hire_technicians().await;
    let here = Server::start_in(shop, &[]).await;
    let there = Server::start_in(Shop::on(&database), &[]).await;
    let owner = here.hire("owner@example.com", "Owner").await;
    here.shop.import(&plain_orders(300)).await;
    let mut bystander = Client::join(&there, &owner).await.socket;
    let mut client = Client::join(&here, &owner).await;
    for round in 0..6 {
        let (from, to) = if round % 2 == 0 {
            (&here, &there)
        } else {
            (&there, &here)
        };
        // The other server may not know its last event yet.
        let (one, another) = (1 + round, 11 + round);
        let seq = Desk::at(from, &owner).make_one_change(one).await;
        let heard = client.socket.modified().await;
        assert_eq!(heard["seq"], seq);
        drop(client.socket);
        let missed = Desk::at(from, &owner).make_one_change(another).await;
        let mut socket = Socket::resume(to, &owner, &client.pid, &to.shop.offset(seq).await).await;
        assert_eq!(missed, seq + 1);
        let event = socket.event().await;
        // `hello` may come first when this server does not know the event yet: its number is then
        // no newer.
        let (hello, modified) = match event.name.as_str() {
            "RO_MODIFIED" => (socket.event().await, event.payload),
            _ => (event, socket.modified().await),
        };
        assert_eq!(
            (hello.name.as_str(), &modified["seq"]),
            ("hello", &json!(missed))
        );
        for expected in [seq, missed] {
            let mut heard = bystander.modified().await;
            while round == 0 && heard["seq"].as_i64() < Some(expected) {
                // The bystander connected before its server had read every order's event.
                heard = bystander.modified().await;
            }
            assert_eq!(heard["seq"], expected);
        }
        client = Client {
            socket,
            pid: client.pid,
            offset: to.shop.offset(missed).await,
        };
    }
    assert_eq!(client.offset, here.shop.offset(owner.seq().await).await);
}

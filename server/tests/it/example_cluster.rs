//! `examples/cluster` as it is: servers on a PostgreSQL with a standby, behind HAProxy, are one shop, whichever of them dies.

use std::cell::Cell;
use std::collections::BTreeSet;

use serde_json::{Value, json};
use tokio::time::{Duration, Instant, sleep};

use crate::fixture::{
    Client, Desk, ExampleCluster, Ledger, Listener, OWNER, Poller, WAIT_TIMEOUT, http, plain_orders,
};

const ORDERS: i64 = 6;
const SERVERS: usize = 3;
const ANN: i64 = 11;

async fn three_servers() -> (ExampleCluster, Desk) {
    let cluster = ExampleCluster::start(SERVERS).await;
    cluster.shop.hire_technicians().await;
    cluster.shop.import(&plain_orders(ORDERS)).await;
    let owner = cluster.hire(OWNER, "Owner").await;
    (cluster, owner)
}

/// A long-polling session by the proxy, past `hello`, and the packets that came with it.
async fn polling(cluster: &ExampleCluster, auth: &Value) -> (Poller, Vec<String>) {
    let poller = Poller::open(&format!("http://{}/ws", cluster.proxy), &http()).await;
    poller.post(format!("40{auth}")).await;
    let mut packets = Vec::new();
    while !packets
        .iter()
        .any(|packet: &String| packet.contains(r#"42["hello""#))
    {
        packets.extend(poller.packets().await);
    }
    (poller, packets)
}

#[tokio::test]
async fn a_change_by_the_proxy_is_on_the_sockets_and_in_the_polls_of_every_server() {
    let (cluster, owner) = three_servers().await;
    let mut sockets = Vec::new();
    for address in [&cluster.servers[..], &[cluster.proxy; SERVERS]].concat() {
        sockets.push(Client::join_at(address, &owner).await.socket);
    }
    let auth = json!({ "token": owner.token });
    let (poller, _) = polling(&cluster, &auth).await;
    for number in 1..=ORDERS {
        let seq = owner.make_one_change(number).await;
        for socket in &mut sockets {
            assert_eq!(socket.modified().await["seq"], seq);
        }
        let seq = format!(r#""seq":{seq}"#);
        while !poller.packets().await.concat().contains(&seq) {}
    }

    // Whichever servers these calls are answered by.
    let ann = cluster.hire_technician("ann@example.com", ANN).await;
    owner.assign(1, ANN).await.good();
    let receipt = format!("/api/technicians/{ANN}/assignments/1/receipt");
    ann.post(&receipt, json!({ "stage": "accepted" }))
        .await
        .good();
    for socket in &mut sockets {
        while socket.receipt().await["acceptedAt"].is_null() {}
    }

    // A browser brings the cookie along that says which server knows its session.
    let url = format!("http://{}/ws?EIO=4&transport=polling", cluster.proxy);
    let opened = http().get(url).send().await.unwrap();
    let cookie = opened.headers()["set-cookie"].to_str().unwrap();
    assert!(cookie.starts_with("dispatch_server="), "{cookie}");
    // HAProxy is believed about who asks.
    let status = owner.get("/api/server-status").await.result();
    assert_eq!(status["configuration"], json!([]));
}

#[tokio::test]
async fn clients_of_a_killed_server_come_back_on_another_and_have_missed_nothing() {
    let (cluster, owner) = three_servers().await;
    let first = owner.seq().await + 1;
    let mut listeners = Vec::new();
    for _ in 0..2 * SERVERS {
        listeners.push(Listener::join_at(cluster.proxy, &owner).await);
    }
    let Client { pid, offset, .. } = Client::join_at(cluster.proxy, &owner).await;
    let mut ledger = Ledger::default();
    for server in 1..=SERVERS {
        let kill = ["kill", &server.to_string()];
        let changes = async {
            for round in 0..10 {
                let key = format!("kill-{server}-{round}");
                change(&mut ledger, &owner, 1 + round % ORDERS, &key).await;
            }
        };
        tokio::join!(cluster.run(&kill), changes);
        for listener in &mut listeners {
            listener.hears(cluster.proxy, &owner, ledger.newest()).await;
        }
        cluster.run(&["start", &server.to_string()]).await;
    }
    for listener in &listeners {
        listener.heard_all(first, ledger.newest());
    }
    let returns: usize = listeners
        .iter()
        .map(|listener| listener.heard_before_returns.len())
        .sum();
    assert!(returns > 0, "each server had clients");
    // By long-polling, too.
    let auth = Client::auth(&owner, pid.as_str(), offset.as_str());
    let (_, packets) = polling(&cluster, &auth).await;
    let connect = format!(r#""pid":"{pid}""#);
    assert!(
        packets.concat().contains(&connect),
        "recovered: {packets:?}"
    );
    let missed = packets
        .iter()
        .filter(|packet| packet.contains("RO_MODIFIED"));
    assert_eq!(missed.count() as i64, ledger.newest() + 1 - first);
    for address in &cluster.servers {
        ledger.is_kept(&owner.moved_to(*address)).await;
    }
}

/// As a client does that insists: until there is an answer, with the same key. How often it was asked.
async fn change(ledger: &mut Ledger, desk: &Desk, number: i64, key: &str) -> u32 {
    let deadline = Instant::now() + WAIT_TIMEOUT;
    let mut tries = 1;
    let mut answer = ledger.change_with_key(desk, number, key).await;
    while answer.status != 200 {
        answer.refused(503, "unavailable");
        assert!(answer.headers.contains_key("retry-after"), "{answer:?}");
        assert!(Instant::now() < deadline, "{answer:?}");
        sleep(Duration::from_millis(100)).await;
        answer = ledger.change_again(desk, number, key).await;
        tries += 1;
    }
    tries
}

#[tokio::test]
async fn an_update_of_one_server_after_the_other_fails_no_request() {
    let (cluster, owner) = three_servers().await;
    let first = owner.seq().await + 1;
    let mut listeners = Vec::new();
    for _ in 0..SERVERS {
        listeners.push(Listener::join_at(cluster.proxy, &owner).await);
    }
    let mut ledger = Ledger::default();
    let updated = Cell::new(false);
    let update = async {
        for server in 1..=SERVERS {
            cluster.run(&["restart", &server.to_string()]).await;
        }
        updated.set(true);
    };
    let mut statuses = BTreeSet::new();
    let requests = async {
        let mut rounds = 0..;
        // Its last change is answered: one that was given up could come after the next.
        while !updated.get() {
            let round = rounds.next().unwrap();
            let key = format!("update-{round}");
            let changed = ledger
                .change_with_key(&owner, 1 + round % ORDERS, &key)
                .await;
            changed.good();
            let read = owner.get("/api/repair-orders").await;
            statuses.insert(read.status);
        }
    };
    tokio::join!(requests, update);
    assert_eq!(statuses, BTreeSet::from([200]));
    let last = owner.make_one_change(1).await;
    for listener in &mut listeners {
        listener.hears(cluster.proxy, &owner, last).await;
        listener.heard_all(first, last);
    }
    ledger.is_kept(&owner).await;
}

#[tokio::test]
async fn a_failover_and_one_back_lose_nothing_that_was_acknowledged_by_the_proxy() {
    let (cluster, owner) = three_servers().await;
    let first = owner.seq().await + 1;
    let mut listener = Listener::join_at(cluster.proxy, &owner).await;
    let mut ledger = Ledger::default();
    for (round, how) in [&["failover"][..], &["failover", "silent"]]
        .iter()
        .enumerate()
    {
        change(&mut ledger, &owner, 1, &format!("before-{round}")).await;
        cluster.run(how).await;
        change(&mut ledger, &owner, 2, &format!("after-{round}")).await;
        listener.hears(cluster.proxy, &owner, ledger.newest()).await;
        cluster.run(&["rejoin"]).await;
        change(&mut ledger, &owner, 3, &format!("both-{round}")).await;
    }
    listener.hears(cluster.proxy, &owner, ledger.newest()).await;
    listener.heard_all(first, ledger.newest());
    for address in &cluster.servers {
        ledger.is_kept(&owner.moved_to(*address)).await;
    }
}

//! Servers on one PostgreSQL database that come and go: what one of them does alone another goes on with, and a server
//! that is updated hands its sessions over.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs::File;
use std::time::{Duration, SystemTime};

use dispatch_actors::testing::Throwaway;
use futures_util::future::join_all;
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::fixture::{
    Client, Desk, Listener, OWNER, Server, Shop, Socket, WAIT_TIMEOUT, answer, plain_orders, until,
};

/// Puts a file into the folder, as a program does that wrote it elsewhere a while ago.
fn put(folder: &std::path::Path, name: &str, content: &str) {
    let elsewhere = folder.with_extension("part");
    std::fs::write(&elsewhere, content).unwrap();
    let file = File::options().append(true).open(&elsewhere).unwrap();
    let while_ago = SystemTime::now() - Duration::from_secs(60);
    file.set_modified(while_ago).unwrap();
    std::fs::rename(&elsewhere, folder.join(name)).unwrap();
}

/// Lines of a server's log about a file that it took in.
fn takes(server: &Server, file: &str) -> usize {
    let log = server.shop.read("server.log");
    let line = format!("{file}: 1 created");
    log.matches(&line).count()
}

#[tokio::test]
async fn of_servers_that_watch_one_folder_one_takes_its_files_and_another_goes_on() {
    let database = Throwaway::postgres().await;
    let shared = tempfile::tempdir().unwrap();
    let folder = shared.path().join("intake");
    let options = ["--intake-dir", folder.to_str().unwrap()];
    let mut first = Server::start_in(Shop::on(&database), &options).await;
    let mut second = Server::start_in(Shop::on(&database), &options).await;
    let owner = first.hire(OWNER, "Owner").await;
    for number in 1..=3 {
        let name = format!("orders-{number}.csv");
        put(&folder, &name, &format!("number,customer\n{number},Ann\n"));
        until(&name, || takes(&first, &name) + takes(&second, &name) == 1).await;
        assert!(folder.join("done").join(&name).exists());
    }
    let taken = |server: &Server| {
        let counts = (1..=3).map(|number| takes(server, &format!("orders-{number}.csv")));
        counts.sum::<usize>()
    };
    let counts = [taken(&first), taken(&second)];
    assert!(counts == [3, 0] || counts == [0, 3], "{counts:?}");
    assert_eq!(owner.list().await["result"].as_array().unwrap().len(), 3);

    let (leader, other) = match counts {
        [3, 0] => (&mut first, &mut second),
        _ => (&mut second, &mut first),
    };
    leader.sigkill().await;
    put(&folder, "later.csv", "number,customer\n9,Ben\n");
    until("it is taken", || takes(other, "later.csv") == 1).await;
    assert!(folder.join("done/later.csv").exists());
}

#[tokio::test]
async fn each_server_watches_a_folder_of_its_own() {
    let database = Throwaway::postgres().await;
    let mut servers = Vec::new();
    for _ in 0..2 {
        let shop = Shop::on(&database);
        let folder = shop.path("intake");
        let options = ["--intake-dir", folder.to_str().unwrap()];
        servers.push((Server::start_in(shop, &options).await, folder));
    }
    for (number, (server, folder)) in servers.iter().enumerate() {
        put(folder, "orders.csv", &format!("number\n{}\n", number + 1));
        until("it is taken", || takes(server, "orders.csv") == 1).await;
        assert!(folder.join("done/orders.csv").exists());
    }
}

#[tokio::test]
async fn the_fault_of_a_folder_is_seen_at_each_server_while_the_other_reads_its_own() {
    let database = Throwaway::postgres().await;
    let shops = [Shop::on(&database), Shop::on(&database)];
    let folders = [shops[0].path("intake"), shops[1].path("intake")];
    let [one, other] = shops;
    let options = |at: usize| ["--intake-dir", folders[at].to_str().unwrap()];
    let one = Server::start_in(one, &options(0)).await;
    let other = Server::start_in(other, &options(1)).await;
    let owner = one.hire(OWNER, "Owner").await;
    let owners = [Desk::at(&one, &owner), Desk::at(&other, &owner)];
    let failure = async |owner: &Desk| {
        let status = owner.get("/api/server-status").await.result();
        status["intake"]["failure"].clone()
    };
    let all_say = async |fails: bool| {
        let deadline = Instant::now() + WAIT_TIMEOUT;
        for owner in &owners {
            loop {
                let failure = failure(owner).await;
                if failure.is_string() == fails {
                    break;
                }
                assert!(Instant::now() < deadline, "{failure}");
                sleep(Duration::from_millis(50)).await;
            }
        }
    };
    let away = folders[1].with_extension("away");
    std::fs::rename(&folders[1], &away).unwrap();
    all_say(true).await;
    std::fs::rename(&away, &folders[1]).unwrap();
    all_say(false).await;
}

#[tokio::test]
async fn a_server_that_is_told_to_stop_serves_until_its_sessions_have_moved() {
    let database = Throwaway::postgres().await;
    // Sessions are ended from half of it on: that is the time for what is done before.
    let options = ["--drain-seconds", "30"];
    let mut first = Server::start_in(Shop::on(&database), &options).await;
    first.shop.import(&plain_orders(3)).await;
    let owner = first.hire(OWNER, "Owner").await;
    let second = Server::start_in(Shop::on(&database), &[]).await;
    let mut client = Client::join(&first, &owner).await;
    client.socket.modified_by(&owner, 1).await;

    first.signal("TERM").await;
    let ready = async || {
        let readiness = answer(first.request(Method::GET, "/readyz")).await;
        (readiness.status, readiness.body["error"].clone())
    };
    let deadline = Instant::now() + WAIT_TIMEOUT;
    while ready().await.0 != 503 {
        assert!(Instant::now() < deadline);
    }
    assert_eq!(ready().await.1, "The server is being stopped");
    // Whoever is still sent here is served.
    let seq = owner.make_one_change(2).await;
    let heard = client.socket.event().await;
    assert_eq!(heard.payload["seq"], seq);

    client.socket.until_closed().await;
    let elsewhere = Desk::at(&second, &owner);
    let missed = elsewhere.make_one_change(3).await;
    let mut moved = Socket::resume(&second, &owner, &client.pid, &heard.offset).await;
    moved.hears_what_was_missed(missed, missed).await;
    first.sigterm().await;
    moved.modified_by(&elsewhere, 1).await;
}

/// Changes an order as a client does that insists: it asks the next server where one is not there any more. The number of
/// the change.
async fn change_at_one_of(desks: &[&Desk], round: i64) -> i64 {
    // Never the level that the order has.
    let entry = json!({ "roNumber": 1 + round % 3, "priorityLevel": 1 + (round + 1) % 4 });
    for desk in desks {
        let request = desk.request(Method::POST, "/api/repair-orders/update-priority");
        let request = request.json(&json!({ "data": [entry] }));
        let request = request.header("Idempotency-Key", format!("round-{round}"));
        let Ok(answered) = request.send().await else {
            continue;
        };
        let status = answered.status();
        let Ok(body) = answered.json::<Value>().await else {
            continue;
        };
        assert_eq!(status, 200, "{body}");
        return body["result"][0]["seq"].as_i64().unwrap();
    }
    panic!("no server answers");
}

#[tokio::test]
async fn sessions_leave_a_server_that_stops_one_after_the_other_and_miss_nothing() {
    const SESSIONS: usize = 12;
    let database = Throwaway::postgres().await;
    // Its sessions are ended in the second half.
    let mut first = Server::start_in(Shop::on(&database), &["--drain-seconds", "4"]).await;
    first.shop.import(&plain_orders(3)).await;
    let owner = first.hire(OWNER, "Owner").await;
    let second = Server::start_in(Shop::on(&database), &[]).await;
    let (there, elsewhere) = (second.address, Desk::at(&second, &owner));
    let before = owner.seq().await;
    let mut listeners = Vec::new();
    for _ in 0..SESSIONS {
        listeners.push(Listener::join_at(first.address, &owner).await);
    }
    let stopped = Cell::new(false);
    let stopping = async {
        first.sigterm().await;
        stopped.set(true);
    };
    let changing = async {
        let mut acknowledged = Vec::new();
        for round in 0.. {
            let desks = [[&owner, &elsewhere], [&elsewhere, &elsewhere]];
            acknowledged.push(change_at_one_of(&desks[round as usize % 2], round).await);
            sleep(Duration::from_millis(10)).await;
            if stopped.get() {
                break;
            }
        }
        acknowledged
    };
    let moving = join_all(
        listeners
            .iter_mut()
            .map(|listener| listener.moves_to(there, &elsewhere)),
    );
    let ((), acknowledged, _) = tokio::join!(stopping, changing, moving);

    let newest = *acknowledged.last().unwrap();
    assert_eq!(acknowledged, Vec::from_iter(before + 1..=newest));
    let mut left_after = BTreeSet::new();
    for listener in &mut listeners {
        listener.hears(there, &elsewhere, newest).await;
        listener.heard_all(before + 1, newest);
        assert_eq!(listener.heard_before_returns.len(), 1);
        left_after.insert(listener.heard_before_returns[0]);
    }
    assert!(left_after.len() > 2, "all at once: {left_after:?}");
}

/// Waits until an order changes by itself.
async fn is_moved(server: &Server, owner: &Desk) {
    let mut socket = owner.listen(server).await;
    while socket.event().await.name != "RO_MODIFIED" {}
}

#[tokio::test]
async fn of_servers_of_one_demo_shop_one_moves_it_and_another_goes_on() {
    let database = Throwaway::postgres().await;
    let mut servers = Vec::new();
    for _ in 0..2 {
        // In the morning it moves every one or two seconds.
        let mut shop = Shop::on(&database).at_hour(8);
        let filter = "info,dispatch_actors::store::leader=debug".to_owned();
        shop.environment.push(("RUST_LOG", filter));
        servers.push(Server::start_in(shop, &["--demo"]).await);
    }
    let moves = |server: &Server| {
        let log = server.shop.read("server.log");
        log.matches("work=\"demo shop\"").count()
    };
    let owner = servers[0].sign_in("owner@example.com").await;
    until("it is moved", || {
        servers.iter().map(moves).sum::<usize>() > 0
    })
    .await;
    is_moved(&servers[1], &owner).await;
    let counts: Vec<usize> = servers.iter().map(moves).collect();
    assert!(counts == [1, 0] || counts == [0, 1], "{counts:?}");

    let mut leader = servers.remove(counts.iter().position(|count| *count == 1).unwrap());
    let other = servers.remove(0);
    leader.sigkill().await;
    until("another goes on", || moves(&other) == 1).await;
    is_moved(&other, &owner).await;
}

#[tokio::test]
async fn a_server_that_is_told_twice_stops_at_once() {
    let shop = Shop::new();
    let mut server = Server::start_in(shop, &["--drain-seconds", "300"]).await;
    server.signal("TERM").await;
    let deadline = Instant::now() + WAIT_TIMEOUT;
    while answer(server.request(Method::GET, "/readyz")).await.status != 503 {
        assert!(Instant::now() < deadline);
    }
    server.sigterm().await;
}

#[tokio::test]
async fn an_older_version_starts_beside_a_newer_one_that_only_added_to_the_schema() {
    for database in [Throwaway::sqlite(), Throwaway::postgres().await] {
        let store = database.store().await;
        for newer in [
            "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m9999_jet_packs', 0)",
            "CREATE TABLE jet_packs (id BIGINT PRIMARY KEY)",
            "UPDATE settings SET value = value || ',m9999_jet_packs' WHERE name = 'additive-migrations'",
        ] {
            store.writer().execute_unprepared(newer).await.unwrap();
        }
        store.close().await;
        let server = Server::start_in(Shop::on(&database), &[]).await;
        let log = server.shop.read("server.log");
        assert!(log.contains("m9999_jet_packs"), "{log}");
        server.shop.import(&plain_orders(1)).await;
        let owner = server.hire(OWNER, "Owner").await;
        owner.make_one_change(1).await;
    }
}

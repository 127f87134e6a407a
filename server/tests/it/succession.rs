//! Servers on one PostgreSQL database that come and go: what one of them does alone another goes on with, and a server
//! that is updated hands its sessions over.

use std::fs::File;
use std::time::{Duration, SystemTime};

use dispatch_actors::testing::Throwaway;
use reqwest::Method;
use sea_orm::ConnectionTrait;
use tokio::time::{Instant, sleep};

use crate::fixture::{
    Client, Desk, OWNER, Server, Shop, Socket, WAIT_TIMEOUT, answer, plain_orders,
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

async fn until(what: &str, is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + WAIT_TIMEOUT;
    while !is_so() {
        assert!(Instant::now() < deadline, "{what}");
        sleep(Duration::from_millis(50)).await;
    }
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

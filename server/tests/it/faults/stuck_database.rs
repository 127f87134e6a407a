//! PostgreSQL does not answer, or is stopped for a while: its processes stand still, others hold all its connections, or
//! somebody holds a lock that every change needs. Changes are refused meanwhile, and it is right again by itself.

use dispatch_actors::testing::Throwaway;
use sea_orm::sqlx::{self, Connection, Executor, PgConnection};
use serde_json::json;
use tokio::time::{Duration, Instant, sleep, timeout};

use super::{catches_up, hears, readiness, tick_with, until_readiness};
use crate::fixture::{
    Desk, Ledger, OWNER, OwnPostgres, Server, Shop, Socket, WAIT_TIMEOUT, plain_orders,
};
use crate::notices::{notice, say};

const ORDERS: i64 = 4;

struct OneShop {
    server: Server,
    owner: Desk,
    socket: Socket,
    ledger: Ledger,
}

impl OneShop {
    async fn open(shop: Shop) -> Self {
        let server = Server::start_in(shop, &[]).await;
        server.shop.import(&plain_orders(ORDERS)).await;
        let owner = server.hire(OWNER, "Owner").await;
        let socket = owner.listen(&server).await;
        let mut ledger = Ledger::default();
        ledger.change(&owner, 1).await.good();
        Self {
            server,
            owner,
            socket,
            ledger,
        }
    }

    /// Nothing is said to be done, and it is said when to come back.
    async fn refuses_changes(&mut self) {
        let refused = self.ledger.change(&self.owner, 2).await;
        refused.refused(503, "unavailable");
        assert!(refused.headers.contains_key("retry-after"), "{refused:?}");
        until_readiness(&self.server, 503).await;
    }

    /// Without anybody's help.
    async fn is_right_again(&mut self) {
        until_readiness(&self.server, 200).await;
        let deadline = Instant::now() + WAIT_TIMEOUT;
        for number in 1..=ORDERS {
            // Nobody knows what became of those that were refused.
            while self.ledger.change(&self.owner, number).await.body["result"][0]["seq"].is_null() {
                assert!(Instant::now() < deadline, "{number} can be changed");
                sleep(Duration::from_millis(100)).await;
            }
        }
        let newest = self.ledger.newest().into();
        hears(&mut self.socket, &newest).await;
        catches_up(&self.owner, &self.ledger).await;
        self.ledger.is_kept(&self.owner).await;
    }
}

#[tokio::test]
async fn a_database_that_stands_still_is_shown_and_what_it_does_afterwards_is_announced() {
    let mut postgres = OwnPostgres::start(&[]);
    let mut shop = OneShop::open(Shop::at(&postgres.url())).await;
    postgres.pause();
    shop.refuses_changes().await;
    tick_with(&mut shop.socket, "notReadSince", true).await;
    postgres.resume();
    tick_with(&mut shop.socket, "notReadSince", false).await;
    shop.is_right_again().await;
}

#[tokio::test]
async fn a_database_that_is_restarted_is_used_again_without_a_restart_of_the_server() {
    let mut postgres = OwnPostgres::start(&[]);
    let mut shop = OneShop::open(Shop::at(&postgres.url())).await;
    for _ in 0..2 {
        postgres.end();
        postgres.begin();
        shop.is_right_again().await;
    }
}

/// Waits until one socket hears what the other one says of this order: nothing but a notification takes it to another
/// server, and it is not said again there.
async fn until_heard(from: &mut Socket, to: &mut Socket, number: i64) {
    let hint = notice(number, "JOB_CHANGED", None);
    let heard = async {
        loop {
            assert_eq!(say(from, &hint).await, json!({ "ok": true }));
            let hears = async {
                loop {
                    let heard = to.event().await.payload;
                    if heard["roNumber"] == number && heard["seq"].is_null() {
                        return;
                    }
                }
            };
            if timeout(Duration::from_secs(1), hears).await.is_ok() {
                return;
            }
        }
    };
    let heard = timeout(WAIT_TIMEOUT, heard).await;
    heard.expect("one server hears the other");
}

#[tokio::test]
async fn servers_whose_database_was_stopped_say_when_to_come_back_and_hear_each_other_again() {
    let mut postgres = OwnPostgres::start(&[]);
    let mut shop = OneShop::open(Shop::at(&postgres.url())).await;
    let other = Server::start_in(Shop::at(&postgres.url()), &[]).await;
    let elsewhere = Desk::at(&other, &shop.owner);
    let mut sockets = [
        shop.owner.listen(&shop.server).await,
        elsewhere.listen(&other).await,
    ];
    postgres.end();
    // What is changed, what is read from the database, and what is written without an order.
    let beside = shop.owner.moved_to(shop.server.address);
    let level = json!({ "name": "Apprentice" });
    let ((), read, written) = tokio::join!(
        shop.refuses_changes(),
        beside.get("/api/repair-orders/1/history"),
        elsewhere.post("/api/organisation/levels", level)
    );
    until_readiness(&other, 503).await;
    for refused in [read, written] {
        refused.refused(503, "unavailable");
        assert!(refused.headers.contains_key("retry-after"), "{refused:?}");
    }
    postgres.begin();
    until_readiness(&other, 200).await;
    shop.is_right_again().await;
    catches_up(&elsewhere, &shop.ledger).await;
    let [here, there] = &mut sockets;
    until_heard(here, there, 1).await;
    until_heard(there, here, 2).await;
}

/// Somebody else's connections.
#[derive(Default)]
struct Others {
    connections: Vec<PgConnection>,
    processes: Vec<i32>,
}

impl Others {
    /// Until there is none left.
    async fn take_all(&mut self, url: &str) {
        loop {
            match PgConnection::connect(url).await {
                Ok(mut connection) => {
                    let process = sqlx::query_scalar("SELECT pg_backend_pid()");
                    self.processes
                        .push(process.fetch_one(&mut connection).await.unwrap());
                    self.connections.push(connection);
                }
                Err(error) => {
                    let refusal = error.to_string();
                    assert!(refusal.contains("too many clients"), "{refusal}");
                    return;
                }
            }
        }
    }

    /// Ends all that are not theirs.
    async fn end_all_others(&mut self) {
        sqlx::query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
             WHERE backend_type = 'client backend' AND pid <> ALL($1)",
        )
        .bind(&self.processes)
        .execute(&mut self.connections[0])
        .await
        .unwrap();
    }
}

#[tokio::test]
async fn a_server_whose_connections_were_taken_by_others_comes_back_when_they_go() {
    let postgres = OwnPostgres::start(&["max_connections=20"]);
    let mut shop = OneShop::open(Shop::at(&postgres.url())).await;
    let mut others = Others::default();
    others.take_all(&postgres.url()).await;
    // What the server has it keeps, so it goes on.
    shop.ledger.change(&shop.owner, 3).await.good();
    assert_eq!(readiness(&shop.server).await, 200);

    let deadline = Instant::now() + WAIT_TIMEOUT;
    // The server asks for new ones at once: the others have to be quicker.
    let refused = loop {
        others.end_all_others().await;
        others.take_all(&postgres.url()).await;
        let answer = shop.ledger.change(&shop.owner, 2).await;
        if answer.status != 200 {
            break answer;
        }
        assert!(Instant::now() < deadline, "no connection is left to it");
    };
    refused.refused(503, "unavailable");
    assert!(refused.headers.contains_key("retry-after"), "{refused:?}");
    drop(others);
    shop.is_right_again().await;
}

#[tokio::test]
async fn a_role_that_may_have_few_connections_serves_many_at_once() {
    let postgres = OwnPostgres::start(&[]);
    let mut admin = PgConnection::connect(&postgres.url()).await.unwrap();
    let role =
        "CREATE ROLE dispatch LOGIN CONNECTION LIMIT 5; CREATE DATABASE dispatch OWNER dispatch";
    for sql in role.split("; ") {
        admin.execute(sql).await.unwrap();
    }
    let url = postgres.url().replace("postgres@", "dispatch@");
    let url = url.replace("/postgres", "/dispatch");
    let shop = OneShop::open(Shop::at(&url)).await;
    let log = shop.server.shop.read("server.log");
    assert!(log.contains("CONNECTION LIMIT"), "{log}");
    // Each reads the database, more of them than there are connections.
    let histories = (0..48).map(|_| shop.owner.get("/api/repair-orders/1/history"));
    for answer in futures_util::future::join_all(histories).await {
        answer.good();
    }
    let changes = (1..=ORDERS).map(|number| shop.owner.change_status(number, 10));
    for answer in futures_util::future::join_all(changes).await {
        answer.good();
    }
    // A command has a connection of its own.
    let command = ["user", "sign-out", OWNER];
    shop.server.shop.run(&command).await.good();
}

/// For longer than a server waits for a lock (2 s) and for a commit (10 s).
async fn while_locked(sql: &'static str) {
    let database = Throwaway::postgres().await;
    let mut shop = OneShop::open(Shop::on(&database)).await;
    let dispatch_actors::store::DatabaseUrl::Postgres(url) = &database.url else {
        panic!("it is a PostgreSQL");
    };
    let mut somebody = PgConnection::connect(url).await.unwrap();
    somebody.execute("BEGIN").await.unwrap();
    somebody.execute(sql).await.unwrap();
    shop.refuses_changes().await;
    tick_with(&mut shop.socket, "notSavingSince", true).await;
    // The fourth would ask for what the order has.
    for _ in 0..2 {
        shop.refuses_changes().await;
    }
    somebody.execute("ROLLBACK").await.unwrap();
    shop.is_right_again().await;
}

#[tokio::test]
async fn changes_are_refused_for_as_long_as_somebody_holds_the_row_of_the_log() {
    while_locked("SELECT * FROM event_log FOR UPDATE").await;
}

#[tokio::test]
async fn changes_are_refused_for_as_long_as_somebody_holds_the_tables() {
    while_locked("LOCK TABLE event_log, events, repair_orders IN ACCESS EXCLUSIVE MODE").await;
}

//! The database is older than what was announced: restored from a copy, failed over to a standby
//! that lagged, or without the write-ahead log of its last hours. Who saw what is gone must not
//! keep it on the screen, whatever number the log has got to since.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use dispatch_actors::store::Store;
use dispatch_actors::testing::Throwaway;
use sea_orm::{ConnectionTrait, Statement, TransactionTrait};
use serde_json::{Value, json};

use super::{catches_up, complaints, hears, tick_with, until_readiness, version};
use crate::fixture::{Client, Desk, Ledger, Server, Shop, Socket, WAIT_TIMEOUT, plain_orders};
use crate::stages;

const ORDERS: i64 = 4;

/// What a client takes along when its connection ends.
#[derive(Debug)]
pub(super) struct Left {
    pid: String,
    offset: String,
    generation: Value,
}

pub(super) async fn join(server: &Server, owner: &Desk) -> (Socket, Left) {
    let mut socket = Socket::open(server.address).await;
    let pid = socket.sign_in(&json!({ "token": owner.token })).await;
    let hello = socket.next().await;
    let left = Left {
        pid: pid.unwrap(),
        offset: hello.offset,
        generation: hello.payload["generation"].clone(),
    };
    (socket, left)
}

/// Makes changes, receives them, and leaves with the offset of the last.
pub(super) async fn hears_changes_and_leaves(server: &Server, owner: &Desk, count: i64) -> Left {
    let (mut socket, mut left) = join(server, owner).await;
    for round in 0..count {
        let seq = owner.make_one_change(1 + round % ORDERS).await;
        let heard = socket.event_named("RO_MODIFIED").await;
        assert_eq!(heard.payload["seq"], seq);
        left.offset = heard.offset;
    }
    left
}

/// As [`starts_over`], and the log has another name.
pub(super) async fn begins_anew(server: &Server, owner: &Desk, left: &Left) {
    let generation = starts_over(server, owner, left).await;
    assert_ne!(generation, left.generation, "it is another log");
}

/// A client of the log from before is told to start over, and its list is of the same log as its
/// `hello`. Gives the log's generation.
async fn starts_over(server: &Server, owner: &Desk, left: &Left) -> Value {
    let mut socket = Socket::open(server.address).await;
    let auth = Client::auth(owner, left.pid.as_str(), left.offset.as_str());
    let pid = socket.sign_in(&auth).await.unwrap();
    assert_ne!(pid, left.pid, "{left:?} is not recovered");
    let mut hello = socket.next().await;
    while hello.name != "hello" {
        assert_ne!(hello.name, "RO_MODIFIED", "nothing is replayed: {hello:?}");
        hello = socket.next().await;
    }
    let generation = &hello.payload["generation"];
    assert!(generation.is_string(), "{hello:?}");
    let list = owner.list().await;
    assert_eq!(list["generation"], *generation);
    assert_eq!(list["seq"], hello.payload["seq"]);
    let technicians = owner.get("/api/repair-orders/technician-assignments").await;
    assert_eq!(technicians.good()["generation"], *generation);
    generation.clone()
}

/// Waits until the data folder's mark names the last event that the client received.
async fn is_marked(shop: &Shop, left: &Left) {
    let marked = async {
        let mark = || std::fs::read_to_string(shop.data_dir().join("log-mark.json"));
        while !mark().is_ok_and(|mark| mark.contains(&left.offset)) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let marked = tokio::time::timeout(WAIT_TIMEOUT, marked).await;
    marked.expect("how far the log is is kept beside it");
}

/// A client that comes after that is recovered as ever.
pub(super) async fn is_recovered(server: &Server, owner: &Desk) {
    let left = hears_changes_and_leaves(server, owner, 2).await;
    let seq = owner.make_one_change(1).await;
    let mut socket = Socket::resume(server, owner, &left.pid, &left.offset).await;
    let replayed = socket.event_named("RO_MODIFIED").await;
    assert_eq!(replayed.payload["seq"], seq);
    let hello = socket.event_named("hello").await;
    assert_eq!(hello.payload["generation"], left.generation);
}

pub(super) async fn rows_are_the_databases(server: &Server, owner: &Desk) {
    let stored = server.shop.store().await.open_orders().await.unwrap();
    let list = owner.list().await;
    assert_eq!(list["seq"], stored.head.position.seq);
    for order in stored.orders {
        assert_eq!(version(owner, order.number.get()).await, order.version);
    }
}

/// Everything that is in a PostgreSQL database, to be put back later.
struct Copy {
    store: Store,
    tables: Vec<String>,
}

impl Copy {
    async fn of(shop: &Shop) -> Self {
        let store = shop.store().await;
        let database = store.writer();
        let sql = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'";
        let statement = Statement::from_string(database.get_database_backend(), sql);
        let rows = database.query_all_raw(statement).await.unwrap();
        let tables = rows.iter().map(|row| row.try_get_by_index(0).unwrap());
        let tables: Vec<String> = tables.collect();
        let mut copy = "CREATE SCHEMA copy;".to_owned();
        for table in &tables {
            copy += &format!("CREATE TABLE copy.{table} AS TABLE public.{table};");
        }
        database.execute_unprepared(&copy).await.unwrap();
        Self { store, tables }
    }

    /// In one transaction, as other sessions see a restore or a failover.
    async fn restore(&self) {
        // Foreign keys are not looked at one row after the other.
        let mut sql = "SET LOCAL session_replication_role = replica;".to_owned();
        for table in &self.tables {
            sql += &format!("DELETE FROM public.{table};");
            sql += &format!("INSERT INTO public.{table} SELECT * FROM copy.{table};");
        }
        let transaction = self.store.writer().without_limit().begin().await.unwrap();
        transaction.execute_unprepared(&sql).await.unwrap();
        transaction.commit().await.unwrap();
    }

    /// What a failover does besides. Waits until each session is gone: a request whose session ends
    /// under it is refused and may be sent again, which these tests do not do.
    async fn cut_the_others_off(&self) {
        let sql = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity \
            WHERE datname = current_database() AND pid <> pg_backend_pid()";
        self.store.writer().execute_unprepared(sql).await.unwrap();
    }
}

/// Where a shop has stages, an order comes to its first one with whatever is changed about it.
async fn until_stages_are_off(server: &Server, owner: &Desk) {
    for number in 1_001.. {
        let order = json!([{ "repairOrderNumber": number, "customer": "Ann Miller" }]);
        server.shop.import(&order).await;
        Ledger::default().change(owner, number).await.good();
        if stages::row(owner, number).await["stage"].is_null() {
            return;
        }
    }
}

async fn a_running_server_notices(is_failover: bool) {
    let database = Throwaway::postgres().await;
    let server = Server::start_in(Shop::on(&database), &[]).await;
    server.shop.import(&plain_orders(ORDERS)).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let before = hears_changes_and_leaves(&server, &owner, 4).await;
    let copy = Copy::of(&server.shop).await;
    stages::turn(&owner, true).await;
    for number in 1..=ORDERS {
        stages::becomes(&owner, number, "to-be-dispatched").await;
    }
    let (watching, watched) = join(&server, &owner).await;
    let left = hears_changes_and_leaves(&server, &owner, 10).await;
    copy.restore().await;
    if is_failover {
        copy.cut_the_others_off().await;
    }

    // An open screen learns it from the end of its connection.
    let closed = tokio::time::timeout(WAIT_TIMEOUT, watching.until_closed()).await;
    let heard = closed.expect("its connection ends");
    // Not that lists of technicians or staff may be others': a server whose connections were cut says so.
    let changes = heard.iter().filter(|packet| packet.contains("RO_MODIFIED"));
    assert_eq!(changes.count(), 10, "{heard:?}");
    for left in [&before, &watched, &left] {
        begins_anew(&server, &owner, left).await;
    }
    rows_are_the_databases(&server, &owner).await;
    let has_none = tokio::time::timeout(WAIT_TIMEOUT, until_stages_are_off(&server, &owner));
    has_none.await.expect("orders go by the restored stages");

    // Beyond what was announced before.
    let mut ledger = Ledger::default();
    for round in 0..12 {
        ledger.change(&owner, 1 + round % ORDERS).await.good();
    }
    ledger.is_kept(&owner).await;
    rows_are_the_databases(&server, &owner).await;
    for left in [&before, &watched, &left] {
        begins_anew(&server, &owner, left).await;
    }
    is_recovered(&server, &owner).await;
}

#[tokio::test]
async fn a_running_server_notices_that_its_database_was_restored() {
    a_running_server_notices(false).await;
}

#[tokio::test]
async fn a_running_server_notices_a_failover_to_a_standby_that_lagged() {
    a_running_server_notices(true).await;
}

#[tokio::test]
async fn a_restored_database_that_has_grown_meanwhile_is_noticed() {
    let database = Throwaway::postgres().await;
    let server = Server::start_in(Shop::on(&database), &[]).await;
    server.shop.import(&plain_orders(ORDERS)).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let copy = Copy::of(&server.shop).await;
    let left = hears_changes_and_leaves(&server, &owner, 3).await;
    let mut server = server;
    server.sigterm().await;
    copy.restore().await;
    // Another server has made more of it than was lost.
    let other = Server::start_in(Shop::on(&database), &[]).await;
    let elsewhere = Desk::at(&other, &owner);
    for round in 0..8 {
        elsewhere.make_one_change(1 + round % ORDERS).await;
    }
    drop(other);
    server.restart().await;
    begins_anew(&server, &owner, &left).await;
    rows_are_the_databases(&server, &owner).await;
    is_recovered(&server, &owner).await;
}

/// Waits until the server names another log than that.
async fn until_another_generation(owner: &Desk, generation: &Value) -> Value {
    let named = async {
        loop {
            let list = owner.list().await;
            if list["generation"] != *generation {
                return list["generation"].clone();
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let named = tokio::time::timeout(WAIT_TIMEOUT, named).await;
    named.expect("the log is named anew")
}

/// What a device saved under the first name is of changes that are gone; no later log may have that
/// name, or the device would take them for true.
#[tokio::test]
async fn a_backup_that_is_restored_again_is_another_log_each_time() {
    let database = Throwaway::postgres().await;
    let mut server = Server::start_in(Shop::on(&database), &[]).await;
    server.shop.import(&plain_orders(ORDERS)).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let copy = Copy::of(&server.shop).await;
    let left = hears_changes_and_leaves(&server, &owner, 3).await;
    let mut generations = vec![left.generation.clone()];

    copy.restore().await;
    generations.push(until_another_generation(&owner, &generations[0]).await);
    // Nothing was changed since, so that the log has all that was announced.
    copy.restore().await;
    generations.push(until_another_generation(&owner, &generations[1]).await);
    owner.make_one_change(1).await;
    copy.restore().await;
    generations.push(until_another_generation(&owner, &generations[2]).await);
    // While the server does not run.
    server.sigterm().await;
    copy.restore().await;
    server.restart().await;
    generations.push(owner.list().await["generation"].clone());

    let different: HashSet<String> = generations.iter().map(Value::to_string).collect();
    assert_eq!(different.len(), generations.len(), "{generations:?}");
    let stored = server.shop.store().await.head().await.unwrap();
    assert_eq!(generations.last().unwrap(), stored.generation.as_str());
    begins_anew(&server, &owner, &left).await;
    rows_are_the_databases(&server, &owner).await;
    is_recovered(&server, &owner).await;
}

#[tokio::test]
async fn two_servers_of_a_restored_database_agree_on_its_name() {
    let database = Throwaway::postgres().await;
    let one = Server::start_in(Shop::on(&database), &[]).await;
    one.shop.import(&plain_orders(ORDERS)).await;
    let owner = one.hire("owner@example.com", "Owner").await;
    let other = Server::start_in(Shop::on(&database), &[]).await;
    let elsewhere = Desk::at(&other, &owner);
    let copy = Copy::of(&one.shop).await;
    for _ in 0..2 {
        let left = hears_changes_and_leaves(&one, &owner, 3).await;
        catches_up_to(&elsewhere, &left).await;
        copy.restore().await;
        for desk in [&owner, &elsewhere] {
            until_another_generation(desk, &left.generation).await;
        }
        // Twice as long as from one look to the next: the second server may name it once more.
        let mut names = HashSet::new();
        let agreed = async {
            loop {
                tokio::time::sleep(Duration::from_secs(2)).await;
                let (here, there) = (owner.list().await, elsewhere.list().await);
                let is_known = !names.insert(here["generation"].to_string());
                if is_known && here["generation"] == there["generation"] {
                    return here;
                }
            }
        };
        let agreed = tokio::time::timeout(WAIT_TIMEOUT, agreed).await;
        let agreed = agreed.expect("both have the same name for it, and keep it");
        assert!(names.len() <= 2, "{names:?}");
        let stored = one.shop.store().await.head().await.unwrap();
        assert_eq!(agreed["generation"], stored.generation);
    }
    let mut ledger = Ledger::default();
    for desk in [&owner, &elsewhere] {
        ledger.change(desk, 1).await.good();
    }
    for desk in [&owner, &elsewhere] {
        catches_up(desk, &ledger).await;
        ledger.is_kept(desk).await;
    }
}

/// Waits until the server of this desk has announced the event that arrived elsewhere.
async fn catches_up_to(desk: &Desk, left: &Left) {
    let seq: i64 = left.offset.split('-').next().unwrap().parse().unwrap();
    let caught_up = async {
        while desk.seq().await < seq {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let caught_up = tokio::time::timeout(WAIT_TIMEOUT, caught_up).await;
    caught_up.expect("what happened at one server is announced by the other");
}

#[tokio::test]
async fn an_event_log_that_cannot_be_read_to_its_end_is_logged_once() {
    let server = Server::start().await;
    server.shop.import(&plain_orders(ORDERS)).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let mut socket = owner.listen(&server).await;
    let store = server.shop.store().await;
    let sql = "UPDATE event_log SET top = top + 3";
    store.writer().execute_unprepared(sql).await.unwrap();
    tick_with(&mut socket, "notReadSince", true).await;
    until_readiness(&server, 503).await;

    let seq = owner.make_one_change(1).await;
    hears(&mut socket, &json!(seq)).await;
    tick_with(&mut socket, "notReadSince", false).await;
    until_readiness(&server, 200).await;
    let log = complaints(&server);
    let lines = |says: &str| log.iter().filter(|line| line.contains(says)).count();
    // On a busy machine an answer may come too late besides.
    let outages = 1 + lines("the database did not answer in time");
    for says in ["the log cannot be read", "the log can be read again"] {
        assert_eq!(lines(says), outages, "{says}: {log:?}");
    }
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &to.join(entry.file_name()));
        } else if entry.file_type().unwrap().is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

/// The change to the data folder between two starts; the copy was made before the last changes.
async fn a_client_begins_anew_after(damage: impl Fn(&Shop), is_killed: bool, mark_is_kept: bool) {
    let mut server = Server::start().await;
    server.shop.import(&plain_orders(ORDERS)).await;
    let owner = server.hire("owner@example.com", "Owner").await;
    let early = hears_changes_and_leaves(&server, &owner, 2).await;
    server.sigterm().await;
    copy_folder(&server.shop.data_dir(), &server.shop.path("copy"));
    server.restart().await;
    let mut lost = Ledger::default();
    for _ in 0..5 {
        lost.change(&owner, 1).await.good();
    }
    let left = hears_changes_and_leaves(&server, &owner, 3).await;
    if is_killed {
        is_marked(&server.shop, &left).await;
        server.sigkill().await;
    } else {
        server.sigterm().await;
    }
    damage(&server.shop);
    server.restart().await;
    let top = owner.seq().await;
    assert!(top < left.offset.split('-').next().unwrap().parse().unwrap());

    // The log goes beyond what was there, before anybody comes back.
    for round in 0..20 {
        owner.make_one_change(1 + round % ORDERS).await;
    }
    if mark_is_kept {
        begins_anew(&server, &owner, &left).await;
    } else {
        // Nothing in the folder can know, and what one client says is not enough for all others.
        starts_over(&server, &owner, &left).await;
    }
    rows_are_the_databases(&server, &owner).await;
    // The events that it saw before the copy are in this log, too; it may continue or start over.
    let mut socket = Socket::open(server.address).await;
    let auth = Client::auth(&owner, early.pid.as_str(), early.offset.as_str());
    socket.sign_in(&auth).await.unwrap();
    is_recovered(&server, &owner).await;
}

#[tokio::test]
async fn a_database_file_that_was_replaced_by_an_older_copy_is_another_log() {
    let replaced = |shop: &Shop| {
        let file = "dispatch.sqlite";
        std::fs::copy(shop.path("copy").join(file), shop.data_dir().join(file)).unwrap();
    };
    a_client_begins_anew_after(replaced, false, true).await;
}

#[tokio::test]
async fn a_client_ahead_of_a_restored_data_folder_starts_over() {
    let replaced = |shop: &Shop| {
        std::fs::remove_dir_all(shop.data_dir()).unwrap();
        std::fs::rename(shop.path("copy"), shop.data_dir()).unwrap();
    };
    a_client_begins_anew_after(replaced, false, false).await;
}

#[tokio::test]
async fn a_database_that_lost_its_write_ahead_log_is_another_log() {
    let deleted = |shop: &Shop| {
        for file in ["dispatch.sqlite-wal", "dispatch.sqlite-shm"] {
            std::fs::remove_file(shop.data_dir().join(file)).unwrap();
        }
    };
    a_client_begins_anew_after(deleted, true, true).await;
}

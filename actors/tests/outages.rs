//! A database that answers late, is locked or is damaged: what is acknowledged is in it, what is
//! said of it is true, and nobody waits for ever.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use actix::{Actor, Arbiter};
use dispatch_actors::broadcaster::{Announcement, Broadcast, Broadcaster, Encode, Frame, Hint};
use dispatch_actors::committer::{Committer, GROUP};
use dispatch_actors::presence::Person;
use dispatch_actors::registry::RepairOrderRegistry;
use dispatch_actors::repair_order::{Command, ImportedOrder, RoNumber};
use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::{Author, Channel, DatabaseUrl, LogPosition, Outage, Store};
use dispatch_actors::supervisor::{Execute, Failure, Outcome};
use dispatch_actors::testing::Throwaway;
use sea_orm::{ConnectionTrait, DbBackend, Statement, TransactionTrait};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep, timeout};

/// Longer than anything here takes on a busy machine.
const WAIT_TIMEOUT: Duration = Duration::from_secs(120);

/// Nobody listens in these tests.
struct Silence;

fn empty() -> Frame {
    Frame {
        bytes: "".into(),
        head: 0,
    }
}

impl Encode for Silence {
    fn modified(&self, _: &Announcement) -> Frame {
        empty()
    }

    fn tick(&self, _: LogPosition, _: Outage) -> Frame {
        empty()
    }

    fn hint(&self, _: &Hint) -> Frame {
        empty()
    }

    fn presence(&self, _: RoNumber, _: &[Person]) -> Frame {
        empty()
    }

    fn presences(&self, _: &[(RoNumber, Vec<Person>)]) -> Frame {
        empty()
    }

    fn broadcast(&self, _: &Broadcast) -> Frame {
        empty()
    }
}

struct Shop {
    store: Store,
    orders: RepairOrderRegistry,
}

impl Shop {
    async fn open(database: &Throwaway) -> Self {
        Self::on(database.store().await).await
    }

    async fn on(store: Store) -> Self {
        let top = store.head().await.unwrap().position;
        let broadcaster = Broadcaster::new(Silence, top, store.status().clone()).start();
        let snapshot = Snapshot::load(&store).await.unwrap();
        let committer = Committer::start(store.clone(), snapshot, broadcaster, GROUP);
        let orders = RepairOrderRegistry::start(store.clone(), committer);
        Self { store, orders }
    }

    async fn execute(&self, number: i64, command: Command) -> Result<Outcome, Failure> {
        let by = Author {
            uid: "desk".to_owned(),
            name: "Desk".to_owned(),
            channel: Channel::Desk,
        };
        let number = RoNumber::try_from(number).unwrap();
        let executed = self.orders.execute(number, Execute::new(command, by));
        let executed = timeout(WAIT_TIMEOUT, executed).await;
        executed.expect("a change is answered")
    }

    /// A new order, which the database has then.
    async fn arrives(&self, number: i64) {
        let order = ImportedOrder {
            dms_number: number.to_string(),
            ..ImportedOrder::default()
        };
        let arrived = self.execute(number, Command::Import(Box::new(order))).await;
        self.is_kept(&arrived.unwrap()).await;
    }

    /// The database has the order as it was acknowledged.
    async fn is_kept(&self, acknowledged: &Outcome) {
        let order = &acknowledged.order;
        let kept = self.store.load(order.number).await.unwrap().unwrap();
        assert_eq!(kept.version, order.version);
    }

    fn outage(&self) -> Outage {
        self.store.status().outage()
    }

    /// Waits until the outage is as it should be.
    async fn until_outage(&self, what: &str, is_so: impl Fn(Outage) -> bool) {
        let until = Instant::now() + WAIT_TIMEOUT;
        while !is_so(self.outage()) {
            assert!(Instant::now() < until, "{what}: {:?}", self.outage());
            sleep(Duration::from_millis(20)).await;
        }
    }
}

async fn execute(store: &Store, sql: &str) {
    store.writer().execute_unprepared(sql).await.unwrap();
}

/// The numbers that a query on PostgreSQL gives.
async fn numbers(store: &Store, sql: &str) -> Vec<i32> {
    let statement = Statement::from_string(DbBackend::Postgres, sql);
    let rows = store.writer().query_all_raw(statement).await.unwrap();
    let numbers = rows.iter().map(|row| row.try_get_by_index(0).unwrap());
    numbers.collect()
}

/// Longer than a BEGIN is waited for below, and shorter than a connection that is given back has for its
/// answer.
const BEGIN_IS_HELD_FOR: Duration = Duration::from_secs(3);

/// A way to PostgreSQL on which the next BEGIN is held for a moment once `holds` is true.
async fn way_that_holds_begin(database: &Throwaway, holds: Arc<AtomicBool>) -> DatabaseUrl {
    let DatabaseUrl::Postgres(url) = &database.url else {
        panic!("it is for PostgreSQL");
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (direct, address) = (database.address(), listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (client, _) = listener.accept().await.unwrap();
            let server = TcpStream::connect(direct).await.unwrap();
            let (mut from_client, mut to_client) = client.into_split();
            let (mut from_server, mut to_server) = server.into_split();
            tokio::spawn(async move { tokio::io::copy(&mut from_server, &mut to_client).await });
            let holds = Arc::clone(&holds);
            tokio::spawn(async move {
                let mut bytes = vec![0; 16 * 1024];
                while let Ok(read @ 1..) = from_client.read(&mut bytes).await {
                    let is_begin = bytes[..read].windows(5).any(|text| text == b"BEGIN");
                    if is_begin && holds.swap(false, Ordering::SeqCst) {
                        sleep(BEGIN_IS_HELD_FOR).await;
                    }
                    to_server.write_all(&bytes[..read]).await.unwrap();
                }
            });
        }
    });
    DatabaseUrl::Postgres(url.replace(&direct.to_string(), &address.to_string()))
}

/// Every connection of the writer is given back.
async fn until_all_idle(store: &Store) {
    let pool = store
        .writer()
        .without_limit()
        .get_postgres_connection_pool();
    let until = Instant::now() + WAIT_TIMEOUT;
    while pool.num_idle() < pool.size() as usize {
        assert!(Instant::now() < until, "the connection is given back");
        sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn a_write_on_a_connection_whose_begin_was_given_up_is_durable() {
    let database = Throwaway::postgres().await;
    let other = database.store().await;
    let holds = Arc::new(AtomicBool::new(false));
    let url = way_that_holds_begin(&database, Arc::clone(&holds)).await;
    let store = Store::open(&url).await.unwrap();
    // What opened it is given back with a BEGIN of its own.
    until_all_idle(&store).await;
    holds.store(true, Ordering::SeqCst);
    let begun = timeout(BEGIN_IS_HELD_FOR / 2, store.begin_write()).await;
    assert!(begun.is_err(), "BEGIN is not answered yet");
    assert!(!holds.load(Ordering::SeqCst), "it was sent");
    until_all_idle(&store).await;
    let pool = store
        .writer()
        .without_limit()
        .get_postgres_connection_pool();
    // The pool gives its connections out in turn.
    for payload in 0..2 * pool.size() {
        let write = format!("UPDATE write_probe SET payload = '{payload}' WHERE id = 1");
        execute(&store, &write).await;
        let read = format!("SELECT id FROM write_probe WHERE payload = '{payload}'");
        assert_eq!(numbers(&other, &read).await, [1], "others can see it");
    }
}

#[tokio::test]
async fn a_statement_that_postgres_does_not_answer_is_given_up() {
    let database = Throwaway::postgres().await;
    let store = database.store().await;
    let transaction = store.begin_write().await.unwrap();
    let without_end = "SET LOCAL statement_timeout = 0";
    transaction.execute_unprepared(without_end).await.unwrap();
    let answer = transaction.execute_unprepared("SELECT pg_sleep(3600)");
    let answer = timeout(WAIT_TIMEOUT, answer).await.unwrap();
    assert!(answer.is_err(), "{answer:?}");
    drop(transaction);
    timeout(WAIT_TIMEOUT, store.close()).await.unwrap();
}

#[actix::test]
async fn a_change_is_answered_although_the_event_counter_is_ahead_of_the_events() {
    let database = Throwaway::sqlite();
    let shop = Shop::open(&database).await;
    shop.arrives(1).await;
    execute(&shop.store, "UPDATE event_log SET top = top + 3").await;
    // No event is there that could be announced, so the log is not read to its end.
    shop.until_outage("it is said", |outage| outage.not_read_since.is_some())
        .await;
    let assigned = shop.execute(1, Command::Assign(7)).await.unwrap();
    shop.is_kept(&assigned).await;
    shop.until_outage("it is over", |outage| outage.not_read_since.is_none())
        .await;
}

#[actix::test]
async fn a_change_is_answered_although_the_newest_event_is_missing() {
    let database = Throwaway::sqlite();
    let shop = Shop::open(&database).await;
    for number in 1..=3 {
        shop.arrives(number).await;
    }
    let before = shop.store.status().generation();
    execute(
        &shop.store,
        "DELETE FROM events WHERE seq = (SELECT top FROM event_log)",
    )
    .await;
    let until = Instant::now() + WAIT_TIMEOUT;
    while shop.store.status().generation() == before {
        assert!(Instant::now() < until, "it is noticed");
        sleep(Duration::from_millis(20)).await;
    }
    let named = shop.store.status().generation();
    // Longer than two looks.
    sleep(Duration::from_millis(2_500)).await;
    assert_eq!(shop.store.status().generation(), named, "it is named once");
    let assigned = shop.execute(1, Command::Assign(7)).await.unwrap();
    shop.is_kept(&assigned).await;
    shop.until_outage("there is none", |outage| outage == Outage::default())
        .await;
}

#[actix::test]
async fn the_outage_is_reported_for_as_long_as_the_event_counter_is_locked() {
    let database = Throwaway::postgres().await;
    let (shop, other) = (Shop::open(&database).await, database.store().await);
    shop.arrives(1).await;
    let lock = other.writer().without_limit().begin().await.unwrap();
    let sql = "SELECT * FROM event_log WHERE id = 1 FOR UPDATE";
    lock.execute_unprepared(sql).await.unwrap();
    let refused = shop.execute(1, Command::Assign(7)).await;
    assert!(matches!(refused, Err(Failure::Unavailable)), "{refused:?}");
    let since = shop.outage().not_saving_since;
    assert!(since.is_some(), "it is said");
    // Several times as long as from one attempt to the next.
    let until = Instant::now() + Duration::from_secs(5);
    while Instant::now() < until {
        assert_eq!(shop.outage().not_saving_since, since, "it is not over");
        sleep(Duration::from_millis(20)).await;
    }
    lock.rollback().await.unwrap();
    shop.until_outage("it is over", |outage| outage.not_saving_since.is_none())
        .await;
    let assigned = shop.execute(1, Command::Assign(7)).await.unwrap();
    shop.is_kept(&assigned).await;
}

#[actix::test]
async fn the_log_is_read_while_the_write_probe_runs() {
    let database = Throwaway::sqlite();
    let (shop, other) = (Shop::open(&database).await, database.store().await);
    shop.arrives(1).await;
    let lock = other.begin_write().await.unwrap();
    let refused = shop.execute(1, Command::Assign(7)).await;
    assert!(matches!(refused, Err(Failure::Unavailable)), "{refused:?}");
    // Each attempt waits five seconds for the lock.
    let until = Instant::now() + Duration::from_secs(8);
    let (mut looked, mut stood_still) = (Instant::now(), None);
    while Instant::now() < until {
        let outage = shop.outage();
        assert!(outage.not_saving_since.is_some(), "{outage:?}");
        // On a machine that stands still nothing is read either, until a moment later.
        if looked.elapsed() > Duration::from_secs(1) {
            stood_still = Some(Instant::now());
        }
        let is_late = stood_still.is_some_and(|at: Instant| at.elapsed() < Duration::from_secs(3));
        assert!(
            is_late || outage.not_read_since.is_none(),
            "it can be read: {outage:?}"
        );
        looked = Instant::now();
        sleep(Duration::from_millis(20)).await;
    }
    lock.rollback().await.unwrap();
    shop.until_outage("it is over", |outage| outage == Outage::default())
        .await;
    let assigned = shop.execute(1, Command::Assign(7)).await.unwrap();
    shop.is_kept(&assigned).await;
}

#[actix::test]
async fn a_server_beside_one_that_never_pauses_reads_the_log_and_saves_its_own_changes() {
    let database = Throwaway::postgres().await;
    let shop = Shop::open(&database).await;
    for number in 1..=9 {
        shop.arrives(number).await;
    }
    let is_over = Arc::new(AtomicBool::new(false));
    let url = database.url.clone();
    let elsewhere = Arbiter::new();
    let stop = Arc::clone(&is_over);
    elsewhere.spawn(async move {
        let busy = Shop::on(Store::open(&url).await.unwrap()).await;
        let writers = (2..=9).map(async |number| {
            for round in 0.. {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let technician = round % 2 + 1;
                let _ = busy.execute(number, Command::Assign(technician)).await;
                let _ = busy.execute(number, Command::Unassign(technician)).await;
            }
        });
        futures_util::future::join_all(writers).await;
        Arbiter::current().stop();
    });
    let until = Instant::now() + Duration::from_secs(6);
    let mut technician = 100;
    while Instant::now() < until {
        technician += 1;
        // A race that is lost every time is answered, too.
        if let Ok(assigned) = shop.execute(1, Command::Assign(technician)).await {
            shop.is_kept(&assigned).await;
        }
        assert_eq!(shop.outage(), Outage::default());
    }
    is_over.store(true, Ordering::Relaxed);
    elsewhere.join().unwrap();
}

//! Many writers, on both databases: every acknowledged change is there, versions and event numbers
//! are dense and in the order of commits, the rows are what the events say, and what was announced
//! is what was committed.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use actix::{Actor, Addr, Arbiter, AsyncContext, Recipient};
use dispatch_actors::broadcaster::{
    AddHub, Announcement, Broadcast, Broadcaster, CatchUp, Encode, Frame, Hint, HubAddress, Join,
    Settle, ToHub,
};
use dispatch_actors::committer::{Committer, GROUP};
use dispatch_actors::presence::Person;
use dispatch_actors::registry::RepairOrderRegistry;
use dispatch_actors::repair_order::{
    Command, ImportedOrder, Priority, RepairOrder, RoHeader, RoNumber, Status,
};
use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::{Author, Channel, Event, LogPosition, Outage, Seq, Store};
use dispatch_actors::supervisor::{Execute, Failure};
use dispatch_actors::testing::Throwaway;
use futures_util::future::join_all;
use tokio::sync::oneshot;

fn number(value: i64) -> RoNumber {
    RoNumber::try_from(value).unwrap()
}

fn author(name: &str) -> Author {
    Author {
        uid: name.to_owned(),
        name: name.to_owned(),
        channel: Channel::Desk,
    }
}

fn execute(command: Command, name: &str) -> Execute {
    Execute::new(command, author(name))
}

fn arrival(value: i64) -> Command {
    Command::Import(Box::new(ImportedOrder {
        dms_number: value.to_string(),
        header: RoHeader {
            customer: Some("Ann Example".to_owned()),
            ..RoHeader::default()
        },
        ..ImportedOrder::default()
    }))
}

/// Frames that hold only the event's number.
struct Numbers;

fn frame(text: String) -> Frame {
    Frame {
        bytes: text.into(),
        head: 0,
    }
}

impl Encode for Numbers {
    fn modified(&self, announcement: &Announcement) -> Frame {
        frame(announcement.event.seq.to_string())
    }

    fn tick(&self, LogPosition { seq, .. }: LogPosition, _: Outage) -> Frame {
        frame(format!("tick {seq}"))
    }

    fn hint(&self, hint: &Hint) -> Frame {
        frame(format!("hint {}", hint.number))
    }

    fn presence(&self, number: RoNumber, people: &[Person]) -> Frame {
        frame(format!("{number} has {} people", people.len()))
    }

    fn presences(&self, orders: &[(RoNumber, Vec<Person>)]) -> Frame {
        frame(format!("{} orders have people", orders.len()))
    }

    fn broadcast(&self, broadcast: &Broadcast) -> Frame {
        frame(broadcast.name.to_owned())
    }
}

/// A hub that keeps what it gets, and takes its time with each message.
struct Listener {
    heard: Arc<Mutex<Vec<String>>>,
    takes: Duration,
}

impl Actor for Listener {
    type Context = actix::Context<Self>;
}

impl actix::Handler<ToHub> for Listener {
    type Result = ();

    fn handle(&mut self, message: ToHub, ctx: &mut Self::Context) {
        if let ToHub::Entries(entries) = message {
            let frames = entries.iter();
            let frames = frames.map(|entry| String::from_utf8(entry.frame.bytes.to_vec()).unwrap());
            self.heard.lock().unwrap().extend(frames);
        }
        if !self.takes.is_zero() {
            ctx.wait(actix::fut::wrap_future(tokio::time::sleep(self.takes)));
        }
    }
}

impl actix::Handler<Settle> for Listener {
    type Result = ();

    fn handle(&mut self, Settle: Settle, _: &mut Self::Context) {}
}

/// A hub of this broadcaster with a session, and what it received.
async fn listen(broadcaster: &Addr<Broadcaster>, takes: Duration) -> Arc<Mutex<Vec<String>>> {
    let heard = Arc::default();
    let listener = Listener {
        heard: Arc::clone(&heard),
        takes,
    }
    .start();
    let hub: Recipient<ToHub> = listener.clone().recipient();
    let address = HubAddress {
        stream: hub.clone(),
        settle: listener.recipient(),
    };
    broadcaster.send(AddHub(address)).await.unwrap();
    broadcaster.send(Join { session: 1, hub }).await.unwrap();
    heard
}

struct Shop {
    store: Store,
    orders: RepairOrderRegistry,
    heard: Arc<Mutex<Vec<String>>>,
}

async fn open(database: &Throwaway, idle: Duration) -> Shop {
    let store = database.store().await;
    let top = store.head().await.unwrap().position;
    let broadcaster = Broadcaster::new(Numbers, top, store.status().clone()).start();
    let heard = listen(&broadcaster, Duration::ZERO).await;
    let snapshot = Snapshot::load(&store).await.unwrap();
    let committer = Committer::start(store.clone(), snapshot, broadcaster, GROUP);
    let orders = RepairOrderRegistry::start_with_idle(store.clone(), committer, idle);
    Shop {
        store,
        orders,
        heard,
    }
}

/// An answer may come before the announcement. Gives up after a while: the assertion that follows
/// then shows the fault.
async fn wait_until(condition: impl Fn() -> bool) {
    for _ in 0..12_000 {
        if condition() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

const WRITERS: i64 = 50;
const CHANGES_EACH: i64 = 10;

/// `spread`: over how many orders the writers are spread.
async fn many_writers(database: Throwaway, spread: i64) {
    // Supervisors retire while the writers are at it.
    let shop = open(&database, Duration::from_millis(20)).await;
    for value in 1..=spread {
        shop.orders
            .execute(number(value), execute(arrival(value), "import"))
            .await
            .unwrap();
    }

    let acknowledged: Vec<Event> = join_all((0..WRITERS).map(|writer| {
        let orders = shop.orders.clone();
        async move {
            let target = number(writer % spread + 1);
            let mut acknowledged = Vec::new();
            for round in 0..CHANGES_EACH {
                let command = match (writer + round) % 4 {
                    0 => Command::ChangeStatus(Status::ALL[usize::try_from(round).unwrap() % 6]),
                    1 => Command::ChangePriority(
                        Priority::ALL[usize::try_from(writer + round).unwrap() / 4 % 4],
                    ),
                    2 => Command::Assign(writer + 1),
                    _ => Command::Unassign(writer + 1),
                };
                let outcome = orders
                    .execute(target, execute(command, &format!("writer {writer}")))
                    .await
                    .unwrap();
                acknowledged.extend(outcome.events);
            }
            acknowledged
        }
    }))
    .await
    .into_iter()
    .flatten()
    .collect();
    assert!(
        acknowledged.len() > 100,
        "the writers changed something: {}",
        acknowledged.len()
    );

    let log = shop.store.events_after(0, 1_000_000).await.unwrap();
    let seqs: Vec<Seq> = log.iter().map(|event| event.seq).collect();
    let dense: Vec<Seq> = (1..=log.len() as Seq).collect();
    assert_eq!(seqs, dense, "event numbers are dense");
    assert_eq!(shop.store.top().await.unwrap(), log.len() as Seq);

    for event in &acknowledged {
        let kept = &log[usize::try_from(event.seq).unwrap() - 1];
        assert_eq!(
            kept, event,
            "an acknowledged change is in the log as it was acknowledged"
        );
    }
    assert_eq!(
        acknowledged.len() + usize::try_from(spread).unwrap(),
        log.len(),
        "and nothing else is"
    );

    let mut by_order: HashMap<RoNumber, Vec<&Event>> = HashMap::new();
    for event in &log {
        by_order.entry(event.number).or_default().push(event);
    }
    for (number, events) in by_order {
        let versions: Vec<i64> = events.iter().map(|event| event.version).collect();
        let dense: Vec<i64> = (1..=events.len() as i64).collect();
        assert_eq!(
            versions, dense,
            "versions of {number} are dense and in the order of the event numbers"
        );
        let replayed = RepairOrder::replay(events.iter().map(|event| &event.change)).unwrap();
        let kept = shop.store.load(number).await.unwrap().unwrap();
        assert_eq!(
            kept, replayed,
            "the rows of {number} are what its events say"
        );
    }

    wait_until(|| shop.heard.lock().unwrap().len() >= log.len()).await;
    let heard = shop.heard.lock().unwrap().clone();
    let expected: Vec<String> = seqs.iter().map(Seq::to_string).collect();
    let heard: Vec<String> = heard
        .into_iter()
        .filter(|frame| !frame.starts_with("tick"))
        .collect();
    assert_eq!(heard, expected, "every event was announced once, in order");
}

#[actix::test]
async fn fifty_writers_on_one_order_on_sqlite() {
    many_writers(Throwaway::sqlite(), 1).await;
}

#[actix::test]
async fn fifty_writers_on_fifty_orders_on_sqlite() {
    many_writers(Throwaway::sqlite(), 50).await;
}

#[actix::test]
async fn fifty_writers_on_one_order_on_postgres() {
    many_writers(Throwaway::postgres().await, 1).await;
}

#[actix::test]
async fn fifty_writers_on_fifty_orders_on_postgres() {
    many_writers(Throwaway::postgres().await, 50).await;
}

/// Two processes on one database: each has actors of its own, and neither may trust them.
async fn two_servers(database: Throwaway) {
    let one = open(&database, Duration::from_secs(60)).await;
    let other = open(&database, Duration::from_secs(60)).await;
    one.orders
        .execute(number(7), execute(arrival(7), "import"))
        .await
        .unwrap();

    let turns = join_all((0..40).map(|index| {
        let orders = if index % 2 == 0 {
            one.orders.clone()
        } else {
            other.orders.clone()
        };
        async move {
            let request = execute(Command::Assign(index + 1), "desk");
            // A command that loses its race twice is refused as "try again", and is.
            for _ in 0..50 {
                match orders.execute(number(7), request.clone()).await {
                    Err(Failure::Unavailable) => {}
                    result => return result.map(|outcome| outcome.events.len()),
                }
            }
            panic!("a command lost fifty races");
        }
    }))
    .await;
    assert!(
        turns.iter().all(|outcome| matches!(outcome, Ok(1))),
        "each assignment was made once: {turns:?}"
    );

    let order = one.store.load(number(7)).await.unwrap().unwrap();
    assert_eq!(order.version, 41);
    assert_eq!(order.regular_technicians.len(), 40);
    let log = one.store.events_after(0, 100).await.unwrap();
    let seqs: Vec<Seq> = log.iter().map(|event| event.seq).collect();
    assert_eq!(seqs, (1..=41).collect::<Vec<_>>());

    // Both announced all of it, the other's changes too, once and in order.
    for shop in [&one, &other] {
        let heard = || -> Vec<Seq> {
            let heard = shop.heard.lock().unwrap();
            heard
                .iter()
                .filter_map(|frame| frame.parse().ok())
                .collect()
        };
        wait_until(|| heard().len() >= 41).await;
        assert_eq!(heard(), seqs);
    }
}

#[actix::test]
async fn two_servers_cannot_both_win_on_sqlite() {
    two_servers(Throwaway::sqlite()).await;
}

#[actix::test]
async fn two_servers_cannot_both_win_on_postgres() {
    two_servers(Throwaway::postgres().await).await;
}

async fn refused(database: Throwaway) {
    let shop = open(&database, Duration::from_secs(60)).await;
    let unknown = shop
        .orders
        .execute(
            number(1),
            execute(Command::ChangeStatus(Status::Used), "desk"),
        )
        .await;
    assert!(matches!(unknown, Err(Failure::Unknown(_))), "{unknown:?}");

    shop.orders
        .execute(number(1), execute(arrival(1), "import"))
        .await
        .unwrap();
    let change = shop
        .orders
        .execute(
            number(1),
            execute(Command::ChangeStatus(Status::Waiting), "desk"),
        )
        .await
        .unwrap();
    assert_eq!(change.events.len(), 2, "a status change makes two events");
    assert_eq!(change.order.priority, Priority::Waiting);

    let stale = Execute {
        expected_version: Some(1),
        ..execute(Command::ChangePriority(Priority::High), "late desk")
    };
    match shop.orders.execute(number(1), stale).await {
        Err(Failure::Stale(stale)) => {
            assert_eq!(stale.order.version, 3);
            assert_eq!(stale.last.unwrap().by, author("desk"));
        }
        other => panic!("a stale version is refused: {other:?}"),
    }
    assert_eq!(
        shop.store.top().await.unwrap(),
        3,
        "a refusal leaves no event"
    );

    let again = shop
        .orders
        .execute(
            number(1),
            execute(Command::ChangeStatus(Status::Waiting), "desk"),
        )
        .await
        .unwrap();
    assert!(again.events.is_empty(), "what is so already makes no event");
    assert_eq!(again.order.version, 3);
}

#[actix::test]
async fn a_refused_change_leaves_nothing_behind_on_sqlite() {
    refused(Throwaway::sqlite()).await;
}

#[actix::test]
async fn a_refused_change_leaves_nothing_behind_on_postgres() {
    refused(Throwaway::postgres().await).await;
}

#[actix::test]
async fn an_idle_supervisor_retires_and_comes_back_when_asked() {
    let database = Throwaway::sqlite();
    let shop = open(&database, Duration::from_millis(10)).await;
    for value in 1..=20 {
        shop.orders
            .execute(number(value), execute(arrival(value), "import"))
            .await
            .unwrap();
    }
    while shop.orders.count_supervisors() > 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let outcome = shop
        .orders
        .execute(number(3), execute(Command::Assign(9), "desk"))
        .await
        .unwrap();
    assert_eq!(outcome.order.version, 2);
}

#[actix::test]
async fn an_order_outlives_the_thread_that_asked_for_it_first() {
    let database = Throwaway::sqlite();
    let shop = open(&database, Duration::from_secs(600)).await;
    let elsewhere = Arbiter::new();
    let (answer, answered) = oneshot::channel();
    let orders = shop.orders.clone();
    elsewhere.spawn(async move {
        let arrived = orders.execute(number(1), execute(arrival(1), "import"));
        answer.send(arrived.await.map(|_| ())).unwrap();
    });
    answered.await.unwrap().unwrap();
    let assign = async |technician| {
        let request = execute(Command::Assign(technician), "desk");
        shop.orders.execute(number(1), request).await.unwrap()
    };
    assert_eq!(assign(7).await.order.version, 2, "decided on that thread");
    elsewhere.stop();
    elsewhere.join().unwrap();
    assert_eq!(assign(8).await.order.version, 3, "and on this one now");
}

#[actix::test]
async fn a_released_supervisor_first_executes_its_queued_commands() {
    let database = Throwaway::sqlite();
    let shop = open(&database, Duration::from_secs(600)).await;
    for value in 1..=20 {
        let arrived = shop
            .orders
            .execute(number(value), execute(arrival(value), "import"));
        let assigned = async {
            shop.orders.release(number(value));
            shop.orders
                .execute(number(value), execute(Command::Assign(9), "desk"))
                .await
        };
        arrived.await.unwrap();
        let version = assigned.await.unwrap().order.version;
        assert_eq!(version, 2);
        let both = futures_util::future::join(
            shop.orders
                .execute(number(value), execute(Command::Assign(7), "desk")),
            async { shop.orders.release(number(value)) },
        );
        assert_eq!(both.await.0.unwrap().order.version, 3);
        shop.orders.release(number(value));
    }
    assert_eq!(shop.orders.count_supervisors(), 0);
}

#[actix::test]
async fn a_slow_hub_receives_everything_in_order_and_no_command_is_refused() {
    let database = Throwaway::sqlite();
    let store = database.store().await;
    let broadcaster =
        Broadcaster::new(Numbers, LogPosition::default(), store.status().clone()).start();
    let heard = listen(&broadcaster, Duration::from_millis(1)).await;
    let snapshot = Snapshot::load(&store).await.unwrap();
    let committer = Committer::start(store.clone(), snapshot, broadcaster.clone(), 2);
    let orders = RepairOrderRegistry::start(store.clone(), committer);
    let arrivals =
        (1..=300).map(|value| orders.execute(number(value), execute(arrival(value), "import")));
    assert!(join_all(arrivals).await.iter().all(Result::is_ok));
    broadcaster.send(CatchUp).await.unwrap();
    let numbers: Vec<i64> = heard
        .lock()
        .unwrap()
        .iter()
        .filter_map(|frame| frame.parse().ok())
        .collect();
    assert_eq!(numbers, (1..=300).collect::<Vec<i64>>());
}

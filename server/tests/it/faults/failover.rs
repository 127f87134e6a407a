//! The database is on two hosts, and the one that takes the writes dies.

use std::cell::Cell;

use futures_util::future::{join_all, join3};
use serde_json::json;
use tokio::time::{Duration, Instant, sleep, timeout};

use super::{catches_up, hears};
use crate::clocks::tap;
use crate::fixture::{
    Desk, Ledger, OWNER, PostgresScript, Server, Shop, WAIT_TIMEOUT, plain_orders,
};

/// A PostgreSQL and a standby that has every commit before it is acknowledged. "fail" on standard input kills the first
/// and promotes the second, "silence" stops the first without a word and promotes the second, "promote" promotes the second
/// alone, "end" kills the first, and "return" starts the first again, which knows nothing of that.
const TWO_SERVERS: &str = r#"
init first
start first "$1" -c synchronous_commit=remote_apply
first=$server
$as "$bin/pg_basebackup" -h 127.0.0.1 -p "$1" -U postgres -D "$folder/second" -R --no-sync -c fast >backup.log 2>&1
start second "$2"
second=$server
$as "$bin/psql" -q -h 127.0.0.1 -p "$1" -U postgres -c "ALTER SYSTEM SET synchronous_standby_names = '*'" -c "SELECT pg_reload_conf()" >/dev/null
promote() {
  $as "$bin/psql" -q -h 127.0.0.1 -p "$1" -U postgres -c "ALTER SYSTEM SET synchronous_standby_names = ''" -c "SELECT pg_promote()" >/dev/null 2>&1 \
    || $as "$bin/pg_ctl" -D "$folder/second" promote >/dev/null
  echo PROMOTED
}
echo READY
while read -r word; do
  case $word in
  fail)
    kill -QUIT $first
    wait $first || true
    promote "$2"
    ;;
  silence)
    kill -STOP $first $(pgrep -P $first)
    promote "$2"
    ;;
  promote)
    promote "$2"
    ;;
  end)
    kill -QUIT $first
    wait $first || true
    echo ENDED
    ;;
  return)
    start first "$1" -c synchronous_standby_names=
    first=$server
    echo RETURNED
    ;;
  esac
done
kill -CONT $first $(pgrep -P $first) 2>/dev/null || true
kill -QUIT $first $second 2>/dev/null || true
wait || true
rm -rf "$folder"
"#;

fn two_hosts() -> PostgresScript {
    PostgresScript::start(TWO_SERVERS, 2, &[])
}

/// Of the one that takes the writes.
fn url_of(hosts: &PostgresScript) -> String {
    format!("{}?target_session_attrs=read-write", hosts.url())
}

#[tokio::test]
async fn a_standby_that_was_promoted_takes_the_writes_and_nothing_acknowledged_is_lost() {
    keeps_what_was_acknowledged("fail").await;
}

#[tokio::test]
async fn a_primary_that_falls_silent_is_left_for_the_standby_that_was_promoted() {
    keeps_what_was_acknowledged("silence").await;
}

async fn keeps_what_was_acknowledged(end_of_the_first: &str) {
    let mut hosts = two_hosts();
    let server = Server::start_in(Shop::at(&url_of(&hosts)), &[]).await;
    server.shop.import(&plain_orders(4)).await;
    server.shop.hire_technicians().await;
    let owner = server.hire(OWNER, "Owner").await;
    let mut socket = owner.listen(&server).await;
    let mut ledger = Ledger::default();
    for _ in 0..5 {
        let changed = ledger.change(&owner, 1).await.result();
        hears(&mut socket, &changed[0]["seq"]).await;
    }
    let end = end_of_the_first.to_owned();
    let moved = tokio::task::spawn_blocking(move || {
        hosts.ask(&end, "PROMOTED");
        hosts
    });
    let is_written = Cell::new(false);
    let reads = join_all((0..8).map(|_| reads_until(&owner, &is_written)));
    let taps = taps_until(&owner, &is_written);
    let writes = async {
        let hosts = moved.await.unwrap();
        until_written(&owner, &mut ledger).await;
        is_written.set(true);
        hosts
    };
    let (_hosts, ..) = join3(writes, reads, taps).await;
    tap(&owner, json!({ "action": "clock-in" })).await.result();
    let changed = ledger.change(&owner, 3).await.result();
    hears(&mut socket, &changed[0]["seq"]).await;
    catches_up(&owner, &ledger).await;
    ledger.is_kept(&owner).await;
}

/// Whatever was asked of the host that is no more is answered, if only with when to come back.
async fn reads_until(owner: &Desk, is_over: &Cell<bool>) {
    while !is_over.get() {
        let answer = timeout(WAIT_TIMEOUT, owner.get("/api/users")).await;
        let answer = answer.expect("an answer");
        assert!([200, 503].contains(&answer.status), "{answer:?}");
    }
}

/// A tap goes on although whoever asked for it was told to come back: none keeps the next one waiting.
async fn taps_until(owner: &Desk, is_over: &Cell<bool>) {
    for action in ["clock-in", "clock-out"].into_iter().cycle() {
        if is_over.get() {
            return;
        }
        let answer = timeout(WAIT_TIMEOUT, tap(owner, json!({ "action": action }))).await;
        let answer = answer.expect("an answer");
        assert!([200, 503].contains(&answer.status), "{answer:?}");
    }
}

/// Nothing is said to be done meanwhile, and it says when to come back.
async fn until_written(owner: &Desk, ledger: &mut Ledger) {
    let promoted = Instant::now();
    loop {
        let answer = ledger.change(owner, 2).await;
        if answer.status == 200 {
            println!("written after {:.1?}", promoted.elapsed());
            return;
        }
        assert_eq!(answer.status, 503, "{answer:?}");
        assert!(answer.headers.contains_key("retry-after"), "{answer:?}");
        assert!(promoted.elapsed() < WAIT_TIMEOUT);
        sleep(Duration::from_millis(200)).await;
    }
}

/// Whoever promoted the other one could not reach it, and this server still can: nobody follows what it takes.
#[tokio::test]
async fn a_primary_that_goes_on_is_left_for_the_standby_that_was_promoted() {
    let mut hosts = two_hosts();
    let server = Server::start_in(Shop::at(&url_of(&hosts)), &[]).await;
    server.shop.import(&plain_orders(4)).await;
    let owner = server.hire(OWNER, "Owner").await;
    let mut socket = owner.listen(&server).await;
    let mut ledger = Ledger::default();
    ledger.change(&owner, 1).await.result();
    hosts.ask("promote", "PROMOTED");
    until_written(&owner, &mut ledger).await;
    let changed = ledger.change(&owner, 3).await.result();
    hears(&mut socket, &changed[0]["seq"]).await;
    hosts.ask("end", "ENDED");
    catches_up(&owner, &ledger).await;
    ledger.is_kept(&owner).await;
}

/// It was given up, and would still take writes that nobody else would ever see.
#[tokio::test]
async fn of_two_hosts_that_take_writes_the_one_that_was_promoted_last_counts() {
    let mut hosts = two_hosts();
    let mut server = Server::start_in(Shop::at(&url_of(&hosts)), &[]).await;
    server.shop.import(&plain_orders(4)).await;
    let owner = server.hire(OWNER, "Owner").await;
    let mut ledger = Ledger::default();
    ledger.change(&owner, 1).await.result();
    hosts.ask("fail", "PROMOTED");
    until_written(&owner, &mut ledger).await;
    hosts.ask("return", "RETURNED");
    server.sigkill().await;
    server.restart().await;
    let owner = server.sign_in(OWNER).await;
    ledger.change(&owner, 3).await.result();
    ledger.is_kept(&owner).await;
}

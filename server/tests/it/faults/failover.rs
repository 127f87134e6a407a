//! The database is on two hosts, and the one that takes the writes dies.

use std::cell::Cell;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use futures_util::future::{join, join_all};
use tokio::time::{Duration, Instant, sleep, timeout};

use super::{catches_up, hears};
use crate::fixture::{Desk, Ledger, OWNER, Server, Shop, WAIT_TIMEOUT, plain_orders};

/// A PostgreSQL and a standby that has every commit before it is acknowledged. "fail" on standard input kills the first
/// and promotes the second, "silence" stops the first without a word and promotes the second, and "return" starts the
/// first again, which knows nothing of that. Its end stops both and removes their folder.
const START: &str = r#"
set -eu
bin=""
for candidate in /usr/lib/postgresql/*/bin /usr/local/pgsql/bin "$(command -v initdb 2>/dev/null | xargs -r readlink -f | xargs -r dirname)"; do
  if [ -x "$candidate/initdb" ] && [ -x "$candidate/pg_basebackup" ]; then bin=$candidate; fi
done
folder=$(mktemp -d /tmp/dispatch-failover.XXXXXX)
as=""
if [ "$(id -u)" = 0 ]; then
  chown postgres "$folder"
  as="setpriv --reuid=postgres --regid=postgres --clear-groups --"
fi
cd "$folder"
ready() {
  tries=0
  until "$bin/pg_isready" -q -h 127.0.0.1 -p "$1"; do
    tries=$((tries + 1))
    if [ $tries -gt 300 ]; then cat "$folder"/*.log >&2; exit 1; fi
    sleep 0.1
  done
}
start() {
  $as env -u LD_PRELOAD "$bin/postgres" -D "$folder/$1" -k "$folder" -p "$2" -c listen_addresses=127.0.0.1 $3 </dev/null >"$folder/$1.log" 2>&1 &
}
$as "$bin/initdb" -D "$folder/first" -U postgres -A trust -E UTF8 --locale=C --no-sync >init.log 2>&1
start first "$1" "-c synchronous_commit=remote_apply"
first=$!
ready "$1"
$as "$bin/pg_basebackup" -h 127.0.0.1 -p "$1" -U postgres -D "$folder/second" -R --no-sync -c fast >backup.log 2>&1
start second "$2" ""
second=$!
ready "$2"
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
  return)
    start first "$1" "-c synchronous_standby_names="
    first=$!
    ready "$1"
    echo RETURNED
    ;;
  esac
done
kill -CONT $first $(pgrep -P $first) 2>/dev/null || true
kill -QUIT $first $second 2>/dev/null || true
wait || true
rm -rf "$folder"
"#;

struct TwoHosts {
    _shell: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    ports: [u16; 2],
}

impl TwoHosts {
    fn start() -> Self {
        // Both bound at once, so that they differ.
        let bound = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
        let ports = bound.map(|listener| listener.local_addr().unwrap().port());
        let mut shell = Command::new("bash")
            .args(["-c", START, "bash"])
            .args(ports.map(|port| port.to_string()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut hosts = Self {
            input: shell.stdin.take().unwrap(),
            output: BufReader::new(shell.stdout.take().unwrap()),
            _shell: shell,
            ports,
        };
        hosts.wait_for("READY");
        hosts
    }

    fn url(&self) -> String {
        let [first, second] = self.ports;
        format!(
            "postgres://postgres@127.0.0.1:{first},127.0.0.1:{second}/postgres?target_session_attrs=read-write"
        )
    }

    /// `word`: what is done, and what is said when it is done.
    fn ask(&mut self, word: &str, done: &str) {
        writeln!(self.input, "{word}").unwrap();
        self.wait_for(done);
    }

    fn wait_for(&mut self, word: &str) {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        assert_eq!(
            line.trim(),
            word,
            "PostgreSQL needs initdb and pg_basebackup"
        );
    }
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
    let mut hosts = TwoHosts::start();
    let server = Server::start_in(Shop::at(&hosts.url()), &[]).await;
    server.shop.import(&plain_orders(4)).await;
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
    let writes = async {
        let hosts = moved.await.unwrap();
        until_written(&owner, &mut ledger).await;
        is_written.set(true);
        hosts
    };
    let (_hosts, _) = join(writes, reads).await;
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

/// It was given up, and would still take writes that nobody else would ever see.
#[tokio::test]
async fn of_two_hosts_that_take_writes_the_one_that_was_promoted_last_counts() {
    let mut hosts = TwoHosts::start();
    let mut server = Server::start_in(Shop::at(&hosts.url()), &[]).await;
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

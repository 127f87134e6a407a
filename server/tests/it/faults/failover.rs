//! The database is on two hosts, and the one that takes the writes dies.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use tokio::time::{Duration, Instant, sleep};

use super::{catches_up, hears};
use crate::fixture::{Ledger, OWNER, Server, Shop, WAIT_TIMEOUT, plain_orders};

/// A PostgreSQL and a standby that has every commit before it is acknowledged. "fail" on standard input kills the first
/// and promotes the second; its end stops both and removes their folder.
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
echo READY
while read -r word; do
  kill -QUIT $first
  wait $first || true
  $as "$bin/psql" -q -h 127.0.0.1 -p "$2" -U postgres -c "ALTER SYSTEM SET synchronous_standby_names = ''" -c "SELECT pg_promote()" >/dev/null 2>&1 \
    || $as "$bin/pg_ctl" -D "$folder/second" promote >/dev/null
  echo PROMOTED
done
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

    fn fail_over(&mut self) {
        writeln!(self.input, "fail").unwrap();
        self.wait_for("PROMOTED");
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
    hosts.fail_over();
    let deadline = Instant::now() + WAIT_TIMEOUT;
    loop {
        let answer = ledger.change(&owner, 2).await;
        if answer.status == 200 {
            break;
        }
        // Nothing is said to be done meanwhile, and it says when to come back.
        assert_eq!(answer.status, 503, "{answer:?}");
        assert!(answer.headers.contains_key("retry-after"), "{answer:?}");
        assert!(Instant::now() < deadline);
        sleep(Duration::from_millis(200)).await;
    }
    let changed = ledger.change(&owner, 3).await.result();
    hears(&mut socket, &changed[0]["seq"]).await;
    catches_up(&owner, &ledger).await;
    ledger.is_kept(&owner).await;
}

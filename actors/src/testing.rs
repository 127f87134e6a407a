//! Throwaway databases for tests: a SQLite file, or a database of its own on a PostgreSQL cluster
//! that this process starts and that goes when the process goes.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use sea_orm::{ConnectionTrait, Database};
use tempfile::TempDir;

use crate::repair_order::{StageId, StageKind, StageRule, StageRules, shipped};
use crate::store::{DatabaseUrl, Store};

/// The stages that a shop begins with, turned on.
pub fn shipped_stages() -> StageRules {
    let stages = [
        (shipped::TO_BE_DISPATCHED, StageKind::Queue),
        (shipped::DISPATCHED, StageKind::Queue),
        ("in-diagnosis", StageKind::Active),
        (shipped::WAITING_FOR_APPROVAL, StageKind::Hold),
        (shipped::WAITING_FOR_PARTS, StageKind::Hold),
        (shipped::SUBLET, StageKind::Hold),
        (shipped::IN_WORK, StageKind::Active),
        (shipped::QUALITY_CHECK, StageKind::Active),
        ("wash", StageKind::Active),
        ("ready", StageKind::Done),
        (shipped::WITH_THE_CUSTOMER, StageKind::Done),
    ];
    let rule = |(id, kind): (&str, StageKind)| StageRule {
        id: StageId::from(id),
        kind,
        is_deleted: false,
    };
    StageRules {
        is_on: true,
        stages: stages.map(rule).into(),
    }
}

/// A database that is gone when this is dropped (or, on PostgreSQL, when the process ends).
pub struct Throwaway {
    pub url: DatabaseUrl,
    _folder: Option<TempDir>,
}

impl Throwaway {
    pub fn sqlite() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        Self {
            url: DatabaseUrl::Sqlite(folder.path().join("test.sqlite")),
            _folder: Some(folder),
        }
    }

    pub async fn postgres() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let base = &cluster().url;
        let name = format!("test_{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let admin = Database::connect(format!("{base}/postgres"))
            .await
            .expect("the throwaway PostgreSQL answers");
        admin
            .execute_unprepared(&format!("CREATE DATABASE {name}"))
            .await
            .expect("the throwaway PostgreSQL makes a database");
        Self {
            url: DatabaseUrl::Postgres(format!("{base}/{name}")),
            _folder: None,
        }
    }

    /// Where PostgreSQL listens.
    pub fn address(&self) -> SocketAddr {
        SocketAddr::from((Ipv4Addr::LOCALHOST, cluster().port))
    }

    /// Opened, with the schema of today.
    pub async fn store(&self) -> Store {
        let store = Store::open(&self.url)
            .await
            .expect("the throwaway database opens");
        store.migrate(&self.url).await.expect("the migrations run");
        store
    }
}

struct Cluster {
    url: String,
    port: u16,
    /// Held open: its end, however this process ends, stops the cluster and removes its folder.
    _alive: ChildStdin,
    _shell: Child,
}

/// Starts PostgreSQL on a free port of this machine's loopback, in a folder of its own, as an
/// unprivileged user where we are root (initdb refuses root).
const START: &str = r#"
set -eu
bin=""
for candidate in "$(command -v initdb 2>/dev/null | xargs -r readlink -f | xargs -r dirname)" /usr/lib/postgresql/*/bin /usr/local/pgsql/bin /opt/homebrew/opt/postgresql*/bin; do
  if [ -x "$candidate/initdb" ] && [ -x "$candidate/postgres" ]; then bin=$candidate; fi
done
if [ -z "$bin" ]; then echo "MISSING"; exit 1; fi
folder=$(mktemp -d /tmp/dispatch-postgres.XXXXXX)
as=""
if [ "$(id -u)" = 0 ]; then
  chown postgres "$folder"
  as="setpriv --reuid=postgres --regid=postgres --clear-groups --"
fi
cd "$folder"
$as "$bin/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C --no-sync >"$folder/initdb.log" 2>&1 || { cat "$folder/initdb.log"; exit 1; }
# By the true clock whatever the tests have: under one that was set forward its time limits never end.
$as env -u LD_PRELOAD "$bin/postgres" -D "$folder/data" -k "$folder" -p "$1" -c listen_addresses=127.0.0.1 -c max_connections=300 </dev/null >"$folder/log" 2>&1 &
server=$!
tries=0
until "$bin/pg_isready" -q -h 127.0.0.1 -p "$1"; do
  tries=$((tries + 1))
  if [ $tries -gt 300 ] || ! kill -0 $server 2>/dev/null; then cat "$folder/log"; exit 1; fi
  sleep 0.1
done
echo "READY"
exec 2>/dev/null
cat >/dev/null || true
kill -QUIT $server || true
wait $server || true
rm -rf "$folder"
"#;

fn cluster() -> &'static Cluster {
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    CLUSTER.get_or_init(|| {
        let port = free_port();
        let mut shell = Command::new("bash")
            .args(["-c", START, "bash", &port.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("bash starts");
        let alive = shell.stdin.take().expect("its standard input was piped");
        let mut output = BufReader::new(shell.stdout.take().expect("its standard output was piped"));
        let mut log = String::new();
        loop {
            let mut line = String::new();
            let read = output.read_line(&mut line).expect("bash can be read");
            match line.trim() {
                "READY" => break,
                "MISSING" => panic!(
                    "these tests need PostgreSQL's server programs (initdb, postgres): run `make tools`, or \
                     install them, on Debian and Ubuntu with: apt-get install -y postgresql"
                ),
                _ if read == 0 => panic!("PostgreSQL did not start:\n{log}"),
                _ => log.push_str(&line),
            }
        }
        Cluster {
            url: format!("postgres://postgres@127.0.0.1:{port}"),
            port,
            _alive: alive,
            _shell: shell,
        }
    })
}

/// Below those that the kernel gives to clients: it stays free until PostgreSQL takes it.
fn free_port() -> u16 {
    const FIRST: u32 = 10_000;
    const COUNT: u32 = 20_000;
    // Where no other process of tests begins, and behind the ports that the server's tests give from there.
    let start = std::process::id().wrapping_mul(61).wrapping_add(60);
    (0..COUNT)
        .map(|place| FIRST + start.wrapping_add(place) % COUNT)
        .filter_map(|port| u16::try_from(port).ok())
        .find(|port| std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok())
        .expect("the loopback has a free port")
}

//! PgBouncer between the server and PostgreSQL.

use std::process::{Child, Command};
use std::time::{Duration, Instant};

use dispatch_actors::store::DatabaseUrl;
use dispatch_actors::testing::Throwaway;
use sea_orm::sqlx::{Connection, PgConnection};
use tempfile::TempDir;

use crate::fixture::{OWNER, Server, Shop, WAIT_TIMEOUT, free_port, plain_orders};

/// PgBouncer with the options file `$1`; it refuses to run as root.
const START: &str = r#"
as=""
if [ "$(id -u)" = 0 ]; then
  chown -R postgres "$(dirname "$1")"
  as="setpriv --reuid=postgres --regid=postgres --clear-groups --"
fi
exec $as env -u LD_PRELOAD PATH="$PATH:/usr/sbin" pgbouncer "$1"
"#;

struct PgBouncer {
    process: Child,
    _folder: TempDir,
    url: String,
}

impl PgBouncer {
    async fn start(database: &Throwaway, pool_mode: &str) -> Self {
        let DatabaseUrl::Postgres(url) = &database.url else {
            panic!("{}", database.url);
        };
        let name = url.rsplit('/').next().unwrap();
        let to = database.address();
        let folder = tempfile::tempdir().unwrap();
        let port = free_port();
        let options = folder.path().join("pgbouncer.ini");
        let text = format!(
            "[databases]\n* = host=127.0.0.1 port={} user=postgres\n[pgbouncer]\nlisten_addr = 127.0.0.1\n\
             listen_port = {port}\nunix_socket_dir =\nauth_type = any\npool_mode = {pool_mode}\n\
             default_pool_size = 60\nignore_startup_parameters = extra_float_digits\n",
            to.port()
        );
        std::fs::write(&options, text).unwrap();
        let process = Command::new("sh")
            .args(["-c", START, "sh"])
            .arg(&options)
            .spawn()
            .unwrap();
        let deadline = Instant::now() + WAIT_TIMEOUT;
        let url = format!("postgres://postgres@127.0.0.1:{port}/{name}");
        // Something else may have the port for a moment: it is there when PostgreSQL answers through it.
        while let Err(error) = PgConnection::connect(&url).await {
            assert!(
                Instant::now() < deadline,
                "needs pgbouncer, see `make tools`: {error}"
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Self {
            process,
            _folder: folder,
            url,
        }
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[tokio::test]
async fn a_pooler_that_keeps_no_sessions_is_refused_with_what_to_do() {
    let database = Throwaway::postgres().await;
    let pooler = PgBouncer::start(&database, "transaction").await;
    let refused = Shop::at(&pooler.url).run(&["migrate"]).await.refused();
    assert!(
        refused.contains("name PostgreSQL itself, or set pool_mode = session"),
        "{refused}"
    );
}

#[tokio::test]
async fn a_pooler_that_keeps_sessions_is_no_obstacle() {
    let database = Throwaway::postgres().await;
    let pooler = PgBouncer::start(&database, "session").await;
    let first = Server::start_in(Shop::at(&pooler.url), &[]).await;
    first.shop.import(&plain_orders(3)).await;
    let owner = first.hire(OWNER, "Owner").await;
    let second = Server::start_in(Shop::at(&pooler.url), &[]).await;
    let mut there = owner.listen(&second).await;
    let seq = owner.make_one_change(1).await;
    assert_eq!(there.modified().await["seq"], seq);
}

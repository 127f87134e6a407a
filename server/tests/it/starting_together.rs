//! Several processes that bring one database up to date, and binaries of different ages.

use dispatch_actors::testing::Throwaway;
use futures_util::future::join_all;
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement};
use tokio::time::{Duration, sleep, timeout};

use crate::fixture::{ANYWHERE, OWNER, Server, Shop, WAIT_TIMEOUT, plain_orders};

/// Three servers and `dispatch migrate`, each from a data folder of its own, at once.
async fn start_together(database: &Throwaway) {
    let shops = [(); 3].map(|()| Server::start_in(Shop::on(database), &[]));
    let [first, second, third] = shops;
    let migrating = Shop::on(database);
    let (first, second, third, migrated) =
        tokio::join!(first, second, third, migrating.run(&["migrate"]));
    migrated.good();
    for server in [first, second, third] {
        assert_eq!(server.get("/readyz").await.status, 200);
    }
}

#[tokio::test]
async fn servers_that_start_together_on_an_empty_postgres_all_start() {
    start_together(&Throwaway::postgres().await).await;
}

#[tokio::test]
async fn servers_that_start_together_on_a_new_sqlite_file_all_start() {
    start_together(&Throwaway::sqlite()).await;
}

async fn connect(database: &Throwaway) -> DatabaseConnection {
    use dispatch_actors::store::DatabaseUrl;
    let DatabaseUrl::Postgres(url) = &database.url else {
        panic!("it is PostgreSQL");
    };
    let mut options = sea_orm::ConnectOptions::new(url);
    options.max_connections(1);
    Database::connect(options).await.unwrap()
}

#[tokio::test]
async fn a_second_migration_waits_for_the_first_and_continues_when_its_connection_ends() {
    let database = Throwaway::postgres().await;
    let [first, watching] = [connect(&database).await, connect(&database).await];
    let lock = "SELECT pg_advisory_lock(x'6469737061746368'::bigint)";
    first.execute_unprepared(lock).await.unwrap();
    let shop = Shop::on(&database);
    let waiting = async {
        let waits = Statement::from_string(
            DbBackend::Postgres,
            "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
        );
        while watching
            .query_one_raw(waits.clone())
            .await
            .unwrap()
            .is_none()
        {
            sleep(Duration::from_millis(20)).await;
        }
        first.close().await.unwrap();
    };
    let waiting = timeout(WAIT_TIMEOUT, waiting);
    let (migrated, waited) = tokio::join!(shop.run(&["migrate"]), waiting);
    waited.expect("it waits");
    migrated.good();
}

#[tokio::test]
async fn a_server_takes_no_more_connections_than_it_is_given() {
    let database = Throwaway::postgres().await;
    let watching = connect(&database).await;
    let options = ["--database-connections", "4"];
    let server = Server::start_in(Shop::on(&database), &options).await;
    let owner = server.hire(OWNER, "Owner").await;
    server.shop.import(&plain_orders(40)).await;
    let changes = (1..=40).map(|number| owner.change_priority(number, 3));
    let reads = (1..=40).map(|_| owner.get("/api/repair-orders/1/history"));
    let count = Statement::from_string(
        DbBackend::Postgres,
        "SELECT count(*) AS taken FROM pg_stat_activity \
         WHERE datname = current_database() AND pid <> pg_backend_pid() \
         AND backend_type = 'client backend'",
    );
    // PostgreSQL may still be ending the connections of the commands above.
    let commands_are_gone = async {
        loop {
            let row = watching.query_one_raw(count.clone()).await.unwrap();
            let taken: i64 = row.unwrap().try_get("", "taken").unwrap();
            if taken <= 4 {
                return;
            }
            sleep(Duration::from_millis(20)).await;
        }
    };
    let commands_are_gone = timeout(WAIT_TIMEOUT, commands_are_gone).await;
    commands_are_gone.expect("no more connections than it is given");
    let answers = async { tokio::join!(join_all(changes), join_all(reads)) };
    tokio::pin!(answers);
    let mut most: i64 = 0;
    let (changed, read) = loop {
        tokio::select! {
            answers = &mut answers => break answers,
            row = watching.query_one_raw(count.clone()) => {
                most = most.max(row.unwrap().unwrap().try_get("", "taken").unwrap());
            }
        }
    };
    assert!(changed.iter().chain(&read).all(|it| it.status == 200));
    assert!((2..=4).contains(&most), "{most} connections");
}

#[tokio::test]
async fn a_database_of_a_newer_version_is_refused() {
    for database in [Throwaway::sqlite(), Throwaway::postgres().await] {
        let store = database.store().await;
        let newer = "INSERT INTO seaql_migrations (version, applied_at) \
                     VALUES ('m9999_jet_packs', 0)";
        store.writer().execute_unprepared(newer).await.unwrap();
        store.close().await;
        let shop = Shop::on(&database);
        for command in [&ANYWHERE[..], &["migrate"]] {
            assert_eq!(
                shop.run(command).await.refused(),
                format!(
                    "the database {} was brought up to date by a newer dispatch (it has \
                     m9999_jet_packs): start that version, or restore a backup from before",
                    database.url
                )
            );
        }
    }
}

#[tokio::test]
async fn who_goes_back_to_an_older_version_is_told_of_the_copy_from_before_the_update() {
    let shop = Shop::new();
    let store = shop.store().await;
    let newer = "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m9999_jet_packs', 0)";
    store.writer().execute_unprepared(newer).await.unwrap();
    store.close().await;
    for day in ["2025-01-01", "2026-01-01"] {
        let copy = format!("data/dispatch.sqlite.before-migration-{day}T00-00-00Z");
        shop.write(&copy, "");
    }
    let refused = shop.run(&ANYWHERE).await.refused();
    let newest = shop.data_dir();
    let newest = newest.join("dispatch.sqlite.before-migration-2026-01-01T00-00-00Z");
    let named = format!(
        "restore a backup from before, such as {}, which is from just before that",
        newest.display()
    );
    assert!(refused.ends_with(&named), "{refused}");
}

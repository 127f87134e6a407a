//! A look at a database that changes nothing: beside a server, or where none can start.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use dispatch_migrations::{Migrator, MigratorTrait};
use jiff::Timestamp;
use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend, DbErr, Statement,
    TryGetable,
};
use tokio::time::timeout;

use super::connect::reason;
use super::migrate::{MIGRATIONS_TABLE, additive_steps};
use super::postgres_hosts::primary_url;
use super::read::time;
use super::sqlite_file;
use super::{DatabaseUrl, Unreachable};

/// For which PostgreSQL is waited for; reading all of a SQLite file takes as long as it takes.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseInspection {
    /// As `SQLite 3.50.4` or `PostgreSQL 17.2`.
    pub product: String,
    pub schema: SchemaState,
    /// When the newest event was committed.
    pub newest: Option<Timestamp>,
    /// The first fault of a SQLite file, in SQLite's words.
    pub damage: Option<String>,
    /// Of PostgreSQL.
    pub connections: Option<PostgresConnections>,
    /// Whether a SQLite file has a log beside it that was not looked at: nobody uses the database, and reading the log
    /// would make files.
    pub has_unread_log: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaState {
    /// No table of ours.
    Empty,
    Current,
    /// The next start brings it up to date, by so many steps.
    Older(usize),
    /// By steps that this build does not know.
    Newer(Vec<String>),
    /// The same, beside which this build works.
    Extended(Vec<String>),
    /// It has this table, and none of ours.
    Foreign(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PostgresConnections {
    /// For ordinary users.
    pub allowed: i64,
    /// By whomever.
    pub used: i64,
    /// Nothing can be written to a standby.
    pub is_standby: bool,
}

/// Looks at a database that is there. A SQLite file is read whole.
pub async fn inspect(url: &DatabaseUrl) -> Result<DatabaseInspection, Unreachable> {
    let failed = |error: DbErr| {
        url.file_fault(&error).unwrap_or_else(|| Unreachable::Open {
            url: url.clone(),
            why: reason(&error),
        })
    };
    match url {
        DatabaseUrl::Sqlite(file) => {
            sqlite_file::refuse_empty(file).await?;
            inspect_sqlite(file).await.map_err(failed)
        }
        DatabaseUrl::Postgres(text) => {
            match timeout(ANSWER_TIMEOUT, inspect_postgres(text)).await {
                Ok(inspected) => inspected.map_err(failed),
                Err(_late) => Err(Unreachable::Open {
                    url: url.clone(),
                    why: format!("it did not answer within {} s", ANSWER_TIMEOUT.as_secs()),
                }),
            }
        }
    }
}

async fn inspect_sqlite(file: &Path) -> Result<DatabaseInspection, DbErr> {
    let beside = |ending: &str| {
        let mut name = file.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    // Whoever has the database open in WAL mode has an index of the log beside it. Without one SQLite would make it,
    // unless it is told that nobody writes.
    let is_open = beside("-shm").exists();
    let has_log = beside("-wal").metadata().is_ok_and(|log| log.len() > 0);
    let path = file.to_owned();
    let mut options = ConnectOptions::new("sqlite:");
    options
        .max_connections(1)
        .sqlx_logging(false)
        .map_sqlx_sqlite_opts(move |sqlite| {
            sqlite
                .filename(&path)
                .create_if_missing(false)
                .read_only(true)
                .immutable(!is_open)
        });
    let database = Database::connect(options).await?;
    let inspected = async {
        let schema = schema_of(&database).await?;
        let version: String = one(&database, "SELECT sqlite_version()").await?;
        let check: String = one(&database, "PRAGMA quick_check(1)").await?;
        Ok(DatabaseInspection {
            product: format!("SQLite {version}"),
            newest: newest_event(&database, &schema).await?,
            schema,
            damage: (check != "ok").then_some(check),
            connections: None,
            has_unread_log: has_log && !is_open,
        })
    }
    .await;
    database.close().await?;
    inspected
}

async fn inspect_postgres(url: &str) -> Result<DatabaseInspection, DbErr> {
    let mut options = ConnectOptions::new(primary_url(url).await?);
    options.max_connections(1).sqlx_logging(false);
    let database = Database::connect(options).await?;
    database
        .execute_unprepared("SET default_transaction_read_only = on")
        .await?;
    let schema = schema_of(&database).await?;
    let version: String = one(&database, "SHOW server_version").await?;
    let allowed = "SELECT current_setting('max_connections')::bigint \
                   - current_setting('superuser_reserved_connections')::bigint";
    let used = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'";
    let connections = PostgresConnections {
        allowed: one(&database, allowed).await?,
        used: one(&database, used).await?,
        is_standby: one(&database, "SELECT pg_is_in_recovery()").await?,
    };
    let inspected = DatabaseInspection {
        product: format!("PostgreSQL {version}"),
        newest: newest_event(&database, &schema).await?,
        schema,
        damage: None,
        connections: Some(connections),
        has_unread_log: false,
    };
    database.close().await?;
    Ok(inspected)
}

/// The first column of the first row.
async fn one<T: TryGetable>(database: &DatabaseConnection, sql: &str) -> Result<T, DbErr> {
    let statement = Statement::from_string(database.get_database_backend(), sql);
    let row = database.query_one_raw(statement).await?;
    let row = row.ok_or_else(|| DbErr::RecordNotFound(sql.to_owned()))?;
    row.try_get_by_index(0)
}

async fn names(database: &DatabaseConnection, sql: &str) -> Result<BTreeSet<String>, DbErr> {
    let statement = Statement::from_string(database.get_database_backend(), sql);
    let rows = database.query_all_raw(statement).await?;
    let names = rows.iter().map(|row| row.try_get_by_index(0));
    names.collect()
}

async fn schema_of(database: &DatabaseConnection) -> Result<SchemaState, DbErr> {
    let tables = match database.get_database_backend() {
        DbBackend::Postgres => {
            "SELECT table_name::text FROM information_schema.tables \
             WHERE table_schema = current_schema()"
        }
        _ => {
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' \
             ESCAPE '\\'"
        }
    };
    let tables = names(database, tables).await?;
    if !tables.contains(MIGRATIONS_TABLE) {
        let foreign = tables.into_iter().next();
        return Ok(foreign.map_or(SchemaState::Empty, SchemaState::Foreign));
    }
    let ran = names(database, &format!("SELECT version FROM {MIGRATIONS_TABLE}")).await?;
    let known = Migrator::migrations();
    let known: BTreeSet<String> = known.iter().map(|step| step.name().to_owned()).collect();
    let newer: Vec<String> = ran.difference(&known).cloned().collect();
    if !newer.is_empty() {
        let additive = additive_steps(database).await?;
        return Ok(match newer.iter().all(|step| additive.contains(step)) {
            true => SchemaState::Extended(newer),
            false => SchemaState::Newer(newer),
        });
    }
    Ok(match (ran.is_empty(), known.difference(&ran).count()) {
        (true, _) => SchemaState::Empty,
        (_, 0) => SchemaState::Current,
        (_, steps) => SchemaState::Older(steps),
    })
}

async fn newest_event(
    database: &DatabaseConnection,
    schema: &SchemaState,
) -> Result<Option<Timestamp>, DbErr> {
    if !matches!(
        schema,
        SchemaState::Current | SchemaState::Older(_) | SchemaState::Extended(_)
    ) {
        return Ok(None);
    }
    // Every build's database has this table.
    let newest: Option<i64> = one(database, "SELECT max(at) FROM events").await?;
    Ok(newest.and_then(time))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Throwaway;

    #[tokio::test]
    async fn a_database_of_this_build_is_current_and_the_look_leaves_no_file() {
        for database in [Throwaway::sqlite(), Throwaway::postgres().await] {
            let store = database.store().await;
            let beside_an_open_one = inspect(&database.url).await.unwrap();
            assert_eq!(beside_an_open_one.schema, SchemaState::Current);
            store.close().await;
            let files = || match &database.url {
                DatabaseUrl::Sqlite(file) => {
                    let folder = file.parent().unwrap().read_dir().unwrap();
                    folder.map(|entry| entry.unwrap().file_name()).collect()
                }
                DatabaseUrl::Postgres(_) => BTreeSet::new(),
            };
            let before = files();
            let alone = inspect(&database.url).await.unwrap();
            assert_eq!(
                (alone.schema, alone.newest, alone.damage),
                (SchemaState::Current, None, None)
            );
            assert_eq!(files(), before);
        }
    }

    #[tokio::test]
    async fn another_builds_and_another_programs_database_are_told_apart() {
        let database = Throwaway::sqlite();
        let store = database.store().await;
        let change = async |sql: &str| {
            store.writer().execute_unprepared(sql).await.unwrap();
            inspect(&database.url).await.unwrap().schema
        };
        let newest = "(SELECT max(version) FROM seaql_migrations)";
        let older = change(&format!(
            "DELETE FROM seaql_migrations WHERE version = {newest}"
        ))
        .await;
        assert_eq!(older, SchemaState::Older(1));
        let newer = change("INSERT INTO seaql_migrations VALUES ('m9999_later', 0)").await;
        assert_eq!(newer, SchemaState::Newer(vec!["m9999_later".to_owned()]));
        let foreign = change("ALTER TABLE seaql_migrations RENAME TO a_table").await;
        assert_eq!(foreign, SchemaState::Foreign("a_table".to_owned()));
    }
}

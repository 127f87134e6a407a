//! Bringing the schema up to date: by one process at a time, all steps or none. A second process
//! waits, and then finds nothing left to do.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use dispatch_migrations::{ADDITIVE_STEPS, Migrator, MigratorTrait};
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement};

use super::connect::{error_code, reason};
use super::head::log_row;
use super::search;
use super::sqlite_file::is_busy;
use super::{DatabaseUrl, Store, StoreError, Unreachable, WriteTransaction};

/// For this long another process's migration is waited for.
const MIGRATION_TIMEOUT: Duration = Duration::from_secs(60);

/// PostgreSQL's advisory lock of the process that migrates; any number that no other program uses.
const ADVISORY_LOCK: i64 = 0x6469_7370_6174_6368;

/// PostgreSQL's `lock_not_available`.
const LOCK_TIMEOUT: &str = "55P03";

/// The setting that names additive steps.
const ADDITIVE: &str = "additive-migrations";

/// The migrations that ran, one row each.
pub(super) const MIGRATIONS_TABLE: &str = "seaql_migrations";

enum MigrationError {
    Database(DbErr),
    /// Somebody else migrates, or holds what must be changed.
    Timeout,
    /// Steps that this binary does not know.
    Newer(Vec<String>),
    /// A table of another program's database.
    Foreign(String),
}

impl From<DbErr> for MigrationError {
    fn from(error: DbErr) -> Self {
        match error_code(&error).as_deref() {
            Some(LOCK_TIMEOUT) => Self::Timeout,
            _ => Self::Database(error),
        }
    }
}

impl From<StoreError> for MigrationError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Database(error) => error.into(),
            other => Self::Database(DbErr::Custom(other.to_string())),
        }
    }
}

impl Store {
    /// When the shop's database was made. A backup of it, and what is restored from that, says the same.
    pub async fn created_at(&self) -> Result<Timestamp, StoreError> {
        let first = format!("SELECT min(applied_at) FROM {MIGRATIONS_TABLE}");
        let seconds = self.ask(&first).await?;
        Timestamp::from_second(seconds)
            .map_err(|error| DbErr::Custom(format!("{first} is no time: {error}")).into())
    }

    /// Runs the migrations that have not run yet, in one transaction: its lock ends with its
    /// connection, however this process ends.
    pub async fn migrate(&self, url: &DatabaseUrl) -> Result<(), Unreachable> {
        self.run_migrations(url).await.map_err(|error| {
            let url = url.clone();
            match error {
                MigrationError::Database(error) => {
                    let fault = url.file_fault(&error);
                    let why = reason(&error);
                    fault.unwrap_or(Unreachable::Migrate { url, why })
                }
                MigrationError::Timeout => Unreachable::MigrationTimeout {
                    url,
                    seconds: MIGRATION_TIMEOUT.as_secs(),
                },
                MigrationError::Newer(steps) => Unreachable::NewerSchema {
                    url,
                    steps: steps.join(", "),
                },
                MigrationError::Foreign(table) => Unreachable::ForeignDatabase { url, table },
            }
        })
    }

    /// Whether a SQLite database has the schema of an older version. False for an empty one, and for one of a newer
    /// version, which [`Store::migrate`] refuses.
    pub async fn awaits_migration(&self) -> Result<bool, StoreError> {
        let exists = format!(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '{MIGRATIONS_TABLE}'"
        );
        let exists = Statement::from_string(DbBackend::Sqlite, exists);
        let row = self.reader().query_one_raw(exists).await?;
        let count: i64 = row.map_or(Ok(0), |row| row.try_get_by_index(0))?;
        if count == 0 {
            return Ok(false);
        }
        let ran = format!("SELECT version FROM {MIGRATIONS_TABLE}");
        let ran = Statement::from_string(DbBackend::Sqlite, ran);
        let rows = self.reader().query_all_raw(ran).await?;
        let ran = rows.iter().map(|row| row.try_get_by_index(0));
        let ran = ran.collect::<Result<BTreeSet<String>, DbErr>>()?;
        let known = Migrator::migrations();
        let known = known.iter().map(|step| step.name().to_owned());
        let known: BTreeSet<String> = known.collect();
        Ok(!ran.is_empty() && ran.is_subset(&known) && ran != known)
    }

    async fn run_migrations(&self, url: &DatabaseUrl) -> Result<(), MigrationError> {
        let transaction = match url {
            DatabaseUrl::Sqlite(_) => self.begin_when_free(url).await?,
            DatabaseUrl::Postgres(_) => self.begin_with_advisory_lock(url).await?,
        };
        if let DatabaseUrl::Sqlite(_) = url
            && let Some(table) = foreign_table(&transaction).await?
        {
            return Err(MigrationError::Foreign(table));
        }
        let newer = unknown_steps(&transaction).await?;
        if newer.is_empty() {
            Migrator::up(transaction.inner(), None).await?;
            keep_additive_steps(&transaction).await?;
            search::fill(transaction.inner()).await?;
        } else {
            let additive = additive_steps(transaction.inner()).await?;
            if newer.iter().any(|step| !additive.contains(step)) {
                return Err(MigrationError::Newer(newer));
            }
            tracing::warn!(
                steps = newer.join(", "),
                "a newer dispatch has brought the database up to date, beside which this one still works: update it, too"
            );
        }
        let log = log_row(&transaction).await?;
        transaction.commit().await?;
        self.status.set_generation(&log.generation);
        self.status.set_pruned_to(log.pruned_to);
        Ok(())
    }

    /// On SQLite the process that migrates holds the write lock.
    async fn begin_when_free(&self, url: &DatabaseUrl) -> Result<WriteTransaction, MigrationError> {
        let deadline = Instant::now() + MIGRATION_TIMEOUT;
        loop {
            // It waits by itself, for its busy timeout.
            match self.begin_write().await {
                Err(error) if is_busy(&error) && Instant::now() < deadline => log_waiting(url),
                Err(error) if is_busy(&error) => return Err(MigrationError::Timeout),
                begun => return Ok(begun?),
            }
        }
    }

    async fn begin_with_advisory_lock(
        &self,
        url: &DatabaseUrl,
    ) -> Result<WriteTransaction, MigrationError> {
        let transaction = self.begin_write().await?;
        // What the process before committed must be seen, whatever the database's default is, and
        // a step over large tables may take its time.
        let seconds = MIGRATION_TIMEOUT.as_secs();
        let settings = format!(
            "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '{seconds}s'; \
             SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0"
        );
        transaction.execute_unprepared(&settings).await?;
        let free = format!("SELECT pg_try_advisory_xact_lock({ADVISORY_LOCK})");
        let free = transaction
            .query_one_raw(Statement::from_string(DbBackend::Postgres, free))
            .await?;
        let is_taken: Option<bool> = free.map(|row| row.try_get_by_index(0)).transpose()?;
        if is_taken != Some(true) {
            log_waiting(url);
            let lock = format!("SELECT pg_advisory_xact_lock({ADVISORY_LOCK})");
            // Another process that migrates is waited for as long as it takes.
            transaction.inner().execute_unprepared(&lock).await?;
        }
        Ok(transaction)
    }
}

fn log_waiting(url: &DatabaseUrl) {
    tracing::info!("another process holds the database {url}; waiting for it");
}

/// A table that is there although no migration ever ran.
async fn foreign_table(transaction: &WriteTransaction) -> Result<Option<String>, DbErr> {
    let tables = transaction
        .query_all_raw(Statement::from_string(
            DbBackend::Sqlite,
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' \
             ESCAPE '\\' ORDER BY name",
        ))
        .await?;
    let names: Vec<String> = tables
        .iter()
        .map(|row| row.try_get_by_index(0))
        .collect::<Result<_, _>>()?;
    let is_ours = names.iter().any(|name| name == MIGRATIONS_TABLE);
    Ok(names.into_iter().next().filter(|_| !is_ours))
}

/// Tells binaries that do not know the steps yet which of them they need not know.
async fn keep_additive_steps(transaction: &WriteTransaction) -> Result<(), DbErr> {
    if additive_steps(transaction.inner()).await? == ADDITIVE_STEPS.map(str::to_owned).into() {
        return Ok(());
    }
    let keep = Statement::from_sql_and_values(
        transaction.get_database_backend(),
        "INSERT INTO settings (name, value) VALUES ($1, $2) \
         ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        [ADDITIVE.into(), ADDITIVE_STEPS.join(",").into()],
    );
    transaction.execute_raw(keep).await?;
    Ok(())
}

/// What the newest binary that migrated said of its steps.
pub(super) async fn additive_steps(
    connection: &impl ConnectionTrait,
) -> Result<BTreeSet<String>, DbErr> {
    let kept = Statement::from_sql_and_values(
        connection.get_database_backend(),
        "SELECT value FROM settings WHERE name = $1",
        [ADDITIVE.into()],
    );
    let row = connection.query_one_raw(kept).await?;
    let kept: String = row.map_or(Ok(String::new()), |row| row.try_get_by_index(0))?;
    Ok(kept
        .split(',')
        .filter(|step| !step.is_empty())
        .map(str::to_owned)
        .collect())
}

/// Migrations that a newer binary ran.
async fn unknown_steps(transaction: &WriteTransaction) -> Result<Vec<String>, DbErr> {
    let migrations = Migrator::migrations();
    let mut steps: Vec<String> = Migrator::get_migration_models(transaction.inner())
        .await?
        .into_iter()
        .map(|step| step.version)
        .filter(|step| migrations.iter().all(|migration| migration.name() != step))
        .collect();
    steps.sort();
    Ok(steps)
}

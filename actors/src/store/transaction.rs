//! A transaction that writes. A connection whose transaction did not end when asked to is not used
//! again, and a failed commit is reported.
//!
//! SQLite rolls a COMMIT back by itself when the disk is full or fails. The driver does not learn of that:
//! its own ROLLBACK fails, it goes on counting an open transaction, and what it begins next is a savepoint
//! in a transaction that nobody ever commits. So the pool gives out no connection that counts one. On all
//! others BEGIN IMMEDIATE begins a transaction of its own (the driver asks SQLite's
//! `sqlite3_get_autocommit` whether it did), and a COMMIT that succeeds has made that one durable.

use rand::rngs::StdRng;
use rand::{RngCore, SeedableRng};
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, ExecResult, QueryResult,
    SqliteTransactionMode, Statement, TransactionOptions,
};

use super::pools::Transaction;
use super::{LogStatus, OtherServers, Store, Suspect};

/// Bytes that a probe writes: more than what a group that failed on a full disk leaves free at the end
/// of the write-ahead log.
const PROBE: usize = 256 * 1024;

/// Text by chance, which no database makes smaller.
fn payload() -> String {
    let mut chance = StdRng::from_os_rng();
    let mut bytes = vec![0; PROBE];
    chance.fill_bytes(&mut bytes);
    let printable = |byte: u8| char::from(b' ' + byte % 64);
    bytes.into_iter().map(printable).collect()
}

/// Rolled back unless it is committed. Each statement is waited for within a limit.
pub struct WriteTransaction {
    inner: Transaction,
    others: OtherServers,
    status: LogStatus,
    suspect: Suspect,
}

impl Store {
    /// Refused where a SQLite file is lost. SQLite takes the write lock at once; a deferred one can fail when it turns to writing.
    pub async fn begin_write(&self) -> Result<WriteTransaction, DbErr> {
        let options = TransactionOptions {
            sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
            ..Default::default()
        };
        let inner = self.writer().begin(options).await?;
        // By now the write-ahead log is there.
        if let Err(lost) = self.require_file() {
            inner.rollback().await?;
            return Err(lost);
        }
        Ok(WriteTransaction {
            inner,
            others: self.others.clone(),
            status: self.status.clone(),
            suspect: self.suspect.clone(),
        })
    }

    /// A transaction that is the only one to write a table, in whichever process: for changes that are
    /// decided on its other rows.
    pub async fn begin_exclusive(&self, table: &'static str) -> Result<WriteTransaction, DbErr> {
        let transaction = self.begin_write().await?;
        transaction.lock_table(table).await?;
        Ok(transaction)
    }

    /// Until it ends no other server has the lock of this name: for what is decided on what other transactions write.
    /// None on SQLite, which has one server.
    pub async fn lock_among_servers(&self, name: &str) -> Result<Option<WriteTransaction>, DbErr> {
        if !self.others.may_exist() {
            return Ok(None);
        }
        let transaction = self.begin_write().await?;
        let lock = Statement::from_sql_and_values(
            transaction.get_database_backend(),
            "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
            [format!("dispatch:{name}").into()],
        );
        transaction.execute_raw(lock).await?;
        Ok(Some(transaction))
    }

    /// Commits as much as changes do, and changes nothing, to know whether they can be saved.
    pub(crate) async fn probe_write(&self) -> Result<(), DbErr> {
        let transaction = self.begin_write().await?;
        // Every change needs this row, too: another program that locks it blocks them all.
        let counter = "UPDATE event_log SET top = top WHERE id = 1";
        transaction.execute_unprepared(counter).await?;
        let write = Statement::from_sql_and_values(
            transaction.get_database_backend(),
            "UPDATE write_probe SET payload = $1 WHERE id = 1",
            [payload().into()],
        );
        transaction.execute_raw(write).await?;
        transaction.commit().await?;
        self.status.saved();
        Ok(())
    }
}

impl WriteTransaction {
    /// Nobody else writes the table until the transaction ends; reads are not blocked. On SQLite
    /// there is only one transaction that writes anyway.
    pub async fn lock_table(&self, table: &'static str) -> Result<(), DbErr> {
        if self.get_database_backend() == DbBackend::Postgres {
            let lock = format!("LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE");
            self.execute_unprepared(&lock).await?;
        }
        Ok(())
    }

    /// Other servers on the database hear with the commit that it wrote something about this topic; nobody does
    /// without one.
    pub async fn notify_other_servers(&self, topic: &str, data: &str) -> Result<(), DbErr> {
        match self.others.notification(topic, data) {
            None => Ok(()),
            Some(statement) => self.execute_raw(statement).await.map(drop),
        }
    }

    /// On `Err` nothing may be acknowledged: nothing was committed, or the outcome is unknown.
    pub async fn commit(self) -> Result<(), DbErr> {
        // Its success does not prove that changes can be saved: there may have been none in it.
        let committed = self.inner.commit().await;
        if let Err(error) = &committed {
            self.suspect.raise();
            self.status.not_saved(error);
        }
        committed
    }

    pub async fn rollback(self) -> Result<(), DbErr> {
        let rolled_back = self.inner.rollback().await;
        if rolled_back.is_err() {
            self.suspect.raise();
        }
        rolled_back
    }

    /// For what takes no connection but the driver's own, and for what may take as long as it will.
    pub(super) fn inner(&self) -> &DatabaseTransaction {
        self.inner.without_limit()
    }

    /// A part of it that can be taken back alone.
    pub(super) async fn savepoint(&self) -> Result<Transaction, DbErr> {
        self.inner.savepoint().await
    }
}

#[async_trait::async_trait]
impl ConnectionTrait for WriteTransaction {
    fn get_database_backend(&self) -> DbBackend {
        self.inner.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.inner.execute_raw(statement).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.inner.execute_unprepared(sql).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.inner.query_one_raw(statement).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.inner.query_all_raw(statement).await
    }
}

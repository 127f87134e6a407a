//! Copies of a SQLite database: made while it is used, and read whole before anybody relies on one.

use std::path::Path;

use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement, TransactionOptions};

use super::read::time;
use super::{Seq, Store, StoreError};

/// What a database holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DatabaseContents {
    /// The number of the newest event; 0 where there is none.
    pub top: Seq,
    /// When that was committed.
    pub newest: Option<Timestamp>,
    pub open_orders: i64,
    pub closed_orders: i64,
}

impl Store {
    /// Writes the database as it is at one moment into a new file, which others than SQLite may read from then
    /// on. Changes go on meanwhile. The file is not synced to disk.
    pub async fn copy_to(&self, file: &Path) -> Result<(), StoreError> {
        let name = file.to_str().ok_or_else(|| {
            let name = file.display();
            DbErr::Custom(format!(
                "SQLite can only write files with names in UTF-8: {name}"
            ))
        })?;
        let copy = "VACUUM INTO $1";
        let copy = Statement::from_sql_and_values(DbBackend::Sqlite, copy, [name.into()]);
        self.reader().execute_raw(copy).await?;
        Ok(())
    }

    /// Writes what is in the log beside a SQLite database into it. Closing it does that, too, but not where
    /// several connections close at once.
    pub async fn write_back_log(&self) -> Result<(), StoreError> {
        let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
        let checkpoint = Statement::from_string(DbBackend::Sqlite, checkpoint);
        let row = self.writer().query_one_raw(checkpoint).await?;
        let busy: i64 = row.map_or(Ok(0), |row| row.try_get_by_index(0))?;
        if busy != 0 {
            let why = "somebody else reads the database or writes to it";
            return Err(DbErr::Custom(why.to_owned()).into());
        }
        Ok(())
    }

    /// Reads all of a SQLite database. Gives the first fault of its file, in SQLite's words.
    pub async fn find_damage(&self) -> Result<Option<String>, StoreError> {
        // Both on one connection. What it has in memory from before it would not read again while nobody writes: a check
        // would find that whole whatever became of the file.
        let connection = self.reader().begin(TransactionOptions::default()).await?;
        connection
            .execute_unprepared("PRAGMA shrink_memory")
            .await?;
        let check = Statement::from_string(DbBackend::Sqlite, "PRAGMA integrity_check(1)");
        let row = connection.query_one_raw(check).await?;
        connection.commit().await?;
        let answer: String = match row {
            Some(row) => row.try_get_by_index(0)?,
            None => String::from("it does not answer"),
        };
        // A line of the database's name comes first.
        let fault = answer.lines().find(|line| !line.starts_with("***"));
        let fault = fault.unwrap_or(&answer);
        Ok((fault != "ok").then(|| fault.to_owned()))
    }

    /// Of every build's database, whatever migrations it has.
    pub async fn contents(&self) -> Result<DatabaseContents, StoreError> {
        let counts = "SELECT (SELECT top FROM event_log WHERE id = 1), \
                      (SELECT at FROM events ORDER BY seq DESC LIMIT 1), \
                      (SELECT count(*) FROM repair_orders WHERE closed_at IS NULL), \
                      (SELECT count(*) FROM repair_orders WHERE closed_at IS NOT NULL)";
        let reader = self.reader();
        let counts = Statement::from_string(reader.get_database_backend(), counts);
        let row = reader.query_one_raw(counts).await?;
        let row = row.ok_or_else(|| DbErr::RecordNotFound("the counts".to_owned()))?;
        let newest: Option<i64> = row.try_get_by_index(1)?;
        Ok(DatabaseContents {
            top: row.try_get_by_index(0)?,
            newest: newest.and_then(time),
            open_orders: row.try_get_by_index(2)?,
            closed_orders: row.try_get_by_index(3)?,
        })
    }
}

//! How much of a disk the database takes.

use std::path::Path;

use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement};

use super::{Store, StoreError};

impl Store {
    /// In bytes; SQLite's with what is in its write-ahead log and not in its file yet.
    pub async fn size_bytes(&self) -> Result<u64, StoreError> {
        match self.reader().get_database_backend() {
            DbBackend::Sqlite => self.size_of_files().await,
            _ => {
                let size: i64 = self
                    .ask("SELECT pg_database_size(current_database())")
                    .await?;
                Ok(u64::try_from(size).unwrap_or_default())
            }
        }
    }

    async fn size_of_files(&self) -> Result<u64, StoreError> {
        let file: String = self
            .ask("SELECT file FROM pragma_database_list WHERE name = 'main'")
            .await?;
        let mut size = 0;
        for name in [file.clone(), format!("{file}-wal")] {
            // There is no log before the first change.
            size += Path::new(&name).metadata().map_or(0, |about| about.len());
        }
        Ok(size)
    }

    pub(super) async fn ask<T: sea_orm::TryGetable>(&self, query: &str) -> Result<T, StoreError> {
        let reader = self.reader();
        let statement = Statement::from_string(reader.get_database_backend(), query);
        let row = reader.query_one_raw(statement).await?;
        let row = row.ok_or_else(|| DbErr::RecordNotFound(query.to_owned()))?;
        Ok(row.try_get_by_index(0)?)
    }
}

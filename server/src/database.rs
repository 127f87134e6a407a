//! The shop's database, opened for work: never a new one in the place of one that was lost.

use std::path::{Path, PathBuf};

use dispatch_actors::store::{self, DatabaseUrl, Store, StoreError, Unreachable};
use jiff::Timestamp;

use crate::backup::{self, BackupError, DamagedDatabase};
use crate::files::lock::{self, LockError};
use crate::files::log_mark;
use crate::options::config::Shop;

#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    #[error(transparent)]
    Unreachable(#[from] Unreachable),
    /// Of a SQLite database that the newer version copied before it changed the schema.
    #[error("{newer}, such as {}, which is from just before that", copy.display())]
    NewerWithCopy { newer: Unreachable, copy: PathBuf },
    #[error(
        "the database {} is missing, though this shop had one ({} says so): restore it, or delete {} \
         to begin a new shop",
        database.display(), mark.display(), mark.display()
    )]
    Missing { database: PathBuf, mark: PathBuf },
    #[error(
        "the database {} is missing, and the server that had it open saved all of it in {copy}: run dispatch restore {copy}",
        database.display(), copy = copy.display()
    )]
    MissingWithCopy { database: PathBuf, copy: PathBuf },
    #[error(
        "the database is of an older version, and is copied before it is brought up to this one, but {0}; \
         nothing was changed"
    )]
    NotCopied(BackupError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Exposed(#[from] LockError),
}

/// Opens the shop's database and brings its schema up to date.
pub async fn open(shop: &Shop) -> Result<Store, DatabaseError> {
    refuse_missing(shop)?;
    if let DatabaseUrl::Sqlite(file) = &shop.database {
        lock::check_database(file)?;
    }
    let store = Store::open_with(&shop.database, shop.database_connections).await?;
    if let DatabaseUrl::Sqlite(file) = &shop.database {
        copy_before_migration(&store, file).await?;
    }
    let migrated = store.migrate(&shop.database).await;
    migrated.map_err(|error| name_copy(error, &shop.database))?;
    if let DatabaseUrl::Sqlite(file) = &shop.database {
        lock::close_database(file)?;
    }
    log_mark::check(&store, &shop.data_dir).await?;
    Ok(store)
}

/// The way back to the version before: a database of a newer version cannot be opened by an older one.
async fn copy_before_migration(store: &Store, database: &Path) -> Result<(), DatabaseError> {
    if !store.awaits_migration().await? {
        return Ok(());
    }
    let copied = backup::copy_before_migration(store, database, Timestamp::now()).await;
    let copy = copied.map_err(DatabaseError::NotCopied)?;
    tracing::info!(
        "the database is brought up to this version; as it was before it is {}",
        copy.display()
    );
    Ok(())
}

/// Whoever goes back to an older version needs the database as that version left it.
fn name_copy(error: Unreachable, database: &DatabaseUrl) -> DatabaseError {
    if let (Unreachable::NewerSchema { .. }, DatabaseUrl::Sqlite(file)) = (&error, database)
        && let Some(copy) = backup::newest_before_migration(file)
    {
        return DatabaseError::NewerWithCopy { newer: error, copy };
    }
    error.into()
}

/// A shop that had a database has none where its mark says so.
pub fn refuse_missing(shop: &Shop) -> Result<(), DatabaseError> {
    let DatabaseUrl::Sqlite(database) = &shop.database else {
        return Ok(());
    };
    let mark = shop.data_dir.join(log_mark::FILE);
    if !mark.exists() || database.exists() {
        return Ok(());
    }
    let database = database.clone();
    Err(match backup::newest_rescued_copy(&database) {
        Some(copy) => DatabaseError::MissingWithCopy { database, copy },
        None => DatabaseError::Missing { database, mark },
    })
}

/// SQLite's words for a page that is not what it should be, in whatever error they come.
const MALFORMED: &str = "database disk image is malformed";

/// What is wrong with a SQLite file, where a start failed because of it; none where that is said already, and where the
/// file is whole. `failure`: what the start says.
pub async fn find_damage(database: &DatabaseUrl, failure: &str) -> Option<DamagedDatabase> {
    if !matches!(database, DatabaseUrl::Sqlite(file) if file.exists()) {
        return None;
    }
    let damage = match store::inspect(database).await {
        Ok(inspection) => inspection.damage,
        Err(_unreadable) => None,
    };
    // Which page it is may be more than the look through the file gets to.
    let damage = damage.or_else(|| failure.contains(MALFORMED).then(|| MALFORMED.to_owned()));
    damage.map(|damage| DamagedDatabase {
        database: database.clone(),
        damage,
    })
}

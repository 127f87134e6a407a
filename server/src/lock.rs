//! One server per data folder.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// Held while this process is the data folder's one writer; the system releases it when the
/// process ends, however it ends.
#[derive(Debug)]
pub struct DataLock {
    _file: File,
}

#[derive(Debug, thiserror::Error)]
pub enum Locked {
    #[error("the data folder {} is in use by another dispatch server; stop it first, or use another --data-dir", .0.display())]
    InUse(PathBuf),
    #[error("cannot use the data folder {}: {why}", path.display())]
    Unusable { path: PathBuf, why: io::Error },
}

impl DataLock {
    /// Makes the folder if it is not there, and takes its lock.
    pub fn take(data_dir: &Path) -> Result<Self, Locked> {
        let unusable = |why| Locked::Unusable {
            path: data_dir.to_owned(),
            why,
        };
        // For its owner alone: the database holds password hashes and the key that signs tokens.
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(data_dir)
            .map_err(unusable)?;
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(data_dir.join("dispatch.lock"))
            .map_err(unusable)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(Locked::InUse(data_dir.to_owned())),
            Err(TryLockError::Error(why)) => Err(unusable(why)),
        }
    }
}

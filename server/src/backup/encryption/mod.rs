//! Backups that are encrypted by a passphrase, in the format of age (<https://age-encryption.org/v1>), which other
//! programs open, too. `age_file` writes and reads it; a build without the feature `offsite-backups` does neither.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::error::BackupError;
use super::passphrase::Passphrase;

#[cfg(feature = "offsite-backups")]
mod age_file;
#[cfg(feature = "offsite-backups")]
pub(super) use age_file::{decrypt, encrypt};

#[cfg(not(feature = "offsite-backups"))]
mod left_out;
#[cfg(not(feature = "offsite-backups"))]
pub(super) use left_out::{decrypt, encrypt};

/// How backups are encrypted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encryption {
    pub passphrase: Passphrase,
    /// The database. The plain copy is made beside it, never where backups are.
    pub database: PathBuf,
}

/// How a file of this format begins, of whatever version.
const MAGIC: &[u8] = b"age-encryption.org/";

/// Whatever the file's name is.
pub(super) fn is_encrypted(file: &Path) -> Result<bool, BackupError> {
    let begins = || -> io::Result<bool> {
        let mut beginning = Vec::new();
        let length = MAGIC.len() as u64;
        File::open(file)?.take(length).read_to_end(&mut beginning)?;
        Ok(beginning == MAGIC)
    };
    begins().map_err(|why| BackupError::Read {
        path: file.to_owned(),
        why,
    })
}

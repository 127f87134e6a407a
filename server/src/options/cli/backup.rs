//! `dispatch backup` and `dispatch restore`.

use std::path::PathBuf;

use clap::Args;

use super::DataOptions;

#[derive(Clone, Debug, Args)]
pub struct Backup {
    #[command(flatten)]
    pub data: DataOptions,

    /// File that is not there yet, or a folder, where the backup is named by its time (UTC)
    #[arg(long, value_name = "PATH")]
    pub to: PathBuf,

    /// File with the passphrase by which the backup is encrypted, in the format of age; not everybody may read it
    #[arg(long, value_name = "FILE", env = "DISPATCH_BACKUP_PASSPHRASE_FILE")]
    pub backup_passphrase_file: Option<PathBuf>,
}

#[derive(Clone, Debug, Args)]
pub struct Restore {
    #[command(flatten)]
    pub data: DataOptions,

    /// What dispatch backup has written
    #[arg(value_name = "FILE")]
    pub from: PathBuf,

    /// File with the passphrase of an encrypted backup
    #[arg(long, value_name = "FILE", env = "DISPATCH_BACKUP_PASSPHRASE_FILE")]
    pub backup_passphrase_file: Option<PathBuf>,

    /// Take the place of the database in the data folder, which is kept beside it under another name
    #[arg(long)]
    pub replace: bool,
}

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
}

#[derive(Clone, Debug, Args)]
pub struct Restore {
    #[command(flatten)]
    pub data: DataOptions,

    /// What dispatch backup has written
    #[arg(value_name = "FILE")]
    pub from: PathBuf,

    /// Take the place of the database in the data folder, which is kept beside it under another name
    #[arg(long)]
    pub replace: bool,
}

//! Backups that the server writes itself.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::Args;
use serde::Deserialize;

/// Backups that the server writes itself, beside its work.
#[derive(Clone, Debug, Default, Args, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
#[command(next_help_heading = "Backups")]
pub struct ScheduledBackupOptions {
    /// Folder to which the server writes backups by itself; it is not made. Of a SQLite database only
    #[arg(long, value_name = "DIR", env = "DISPATCH_BACKUP_DIR")]
    pub backup_dir: Option<PathBuf>,

    /// Hours from one backup to the next [default: 1]
    #[arg(long, value_name = "HOURS", env = "DISPATCH_BACKUP_HOURS")]
    pub backup_hours: Option<NonZeroU32>,

    /// Hours of which the newest backup is kept [default: 12]
    #[arg(long, value_name = "NUMBER", env = "DISPATCH_BACKUP_KEEP_HOURLY")]
    pub backup_keep_hourly: Option<u32>,

    /// Days of which the newest backup is kept [default: 7]
    #[arg(long, value_name = "NUMBER", env = "DISPATCH_BACKUP_KEEP_DAILY")]
    pub backup_keep_daily: Option<u32>,

    /// Weeks of which the newest backup is kept [default: 4]
    #[arg(long, value_name = "NUMBER", env = "DISPATCH_BACKUP_KEEP_WEEKLY")]
    pub backup_keep_weekly: Option<u32>,
}

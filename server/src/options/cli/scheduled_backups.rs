//! Backups that the server writes itself.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::Args;
use serde::Deserialize;
use url::Url;

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

    /// File with the passphrase by which backups are encrypted, in the format of age; not everybody may read it.
    /// dispatch backup and dispatch restore take it, too
    #[arg(long, value_name = "FILE", env = "DISPATCH_BACKUP_PASSPHRASE_FILE")]
    pub backup_passphrase_file: Option<PathBuf>,

    /// Where the newest backup is copied in an S3-compatible store: https://HOST/BUCKET or
    /// https://HOST/BUCKET/PREFIX
    #[arg(long, value_name = "URL", env = "DISPATCH_BACKUP_S3_URL")]
    pub backup_s3_url: Option<Url>,

    /// The region of that bucket [default: us-east-1]
    #[arg(long, value_name = "REGION", env = "DISPATCH_BACKUP_S3_REGION")]
    pub backup_s3_region: Option<String>,

    /// The id of the access key to that store
    #[arg(
        long,
        value_name = "ID",
        env = "DISPATCH_BACKUP_S3_ACCESS_KEY_ID",
        hide_env_values = true
    )]
    pub backup_s3_access_key_id: Option<String>,

    /// The secret that goes with it; rather by the variable than where `ps` shows it
    #[arg(
        long,
        value_name = "SECRET",
        env = "DISPATCH_BACKUP_S3_SECRET_ACCESS_KEY",
        hide_env_values = true
    )]
    pub backup_s3_secret_access_key: Option<String>,
}

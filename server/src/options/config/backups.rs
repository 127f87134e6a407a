//! Where, how often and how long the server keeps backups.

use dispatch_actors::store::DatabaseUrl;
use jiff::SignedDuration;

use super::ConfigError;
use crate::backup::{BackupSchedule, KeptBackups};
use crate::options::cli::ScheduledBackupOptions;

/// None where no folder is given.
pub(super) fn schedule(
    options: ScheduledBackupOptions,
    file: ScheduledBackupOptions,
    database: &DatabaseUrl,
) -> Result<Option<BackupSchedule>, ConfigError> {
    let Some(folder) = options.backup_dir.or(file.backup_dir) else {
        return Ok(None);
    };
    if let DatabaseUrl::Postgres(_) = database {
        return Err(ConfigError::BackupOfPostgres(database.clone()));
    }
    let hours = options.backup_hours.or(file.backup_hours);
    let default = KeptBackups::default();
    let chosen =
        |option: Option<u32>, file: Option<u32>, default| option.or(file).unwrap_or(default);
    Ok(Some(BackupSchedule {
        folder,
        interval: SignedDuration::from_hours(hours.map_or(1, |hours| i64::from(hours.get()))),
        kept: KeptBackups {
            hourly: chosen(
                options.backup_keep_hourly,
                file.backup_keep_hourly,
                default.hourly,
            ),
            daily: chosen(
                options.backup_keep_daily,
                file.backup_keep_daily,
                default.daily,
            ),
            weekly: chosen(
                options.backup_keep_weekly,
                file.backup_keep_weekly,
                default.weekly,
            ),
        },
    }))
}

//! Where, how often and how long the server keeps backups, how they are encrypted and where they are copied.

use std::path::{Path, PathBuf};

use dispatch_actors::store::DatabaseUrl;
use jiff::SignedDuration;

use super::ConfigError;
use super::file::ConfigFile;
use crate::backup::{
    AccessKeys, BackupSchedule, Encryption, KeptBackups, OffsiteLeftOut, Passphrase, S3Location,
    S3LocationError,
};
use crate::options::cli::ScheduledBackupOptions;

const HAS_OFFSITE_BACKUPS: bool = cfg!(feature = "offsite-backups");

/// None where no folder is given.
pub(super) fn schedule(
    options: ScheduledBackupOptions,
    file: ScheduledBackupOptions,
    database: &DatabaseUrl,
) -> Result<Option<BackupSchedule>, ConfigError> {
    let offsite = offsite(&options, &file, HAS_OFFSITE_BACKUPS)?;
    let Some(folder) = options.backup_dir.or(file.backup_dir) else {
        return match offsite {
            Some(_) => Err(S3LocationError::NoFolder.into()),
            None => Ok(None),
        };
    };
    let DatabaseUrl::Sqlite(database_file) = database else {
        return Err(ConfigError::BackupOfPostgres(database.clone()));
    };
    let passphrase_file = options
        .backup_passphrase_file
        .or(file.backup_passphrase_file);
    let passphrase = read_passphrase(passphrase_file, HAS_OFFSITE_BACKUPS)?;
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
        encryption: passphrase.map(|passphrase| Encryption {
            passphrase,
            database: database_file.clone(),
        }),
        offsite,
    }))
}

/// Of a command that writes or reads one backup: its own option, else that of the file of options.
pub fn passphrase(
    option: Option<PathBuf>,
    config: Option<&Path>,
) -> Result<Option<Passphrase>, ConfigError> {
    let file = match option {
        None => ConfigFile::read(config)?.backups.backup_passphrase_file,
        named => named,
    };
    read_passphrase(file, HAS_OFFSITE_BACKUPS)
}

fn read_passphrase(
    file: Option<PathBuf>,
    is_built_in: bool,
) -> Result<Option<Passphrase>, ConfigError> {
    let Some(file) = file else {
        return Ok(None);
    };
    if !is_built_in {
        return Err(OffsiteLeftOut("--backup-passphrase-file").into());
    }
    Ok(Some(Passphrase::read(&file)?))
}

fn offsite(
    options: &ScheduledBackupOptions,
    file: &ScheduledBackupOptions,
    is_built_in: bool,
) -> Result<Option<S3Location>, ConfigError> {
    let either = |of: fn(&ScheduledBackupOptions) -> &Option<String>| {
        of(options).clone().or_else(|| of(file).clone())
    };
    let url = options
        .backup_s3_url
        .as_ref()
        .or(file.backup_s3_url.as_ref());
    let region = either(|options| &options.backup_s3_region);
    let id = either(|options| &options.backup_s3_access_key_id);
    let secret = either(|options| &options.backup_s3_secret_access_key);
    let Some(url) = url else {
        let others = [
            (region.is_some(), "--backup-s3-region"),
            (id.is_some(), "--backup-s3-access-key-id"),
            (secret.is_some(), "--backup-s3-secret-access-key"),
        ];
        return match others.into_iter().find(|(is_used, _)| *is_used) {
            Some((_, option)) => Err(S3LocationError::NoStore(option).into()),
            None => Ok(None),
        };
    };
    if !is_built_in {
        return Err(OffsiteLeftOut("--backup-s3-url").into());
    }
    let (Some(id), Some(secret)) = (id, secret) else {
        return Err(S3LocationError::NoKeys.into());
    };
    Ok(Some(S3Location::new(
        url,
        region,
        AccessKeys { id, secret },
    )?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_without_off_site_backups_refuses_their_options() {
        let options = ScheduledBackupOptions {
            backup_s3_url: Some("https://s3.example.com/shop".parse().unwrap()),
            ..ScheduledBackupOptions::default()
        };
        let refused = offsite(&options, &ScheduledBackupOptions::default(), false).unwrap_err();
        assert!(refused.to_string().contains("leave out --backup-s3-url"));
        let refused = read_passphrase(Some(PathBuf::from("passphrase")), false).unwrap_err();
        let says = "leave out --backup-passphrase-file";
        assert!(refused.to_string().contains(says), "{refused}");
    }
}

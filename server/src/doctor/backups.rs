//! The folder to which the server writes backups, and the store to which it copies them.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use dispatch_actors::store::DatabaseUrl;
use jiff::Timestamp;

use super::Patient;
use super::access::{ServerUser, quoted};
use super::finding::Finding;
use crate::backup::{BackupSchedule, Backups, S3Location, S3Store, StoredBackup};

const CHECK: &str = "backups";

const OFFSITE_CHECK: &str = "off-site backups";

/// `has_changes`: the database has at least one.
pub(super) async fn check(patient: &Patient, has_changes: bool) -> Vec<Finding> {
    let shop = &patient.config.shop;
    let DatabaseUrl::Sqlite(database) = &shop.database else {
        let found = "PostgreSQL's own: pg_dump by a timer of the machine is not looked at";
        return vec![Finding::skipped(CHECK, found)];
    };
    let Some(schedule) = &patient.config.backups else {
        return vec![Finding::warning(
            CHECK,
            "the server writes none",
            "name a folder on another disk with --backup-dir (docs/backup.md)",
        )];
    };
    let mut findings = match unusable(&schedule.folder, ServerUser::of(&shop.data_dir)) {
        Some(finding) => vec![finding],
        None => [
            of_lost_shop(schedule, database).filter(|_| !has_changes),
            newest(schedule, patient.server.is_some()),
            no_room(schedule, database),
            same_disk(schedule, database),
        ]
        .into_iter()
        .flatten()
        .collect(),
    };
    if let Some(store) = &schedule.offsite {
        findings.push(check_store(store, schedule).await);
    }
    findings
}

/// By a list of what is in it: nothing is written there.
async fn check_store(location: &S3Location, schedule: &BackupSchedule) -> Finding {
    let listed = async { S3Store::at(location)?.list().await };
    let stored = match listed.await {
        Ok(stored) => stored,
        Err(error) => {
            let found = format!("{location}: {error}");
            return Finding::wrong(OFFSITE_CHECK, found, error.advice());
        }
    };
    let found = describe_stored(location, &stored);
    match schedule.encryption {
        Some(_) => Finding::ok(OFFSITE_CHECK, found),
        None => Finding::warning(
            OFFSITE_CHECK,
            format!("{found}; they leave the house as they are"),
            "encrypt them with --backup-passphrase-file (docs/backup.md)",
        ),
    }
}

fn describe_stored(location: &S3Location, stored: &[StoredBackup]) -> String {
    let Some(newest) = stored.iter().map(|backup| backup.time).max() else {
        return format!("{location} takes the keys, and has none yet");
    };
    let age = Timestamp::now().duration_since(newest).as_hours();
    let count = stored.len();
    format!("{location} has {count}, the newest of {newest}, {age} h old")
}

fn unusable(folder: &Path, user: ServerUser) -> Option<Finding> {
    let shown = folder.display();
    if !folder.is_dir() {
        let found = format!("{shown} is no folder, so none is written");
        let advice = format!("mount its disk, or {}", user.make_folder(folder));
        return Some(Finding::wrong(CHECK, found, advice));
    }
    let why = user.cannot_write(folder)?;
    let found = format!("nothing can be written to {shown}: {why}");
    Some(Finding::wrong(CHECK, found, user.own(folder)))
}

/// Backups from before the database was made, which has nothing: they are of a shop whose data folder is somewhere else.
fn of_lost_shop(schedule: &BackupSchedule, database: &Path) -> Option<Finding> {
    let newest = Backups::new(schedule.clone()).newest().ok()??;
    if let Ok(about) = database.metadata() {
        let made = Timestamp::try_from(about.created().ok()?).ok()?;
        if newest >= made {
            return None;
        }
    }
    let folder = schedule.folder.display();
    Some(Finding::wrong(
        CHECK,
        format!(
            "{folder} has the backups of a shop, the newest of {newest}, and this one has nothing"
        ),
        "mount the disk of its data folder, or stop the server and dispatch restore the newest; do not set this one up before",
    ))
}

/// Where the next backup has no room.
fn no_room(schedule: &BackupSchedule, database: &Path) -> Option<Finding> {
    let bytes = std::fs::metadata(database).ok()?.len();
    let error = Backups::new(schedule.clone()).require_room(bytes).err()?;
    let advice = "make room, or name a folder on another disk with --backup-dir";
    Some(Finding::wrong(CHECK, error, advice))
}

fn newest(schedule: &BackupSchedule, has_server: bool) -> Option<Finding> {
    let folder = schedule.folder.display();
    let now = Timestamp::now();
    let newest = match Backups::new(schedule.clone()).newest() {
        Ok(newest) => newest,
        Err(error) => {
            let advice = format!("chmod u+r {}", quoted(&schedule.folder));
            return Some(Finding::wrong(CHECK, error, advice));
        }
    };
    let Some(newest) = newest else {
        let found = format!("there is none in {folder} yet");
        return Some(match has_server {
            true => Finding::warning(CHECK, found, "see in the log why none is written"),
            false => Finding::ok(CHECK, format!("{found}: the next start writes one")),
        });
    };
    let age = now.duration_since(newest);
    let found = format!(
        "the newest in {folder} is of {newest}, {} h old",
        age.as_hours()
    );
    // One that is due is tried once a minute, and one that is being written is not there yet.
    Some(match age > schedule.interval * 2 {
        false => Finding::ok(CHECK, found),
        true if has_server => Finding::warning(CHECK, found, "see in the log why none is written"),
        true => Finding::warning(CHECK, found, "start the server, which writes one at once"),
    })
}

fn same_disk(schedule: &BackupSchedule, database: &Path) -> Option<Finding> {
    let disk = |path: &Path| path.metadata().map(|about| about.dev()).ok();
    let folder = &schedule.folder;
    let is_only_copy = schedule.offsite.is_none() && disk(folder)? == disk(database)?;
    is_only_copy.then(|| {
        Finding::warning(
            CHECK,
            format!("{} is on the database's own disk", folder.display()),
            "name a folder on another disk or machine, or copy the backups to a store with --backup-s3-url",
        )
    })
}

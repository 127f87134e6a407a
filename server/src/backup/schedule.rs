//! Backups that the server writes itself, and how they went.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use dispatch_actors::store::Store;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::copy::{has_encrypted_name, time_of, time_of_plain_copy, write_into_folder};
use super::database_file::{UNFINISHED, folder_of, remove_database, run_blocking};
use super::encryption::Encryption;
use super::error::{BackupError, ContentsSentence};
use super::offsite::{NewestBackup, Offsite, OffsiteState, S3Location};
use super::retention::KeptBackups;

/// A backup that was begun so long ago is not being written any more.
const ABANDONED_AFTER: SignedDuration = SignedDuration::from_hours(24);

const MIB: u64 = 1024 * 1024;
/// As sizes are told to people.
const MB: u64 = 1_000_000;

/// A look at the folder takes a moment, and some seconds on a disk that sleeps. On a network that is away it may never end.
const LOOK_TIMEOUT: Duration = Duration::from_secs(30);

/// What a backup leaves free on its disk.
const FREE_BYTES: u64 = 200 * MIB;

/// Where the server writes backups, how often, and how long they are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupSchedule {
    /// Never made by the server: where a disk is not mounted it would fill another.
    pub folder: PathBuf,
    pub interval: SignedDuration,
    pub kept: KeptBackups,
    /// None: they are written as they are.
    pub encryption: Option<Encryption>,
    /// Where the newest one is copied; none: nowhere.
    pub offsite: Option<S3Location>,
}

/// How the backups of the server went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BackupState {
    /// When the newest backup in the folder was made, but for those of the future.
    pub newest: Option<Timestamp>,
    /// Why the one that is due was not written; none where none is due.
    pub failure: Option<String>,
}

/// Cheap to clone: all clones are the same.
#[derive(Clone, Debug)]
pub struct Backups {
    schedule: Arc<BackupSchedule>,
    state: Arc<RwLock<BackupState>>,
    offsite: Option<Offsite>,
    /// Held while somebody looks at the folder.
    look_turn: Arc<Mutex<()>>,
    look_timeout: Duration,
}

impl Backups {
    pub fn new(schedule: BackupSchedule) -> Self {
        let offsite = schedule.offsite.clone();
        Self {
            offsite: offsite.map(|location| Offsite::new(location, schedule.kept)),
            schedule: Arc::new(schedule),
            state: Arc::default(),
            look_turn: Arc::default(),
            look_timeout: LOOK_TIMEOUT,
        }
    }

    pub fn schedule(&self) -> &BackupSchedule {
        &self.schedule
    }

    pub fn state(&self) -> BackupState {
        let state = self.state.read();
        state.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Where copies go and how that went; none where none are made.
    pub fn offsite(&self) -> Option<(&S3Location, OffsiteState)> {
        let offsite = self.offsite.as_ref()?;
        Some((offsite.location(), offsite.state()))
    }

    /// Copies the newest backup of the folder to the store if it is not there. Gives whether the failure is another than
    /// before, which is logged.
    pub async fn copy_offsite_if_behind(&self, store: &Store, now: Timestamp) -> bool {
        let Some(offsite) = &self.offsite else {
            return false;
        };
        offsite
            .copy_if_behind(self.newest_of_shop(store, now).await)
            .await
    }

    async fn newest_of_shop(
        &self,
        store: &Store,
        now: Timestamp,
    ) -> Result<Option<NewestBackup>, BackupError> {
        let shop_since = store.created_at().await?;
        self.look_at_folder(move |backups| backups.newest_to_copy(now, shop_since))
            .await
    }

    /// Looks at the folder, and gives up where it does not answer. No look begins before the one before has ended, so that
    /// one thread waits for a network that is away.
    async fn look_at_folder<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Self) -> Result<T, BackupError> + Send + 'static,
    ) -> Result<T, BackupError> {
        let backups = self.clone();
        let looked = async {
            let turn = Arc::clone(&self.look_turn).lock_owned().await;
            run_blocking(move || {
                let _turn = turn;
                look(&backups)
            })
            .await
        };
        let late = |_| BackupError::Read {
            path: self.schedule.folder.clone(),
            why: io::Error::new(io::ErrorKind::TimedOut, "the folder does not answer"),
        };
        timeout(self.look_timeout, looked).await.map_err(late)?
    }

    /// Once backups are encrypted none from before leaves the house. One of the future was made under a wrong clock.
    fn newest_to_copy(
        &self,
        now: Timestamp,
        shop_since: Timestamp,
    ) -> Result<Option<NewestBackup>, BackupError> {
        let may_leave = |name: &str| self.schedule.encryption.is_none() || has_encrypted_name(name);
        let backups = self.files_by_time(|name| time_of(name).filter(|_| may_leave(name)))?;
        let newest = backups.into_iter().rfind(|(time, _)| *time <= now);
        Ok(newest.map(|(time, file)| NewestBackup {
            time,
            file,
            shop_since,
        }))
    }

    /// Writes a backup if one is due, and then deletes those that are no longer kept. Gives whether `failure` is
    /// another than before, which is logged.
    pub async fn write_if_due(&self, store: &Store, now: Timestamp) -> bool {
        let before = self.state();
        let state = match self.newest_after(store, now).await {
            Ok(newest) => BackupState {
                newest,
                failure: None,
            },
            Err(error) => BackupState {
                newest: before.newest,
                failure: Some(error.to_string()),
            },
        };
        let is_changed = state.failure != before.failure;
        match &state.failure {
            Some(why) if is_changed => {
                tracing::error!("no backup is written: {why}; it is tried again every minute");
            }
            None if is_changed => tracing::info!("backups are written again"),
            _ => {}
        }
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = state;
        is_changed
    }

    /// The newest backup's time, after one was written if it was due.
    async fn newest_after(
        &self,
        store: &Store,
        now: Timestamp,
    ) -> Result<Option<Timestamp>, BackupError> {
        let BackupSchedule {
            folder,
            interval,
            encryption,
            ..
        } = &*self.schedule;
        let newest = self
            .look_at_folder(move |backups| backups.newest_until(now))
            .await?;
        let is_due = newest.is_none_or(|at| now.duration_since(at) >= *interval);
        if !is_due {
            return Ok(newest);
        }
        let size = store.size_bytes().await?;
        self.look_at_folder(move |backups| {
            backups.delete_abandoned(now)?;
            backups.require_room(size)
        })
        .await?;
        let backup = write_into_folder(store, folder, now, encryption.as_ref()).await?;
        tracing::info!(
            "{} is a backup: {}, {} bytes",
            backup.file.display(),
            ContentsSentence(backup.contents),
            backup.bytes
        );
        let shop_since = store.created_at().await?;
        let written = self.clone();
        run_blocking(move || written.delete_superseded(now, shop_since)).await?;
        let name = backup.file.file_name().and_then(|name| name.to_str());
        Ok(name.and_then(time_of))
    }

    /// A shop that is to be set up has no data, and its backups have another shop's: that was lost, or is mounted nowhere.
    pub fn warn_of_another_shop(&self) {
        if let Ok(Some(newest)) = self.newest() {
            tracing::warn!(
                "this shop is new, and {} has backups of one, the newest of {newest}: if the data folder was lost or is not \
                 mounted, do not set the shop up; stop the server and run dispatch restore with the newest backup",
                self.schedule.folder.display()
            );
        }
    }

    /// When the newest backup in the folder was made. One of the future is the newest only where there is no other.
    pub fn newest(&self) -> Result<Option<Timestamp>, BackupError> {
        match self.newest_until(Timestamp::now())? {
            None => Ok(self.list()?.into_keys().next_back()),
            newest => Ok(newest),
        }
    }

    /// The same of those that are not of the future: such were made under a wrong clock, and would otherwise hold off all
    /// others until then.
    fn newest_until(&self, now: Timestamp) -> Result<Option<Timestamp>, BackupError> {
        let backups = self.list()?;
        Ok(backups.range(..=now).next_back().map(|(time, _)| *time))
    }

    /// The folder's backups by their times, also those that a person wrote into it.
    fn list(&self) -> Result<BTreeMap<Timestamp, PathBuf>, BackupError> {
        self.files_by_time(time_of)
    }

    /// The folder's files whose names tell a time.
    fn files_by_time(
        &self,
        time_of: impl Fn(&str) -> Option<Timestamp>,
    ) -> Result<BTreeMap<Timestamp, PathBuf>, BackupError> {
        files_by_time(&self.schedule.folder, time_of)
    }

    /// What processes that were killed have left of a backup. One that is being written is younger.
    fn delete_abandoned(&self, now: Timestamp) -> Result<(), BackupError> {
        let unfinished = |name: &str| time_of(name.strip_suffix(UNFINISHED)?);
        let mut found: Vec<_> = self.files_by_time(unfinished)?.into_iter().collect();
        if let Some(encryption) = &self.schedule.encryption {
            found.extend(plain_copies(&encryption.database)?);
        }
        for (time, path) in found {
            if time < now - ABANDONED_AFTER {
                remove_database(&path)?;
                tracing::info!("{} is deleted: it was never finished", path.display());
            }
        }
        Ok(())
    }

    /// The disk may be that of the database, whose changes are not to fail for want of room. An encrypted backup has its
    /// plain copy there for as long as it is written.
    pub fn require_room(&self, bytes: u64) -> Result<(), BackupError> {
        let BackupSchedule {
            folder, encryption, ..
        } = &*self.schedule;
        if let Some(encryption) = encryption {
            let beside = folder_of(&encryption.database);
            let of_both = match same_disk(folder, beside) {
                true => bytes.saturating_mul(2),
                false => bytes,
            };
            require_room(beside, of_both)?;
        }
        require_room(folder, bytes)
    }

    /// Older backups than the shop are another's, whose data folder was lost: they may be all that is left of it. Those of
    /// the future take no other's place, and stay until their time.
    fn delete_superseded(&self, now: Timestamp, shop_since: Timestamp) -> Result<(), BackupError> {
        let mut backups = self.list()?.split_off(&shop_since);
        backups.retain(|time, _| *time <= now);
        let times = backups.keys().copied().collect();
        for time in self.schedule.kept.superseded(&times) {
            let path = &backups[&time];
            fs::remove_file(path).map_err(|why| BackupError::Delete {
                path: path.clone(),
                why,
            })?;
            tracing::info!("{} is deleted: newer backups are kept", path.display());
        }
        Ok(())
    }
}

fn files_by_time(
    folder: &Path,
    time_of: impl Fn(&str) -> Option<Timestamp>,
) -> Result<BTreeMap<Timestamp, PathBuf>, BackupError> {
    let entries = || -> io::Result<BTreeMap<Timestamp, PathBuf>> {
        let mut found = BTreeMap::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let time = entry.file_name().to_str().and_then(&time_of);
            if let Some(time) = time
                && entry.file_type()?.is_file()
            {
                found.insert(time, entry.path());
            }
        }
        Ok(found)
    };
    entries().map_err(|why| BackupError::Read {
        path: folder.to_owned(),
        why,
    })
}

fn plain_copies(database: &Path) -> Result<BTreeMap<Timestamp, PathBuf>, BackupError> {
    let name = database.file_name().and_then(|name| name.to_str());
    let Some(database_name) = name else {
        return Ok(BTreeMap::new());
    };
    files_by_time(folder_of(database), |name| {
        time_of_plain_copy(name, database_name)
    })
}

fn same_disk(one: &Path, other: &Path) -> bool {
    let disk = |path: &Path| path.metadata().map(|about| about.dev()).ok();
    disk(one) == disk(other)
}

fn require_room(folder: &Path, bytes: u64) -> Result<(), BackupError> {
    let disk = rustix::fs::statvfs(folder).map_err(|why| BackupError::Read {
        path: folder.to_owned(),
        why: why.into(),
    })?;
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    let needed = bytes.saturating_add(FREE_BYTES);
    if free < needed {
        return Err(BackupError::NoRoom {
            folder: folder.to_owned(),
            needed: needed.div_ceil(MB),
            free: free / MB,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use dispatch_actors::testing::Throwaway;

    use super::*;

    /// Every two hours; the newest of the last two hours with one are kept.
    fn backups_in(folder: PathBuf) -> Backups {
        Backups::new(BackupSchedule {
            folder,
            interval: SignedDuration::from_hours(2),
            kept: KeptBackups {
                hourly: 2,
                daily: 0,
                weekly: 0,
            },
            encryption: None,
            offsite: None,
        })
    }

    /// Later than any shop of a test was made.
    fn at(minutes: i64) -> Timestamp {
        let first: Timestamp = "2126-11-24T10:00:00Z".parse().unwrap();
        first + SignedDuration::from_mins(minutes)
    }

    fn times(backups: &Backups) -> Vec<Timestamp> {
        backups.list().unwrap().into_keys().collect()
    }

    #[tokio::test]
    async fn a_backup_is_due_after_its_interval_and_older_ones_are_deleted() {
        let database = Throwaway::sqlite();
        let store = database.store().await;
        let folder = tempfile::tempdir().unwrap();
        let unmounted = folder.path().join("disk");
        let others = [
            "notes.txt",
            "dispatch-2126-11-24T09-00-00Z.sqlite.unfinished",
        ];
        let abandoned = [
            "dispatch-2026-11-20T10-00-00Z.sqlite.unfinished",
            "dispatch-2026-11-20T10-00-00Z.sqlite.unfinished-wal",
        ];
        let backups = backups_in(unmounted.clone());
        assert!(backups.write_if_due(&store, at(-2)).await, "it fails");
        assert!(
            !backups.write_if_due(&store, at(-1)).await,
            "it fails still"
        );
        assert_eq!(backups.state().newest, None);
        fs::create_dir(&unmounted).unwrap();
        for name in others.iter().chain(&abandoned) {
            fs::write(unmounted.join(name), "").unwrap();
        }
        assert!(
            backups.write_if_due(&store, at(0)).await,
            "it is well again"
        );
        for minutes in [1, 119, 120, 121, 245, 400] {
            assert!(!backups.write_if_due(&store, at(minutes)).await);
        }
        let left = times(&backups);
        assert_eq!(left, [at(245), at(400)], "at 0 and 120, too, before");
        assert_eq!(backups.state().newest, Some(at(400)));
        for name in others {
            assert!(unmounted.join(name).exists(), "{name} is kept");
        }
        for name in abandoned {
            assert!(!unmounted.join(name).exists(), "{name} is deleted");
        }
    }

    #[tokio::test]
    async fn a_clock_that_was_a_day_ahead_holds_off_no_backup_and_hastens_none() {
        const DAY: i64 = 24 * 60;
        let database = Throwaway::sqlite();
        let store = database.store().await;
        let folder = tempfile::tempdir().unwrap();
        let backups = backups_in(folder.path().to_owned());
        for minutes in [0, DAY, 10, 11] {
            assert!(!backups.write_if_due(&store, at(minutes)).await, "it fails");
        }
        assert_eq!(times(&backups), [at(0), at(DAY)]);
        assert_eq!(backups.state().newest, Some(at(0)));
        for minutes in [120, 121, 122] {
            backups.write_if_due(&store, at(minutes)).await;
        }
        assert_eq!(times(&backups), [at(0), at(120), at(DAY)]);
        assert_eq!(backups.state().newest, Some(at(120)));
        // It takes the place of no other, and has one when its time has come.
        backups.write_if_due(&store, at(240)).await;
        assert_eq!(times(&backups), [at(120), at(240), at(DAY)]);
        backups.write_if_due(&store, at(DAY + 120)).await;
        assert_eq!(times(&backups), [at(DAY), at(DAY + 120)]);
    }

    #[tokio::test]
    async fn a_folder_that_does_not_answer_is_a_failure_until_it_does() {
        let database = Throwaway::sqlite();
        let store = database.store().await;
        let folder = tempfile::tempdir().unwrap();
        let mut backups = backups_in(folder.path().to_owned());
        backups.look_timeout = Duration::from_millis(50);
        // A look that lasts for as long as the network is away.
        let (network, answer) = std::sync::mpsc::channel::<()>();
        let look = backups.look_at_folder(move |_| {
            let _ = answer.recv();
            Ok(())
        });
        assert!(look.await.is_err());

        assert!(backups.write_if_due(&store, at(0)).await, "it fails");
        let failure = backups.state().failure.unwrap();
        assert!(failure.ends_with("the folder does not answer"), "{failure}");
        assert!(!backups.write_if_due(&store, at(1)).await, "it fails still");
        assert!(times(&backups).is_empty(), "no look began");

        drop(network);
        backups.look_timeout = LOOK_TIMEOUT;
        assert!(
            backups.write_if_due(&store, at(2)).await,
            "it is well again"
        );
        assert_eq!(backups.state().newest, Some(at(2)));
    }

    #[test]
    fn a_backup_of_the_future_is_shown_only_where_there_is_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let backups = backups_in(folder.path().to_owned());
        for (file, newest) in [
            ("dispatch-2126-11-24T10-00-00Z.sqlite", at(0)),
            (
                "dispatch-2001-01-01T00-00-00Z.sqlite",
                "2001-01-01T00:00:00Z".parse().unwrap(),
            ),
        ] {
            fs::write(folder.path().join(file), "").unwrap();
            assert_eq!(backups.newest().unwrap(), Some(newest));
        }
    }
}

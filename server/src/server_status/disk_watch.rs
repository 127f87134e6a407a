//! The disks as they were measured last, once a minute; who may know is told when one becomes low.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use dispatch_actors::broadcaster::Audience;
use dispatch_actors::store::{DatabaseUrl, LogStatus};
use dispatch_actors::ticks::next_tick;
use jiff::Timestamp;

use super::api_types::{DiskContents, DiskSpace, ServerStatusChangedEvent};
use super::disk_space::{LowDiskLimit, MB, distinct, file_system, measure};
use crate::realtime::announcer::Announcer;

/// From one measurement to the next.
const MEASURE_INTERVAL: Duration = Duration::from_secs(60);

/// A disk that sleeps answers after some seconds. The server does not start before each has been measured or is late.
const MEASURE_TIMEOUT: Duration = Duration::from_secs(10);

/// From one look at whether changes are saved to the next.
const OUTAGE_LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// Cheap to clone: all clones are the same.
#[derive(Clone, Debug)]
pub struct DiskWatch {
    disks: Arc<[WatchedDisk]>,
    limit: LowDiskLimit,
    measured: Arc<RwLock<Vec<DiskSpace>>>,
}

/// A folder whose disk is measured.
#[derive(Clone, Debug)]
struct WatchedDisk {
    folder: PathBuf,
    contents: DiskContents,
    /// A measurement of it has not returned: its network may be away. None is begun until it does.
    is_being_measured: Arc<AtomicBool>,
}

impl DiskWatch {
    /// Of the data folder, of the folder of a database that is a file elsewhere, and of those for intake and backups.
    pub fn new(
        data_dir: &Path,
        database: &DatabaseUrl,
        intake: Option<&Path>,
        backups: Option<&Path>,
        limit: LowDiskLimit,
    ) -> Self {
        // As they are found from anywhere.
        let place = |folder: &Path| folder.canonicalize().unwrap_or(folder.to_owned());
        let folders = what_matters_most_first(data_dir, database, intake, backups).into_iter();
        let folders = folders.map(|(folder, contents)| (place(folder), contents));
        let disks = distinct(folders, file_system).into_iter();
        Self {
            disks: disks.map(WatchedDisk::new).collect(),
            limit,
            measured: Arc::default(),
        }
    }

    /// As they were within the last minute. A file system that cannot be measured is left out.
    pub fn measured(&self) -> Vec<DiskSpace> {
        let measured = self.measured.read();
        measured.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// As they are now, for whoever asks once.
    pub fn measured_now(&self) -> Vec<DiskSpace> {
        let limit = self.limit;
        let measure_disk =
            move |disk: &WatchedDisk| measure(&disk.folder, disk.contents, limit, false);
        measure_each(&self.disks, MEASURE_TIMEOUT, measure_disk)
    }

    /// Measures every disk, and logs which became low and which is no longer. Whether there is any.
    pub fn measure(&self) -> bool {
        let before = self.measured();
        let was_low =
            move |folder: &str| before.iter().any(|disk| disk.folder == folder && disk.low);
        let (limit, was_low_before) = (self.limit, was_low.clone());
        let measured = measure_each(&self.disks, MEASURE_TIMEOUT, move |disk| {
            let was_low = was_low_before(&disk.folder.display().to_string());
            measure(&disk.folder, disk.contents, limit, was_low)
        });
        let changed = measured
            .iter()
            .filter(|disk| disk.low != was_low(&disk.folder));
        let count = changed.inspect(|disk| log(disk)).count();
        *self
            .measured
            .write()
            .unwrap_or_else(PoisonError::into_inner) = measured;
        count > 0
    }
}

impl WatchedDisk {
    fn new((folder, contents): (PathBuf, DiskContents)) -> Self {
        Self {
            folder,
            contents,
            is_being_measured: Arc::default(),
        }
    }

    /// Calls `done` on a thread of its own, unless a measurement from before has not returned. Gives whether it began.
    fn begin<T>(
        &self,
        measure_disk: impl FnOnce(&Self) -> T + Send + 'static,
        done: impl FnOnce(T) + Send + 'static,
    ) -> bool {
        if self.is_being_measured.swap(true, Ordering::AcqRel) {
            return false;
        }
        let disk = self.clone();
        let run = move || {
            let measured = measure_disk(&disk);
            disk.is_being_measured.store(false, Ordering::Release);
            done(measured);
        };
        let started = thread::Builder::new()
            .name("disk-space".to_owned())
            .spawn(run);
        if let Err(error) = &started {
            tracing::error!(%error, "no disk can be measured");
            self.is_being_measured.store(false, Ordering::Release);
        }
        started.is_ok()
    }
}

/// In the order of the disks. One that cannot be measured, or not in time, is left out, and none waits for another.
fn measure_each(
    disks: &[WatchedDisk],
    timeout: Duration,
    measure_disk: impl Fn(&WatchedDisk) -> io::Result<DiskSpace> + Clone + Send + 'static,
) -> Vec<DiskSpace> {
    let (sender, answers) = mpsc::channel();
    let mut begun = Vec::new();
    for (place, disk) in disks.iter().enumerate() {
        let sender = sender.clone();
        // Nobody waits for what comes late.
        let done = move |measured| drop(sender.send((place, measured)));
        if disk.begin(measure_disk.clone(), done) {
            begun.push(disk);
        }
    }
    drop(sender);
    let deadline = Instant::now() + timeout;
    let mut measured: Vec<Option<DiskSpace>> = vec![None; disks.len()];
    // It ends when all have answered, too.
    while let Ok((place, answer)) =
        answers.recv_timeout(deadline.saturating_duration_since(Instant::now()))
    {
        match answer {
            Ok(disk) => measured[place] = Some(disk),
            Err(error) => {
                tracing::debug!(%error, "{} could not be measured", disks[place].folder.display());
            }
        }
    }
    for disk in begun {
        if disk.is_being_measured.load(Ordering::Acquire) {
            let folder = disk.folder.display();
            tracing::warn!(
                "the disk of {folder} does not answer, and is not measured until it does"
            );
        }
    }
    measured.into_iter().flatten().collect()
}

/// Of several folders on one file system, the first says what it is for.
fn what_matters_most_first<'a>(
    data_dir: &'a Path,
    database: &'a DatabaseUrl,
    intake: Option<&'a Path>,
    backups: Option<&'a Path>,
) -> Vec<(&'a Path, DiskContents)> {
    let mut folders = vec![(data_dir, DiskContents::Data)];
    if let DatabaseUrl::Sqlite(file) = database {
        let folder = file.parent().filter(|folder| *folder != Path::new(""));
        folders.push((folder.unwrap_or(Path::new(".")), DiskContents::Data));
    }
    folders.extend(intake.map(|folder| (folder, DiskContents::Intake)));
    folders.extend(backups.map(|folder| (folder, DiskContents::Backups)));
    folders
}

/// Measures for as long as the server runs, from a minute after this call on.
pub async fn follow(announcer: Announcer, disks: DiskWatch, database: LogStatus) {
    loop {
        let is_outage_new_or_over = until_due(&database).await;
        let measured = disks.clone();
        // A file system on a network may not answer for long.
        let measuring = tokio::task::spawn_blocking(move || measured.measure());
        let is_changed = measuring.await.unwrap_or_default();
        let is_shown = || disks.measured().iter().any(|disk| disk.low);
        if is_changed || (is_outage_new_or_over && is_shown()) {
            announce_change(&announcer).await;
        }
    }
}

/// Until the next measurement. It comes at once where changes can no longer be saved or can be again, which is often the
/// disk's doing: what is said of the disk then has to be true. Gives whether that was so.
async fn until_due(database: &LogStatus) -> bool {
    let is_saving = || database.outage().not_saving_since.is_none();
    let (was_saving, due) = (is_saving(), Instant::now() + MEASURE_INTERVAL);
    while Instant::now() < due {
        next_tick(OUTAGE_LOOK_INTERVAL).await;
        if is_saving() != was_saving {
            return true;
        }
    }
    false
}

pub(super) async fn announce_change(announcer: &Announcer) {
    let changed = ServerStatusChangedEvent {
        r#type: "SERVER_STATUS_CHANGED",
        timestamp: Timestamp::now().to_string(),
    };
    let announcement = announcer.announce("SERVER_STATUS_CHANGED", &changed, Audience::Desks);
    if let Err(error) = announcement.await {
        // Whoever connects asks.
        tracing::error!(%error, "desks could not be told of a change of the server's status");
    }
}

fn log(disk: &DiskSpace) {
    let (free, total) = (disk.free_bytes / MB, disk.total_bytes / MB);
    let folder = &disk.folder;
    if disk.low {
        tracing::warn!(
            "the disk of {folder} is nearly full: {free} of {total} MB are left; make room: when it is full {}",
            disk.holds.without_room()
        );
    } else {
        tracing::info!("the disk of {folder} has room again: {free} of {total} MB");
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;
    use std::sync::Mutex;
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn a_disk_is_for_what_matters_most_of_what_is_on_it() {
        let (data, elsewhere) = (Path::new("/first/data"), Path::new("/second/folder"));
        let database = DatabaseUrl::Sqlite(data.join("dispatch.sqlite"));
        // Not every machine has two file systems to write to.
        let file_system = |folder: &Path| Some(u64::from(folder.starts_with("/second")));
        let contents = |intake: &Path, backups: &Path| {
            let folders = what_matters_most_first(data, &database, Some(intake), Some(backups));
            let folders = folders
                .into_iter()
                .map(|(folder, contents)| (folder.to_owned(), contents));
            distinct(folders, file_system)
                .into_iter()
                .map(|(_, contents)| contents)
                .collect::<Vec<_>>()
        };
        assert_eq!(contents(data, data), [DiskContents::Data]);
        assert_eq!(
            contents(data, elsewhere),
            [DiskContents::Data, DiskContents::Backups]
        );
        assert_eq!(
            contents(elsewhere, elsewhere),
            [DiskContents::Data, DiskContents::Intake]
        );
    }

    fn data_disk(folder: PathBuf) -> WatchedDisk {
        WatchedDisk::new((folder, DiskContents::Data))
    }

    #[test]
    fn a_disk_that_does_not_answer_keeps_no_other_from_being_measured() {
        let folder = tempfile::tempdir().unwrap();
        let folders = [folder.path().join("away"), folder.path().to_owned()];
        let disks = folders.map(data_disk);
        // A call to a network that is away: each waits for the same lock.
        let network = Arc::new(Mutex::new(()));
        let calls = Arc::new(AtomicUsize::new(0));
        let away = network.lock().unwrap();
        let measure_disk = {
            let (network, calls) = (Arc::clone(&network), Arc::clone(&calls));
            move |disk: &WatchedDisk| {
                if disk.folder.ends_with("away") {
                    calls.fetch_add(1, Ordering::Relaxed);
                    drop(network.lock());
                }
                let folder = disk.folder.parent().unwrap();
                measure(folder, disk.contents, LowDiskLimit::new(None), false)
            }
        };
        let measured = |milliseconds| {
            let timeout = Duration::from_millis(milliseconds);
            measure_each(&disks, timeout, measure_disk.clone()).len()
        };
        assert_eq!(measured(1_000), 1);
        assert!(disks[0].is_being_measured.load(Ordering::Acquire));
        assert_eq!(measured(60_000), 1, "it is not asked again");
        assert_eq!(calls.load(Ordering::Relaxed), 1);

        drop(away);
        while disks[0].is_being_measured.load(Ordering::Acquire) {
            thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(measured(60_000), 2);
    }

    #[test]
    fn a_change_is_told_once_and_a_folder_that_cannot_be_measured_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let folders = [folder.path().to_owned(), folder.path().join("gone")];
        let mut watch = DiskWatch {
            disks: folders.map(data_disk).into(),
            limit: LowDiskLimit::new(Some(NonZeroU32::MIN)),
            measured: Arc::default(),
        };
        let mut states = Vec::new();
        for limit in [
            NonZeroU32::MIN,
            NonZeroU32::MAX,
            NonZeroU32::MAX,
            NonZeroU32::MIN,
        ] {
            watch.limit = LowDiskLimit::new(Some(limit));
            states.push((watch.measure(), watch.measured()[0].low));
        }
        let expected = [(false, false), (true, true), (false, true), (true, false)];
        assert_eq!(states, expected);
        assert_eq!(watch.measured().len(), 1);
    }
}

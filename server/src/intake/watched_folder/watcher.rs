//! Imports each file that is put into the watched folder, and then moves it to `done/`, or to `rejected/` with
//! the reason beside it. Nothing is overwritten, and nothing is deleted here. A file that was not read to its
//! end, or that grew after it was moved, is imported again, which changes nothing twice.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ffi::{OsStr, OsString};
use std::io;
use std::time::{Duration, Instant};

use dispatch_actors::ticks::{next_tick, ticks};
use dispatch_intake::FormatChoice;
use jiff::Timestamp;
use tokio::fs::File;
use tokio::io::AsyncReadExt;
use tokio::task::JoinHandle;
use uuid::Uuid;

use super::file_stamp::FileStamp;
use super::intake_folder::IntakeFolder;
use super::moved_files::{MAX_MOVED_FILES, MovedFile, RECHECK_INTERVAL, RECHECK_TIME, put_back};
use super::rejects_writer::RejectsWriter;
use super::watch_log::{FileResult, Warnings, fault_line, log_name, log_result};
use crate::intake::{FileImport, ImportError, ImportProgress, IntakeState};

/// Between two scans, which must find a file unchanged.
const SCAN_INTERVAL: Duration = Duration::from_secs(1);

/// A file that was written to more recently may not be whole: a copy over a network stops for seconds.
const MIN_QUIET_TIME: Duration = Duration::from_secs(10);

/// Some programs make an empty file first and fill it when they have something to say.
const MIN_EMPTY_TIME: Duration = Duration::from_secs(60);

/// A file that could not be read or moved is tried again after this long.
const RETRY_PAUSE: Duration = Duration::from_secs(60);

/// Bytes that are read at once.
const CHUNK_SIZE: usize = 64 * 1024;

/// Imports the files that are put into the folder until the handle is aborted. Of several servers that watch the same
/// folder one does so, and another one goes on when that one is gone.
pub fn watch(folder: IntakeFolder, state: IntakeState) -> JoinHandle<()> {
    actix_web::rt::spawn(async move {
        let store = state.store.clone();
        // No other server can be on a database that is a file.
        let id = match store.others().may_exist() {
            true => id_of(&folder).await,
            false => Uuid::nil(),
        };
        let watch = async || FolderWatcher::new(&folder, &state).run().await;
        store.lead(&format!("intake folder {id}"), watch).await;
    })
}

async fn id_of(folder: &IntakeFolder) -> Uuid {
    let mut faults = HashSet::new();
    loop {
        let opened = folder.clone();
        match blocking(move || opened.open_now()?.id()).await {
            Ok(id) => return id,
            Err(error) => log_once(&mut faults, format!("{}: {error}", folder.path.display())),
        }
        next_tick(SCAN_INTERVAL).await;
    }
}

fn log_once(faults: &mut HashSet<String>, fault: String) {
    if let Some(line) = fault_line(faults, fault) {
        tracing::error!("the intake folder does not work: {line}");
    }
}

struct FolderWatcher {
    folder: IntakeFolder,
    state: IntakeState,
    /// The files of the last scan, and since when each is unchanged.
    last_scan: HashMap<OsString, (FileStamp, Instant)>,
    /// Files that could not be read or moved, as they were, and when they are tried again.
    retries: HashMap<OsString, (FileStamp, Instant)>,
    /// The faults that were logged since everything worked.
    faults: HashSet<String>,
    /// The newest files that were moved, oldest first.
    moved_files: VecDeque<MovedFile>,
    rechecked_at: Instant,
}

impl FolderWatcher {
    fn new(folder: &IntakeFolder, state: &IntakeState) -> Self {
        Self {
            folder: folder.clone(),
            state: state.clone(),
            last_scan: HashMap::new(),
            retries: HashMap::new(),
            faults: HashSet::new(),
            moved_files: VecDeque::new(),
            rechecked_at: Instant::now(),
        }
    }

    async fn run(mut self) {
        let folder = self.folder.clone();
        if let Err(error) = blocking(move || folder.open_now()?.remove_leftovers()).await {
            self.log_once(format!("{}: {error}", self.folder.path.display()));
        }
        let mut every = ticks(SCAN_INTERVAL);
        loop {
            every.tick().await;
            match self.scan().await {
                Ok(()) if self.retries.is_empty() => {
                    if !std::mem::take(&mut self.faults).is_empty() {
                        tracing::info!("the intake folder works again");
                    }
                }
                Ok(()) => {}
                Err(error) => {
                    let fault = format!("{}: {error}", self.folder.path.display());
                    self.log_once(fault);
                }
            }
        }
    }

    fn log_once(&mut self, fault: String) {
        log_once(&mut self.faults, fault);
    }

    /// Imports the files that nobody writes to any more.
    async fn scan(&mut self) -> io::Result<()> {
        self.recheck_moved().await?;
        let folder = self.folder.clone();
        let files = blocking(move || folder.open_now()?.list_files()).await?;
        let mut previous = std::mem::take(&mut self.last_scan);
        let (mut complete, now) = (Vec::new(), Instant::now());
        for (name, stamp) in files {
            let since = match previous.remove(&name) {
                Some((before, since)) if before == stamp => {
                    let is_due = self
                        .retries
                        .get(&name)
                        .is_none_or(|(failed, due)| *failed != stamp || *due <= now);
                    if is_due && is_whole(&stamp, since.elapsed(), Timestamp::now()) {
                        complete.push((name.clone(), stamp));
                    }
                    since
                }
                _ => now,
            };
            self.last_scan.insert(name, (stamp, since));
        }
        let last_scan = &self.last_scan;
        self.retries.retain(|name, _| last_scan.contains_key(name));
        for (name, stamp) in complete {
            match self.import_file(&name, stamp).await {
                Ok(()) => {
                    self.retries.remove(&name);
                }
                Err(error) => {
                    let due = Instant::now() + RETRY_PAUSE;
                    self.retries.insert(name.clone(), (stamp, due));
                    self.log_once(format!("{}: {error}", log_name(&name)));
                }
            }
        }
        Ok(())
    }

    /// Imports a file and moves it. A file that changed meanwhile stays, and the next scan finds it again.
    async fn import_file(&mut self, name: &OsStr, stamp: FileStamp) -> io::Result<()> {
        let (folder, file_name) = (self.folder.clone(), name.to_owned());
        let opened = move || {
            let folder = folder.open_now()?;
            let file = folder.read(&file_name, stamp)?;
            Ok(file.map(|file| (folder, file)))
        };
        let Some((folder, file)) = blocking(opened).await? else {
            return Ok(());
        };
        let mut file = File::from_std(file);
        let shown = name.to_string_lossy().into_owned();
        let mut rejects = RejectsWriter::new(&folder);
        let result = self.read_file(&shown, &mut file, &mut rejects).await?;
        let reason = match &result {
            FileResult::Imported(..) => None,
            FileResult::Unreadable(why, _) => Some(format!("{why}\n")),
        };
        let refused = rejects.count;
        let rejects = rejects.finish().await?;
        let file_name = name.to_owned();
        let filed = move || {
            let place = folder.archive_file(&file_name, stamp, rejects, reason)?;
            Ok(place.map(|place| (folder.path_of(&place), place)))
        };
        let Some((path, place)) = blocking(filed).await? else {
            return Ok(());
        };
        log_result(&shown, &path, &result, refused);
        self.last_scan.remove(name);
        if self.moved_files.len() == MAX_MOVED_FILES {
            self.moved_files.pop_front();
        }
        let at = Instant::now();
        self.moved_files.push_back(MovedFile { place, stamp, at });
        Ok(())
    }

    /// Returns files that somebody has written to since they were moved.
    async fn recheck_moved(&mut self) -> io::Result<()> {
        if self.rechecked_at.elapsed() < RECHECK_INTERVAL {
            return Ok(());
        }
        self.rechecked_at = Instant::now();
        self.moved_files
            .retain(|filed| filed.at.elapsed() < RECHECK_TIME);
        let (folder, filed) = (self.folder.clone(), std::mem::take(&mut self.moved_files));
        let (unchanged, grown) = blocking(move || Ok(put_back(&folder, filed))).await?;
        self.moved_files = unchanged;
        for (place, back) in grown {
            let place = log_name(&place.name);
            match back {
                Ok(back) => {
                    let back = log_name(&back);
                    tracing::warn!(
                        "{place} was written to after it was taken; it is taken again as {back}"
                    );
                }
                Err(error) => tracing::error!(
                    "{place} was written to after it was taken and could not be put back: {error}"
                ),
            }
        }
        Ok(())
    }

    async fn read_file(
        &self,
        name: &str,
        file: &mut File,
        rejects: &mut RejectsWriter,
    ) -> io::Result<FileResult> {
        let mut import = FileImport::new(&self.state, name, FormatChoice::Auto, false);
        let mut warnings = Warnings::default();
        let mut bytes = vec![0; CHUNK_SIZE];
        loop {
            let count = file.read(&mut bytes).await?;
            if count == 0 {
                break;
            }
            let fed = import.feed(&bytes[..count]).await;
            rejects.write(name, &import.take_rejects()).await?;
            warnings.add(import.take_warnings());
            if let Err(error) = fed {
                return file_error(error, import.progress());
            }
        }
        match import.finish().await {
            Ok(mut summary) => {
                rejects.write(name, &summary.rejects).await?;
                warnings.add(std::mem::take(&mut summary.warnings));
                Ok(FileResult::Imported(summary, warnings))
            }
            Err(error) => file_error(error, import.progress()),
        }
    }
}

/// Whether nobody writes any more to a file that two scans found unchanged, for `still`. By its own time
/// or by ours: a file server's clock may be ahead.
fn is_whole(stamp: &FileStamp, still: Duration, now: Timestamp) -> bool {
    if stamp.size == 0 {
        return still >= MIN_EMPTY_TIME;
    }
    stamp.age(now) >= MIN_QUIET_TIME || still >= MIN_QUIET_TIME
}

/// An outage is an error: the file is not at fault, stays where it is and is tried again.
fn file_error(error: ImportError, progress: ImportProgress) -> io::Result<FileResult> {
    match error {
        ImportError::Unreadable(error) => Ok(FileResult::Unreadable(error, progress)),
        ImportError::Unavailable => Err(io::Error::other(error)),
    }
}

/// Off the thread that the orders are decided on.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(io::Error::other(error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_just_written_to_is_not_whole() {
        let path = tempfile::NamedTempFile::new().unwrap();
        let stamp = || FileStamp::of(&rustix::fs::stat(path.path()).unwrap());
        let second = Duration::from_secs(1);
        let at = |seconds: i64| {
            let modified = path.path().metadata().unwrap().modified().unwrap();
            Timestamp::try_from(modified).unwrap() + jiff::SignedDuration::from_secs(seconds)
        };
        assert!(!is_whole(&stamp(), 20 * second, at(20)), "it is empty");
        assert!(is_whole(&stamp(), 60 * second, at(60)));
        std::fs::write(path.path(), "number\n").unwrap();
        for (still, after, whole) in [
            (1, 2, false),
            (8, 9, false),
            (1, 10, true),
            (9, -3_600, false),
            (10, -3_600, true),
        ] {
            assert_eq!(
                is_whole(&stamp(), still * second, at(after)),
                whole,
                "{still} {after}"
            );
        }
    }
}

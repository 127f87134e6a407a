//! Imports each file that is put into the watched folder, and then moves it to `done/`, or to `rejected/` with
//! the reason beside it. Nothing is overwritten, and nothing is deleted here. A file that was not read to its
//! end, or that grew after it was moved, is imported again, which changes nothing twice. Files are taken one after the
//! other, so that an older one never comes after a newer one.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ffi::{OsStr, OsString};
use std::io;
use std::time::{Duration, Instant};

use dispatch_actors::ticks::{next_tick, ticks};
use jiff::Timestamp;
use tokio::task::JoinHandle;
use uuid::Uuid;

use super::file_queue::FileQueue;
use super::file_stamp::FileStamp;
use super::folder_calls::{CALL_TIMEOUT, FolderCalls, FolderTimeoutError, is_folder_timeout};
use super::folder_health::FolderHealth;
use super::intake_folder::{IntakeFolder, OpenedFile};
use super::moved_files::{MAX_MOVED_FILES, MovedFile, RECHECK_INTERVAL, RECHECK_TIME, put_back};
use super::read_file::ReadFile;
use super::take_error::TakeError;
use super::watch_log::{fault_line, log_name, log_result};
use crate::intake::IntakeState;

/// Between two scans, which must find a file unchanged.
const SCAN_INTERVAL: Duration = Duration::from_secs(1);

/// Imports the files that are put into the folder until the handle is aborted. Of several servers that watch the same
/// folder one does so, and another one goes on when that one is gone or the folder does not answer it.
pub fn watch(folder: IntakeFolder, health: FolderHealth, state: IntakeState) -> JoinHandle<()> {
    actix_web::rt::spawn(async move {
        let store = state.store.clone();
        let calls = FolderCalls::new(CALL_TIMEOUT);
        // No other server can be on a database that is a file.
        let id = match store.others().may_exist() {
            true => id_of(&folder, &health, &calls).await,
            false => Uuid::nil(),
        };
        health.note_id(id);
        let work = format!("intake folder {id}");
        let mut watcher = FolderWatcher::new(folder, health, state, calls.clone());
        loop {
            let watch = async || watcher.run().await;
            store.lead(&work, watch).await;
            calls.wait_until_idle().await;
        }
    })
}

async fn id_of(folder: &IntakeFolder, health: &FolderHealth, calls: &FolderCalls) -> Uuid {
    let mut faults = HashSet::new();
    loop {
        let opened = folder.clone();
        match calls.ask(move || opened.open_now()?.id()).await {
            Ok(id) => return id,
            Err(error) => note_fault(&mut faults, health, folder_fault(folder, &error)),
        }
        next_tick(SCAN_INTERVAL).await;
    }
}

fn folder_fault(folder: &IntakeFolder, error: &dyn std::fmt::Display) -> String {
    format!("{}: {error}", folder.path.display())
}

/// The log has each fault once.
fn note_fault(faults: &mut HashSet<String>, health: &FolderHealth, fault: String) {
    health.note_fault(fault.clone());
    if let Some(line) = fault_line(faults, fault) {
        tracing::error!("the intake folder does not work: {line}");
    }
}

struct FolderWatcher {
    folder: IntakeFolder,
    health: FolderHealth,
    state: IntakeState,
    calls: FolderCalls,
    queue: FileQueue,
    /// The files that could not be moved, as the last scan found them: they are moved, and not imported again.
    unmoved: HashMap<OsString, ReadFile>,
    /// The faults that were logged since everything worked.
    faults: HashSet<String>,
    /// The newest files that were moved, oldest first.
    moved_files: VecDeque<MovedFile>,
    rechecked_at: Instant,
}

impl FolderWatcher {
    fn new(
        folder: IntakeFolder,
        health: FolderHealth,
        state: IntakeState,
        calls: FolderCalls,
    ) -> Self {
        Self {
            folder,
            health,
            state,
            calls,
            queue: FileQueue::default(),
            unmoved: HashMap::new(),
            faults: HashSet::new(),
            moved_files: VecDeque::new(),
            rechecked_at: Instant::now(),
        }
    }

    /// Until the folder does not answer. Then another server may take the files, which may reach it.
    async fn run(&mut self) {
        let health = self.health.clone();
        let _reading = health.start_reading();
        if let Err(error) = self.remove_leftovers().await {
            self.note_fault(folder_fault(&self.folder, &error));
            if is_folder_timeout(&error) {
                return;
            }
        }
        let mut every = ticks(SCAN_INTERVAL);
        loop {
            every.tick().await;
            match self.scan().await {
                Ok(()) if !self.queue.has_retries() => {
                    health.note_that_it_works();
                    if !std::mem::take(&mut self.faults).is_empty() {
                        tracing::info!("the intake folder works again");
                    }
                }
                Ok(()) => {}
                Err(error) => {
                    self.note_fault(folder_fault(&self.folder, &error));
                    if is_folder_timeout(&error) {
                        return;
                    }
                }
            }
        }
    }

    fn note_fault(&mut self, fault: String) {
        note_fault(&mut self.faults, &self.health, fault);
    }

    async fn remove_leftovers(&self) -> io::Result<()> {
        // The refused rows of a file that is still to be moved would be among them.
        if !self.unmoved.is_empty() {
            return Ok(());
        }
        let folder = self.folder.clone();
        let remove = move || folder.open_now()?.remove_leftovers();
        self.calls.ask(remove).await
    }

    /// Takes the files that nobody writes to any more, up to one that has to be tried again.
    async fn scan(&mut self) -> io::Result<()> {
        self.recheck_moved().await?;
        let folder = self.folder.clone();
        let list = move || folder.open_now()?.list_files();
        let found = self.calls.ask(list).await?;
        let ready = self
            .queue
            .ready_files(found, Instant::now(), Timestamp::now());
        self.forget_files_that_are_gone();
        for (name, stamp) in ready {
            match self.take_file(&name, stamp).await {
                Ok(true) => {}
                // It may be one that holds up the others.
                Ok(false) => break,
                Err(error) => {
                    self.queue.retry(&name, stamp, &error, Instant::now());
                    match error {
                        TakeError::NotImported(error) if is_folder_timeout(&error) => {
                            return Err(error);
                        }
                        error => self.note_fault(format!("{}: {error}", log_name(&name))),
                    }
                    break;
                }
            }
        }
        Ok(())
    }

    /// Somebody else has moved them, or put others in their place.
    fn forget_files_that_are_gone(&mut self) {
        let queue = &self.queue;
        self.unmoved.retain(|name, read| {
            let is_there = queue.has(name, read.stamp);
            if !is_there {
                log_result(&name.to_string_lossy(), None, &read.result, read.refused);
            }
            is_there
        });
    }

    /// Imports a file and moves it. Gives whether it did: a file that changed meanwhile stays, and the next scan finds it
    /// again.
    async fn take_file(&mut self, name: &OsStr, stamp: FileStamp) -> Result<bool, TakeError> {
        if let Some(read) = self.unmoved.remove(name) {
            return self.archive_file(name, read).await;
        }
        let read = match self.import_file(name, stamp).await {
            Err(TakeError::Refused(why)) if self.queue.is_given_up(name, stamp, Instant::now()) => {
                Some(ReadFile::refused(stamp, why))
            }
            imported => imported?,
        };
        match read {
            Some(read) => self.archive_file(name, read).await,
            None => Ok(false),
        }
    }

    /// None: it is another by now, or gone.
    async fn import_file(
        &self,
        name: &OsStr,
        stamp: FileStamp,
    ) -> Result<Option<ReadFile>, TakeError> {
        let (folder, file_name) = (self.folder.clone(), name.to_owned());
        let open = move || {
            let folder = folder.open_now()?;
            let file = folder.open_file(&file_name, stamp)?;
            Ok((folder, file))
        };
        let (folder, opened) = self.calls.ask(open).await?;
        let file = match opened {
            OpenedFile::Opened(file) => file,
            OpenedFile::Changed => return Ok(None),
            OpenedFile::Refused(why) => return Err(TakeError::Refused(why)),
        };
        let read = ReadFile::import(&self.state, &self.calls, &folder, name, file, stamp);
        Ok(Some(read.await?))
    }

    /// Moves a file that was read. Gives whether it did: one that changed stays.
    async fn archive_file(&mut self, name: &OsStr, read: ReadFile) -> Result<bool, TakeError> {
        let (folder, file_name) = (self.folder.clone(), name.to_owned());
        let (stamp, rejects, reason) = (read.stamp, read.rejects.clone(), read.result.reason());
        let archive = move || {
            let folder = folder.open_now()?;
            let place =
                folder.archive_file(&file_name, stamp, rejects.as_ref(), reason.as_deref())?;
            Ok(place.map(|place| (folder.path_of(&place), place)))
        };
        let fault = folder_fault(&self.folder, &FolderTimeoutError);
        let (faults, health) = (&mut self.faults, &self.health);
        let on_timeout = || note_fault(faults, health, fault);
        let (path, place) = match self.calls.change(archive, on_timeout).await {
            Ok(Some(moved)) => moved,
            Ok(None) => return Ok(false),
            Err(error) => {
                self.unmoved.insert(name.to_owned(), read);
                return Err(TakeError::NotMoved(error));
            }
        };
        let shown = name.to_string_lossy();
        log_result(&shown, Some(&path), &read.result, read.refused);
        self.queue.remove(name);
        if self.moved_files.len() == MAX_MOVED_FILES {
            self.moved_files.pop_front();
        }
        let at = Instant::now();
        self.moved_files.push_back(MovedFile { place, stamp, at });
        Ok(true)
    }

    /// Returns files that somebody has written to since they were moved.
    async fn recheck_moved(&mut self) -> io::Result<()> {
        if self.rechecked_at.elapsed() < RECHECK_INTERVAL {
            return Ok(());
        }
        self.rechecked_at = Instant::now();
        self.moved_files
            .retain(|filed| filed.at.elapsed() < RECHECK_TIME);
        if self.moved_files.is_empty() {
            return Ok(());
        }
        let (folder, filed) = (self.folder.clone(), self.moved_files.clone());
        let recheck = move || Ok(put_back(&folder, filed));
        let (unchanged, grown) = self.calls.ask(recheck).await?;
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
}

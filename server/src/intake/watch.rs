//! The watched folder: a file that is put into it is taken in, and then moved to `done/`, or to
//! `rejected/` with what is wrong beside it. Nothing is overwritten and nothing deleted, and a file
//! that was not taken to its end is taken again, which changes nothing twice.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs::{Metadata, OpenOptions, create_dir_all};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::task::JoinHandle;

use super::{Format, Progress, Summary, Taking, Unreadable, rejects_file};
use crate::app::Services;

/// Between two looks; a file must stand still that long.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Some programs make an empty file first and fill it when they have something to say.
const EMPTY_FOR: Duration = Duration::from_secs(60);

/// A file that could not be read or moved is tried again after this long.
const TRY_AGAIN: Duration = Duration::from_secs(60);

/// Bytes that are read at once.
const PIECE: usize = 64 * 1024;

/// Warnings of one file that are logged.
const WARNINGS: usize = 100;

const DONE: &str = "done";
const REJECTED: &str = "rejected";

/// What is wrong with a file is beside it under its name and these.
const REJECTED_ROWS: &str = ".rejects.ndjson";
const REASON: &str = ".reason.txt";

/// In `rejected/`, while a file is being taken.
const HIDDEN: &str = ".rejects.part";

/// Bytes; file systems allow 255, and something is put behind it.
const LONGEST_NAME: usize = 200;

/// How files are called that are still being written.
const UNFINISHED: [&str; 3] = [".tmp", ".part", ".filepart"];

#[derive(Debug, thiserror::Error)]
#[error("cannot use the intake folder {}: {why}", path.display())]
pub struct Unusable {
    path: PathBuf,
    why: io::Error,
}

/// A folder that files can be taken from.
#[derive(Clone, Debug)]
pub struct IntakeFolder {
    path: PathBuf,
}

impl IntakeFolder {
    /// Makes what is missing, and tries out that files can be listed and moved.
    pub fn open(path: &Path) -> Result<Self, Unusable> {
        for path in [path.to_owned(), path.join(DONE), path.join(REJECTED)] {
            let usable = create_dir_all(&path)
                .and_then(|()| path.read_dir().map(drop))
                .and_then(|()| try_out(&path));
            usable.map_err(|why| Unusable { path, why })?;
        }
        Ok(Self {
            path: path.to_owned(),
        })
    }

    /// Takes in what is put into the folder until the handle is aborted.
    pub fn watch(self, services: Services) -> JoinHandle<()> {
        let watch = Watch {
            folder: self,
            services,
            seen: HashMap::new(),
            again: HashMap::new(),
            faults: HashSet::new(),
        };
        actix_web::rt::spawn(watch.run())
    }

    /// What may be taken in, in the order of names.
    fn look(&self) -> io::Result<Vec<(OsString, Stamp)>> {
        let mut files = Vec::new();
        for entry in self.path.read_dir()? {
            let entry = entry?;
            let name = entry.file_name();
            if is_unfinished(&name) || name == DONE || name == REJECTED {
                continue;
            }
            // Of the link itself where it is one; gone since is not there.
            match entry.metadata() {
                Ok(about) if about.is_file() => files.push((name, Stamp::of(&about))),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        files.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(files)
    }
}

/// Leaves nothing behind.
fn try_out(folder: &Path) -> io::Result<()> {
    let path = folder.join(format!(".dispatch-{}", std::process::id()));
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(&path)?;
    std::fs::remove_file(path)
}

fn is_unfinished(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_lowercase();
    name.starts_with('.') || UNFINISHED.iter().any(|ending| name.ends_with(ending))
}

/// By which a file is known to be what it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    inode: u64,
    size: u64,
    /// Seconds and nanoseconds.
    modified: (i64, i64),
}

impl Stamp {
    fn of(about: &Metadata) -> Self {
        Self {
            inode: about.ino(),
            size: about.size(),
            modified: (about.mtime(), about.mtime_nsec()),
        }
    }
}

struct Watch {
    folder: IntakeFolder,
    services: Services,
    /// At the last look, and since when it stands still.
    seen: HashMap<OsString, (Stamp, Instant)>,
    /// Files that could not be read or moved, as they were, and when they are tried again.
    again: HashMap<OsString, (Stamp, Instant)>,
    /// Those that were logged since everything worked.
    faults: HashSet<String>,
}

/// What became of a file that was read to its end.
enum Taken {
    Whole(Summary, Warnings),
    /// Up to where it could be read.
    Unreadable(Unreadable, Progress),
}

impl Watch {
    async fn run(mut self) {
        let mut every = tokio::time::interval(LOOK_EVERY);
        every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            every.tick().await;
            match self.look().await {
                Ok(()) if self.again.is_empty() => {
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
        if !self.faults.contains(&fault) {
            tracing::error!("the intake folder does not work: {fault}");
            self.faults.insert(fault);
        }
    }

    /// Takes in what stood still since the last look.
    async fn look(&mut self) -> io::Result<()> {
        let folder = self.folder.clone();
        let files = blocking(move || folder.look()).await?;
        let mut last = std::mem::take(&mut self.seen);
        let (mut still, now) = (Vec::new(), Instant::now());
        for (name, stamp) in files {
            let since = match last.remove(&name) {
                Some((before, since)) if before == stamp => {
                    let is_due = self
                        .again
                        .get(&name)
                        .is_none_or(|(failed, due)| *failed != stamp || *due <= now);
                    if is_due && (stamp.size > 0 || since.elapsed() >= EMPTY_FOR) {
                        still.push((name.clone(), stamp));
                    }
                    since
                }
                _ => now,
            };
            self.seen.insert(name, (stamp, since));
        }
        let seen = &self.seen;
        self.again.retain(|name, _| seen.contains_key(name));
        for (name, stamp) in still {
            match self.take(&name, stamp).await {
                Ok(()) => {
                    self.again.remove(&name);
                }
                Err(error) => {
                    self.again.insert(name.clone(), (stamp, now + TRY_AGAIN));
                    self.log_once(format!("{}: {error}", Path::new(&name).display()));
                }
            }
        }
        Ok(())
    }

    /// Takes a file in and files it away. One that changed meanwhile stays and is looked at again.
    async fn take(&mut self, name: &OsStr, stamp: Stamp) -> io::Result<()> {
        let path = self.folder.path.join(name);
        let mut file = match File::open(&path).await {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            opened => opened?,
        };
        if Stamp::of(&file.metadata().await?) != stamp {
            return Ok(());
        }
        let shown = name.to_string_lossy().into_owned();
        let mut rejects = Rejects::new(&self.folder);
        let taken = self.read(&shown, &mut file, &mut rejects).await?;
        let about = tokio::fs::symlink_metadata(&path).await?;
        if Stamp::of(&about) != stamp {
            return Ok(());
        }
        let reason = match &taken {
            Taken::Whole(..) => None,
            Taken::Unreadable(why, _) => Some(format!("{why}\n")),
        };
        let refused = rejects.count;
        let rejects = rejects.finish().await?;
        let folder = self.folder.clone();
        let file_name = name.to_owned();
        let place = blocking(move || folder.file_away(&file_name, rejects, reason)).await?;
        tell(&shown, &place, &taken, refused);
        self.seen.remove(name);
        Ok(())
    }

    async fn read(&self, name: &str, file: &mut File, rejects: &mut Rejects) -> io::Result<Taken> {
        let mut taking = Taking::new(&self.services, name, Format::Auto, false);
        let mut warnings = Warnings::default();
        let mut bytes = vec![0; PIECE];
        loop {
            let count = file.read(&mut bytes).await?;
            if count == 0 {
                break;
            }
            let fed = taking.feed(&bytes[..count]).await;
            rejects.write(name, &taking.rejects()).await?;
            warnings.add(taking.warnings());
            if let Err(why) = fed {
                return Ok(Taken::Unreadable(why, taking.progress()));
            }
        }
        let progress = taking.progress();
        match taking.finish().await {
            Ok(mut summary) => {
                rejects.write(name, &summary.rejects).await?;
                warnings.add(std::mem::take(&mut summary.warnings));
                Ok(Taken::Whole(summary, warnings))
            }
            Err(why) => Ok(Taken::Unreadable(why, progress)),
        }
    }
}

/// What was left out of rows that were taken.
#[derive(Default)]
struct Warnings {
    first: Vec<String>,
    more: usize,
}

impl Warnings {
    fn add(&mut self, warnings: Vec<String>) {
        let room = WARNINGS - self.first.len();
        self.more += warnings.len().saturating_sub(room);
        self.first.extend(warnings.into_iter().take(room));
    }
}

/// One line a file, and its warnings below.
fn tell(name: &str, place: &Path, taken: &Taken, refused: usize) {
    let place = place.display();
    match taken {
        Taken::Whole(summary, warnings) => {
            let Summary {
                created,
                changed,
                unchanged,
                ..
            } = summary;
            tracing::info!(
                "{name}: {created} created, {changed} changed, {unchanged} unchanged, \
                 {refused} refused; moved to {place}"
            );
            for warning in &warnings.first {
                tracing::info!("{name}: {warning}");
            }
            if warnings.more > 0 {
                tracing::info!("{name}: {} more warnings", warnings.more);
            }
        }
        Taken::Unreadable(why, progress) => {
            let taken = progress.created + progress.changed + progress.unchanged;
            tracing::warn!(
                "{name}: {why}; {taken} repair orders before it were taken; moved to {place}"
            );
        }
    }
}

/// The refused rows of the file that is being taken, in a hidden file until the last of them is
/// known.
struct Rejects {
    path: PathBuf,
    file: Option<File>,
    count: usize,
}

impl Rejects {
    fn new(folder: &IntakeFolder) -> Self {
        Self {
            path: folder.path.join(REJECTED).join(HIDDEN),
            file: None,
            count: 0,
        }
    }

    async fn write(&mut self, name: &str, rejects: &[super::Reject]) -> io::Result<()> {
        if rejects.is_empty() {
            return Ok(());
        }
        self.count += rejects.len();
        let file = match &mut self.file {
            Some(file) => file,
            none => {
                if let Some(folder) = self.path.parent() {
                    tokio::fs::create_dir_all(folder).await?;
                }
                none.insert(File::create(&self.path).await?)
            }
        };
        file.write_all(rejects_file(name, rejects).as_bytes()).await
    }

    /// Where they are, when there are any.
    async fn finish(self) -> io::Result<Option<PathBuf>> {
        match self.file {
            Some(file) => file.sync_all().await.map(|()| Some(self.path)),
            // What a take left that was broken off.
            None => match tokio::fs::remove_file(&self.path).await {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(None),
            },
        }
    }
}

impl IntakeFolder {
    /// Moves a file that was taken, with what is wrong with it beside it; gives where it is now.
    fn file_away(
        &self,
        name: &OsStr,
        rejects: Option<PathBuf>,
        reason: Option<String>,
    ) -> io::Result<PathBuf> {
        let well = rejects.is_none() && reason.is_none();
        let folder = self.path.join(if well { DONE } else { REJECTED });
        create_dir_all(&folder)?;
        let name_there = free_name(&folder, name)?;
        if let Some(rejects) = rejects {
            let beside = with_ending(&name_there, REJECTED_ROWS);
            std::fs::rename(rejects, folder.join(beside))?;
        }
        if let Some(reason) = reason {
            let beside = with_ending(&name_there, REASON);
            std::fs::write(folder.join(beside), reason)?;
        }
        let there = folder.join(name_there);
        std::fs::rename(self.path.join(name), &there)?;
        Ok(there)
    }
}

/// A name under which nothing is in the folder yet, nor anything about it: the name itself, else
/// with the time in it. This server is the only one who puts files there.
fn free_name(folder: &Path, name: &OsStr) -> io::Result<OsString> {
    let is_free = |name: &OsStr| -> io::Result<bool> {
        for ending in ["", REJECTED_ROWS, REASON] {
            match folder.join(with_ending(name, ending)).symlink_metadata() {
                Ok(_) => return Ok(false),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    };
    if name.len() <= LONGEST_NAME && is_free(name)? {
        return Ok(name.to_owned());
    }
    let path = Path::new(name);
    let [stem, ending] = [path.file_stem(), path.extension()].map(|part| {
        let part = part.unwrap_or_default().to_string_lossy();
        // Of four bytes at most each.
        part.chars().take(LONGEST_NAME / 10).collect::<String>()
    });
    loop {
        let now = Timestamp::now().strftime("%Y%m%dT%H%M%S%.6fZ");
        let free = OsString::from(if ending.is_empty() {
            format!("{stem}-{now}")
        } else {
            format!("{stem}-{now}.{ending}")
        });
        if is_free(&free)? {
            return Ok(free);
        }
    }
}

fn with_ending(name: &OsStr, ending: &str) -> OsString {
    let mut name = name.to_owned();
    name.push(ending);
    name
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
    fn what_is_hidden_or_still_being_written_is_left_alone() {
        for name in [".orders.csv", "orders.csv.tmp", "orders.PART", "a.filepart"] {
            assert!(is_unfinished(OsStr::new(name)), "{name}");
        }
        for name in ["orders.csv", "part", "tmp", "orders.tmp.csv", "orders"] {
            assert!(!is_unfinished(OsStr::new(name)), "{name}");
        }
    }

    #[test]
    fn a_name_that_is_taken_gets_the_time_and_a_long_one_is_cut() {
        let folder = tempfile::tempdir().unwrap();
        let free = |name: &str| free_name(folder.path(), OsStr::new(name)).unwrap();
        assert_eq!(free("orders.csv"), "orders.csv");
        for taken in ["orders.csv", "broken.csv.reason.txt"] {
            std::fs::write(folder.path().join(taken), "x").unwrap();
        }
        for (name, start) in [("orders.csv", "orders-2"), ("broken.csv", "broken-2")] {
            let free = free(name).into_string().unwrap();
            assert!(free.starts_with(start) && free.ends_with("Z.csv"), "{free}");
        }
        let long = free(&format!("{}.csv", "é".repeat(120)));
        assert!(long.len() < 100, "{long:?}");
        assert!(!free("noending").is_empty());
    }
}

//! The watched folder: a file that is put into it is taken in, and then moved to `done/`, or to
//! `rejected/` with what is wrong beside it. Nothing is overwritten, nothing deleted here, and a file
//! that was not taken to its end, or that grew after it was moved, is taken again, which changes
//! nothing twice.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use dispatch_intake::{FormatChoice, ReadError};
use jiff::Timestamp;
use tokio::fs::File;
use tokio::io::AsyncReadExt;
use tokio::task::JoinHandle;

use super::folder::{IntakeFolder, Place, Rejects, Stamp};
use super::state::IntakeState;
use super::{Progress, Stopped, Summary, Taking};
use crate::log_lines;

/// Between two looks, which must find a file the same.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// A file that was written to so short a time ago may not be whole: a copy over a network stops
/// for seconds.
const STANDS_STILL: Duration = Duration::from_secs(10);

/// A copy that stopped longer goes on in the file where it was moved to: those are looked at for so
/// long, so often, and so many of them.
const MAY_GROW: Duration = Duration::from_secs(10 * 60);
const LOOK_AT_FILED: Duration = Duration::from_secs(5);
const FILED: usize = 1_000;

/// Some programs make an empty file first and fill it when they have something to say.
const EMPTY_FOR: Duration = Duration::from_secs(60);

/// A file that could not be read or moved is tried again after this long.
const TRY_AGAIN: Duration = Duration::from_secs(60);

/// Bytes that are read at once.
const PIECE: usize = 64 * 1024;

/// Faults that are logged until everything works again: a name is part of one, and anybody can make more.
const MAX_FAULTS: usize = 100;

/// Warnings of one file that are logged.
const WARNINGS: usize = 100;

/// Takes in what is put into the folder until the handle is aborted.
pub fn watch(folder: IntakeFolder, state: IntakeState) -> JoinHandle<()> {
    let watch = Watch {
        folder,
        state,
        seen: HashMap::new(),
        again: HashMap::new(),
        faults: HashSet::new(),
        filed: VecDeque::new(),
        looked_at_filed: Instant::now(),
    };
    actix_web::rt::spawn(watch.run())
}

struct Watch {
    folder: IntakeFolder,
    state: IntakeState,
    /// At the last look, and since when it stands still.
    seen: HashMap<OsString, (Stamp, Instant)>,
    /// Files that could not be read or moved, as they were, and when they are tried again.
    again: HashMap<OsString, (Stamp, Instant)>,
    /// Those that were logged since everything worked.
    faults: HashSet<String>,
    /// The newest files that were moved, oldest first.
    filed: VecDeque<Filed>,
    looked_at_filed: Instant,
}

struct Filed {
    place: Place,
    stamp: Stamp,
    at: Instant,
}

/// Where a file was filed, and where it was put back to.
type PutBack = (Place, io::Result<OsString>);

/// What became of a file that was read to its end.
enum Taken {
    Whole(Summary, Warnings),
    /// Up to where it could be read.
    Unreadable(ReadError, Progress),
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
        if let Some(line) = fault_line(&mut self.faults, fault) {
            tracing::error!("the intake folder does not work: {line}");
        }
    }

    /// Takes in what stands still.
    async fn look(&mut self) -> io::Result<()> {
        self.look_at_filed().await?;
        let folder = self.folder.clone();
        let files = blocking(move || folder.enter()?.look()).await?;
        let mut last = std::mem::take(&mut self.seen);
        let (mut still, now) = (Vec::new(), Instant::now());
        for (name, stamp) in files {
            let since = match last.remove(&name) {
                Some((before, since)) if before == stamp => {
                    let is_due = self
                        .again
                        .get(&name)
                        .is_none_or(|(failed, due)| *failed != stamp || *due <= now);
                    if is_due && is_whole(&stamp, since.elapsed(), Timestamp::now()) {
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
                    let due = Instant::now() + TRY_AGAIN;
                    self.again.insert(name.clone(), (stamp, due));
                    self.log_once(format!("{}: {error}", log_name(&name)));
                }
            }
        }
        Ok(())
    }

    /// Takes a file in and files it away. One that changed meanwhile stays and is looked at again.
    async fn take(&mut self, name: &OsStr, stamp: Stamp) -> io::Result<()> {
        let (folder, file_name) = (self.folder.clone(), name.to_owned());
        let opened = move || {
            let folder = folder.enter()?;
            let file = folder.read(&file_name, stamp)?;
            Ok(file.map(|file| (folder, file)))
        };
        let Some((folder, file)) = blocking(opened).await? else {
            return Ok(());
        };
        let mut file = File::from_std(file);
        let shown = name.to_string_lossy().into_owned();
        let mut rejects = Rejects::new(&folder);
        let taken = self.read(&shown, &mut file, &mut rejects).await?;
        let reason = match &taken {
            Taken::Whole(..) => None,
            Taken::Unreadable(why, _) => Some(format!("{why}\n")),
        };
        let refused = rejects.count;
        let rejects = rejects.finish().await?;
        let file_name = name.to_owned();
        let filed = move || {
            let place = folder.file_away(&file_name, stamp, rejects, reason)?;
            Ok(place.map(|place| (folder.path_of(&place), place)))
        };
        let Some((path, place)) = blocking(filed).await? else {
            return Ok(());
        };
        tell(&shown, &path, &taken, refused);
        self.seen.remove(name);
        if self.filed.len() == FILED {
            self.filed.pop_front();
        }
        let at = Instant::now();
        self.filed.push_back(Filed { place, stamp, at });
        Ok(())
    }

    /// Puts back what somebody has written to since it was moved.
    async fn look_at_filed(&mut self) -> io::Result<()> {
        if self.looked_at_filed.elapsed() < LOOK_AT_FILED {
            return Ok(());
        }
        self.looked_at_filed = Instant::now();
        self.filed.retain(|filed| filed.at.elapsed() < MAY_GROW);
        let (folder, filed) = (self.folder.clone(), std::mem::take(&mut self.filed));
        let (filed, grown) = blocking(move || Ok(put_back(&folder, filed))).await?;
        self.filed = filed;
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

    async fn read(&self, name: &str, file: &mut File, rejects: &mut Rejects) -> io::Result<Taken> {
        let mut taking = Taking::new(&self.state, name, FormatChoice::Auto, false);
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
                return unreadable(why, taking.progress());
            }
        }
        match taking.finish().await {
            Ok(mut summary) => {
                rejects.write(name, &summary.rejects).await?;
                warnings.add(std::mem::take(&mut summary.warnings));
                Ok(Taken::Whole(summary, warnings))
            }
            Err(why) => unreadable(why, taking.progress()),
        }
    }
}

/// Those that are as they were moved, and where each of the others was put back to.
fn put_back(folder: &IntakeFolder, filed: VecDeque<Filed>) -> (VecDeque<Filed>, Vec<PutBack>) {
    let (mut same, mut grown) = (VecDeque::new(), Vec::new());
    // Looked at again.
    let Ok(folder) = folder.enter() else {
        return (filed, grown);
    };
    for file in filed {
        match folder.stamp_at(&file.place) {
            Ok(Some(stamp)) if stamp == file.stamp => same.push_back(file),
            // Somebody took it away.
            Ok(None) => {}
            Ok(Some(_)) => {
                let back = folder.put_back(&file.place);
                grown.push((file.place, back));
            }
            // Looked at again.
            Err(_) => same.push_back(file),
        }
    }
    (same, grown)
}

/// Whether nobody writes to a file any more that was the same at two looks and for `still`. By its
/// own time or by ours: a file server's clock may be ahead.
fn is_whole(stamp: &Stamp, still: Duration, now: Timestamp) -> bool {
    if stamp.size == 0 {
        return still >= EMPTY_FOR;
    }
    stamp.age(now) >= STANDS_STILL || still >= STANDS_STILL
}

/// A file that is not at fault is an error: it stays where it is and is tried again.
fn unreadable(why: Stopped, progress: Progress) -> io::Result<Taken> {
    match why {
        Stopped::Unreadable(why) => Ok(Taken::Unreadable(why, progress)),
        Stopped::Unavailable => Err(io::Error::other(why)),
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

/// None where it was logged already, or too many others were.
fn fault_line(logged: &mut HashSet<String>, fault: String) -> Option<String> {
    if logged.len() > MAX_FAULTS || logged.contains(&fault) {
        return None;
    }
    let is_last = logged.len() == MAX_FAULTS;
    logged.insert(fault.clone());
    Some(if is_last {
        "more files are at fault, which are not logged until all work again".to_owned()
    } else {
        fault
    })
}

/// Of a file whose sender chose it.
fn log_name(name: &OsStr) -> String {
    log_lines::name(&name.to_string_lossy())
}

/// One line a file, and its warnings below.
fn tell(name: &str, place: &Path, taken: &Taken, refused: usize) {
    let folder = place.parent().unwrap_or(place).display();
    let place = place.file_name().map(log_name).unwrap_or_default();
    let (name, place) = (log_lines::name(name), format!("{folder}/{place}"));
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
    fn faults_are_logged_once_each_and_not_without_end() {
        let mut logged = HashSet::new();
        let mut lines = Vec::new();
        for number in (0..1_000).chain(0..1_000) {
            lines.extend(fault_line(&mut logged, number.to_string()));
        }
        assert_eq!((lines.len(), lines[0].as_str()), (MAX_FAULTS + 1, "0"));
        assert!(lines[MAX_FAULTS].starts_with("more files"), "{lines:?}");
        assert_eq!(logged.len(), MAX_FAULTS + 1);
    }

    #[test]
    fn a_file_that_was_just_written_to_is_not_whole() {
        let path = tempfile::NamedTempFile::new().unwrap();
        let stamp = || Stamp::of(&rustix::fs::stat(path.path()).unwrap());
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

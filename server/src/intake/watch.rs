//! The watched folder: a file that is put into it is taken in, and then moved to `done/`, or to
//! `rejected/` with what is wrong beside it. Nothing is overwritten and nothing deleted, and a file
//! that was not taken to its end is taken again, which changes nothing twice.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use tokio::fs::File;
use tokio::io::AsyncReadExt;
use tokio::task::JoinHandle;

use super::folder::{IntakeFolder, Rejects, Stamp};
use super::{Format, Progress, Stopped, Summary, Taking, Unreadable};
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

/// Takes in what is put into the folder until the handle is aborted.
pub fn watch(folder: IntakeFolder, services: Services) -> JoinHandle<()> {
    let watch = Watch {
        folder,
        services,
        seen: HashMap::new(),
        again: HashMap::new(),
        faults: HashSet::new(),
    };
    actix_web::rt::spawn(watch.run())
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
                    let due = Instant::now() + TRY_AGAIN;
                    self.again.insert(name.clone(), (stamp, due));
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

/// Off the thread that the orders are decided on.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(io::Error::other(error)))
}

//! What a server is asked for, and what it takes for it.

use std::time::{Duration, Instant};

use super::Build;
use super::differences::Cost;
use crate::bench::audience::Audience;
use crate::bench::list::ListWork;
use crate::bench::search::SEARCHES;
use crate::clock::Clock;
use crate::error::LoadTestError;
use crate::report::event_count;
use crate::writer::{PLAIN_WRITES, WritePolicy, WriteSchedule, write_together};

/// Those that write at the same time.
const WRITERS: usize = 64;

/// Open screens of each server that hear what changes.
pub const SCREENS: u32 = 1_000;

/// Orders in one request, where there are several.
const BATCH: usize = 12;

/// Longer than any round takes.
const WRITE_TIMEOUT: Duration = Duration::from_secs(120);

/// A kind of work. Each is asked for as often in one round as takes a tenth of a second or so.
#[derive(Clone, Copy)]
pub enum Work {
    Changes,
    ChangesTogether,
    ChangesWithLists,
    UnchangedLists,
    Searches,
    Messages,
    BatchMessages,
}

/// What is asked for while nobody listens.
pub const ALONE: [Work; 5] = [
    Work::Changes,
    Work::ChangesTogether,
    Work::ChangesWithLists,
    Work::UnchangedLists,
    Work::Searches,
];

/// What needs open screens.
pub const WITH_SCREENS: [Work; 2] = [Work::Messages, Work::BatchMessages];

/// What asks one build: a desk, and screens where the work is theirs.
pub struct Asking<'a> {
    build: &'a Build<'a>,
    list: ListWork<'a>,
    screens: Option<&'a Audience>,
}

impl Work {
    pub fn name(self) -> String {
        match self {
            Self::Changes => "a change".to_owned(),
            Self::ChangesTogether => format!("a change of {WRITERS} writers"),
            Self::ChangesWithLists => "a change and the list after it".to_owned(),
            Self::UnchangedLists => "an unchanged list".to_owned(),
            Self::Searches => "a search of all or of closed orders".to_owned(),
            Self::Messages => format!("a message to one of {SCREENS} screens"),
            Self::BatchMessages => format!("the same, {BATCH} changes a request"),
        }
    }

    /// Pieces of work in a round.
    fn count(self) -> u32 {
        match self {
            Self::Changes | Self::UnchangedLists => 100,
            Self::ChangesTogether => 500,
            Self::ChangesWithLists => 50,
            // All orders and the closed ones.
            Self::Searches => 2 * SEARCHES.len() as u32,
            Self::Messages => 20,
            Self::BatchMessages => 10 * BATCH as u32,
        }
    }
}

impl<'a> Asking<'a> {
    pub async fn begin(
        build: &'a Build<'a>,
        screens: Option<&'a Audience>,
    ) -> Result<Self, LoadTestError> {
        Ok(Self {
            build,
            list: ListWork::begin(&build.desk).await?,
            screens,
        })
    }

    /// One round.
    pub async fn measure(&mut self, work: Work) -> Result<Cost, LoadTestError> {
        match work {
            Work::ChangesTogether => self.write(WRITERS, PLAIN_WRITES, work.count()).await,
            Work::Messages => self.write(1, PLAIN_WRITES, work.count()).await,
            Work::BatchMessages => {
                let policy = WritePolicy {
                    batch_size: BATCH,
                    ..PLAIN_WRITES
                };
                self.write(1, policy, work.count()).await
            }
            Work::Changes | Work::ChangesWithLists | Work::UnchangedLists => {
                self.ask_for_lists(work).await
            }
            Work::Searches => self.search().await,
        }
    }

    async fn ask_for_lists(&mut self, work: Work) -> Result<Cost, LoadTestError> {
        let (process, before) = self.build.ran()?;
        let started = Instant::now();
        for _ in 0..work.count() {
            if !matches!(work, Work::UnchangedLists) {
                self.list.change().await?;
            }
            if !matches!(work, Work::Changes) {
                self.list.fetch().await?;
            }
        }
        let waited = started.elapsed();
        Ok(Cost::of(
            process.ran()?.since(&before),
            waited,
            work.count().into(),
        ))
    }

    async fn search(&self) -> Result<Cost, LoadTestError> {
        let (process, before) = self.build.ran()?;
        let started = Instant::now();
        for (_, words) in SEARCHES {
            for closed in [None, Some(true)] {
                self.build.desk.search(words, closed, None).await?;
            }
        }
        let waited = started.elapsed();
        Ok(Cost::of(
            process.ran()?.since(&before),
            waited,
            Work::Searches.count().into(),
        ))
    }

    /// Until the last change was answered and, where there are screens, each of them has heard all: the cost of a
    /// change, or of a message to a screen.
    async fn write(
        &self,
        writers: usize,
        policy: WritePolicy,
        changes: u32,
    ) -> Result<Cost, LoadTestError> {
        let desk = &self.build.desk;
        let orders = desk.list().await?.orders.into_values();
        let heard = self.screens.map_or(0, Audience::heard);
        let schedule = WriteSchedule::new(changes, None, WRITE_TIMEOUT);
        let (process, before) = self.build.ran()?;
        let started = Instant::now();
        let clock = Clock::start();
        let written = write_together(desk, clock, &schedule, orders, writers, policy).await;
        let events = u64::try_from(event_count(&written)).unwrap_or_default();
        let messages = events * u64::from(SCREENS);
        if let Some(screens) = self.screens {
            screens.hear(heard + messages).await?;
        }
        let waited = started.elapsed();
        let processor = process.ran()?.since(&before);
        if let Some(why) = written.iter().find_map(|written| written.failures.first()) {
            return Err(LoadTestError::Unexpected {
                what: "a change",
                why: why.clone(),
            });
        }
        let pieces = if self.screens.is_some() {
            messages
        } else {
            u64::from(changes)
        };
        Ok(Cost::of(processor, waited, pieces))
    }
}

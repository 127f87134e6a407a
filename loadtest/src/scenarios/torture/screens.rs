//! What every reader shows, held against what was acknowledged.

use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use tokio::time::{Instant, interval};

use super::shortened;
use crate::reader::State;
use crate::reader_context::ReaderContext;
use crate::report::Report;
use crate::settled_changes::SettledChanges;
use crate::writer::Acknowledged;

/// How often every screen is looked at.
const LOOK_INTERVAL: Duration = Duration::from_millis(100);

/// All screens together.
pub struct ScreenChecks<'a> {
    readers: Vec<Rc<State>>,
    /// Since when each has said that it is live.
    live_since: Vec<Option<Instant>>,
    context: &'a ReaderContext,
    settled: &'a SettledChanges,
    samples: u64,
    live: u64,
    /// By reader and order: reported once.
    wrong: HashMap<(usize, i64), String>,
}

impl<'a> ScreenChecks<'a> {
    pub fn new(
        readers: Vec<Rc<State>>,
        context: &'a ReaderContext,
        settled: &'a SettledChanges,
    ) -> Self {
        Self {
            live_since: vec![None; readers.len()],
            readers,
            context,
            settled,
            samples: 0,
            live: 0,
            wrong: HashMap::new(),
        }
    }

    /// For as long as it is polled.
    pub async fn watch(&mut self) {
        let mut often = interval(LOOK_INTERVAL);
        loop {
            often.tick().await;
            self.look();
        }
    }

    fn look(&mut self) {
        for (place, reader) in self.readers.iter().enumerate() {
            self.samples += 1;
            let says_live = reader.says_live();
            self.live += u64::from(says_live);
            let since = &mut self.live_since[place];
            if !says_live {
                *since = None;
            } else if since.get_or_insert_with(Instant::now).elapsed() > self.settled.grace {
                let (hearing, mut places) =
                    (reader.hearing.borrow(), self.context.places.borrow_mut());
                self.settled.each(|settled| {
                    let shown = hearing.shows(places.of(settled.number));
                    if shown < settled.version {
                        self.wrong
                            .entry((place, settled.number))
                            .or_insert_with(|| wrong(place, shown, settled, self.settled.grace));
                    }
                });
            }
        }
    }

    pub fn tell(self, report: &mut Report) {
        let share = self.live as f64 / (self.samples as f64).max(1.0);
        report.value("liveShare", "share of time that screens said live", share);
        report.value("wrongWhileLive", "wrong while they did", self.wrong.len());
        let mut wrong: Vec<String> = self.wrong.into_values().collect();
        wrong.sort_unstable();
        report.faults.extend(shortened(wrong));
    }
}

fn wrong(place: usize, shown: i64, settled: &Acknowledged, grace: Duration) -> String {
    let Acknowledged {
        number,
        version,
        last,
        ..
    } = settled;
    let seconds = grace.as_secs();
    format!(
        "reader {} said live and showed order {number} at {shown}, {seconds} s after version {version} (event {last}) was acknowledged",
        place + 1
    )
}

//! What the committer counts of its work.

use std::time::Duration;

use crate::counts::{Counter, Histogram};
use crate::store::Verdict;

/// Bounds for the decisions in a group, up to what a group may hold by default.
const SIZE_BOUNDS: &[u64] = &[1, 2, 4, 8, 16, 32, 64, 128, 256];

#[derive(Debug)]
pub struct CommitCounts {
    /// Decisions in each group that was committed.
    pub group_sizes: Histogram,
    /// How long each of these transactions took.
    pub commit_times: Histogram,
    /// Events that were committed.
    pub changes: Counter,
    /// Decisions that were not committed, or are not known to be.
    pub failures: Counter,
}

impl Default for CommitCounts {
    fn default() -> Self {
        Self {
            group_sizes: Histogram::new(SIZE_BOUNDS),
            commit_times: Histogram::of_times(),
            changes: Counter::default(),
            failures: Counter::default(),
        }
    }
}

impl CommitCounts {
    pub(crate) fn committed(&self, verdicts: &[Verdict], time: Duration) {
        self.group_sizes.observe(verdicts.len() as u64);
        self.commit_times.observe_time(time);
        let events = verdicts.iter().map(|verdict| match verdict {
            Verdict::Committed(events) => events.len(),
            Verdict::Lost | Verdict::Repeated | Verdict::Failed(_) => 0,
        });
        self.changes.add(events.sum::<usize>() as u64);
        let failed = verdicts.iter();
        let failed = failed.filter(|verdict| matches!(verdict, Verdict::Failed(_)));
        self.failures.add(failed.count() as u64);
    }
}

//! How early and how rightly a rule warned.

use std::cmp::Reverse;
use std::collections::HashMap;

use dispatch_actors::promise::Reason;
use jiff::{SignedDuration, Timestamp};

use super::replay::Judged;

/// A warning so long before the promise leaves time to do something.
const EARLY: SignedDuration = SignedDuration::from_hours(1);

#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// What `dispatch_actors::promise` calls at risk.
    Risk,
    /// Whatever is open and promised within this long: 'promised minus now'.
    PromisedWithin(SignedDuration),
}

impl Rule {
    pub const ALL: [Self; 3] = [
        Self::Risk,
        Self::PromisedWithin(SignedDuration::from_hours(1)),
        Self::PromisedWithin(SignedDuration::from_hours(2)),
    ];

    pub fn name(self) -> String {
        match self {
            Self::Risk => "promise risk".to_owned(),
            Self::PromisedWithin(time) => format!("promised within {} min", time.as_mins()),
        }
    }

    fn warned_at(self, one: &Judged) -> Option<Timestamp> {
        match self {
            Self::Risk => one.warned_at,
            Self::PromisedWithin(time) => {
                let at = (one.promised_at - time).max(one.opened_at);
                (at < one.ready_at && at < one.promised_at).then_some(at)
            }
        }
    }
}

pub struct Scores {
    late: usize,
    /// Late ones that were warned of at least an hour before.
    warned_early: usize,
    /// Late ones that were promised at least an hour ahead, and could be.
    could_be: usize,
    warned: usize,
    /// Warned of, and ready in time.
    false_warnings: usize,
    /// Of late ones.
    leads: Vec<SignedDuration>,
}

impl Scores {
    pub fn of(judged: &[Judged], rule: Rule) -> Self {
        let mut scores = Self {
            late: 0,
            warned_early: 0,
            could_be: 0,
            warned: 0,
            false_warnings: 0,
            leads: vec![],
        };
        for one in judged {
            let warned_at = rule.warned_at(one);
            scores.warned += usize::from(warned_at.is_some());
            if !one.is_late() {
                scores.false_warnings += usize::from(warned_at.is_some());
                continue;
            }
            scores.late += 1;
            let ahead = one.promised_at.duration_since(one.opened_at);
            scores.could_be += usize::from(ahead >= EARLY);
            if let Some(warned_at) = warned_at {
                let lead = one.promised_at.duration_since(warned_at);
                scores.warned_early += usize::from(lead >= EARLY);
                scores.leads.push(lead);
            }
        }
        scores.leads.sort_unstable();
        scores
    }

    pub fn sentence(&self) -> String {
        let lead = self.leads.get(self.leads.len() / 2);
        format!(
            "late warned 60 min before {} ({} of those promised so far ahead), false of {} warnings {}, median lead {} min",
            percent(self.warned_early, self.late),
            percent(self.warned_early, self.could_be),
            self.warned,
            percent(self.false_warnings, self.warned),
            lead.map_or(0, SignedDuration::as_mins),
        )
    }
}

/// What the first warnings said, the most frequent first, each with how many of them were false.
pub fn by_reason(judged: &[Judged]) -> Vec<(Reason, String)> {
    let mut counts: HashMap<Reason, (usize, usize)> = HashMap::new();
    for one in judged {
        if let Some(reason) = one.reason {
            let (warned, false_warnings) = counts.entry(reason).or_default();
            *warned += 1;
            *false_warnings += usize::from(!one.is_late());
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_unstable_by_key(|(_, (warned, _))| Reverse(*warned));
    let counts = counts
        .into_iter()
        .map(|(reason, (warned, false_warnings))| {
            let share = percent(false_warnings, warned);
            (reason, format!("{warned}, of which false {share}"))
        });
    counts.collect()
}

/// Of the orders that were called on time an hour before their promise, those that were late.
pub fn on_time_and_late(judged: &[Judged]) -> String {
    let on_time = judged.iter().filter(|one| one.was_on_time);
    let late = on_time.clone().filter(|one| one.is_late()).count();
    let on_time = on_time.count();
    format!("{late} of {on_time}, {}", percent(late, on_time))
}

fn percent(part: usize, of: usize) -> String {
    format!("{:.1} %", part as f64 / of.max(1) as f64 * 100.0)
}

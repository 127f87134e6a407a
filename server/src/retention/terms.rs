//! For how long rows are kept.

use std::str::FromStr;

use jiff::{SignedDuration, Timestamp};
use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// Days for which rows are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeepDays {
    Days(u32),
    Forever,
}

/// More days than there are in the calendar's years are as good as forever.
const MAX_DAYS: u32 = 36_500;

impl KeepDays {
    /// Rows from before this moment are too old; none are where they are kept forever.
    pub fn oldest_kept(self, now: Timestamp) -> Option<Timestamp> {
        match self {
            Self::Days(days) => now
                .checked_sub(SignedDuration::from_hours(24 * i64::from(days)))
                .ok(),
            Self::Forever => None,
        }
    }

    pub fn is_shorter_than(self, days: u32) -> bool {
        matches!(self, Self::Days(own) if own < days)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is a number of days, 1 to 36500, or forever")]
pub struct NoKeepDays;

impl FromStr for KeepDays {
    type Err = NoKeepDays;

    fn from_str(text: &str) -> Result<Self, NoKeepDays> {
        if text == "forever" {
            return Ok(Self::Forever);
        }
        let days = text.parse().ok();
        let days = days.filter(|days| (1..=MAX_DAYS).contains(days));
        days.map(Self::Days).ok_or(NoKeepDays)
    }
}

impl<'de> Deserialize<'de> for KeepDays {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum NumberOrWord {
            Number(i64),
            Word(String),
        }
        let text = match NumberOrWord::deserialize(deserializer)? {
            NumberOrWord::Number(number) => number.to_string(),
            NumberOrWord::Word(word) => word,
        };
        text.parse().map_err(D::Error::custom)
    }
}

/// How long each kind of row is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetentionTerms {
    /// Closed orders with their jobs and stories, from their closing on.
    pub closed_orders: KeepDays,
    /// The events of closed orders, stories' earlier versions among them; no longer than their orders.
    pub events: KeepDays,
    /// Receipts of assignments to closed orders.
    pub receipts: KeepDays,
    pub clocks: KeepDays,
    /// What was done, in the audit trail; of attempts 30 days.
    pub audit: KeepDays,
    /// Interviews that did not end in a saved story.
    pub conversations: KeepDays,
}

impl Default for RetentionTerms {
    /// Orders with their stories and events five years: manufacturers look back one to two years in an audit
    /// of warranty claims, and further where they suspect fraud. Clocks three years, as wage law asks of
    /// employers (29 CFR 516.5). Receipts a quarter, in which somebody may still ask who knew. A year and a
    /// month of the trail. Interviews as long as the answers to their requests.
    fn default() -> Self {
        Self {
            closed_orders: KeepDays::Days(1_826),
            events: KeepDays::Days(1_826),
            receipts: KeepDays::Days(90),
            clocks: KeepDays::Days(1_096),
            audit: KeepDays::Days(400),
            conversations: KeepDays::Days(2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_is_a_number_of_days_or_forever() {
        assert_eq!("90".parse(), Ok(KeepDays::Days(90)));
        assert_eq!("forever".parse(), Ok(KeepDays::Forever));
        for other in ["", "0", "-1", "36501", "never", "1.5", "90 days"] {
            assert_eq!(other.parse::<KeepDays>(), Err(NoKeepDays), "{other}");
        }
        #[derive(Deserialize)]
        struct File {
            keep: KeepDays,
        }
        let read = |text: &str| toml::from_str::<File>(text).map(|file| file.keep).ok();
        assert_eq!(read("keep = 90"), Some(KeepDays::Days(90)));
        assert_eq!(read("keep = \"forever\""), Some(KeepDays::Forever));
        assert_eq!(read("keep = 0"), None);
    }
}

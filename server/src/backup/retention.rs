//! Which backups of a folder are kept.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

/// The newest backup of each of so many hours, days and weeks (UTC, weeks begin on Monday). Only those count in which
/// there was a backup: what was written before a long pause is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptBackups {
    pub hourly: u32,
    pub daily: u32,
    pub weekly: u32,
}

impl Default for KeptBackups {
    fn default() -> Self {
        Self {
            hourly: 12,
            daily: 7,
            weekly: 4,
        }
    }
}

const HOUR: i64 = 60 * 60;
const DAY: i64 = 24 * HOUR;
const WEEK: i64 = 7 * DAY;
/// 1970-01-05, the first Monday.
const MONDAY: i64 = 4 * DAY;

impl KeptBackups {
    /// Those that are no longer kept. The newest always is.
    pub(super) fn superseded(self, times: &BTreeSet<Timestamp>) -> BTreeSet<Timestamp> {
        let mut kept: BTreeSet<Timestamp> = times.last().copied().into_iter().collect();
        for (period, count) in [(HOUR, self.hourly), (DAY, self.daily), (WEEK, self.weekly)] {
            let mut newest = BTreeMap::new();
            for time in times {
                newest.insert((time.as_second() - MONDAY).div_euclid(period), *time);
            }
            let count = usize::try_from(count).unwrap_or(usize::MAX);
            kept.extend(newest.into_values().rev().take(count));
        }
        times.difference(&kept).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;

    fn left(kept: KeptBackups, times: impl IntoIterator<Item = Timestamp>) -> Vec<String> {
        let times: BTreeSet<Timestamp> = times.into_iter().collect();
        let superseded = kept.superseded(&times);
        let left = times.difference(&superseded);
        left.map(|time| time.strftime("%d %H:%M").to_string())
            .collect()
    }

    fn every_half_hour(days: i64) -> impl Iterator<Item = Timestamp> {
        // A Sunday's midnight.
        let end: Timestamp = "2026-11-22T23:59:00Z".parse().unwrap();
        (0..days * 48).map(move |half| end - SignedDuration::from_mins(30 * half))
    }

    #[test]
    fn the_newest_of_the_last_hours_days_and_weeks_are_kept() {
        let kept = KeptBackups {
            hourly: 3,
            daily: 3,
            weekly: 2,
        };
        let expected = [
            "15 23:59", "20 23:59", "21 23:59", "22 21:59", "22 22:59", "22 23:59",
        ];
        assert_eq!(left(kept, every_half_hour(10)), expected);
    }

    #[test]
    fn periods_without_a_backup_do_not_count_and_the_newest_is_kept_in_any_case() {
        let old = ["2025-01-01T10:00:00Z", "2025-03-01T10:00:00Z"];
        let old = old.map(|time| time.parse::<Timestamp>().unwrap());
        let weekly = |weekly| KeptBackups {
            hourly: 0,
            daily: 0,
            weekly,
        };
        assert_eq!(left(weekly(2), old), ["01 10:00", "01 10:00"]);
        assert_eq!(left(weekly(0), every_half_hour(1)), ["22 23:59"]);
        assert!(left(KeptBackups::default(), []).is_empty());
    }
}

//! When somebody will have worked so long: their day, and the days of the shop after it.

use jiff::{SignedDuration, Timestamp};

use super::Attendance;

/// For how many days of the calendar work is laid out. What does not fit into them is ready nobody knows when.
pub(super) const HORIZON_DAYS: i32 = 60;

/// Stretches of work, ascending and apart.
#[derive(Clone, Debug)]
pub(super) struct WorkingTime {
    /// Each with the milliseconds of work before it.
    stretches: Vec<(Stretch, i64)>,
}

/// From and to, in milliseconds since 1970.
type Stretch = (i64, i64);

impl WorkingTime {
    fn new(stretches: impl Iterator<Item = Stretch>) -> Self {
        let mut before = 0;
        let stretches = stretches.filter(|(from, to)| from < to).map(|stretch| {
            let with_sum = (stretch, before);
            before += stretch.1 - stretch.0;
            with_sum
        });
        Self {
            stretches: stretches.collect(),
        }
    }

    /// The hours of the shop itself, from now on.
    pub(super) fn of_shop(days: &[(Timestamp, Timestamp)], now: Timestamp) -> Self {
        let days = days.iter().map(|(opens, closes)| {
            let from = opens.as_millisecond().max(now.as_millisecond());
            (from, closes.as_millisecond())
        });
        Self::new(days)
    }

    /// Of a technician, from now on. Of days to come they work the first hours; of today those that are left of their
    /// day, up to closing time, and beyond it only who is on the clock after it. `midnight`: the end of the shop's today.
    /// Without `today` they work from the next day on.
    pub(super) fn of_technician(
        attendance: &Attendance,
        days: &[(Timestamp, Timestamp)],
        now: Timestamp,
        midnight: Timestamp,
        today: bool,
    ) -> Self {
        let daily = attendance.daily.as_millis() as i64;
        let (now, midnight) = (now.as_millisecond(), midnight.as_millisecond());
        let of_today = days
            .first()
            .filter(|(opens, _)| opens.as_millisecond() < midnight);
        let of_today =
            of_today.map(|(opens, closes)| (opens.as_millisecond(), closes.as_millisecond()));
        let left = attendance.left_today().as_millis() as i64;
        let stretch_today = if !today {
            None
        } else if attendance.is_on_clock() {
            let until = of_today.map_or(
                midnight,
                |(_, closes)| {
                    if now < closes { closes } else { midnight }
                },
            );
            Some((now, until.min(now + left)))
        } else {
            of_today.map(|(opens, closes)| {
                let from = opens.max(now);
                (from, closes.min(from + left))
            })
        };
        let to_come = days.iter().filter_map(|(opens, closes)| {
            let (opens, closes) = (opens.as_millisecond(), closes.as_millisecond());
            (opens >= midnight).then_some((opens, closes.min(opens + daily)))
        });
        Self::new(stretch_today.into_iter().chain(to_come))
    }

    /// When the first work can be done; none within the horizon.
    pub(super) fn start_after(&self, work: SignedDuration) -> Option<Timestamp> {
        let work = work.as_millis() as i64;
        // At the end of a stretch the next one begins.
        let place = self
            .stretches
            .partition_point(|(_, before)| *before <= work);
        self.at(place.checked_sub(1)?, work, |end, work| work < end)
    }

    /// When so much work is done; none where that is beyond the horizon. No work is done as soon as any could be.
    pub(super) fn done_after(&self, work: SignedDuration) -> Option<Timestamp> {
        let work = work.as_millis() as i64;
        if work <= 0 {
            return self.start_after(SignedDuration::ZERO);
        }
        let place = self.stretches.partition_point(|(_, before)| *before < work);
        self.at(place.checked_sub(1)?, work, |end, work| work <= end)
    }

    fn at(&self, place: usize, work: i64, fits: impl Fn(i64, i64) -> bool) -> Option<Timestamp> {
        let ((from, to), before) = *self.stretches.get(place)?;
        fits(before + to - from, work)
            .then(|| Timestamp::from_millisecond(from + work - before).ok())
            .flatten()
    }

    /// How much work there is time for until then.
    pub(super) fn until(&self, moment: Timestamp) -> SignedDuration {
        let moment = moment.as_millisecond();
        let place = self
            .stretches
            .partition_point(|((from, _), _)| *from < moment);
        let sum = place.checked_sub(1).map_or(0, |last| {
            let ((from, to), before) = self.stretches[last];
            before + moment.min(to) - from
        });
        SignedDuration::from_millis(sum)
    }
}

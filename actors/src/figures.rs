//! The desk's figures: how many orders were closed, how long their customers waited, how long used
//! cars took. Pure: made of closings and a moment of the shop's clock.
//!
//! Only what the log knows is counted. A closing that lies in the future (another clock runs fast)
//! counts once its time has come; an order whose times contradict each other is completed and has
//! no part in an average.

#[cfg(test)]
mod tests;

use jiff::{SignedDuration, Timestamp, ToSpan, Zoned};

use crate::repair_order::{Change, DisplayedStatus, RepairOrder};

/// A closed order, as far as figures are concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closing {
    pub closed_at: Timestamp,
    /// The displayed one, as it stands since.
    pub status: DisplayedStatus,
    /// What its events show; none where they were not read.
    pub lived: Lived,
    /// For how long a technician's clock ran on it before it was closed; none where none ever did,
    /// or it was not asked.
    pub clocked: Option<SignedDuration>,
}

/// What the events of a closed order show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lived {
    /// From when it last became Waiting, or was opened so, to its closing; none unless it was
    /// Waiting then.
    pub waited: Option<SignedDuration>,
    /// None where no technician is known to have had it before it was closed.
    pub service: Option<Service>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Service {
    /// Opened to the first technician.
    pub before: SignedDuration,
    /// The first technician to the closing.
    pub within: SignedDuration,
}

/// The borders that figures are counted between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calendar {
    month: Timestamp,
    yesterday: Timestamp,
    yesterday_by_now: Timestamp,
    today: Timestamp,
    now: Timestamp,
}

/// Averages are in milliseconds. None where there is nothing to count, or to compare with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    pub value: Option<i64>,
    pub yesterday: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Beside yesterday's up to the same time of day.
    pub completed_today: Figure,
    /// Beside the whole of yesterday's: an average does not grow with the day, and that of a
    /// morning is of a few.
    pub average_wait: Figure,
    /// Of this month, beside the month as it stood at the end of yesterday; on the first there was
    /// none.
    pub used_cars: UsedFigures,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsedFigures {
    pub completed: Figure,
    pub average_before_service: Figure,
    pub average_in_service: Figure,
    pub average_with_technician: Figure,
}

impl Calendar {
    /// Of the shop, by its own clock.
    pub fn at(now: &Zoned) -> Result<Self, jiff::Error> {
        Ok(Self {
            month: now.first_of_month()?.start_of_day()?.timestamp(),
            yesterday: now.yesterday()?.start_of_day()?.timestamp(),
            // The same time on the clock, whatever was done to the clock in between.
            yesterday_by_now: now.checked_sub(1.day())?.timestamp(),
            today: now.start_of_day()?.timestamp(),
            now: now.timestamp(),
        })
    }

    /// Orders closed before have no part in any figure.
    pub fn since(&self) -> Timestamp {
        self.month.min(self.yesterday)
    }

    /// Whether all that `later` asks for is asked for here: it is, unless the clock was put back.
    pub fn covers(&self, later: &Self) -> bool {
        self.since() <= later.since() && self.yesterday <= later.yesterday
    }

    /// Whether a figure asks how such an order lived.
    pub fn asks(&self, status: DisplayedStatus, closed_at: Timestamp) -> bool {
        match status {
            DisplayedStatus::Waiting => closed_at >= self.yesterday,
            DisplayedStatus::Used => closed_at >= self.month,
            _ => false,
        }
    }
}

impl Figures {
    pub fn of<'a>(
        closings: impl Iterator<Item = &'a Closing> + Clone,
        calendar: &Calendar,
    ) -> Self {
        let Calendar {
            month,
            yesterday,
            yesterday_by_now,
            today,
            now,
        } = *calendar;
        let so_far = |from, up_to: Timestamp| {
            let within = move |closing: &&Closing| (from..=up_to).contains(&closing.closed_at);
            closings.clone().filter(within)
        };
        let until = |from, before: Timestamp| {
            let within = move |closing: &&Closing| (from..before).contains(&closing.closed_at);
            closings.clone().filter(within)
        };
        let is_used_car = |closing: &&Closing| closing.status == DisplayedStatus::Used;
        let of_used = |time: fn(&Closing) -> Option<SignedDuration>| Figure {
            value: average_of(so_far(month, now).filter(is_used_car).map(time)),
            yesterday: average_of(until(month, today).filter(is_used_car).map(time)),
        };
        let waited = |closing: &Closing| match closing.status {
            DisplayedStatus::Waiting => closing.lived.waited,
            _ => None,
        };
        let month_began_before = month < today;
        Self {
            completed_today: Figure {
                value: Some(count(so_far(today, now))),
                yesterday: Some(count(so_far(yesterday, yesterday_by_now))),
            },
            average_wait: Figure {
                value: average_of(so_far(today, now).map(waited)),
                yesterday: average_of(until(yesterday, today).map(waited)),
            },
            used_cars: UsedFigures {
                completed: Figure {
                    value: Some(count(so_far(month, now).filter(is_used_car))),
                    yesterday: month_began_before
                        .then(|| count(until(month, today).filter(is_used_car))),
                },
                average_before_service: of_used(|one| Some(one.lived.service?.before)),
                average_in_service: of_used(|one| Some(one.lived.service?.within)),
                average_with_technician: of_used(|one| one.clocked),
            },
        }
    }
}

fn count<'a>(closings: impl Iterator<Item = &'a Closing>) -> i64 {
    i64::try_from(closings.count()).unwrap_or(i64::MAX)
}

fn average_of(durations: impl Iterator<Item = Option<SignedDuration>>) -> Option<i64> {
    let (mut sum, mut count) = (0, 0);
    for duration in durations.flatten() {
        sum += duration.as_millis();
        count += 1;
    }
    // Their mean is no longer than the longest.
    i64::try_from(i128::checked_div(sum, count)?).ok()
}

impl Lived {
    /// `life`: the order's events, oldest first, and when the log got each. The time of an event
    /// that arrived only after the closing is unknown: such an order has no part in an average.
    pub fn of(life: &[(Timestamp, Change)], closed_at: Timestamp) -> Self {
        let Some((created_at, Change::Created { repair_order })) = life.first() else {
            return Self::default();
        };
        let opened_at = repair_order.opened_at;
        let mut order = RepairOrder::clone(repair_order);
        let mut waiting = is_waiting(&order).then_some(opened_at);
        let mut first = is_assigned(&order).then(|| opened_at.max(*created_at));
        let closing = |(_, change): &(_, Change)| matches!(change, Change::Closed { .. });
        let until_closed = life.iter().rposition(closing).unwrap_or(life.len());
        for (at, change) in life.iter().take(until_closed).skip(1) {
            order.evolve(change);
            let at = opened_at.max(*at);
            waiting = is_waiting(&order).then(|| waiting.unwrap_or(at));
            if is_assigned(&order) {
                first.get_or_insert(at);
            }
        }
        let to_closing = |from: Timestamp| {
            let took = closed_at.duration_since(from);
            (!took.is_negative()).then_some(took)
        };
        Self {
            waited: waiting.and_then(to_closing),
            service: first.and_then(|first| {
                Some(Service {
                    before: first.duration_since(opened_at),
                    within: to_closing(first)?,
                })
            }),
        }
    }
}

fn is_waiting(order: &RepairOrder) -> bool {
    order.displayed_status() == DisplayedStatus::Waiting
}

fn is_assigned(order: &RepairOrder) -> bool {
    !order.regular_technicians.is_empty() || !order.etl_technicians.is_empty()
}

//! Who is at work today, and how much of their day is left.

use std::collections::HashMap;

use dispatch_actors::promise::{Attendance, ClockState, ShopHours};
use dispatch_actors::repair_order::TechnicianId;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::super::{DailyMinutes, Technician};
use crate::clocks::{Clocks, Running};
use crate::error::ApiError;

/// Of everybody on the shop's list, and of whoever else was or is on the clock today.
pub async fn attendance(
    clocks: &Clocks,
    listed: &[Technician],
) -> Result<HashMap<TechnicianId, Attendance>, ApiError> {
    let mut attended = clocks.attended_today().await?;
    let (mut running, forgotten) = (clocks.running(), clocks.forgotten());
    running.retain(|technician, _| !forgotten.contains(technician));
    let mut attendance: HashMap<TechnicianId, Attendance> = listed
        .iter()
        .map(|one| (one.id_technician, not_on_clock(one.daily)))
        .collect();
    let there = attended.keys().chain(running.keys());
    for technician in there.copied().collect::<Vec<_>>() {
        let one = attendance
            .entry(technician)
            .or_insert_with(|| not_on_clock(DailyMinutes::DEFAULT));
        one.attended = attended.remove(&technician).unwrap_or(one.attended);
        one.clock = running
            .get(&technician)
            .map_or(ClockState::Off, clock_state);
    }
    Ok(attendance)
}

fn not_on_clock(daily: DailyMinutes) -> Attendance {
    Attendance {
        daily: SignedDuration::from_mins(daily.get().into()),
        ..Attendance::UNKNOWN
    }
}

fn clock_state(running: &Running) -> ClockState {
    let work = running.entry.work.map(|work| (work.order, work.job));
    work.map_or(ClockState::Idle, ClockState::On)
}

/// What is left of everybody's day at one moment.
pub(in crate::technicians) struct DaysLeft {
    pub attendance: HashMap<TechnicianId, Attendance>,
    pub hours: ShopHours,
    pub zone: TimeZone,
    pub now: Timestamp,
}

impl DaysLeft {
    /// In hours, to the hundredth.
    pub(in crate::technicians) fn of(&self, technician: TechnicianId) -> f64 {
        let known = self.attendance.get(&technician);
        let attendance = known.copied().unwrap_or(Attendance::UNKNOWN);
        let left = attendance.work_left_today(&self.hours, &self.zone, self.now);
        (left.as_secs_f64() / 36.0).round() / 100.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hours left of a day of six hours on a Friday, when the shop closes at 18:00; `clocked`: so many minutes.
    fn left(at: &str, clocked: i64, clock: ClockState) -> f64 {
        let attendance = Attendance {
            attended: SignedDuration::from_mins(clocked),
            clock,
            ..not_on_clock(DailyMinutes::stored(6 * 60))
        };
        let days = DaysLeft {
            attendance: HashMap::from([(7, attendance)]),
            hours: ShopHours::default(),
            zone: TimeZone::get("America/Chicago").unwrap(),
            now: at.parse::<jiff::Zoned>().unwrap().timestamp(),
        };
        days.of(7)
    }

    #[test]
    fn a_day_has_what_was_not_clocked_of_it_left() {
        let at_ten = |minutes| {
            left(
                "2026-11-27T10:00[America/Chicago]",
                minutes,
                ClockState::Idle,
            )
        };
        assert_eq!((at_ten(0), at_ten(100), at_ten(361)), (6.0, 4.33, 0.0));
    }

    #[test]
    fn a_day_ends_with_the_shops() {
        use ClockState::{Idle, Off};
        for (at, clock, hours) in [
            ("2026-11-27T05:00[America/Chicago]", Off, 6.0),
            ("2026-11-27T15:45[America/Chicago]", Off, 2.25),
            ("2026-11-27T15:45[America/Chicago]", Idle, 2.25),
            ("2026-11-27T18:00[America/Chicago]", Off, 0.0),
            // Who works longer has until midnight.
            ("2026-11-27T18:30[America/Chicago]", Idle, 5.5),
            ("2026-11-29T10:00[America/Chicago]", Off, 0.0),
            ("2026-11-29T10:00[America/Chicago]", Idle, 6.0),
        ] {
            assert_eq!(left(at, 0, clock), hours, "{at} {clock:?}");
        }
    }
}

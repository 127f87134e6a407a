//! What the shop has closed by now: the customers of this week and of yesterday, and the used cars of
//! the month, each with what happened to it and when. A day's closings depend on the day and the seed
//! alone, so that an hour later there are the same and a few more.

#[cfg(test)]
mod tests;

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp, ToSpan};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::movement::dealer_system::unchanged_import;
use super::movement::demand;
use super::technicians::{DISPATCHERS, Floor};
use super::write_up::{self, Drive, assigned_technician};
use super::{Person, SampleShop, word};
use crate::repair_order::{
    Change, Command, ImportedOrder, RepairOrder, RoNumber, Status, TechnicianId,
};

/// By the clock on the wall, in minutes: the drive opens, the first car is ready, the last one is.
const OPENS: i64 = 7 * 60;
const FIRST_CLOSING: i64 = 8 * 60;
const LAST_CLOSING: i64 = 17 * 60 + 45;

/// A closed order and all that happened to it.
#[derive(Clone, Debug, PartialEq)]
pub struct PastOrder {
    pub number: RoNumber,
    /// In the order of their times.
    pub moves: Vec<PastMove>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PastMove {
    pub at: Timestamp,
    pub by: Person,
    pub changes: Vec<Change>,
}

impl SampleShop {
    /// Orders that were closed before `now`, about three hundred at most; their numbers end where those
    /// of the open orders begin.
    pub fn past_orders(&self, seed: u64, now: Timestamp) -> Vec<PastOrder> {
        let today = self.zone.to_datetime(now).date();
        let yesterday = today.yesterday().unwrap_or(today);
        let since_monday = i32::from(today.weekday().to_monday_zero_offset());
        let monday = today.checked_sub(since_monday.days()).unwrap_or(today);
        let remembered = yesterday.min(monday);
        let mut date = today.first_of_month().min(remembered);
        let mut ready = Vec::new();
        while date <= today {
            let day = self.closed_on(
                seed,
                date,
                date >= remembered,
                date.month() == today.month(),
            );
            ready.extend(day.into_iter().filter(|draft| draft.closed_at() <= now));
            let Ok(tomorrow) = date.tomorrow() else { break };
            date = tomorrow;
        }
        ready.sort_by_key(OrderHistoryDraft::opened_at);
        let first_open = self.orders.first().map_or(40_200, |(first, _)| first.get());
        let first = first_open - ready.len() as i64;
        let numbered = (first..).zip(ready);
        numbered
            .filter_map(|(number, draft)| draft.numbered(RoNumber::try_from(number).ok()?))
            .collect()
    }

    /// `customers`, `used_cars`: whether these are remembered of that day.
    fn closed_on(
        &self,
        seed: u64,
        date: Date,
        customers: bool,
        used_cars: bool,
    ) -> Vec<OrderHistoryDraft> {
        let days = i64::from(date.year()) * 366 + i64::from(date.day_of_year());
        let mut rng = StdRng::seed_from_u64(seed ^ days.unsigned_abs().wrapping_mul(0x9E37_79B9));
        let mut storyteller = Storyteller {
            drive: Drive {
                advisors: self.advisors.clone(),
                zone: self.zone.clone(),
                scripts: self.scripts,
            },
            floor: Floor::new(self.technicians.clone()),
            rng: StdRng::seed_from_u64(rng.random()),
        };
        let mut drafts = Vec::new();
        if customers {
            for _ in 0..rng.random_range(26..=32) {
                let status = match rng.random_range(0..100) {
                    0..36 => Status::Waiting,
                    36..46 => Status::Pdi,
                    _ => Status::Drop,
                };
                drafts.extend(storyteller.draft_history(status, date));
            }
        }
        if used_cars {
            for _ in 0..rng.random_range(1..=2) {
                drafts.extend(storyteller.draft_history(Status::Used, date));
            }
        }
        drafts
    }
}

/// When an order came, was taken up, and went.
struct Course {
    opened_at: Timestamp,
    assigned_at: Timestamp,
    closed_at: Timestamp,
}

struct Storyteller {
    rng: StdRng,
    drive: Drive,
    floor: Floor,
}

impl Storyteller {
    fn draft_history(&mut self, status: Status, closed_on: Date) -> Option<OrderHistoryDraft> {
        let course = match status {
            Status::Waiting => self.wait(closed_on)?,
            Status::Used => self.stay(closed_on)?,
            _ => self.visit(closed_on)?,
        };
        // A few leave their car and then wait for it after all.
        let changed_mind = status == Status::Waiting && self.rng.random_bool(0.15);
        let came_as = if changed_mind { Status::Drop } else { status };
        let mut draft = self.arrive(came_as, course.opened_at)?;
        let advisor = Person::Advisor(draft.order.header.advisor.clone());
        if changed_mind {
            let soon = course.opened_at + SignedDuration::from_mins(4);
            draft.happens(soon, advisor, &Command::ChangeStatus(status));
        }
        let lead = self.technician(&draft)?;
        self.dispatch(&mut draft, course.assigned_at, Command::Assign(lead));
        let worked = course.closed_at.duration_since(course.assigned_at);
        if worked > SignedDuration::from_hours(20) && self.rng.random_bool(0.4) {
            // Parts are on order: the technician has other work, and somebody resumes the job later.
            let (from, to) = (course.assigned_at, course.closed_at);
            self.dispatch(&mut draft, part(from, to, 0.25), Command::Unassign(lead));
            let next = self.technician(&draft)?;
            self.dispatch(&mut draft, part(from, to, 0.6), Command::Assign(next));
        } else if self.rng.random_bool(0.15) {
            let etl = assigned_technician(self.technician(&draft)?);
            let punched = ImportedOrder {
                etl_technicians: Some(vec![etl]),
                ..unchanged_import(&draft.order)
            };
            let at = part(course.assigned_at, course.closed_at, 0.3);
            draft.happens(at, Person::DealerSystem, &import(punched));
        }
        let closing_import = ImportedOrder {
            closed_at: Some(course.closed_at),
            ..unchanged_import(&draft.order)
        };
        draft.happens(
            course.closed_at,
            Person::DealerSystem,
            &import(closing_import),
        );
        draft.order.closed_at.is_some().then_some(draft)
    }

    /// A customer in the lounge, for half an hour to three.
    fn wait(&mut self, date: Date) -> Option<Course> {
        let closed = self.rng.random_range(FIRST_CLOSING..LAST_CLOSING);
        let waited = self.rng.random_range(32..180).min(closed - OPENS);
        let closed_at = self.moment(date, closed)?;
        let opened_at = closed_at - SignedDuration::from_mins(waited);
        let taken_up = SignedDuration::from_mins(self.rng.random_range(6..(waited / 3).max(7)));
        Some(Course {
            opened_at,
            assigned_at: opened_at + taken_up,
            closed_at,
        })
    }

    /// A car that was left here: since this morning, or the day before.
    fn visit(&mut self, date: Date) -> Option<Course> {
        let closed = self.rng.random_range(FIRST_CLOSING + 30..LAST_CLOSING);
        let days = if closed < 12 * 60 {
            self.rng.random_range(1..=2)
        } else {
            self.rng.random_range(0..=1)
        };
        let came = date.checked_sub(days.days()).ok()?;
        let opened = self.rng.random_range(OPENS..OPENS + 150);
        let latest = closed - 25;
        let earliest = if days == 0 { opened + 15 } else { OPENS + 15 };
        let assigned = self.rng.random_range(earliest..latest.max(earliest + 1));
        Some(Course {
            opened_at: self.moment(came, opened)?,
            assigned_at: self.moment(date, assigned)?,
            closed_at: self.moment(date, closed)?,
        })
    }

    /// One of the dealer's own cars, which have time.
    fn stay(&mut self, date: Date) -> Option<Course> {
        let closed = self.rng.random_range(11 * 60..LAST_CLOSING);
        let in_service = self.rng.random_range(0..=4);
        let before = self.rng.random_range(0..=3);
        let taken_up = date.checked_sub(in_service.days()).ok()?;
        let came = taken_up.checked_sub(before.days()).ok()?;
        let opened = self.rng.random_range(OPENS..OPENS + 60);
        let assigned = self.rng.random_range(OPENS + 90..11 * 60 - 30);
        Some(Course {
            opened_at: self.moment(came, opened)?,
            assigned_at: self.moment(taken_up, assigned)?,
            closed_at: self.moment(date, closed)?,
        })
    }

    /// That minute of the day, by the clock on the wall, and some seconds.
    fn moment(&mut self, date: Date, minute: i64) -> Option<Timestamp> {
        let (hour, minute) = (
            i8::try_from(minute / 60).ok()?,
            i8::try_from(minute % 60).ok()?,
        );
        let second = self.rng.random_range(0..60);
        let local = self.drive.zone.to_zoned(date.at(hour, minute, second, 0));
        Some(local.ok()?.timestamp())
    }

    fn arrive(&mut self, status: Status, at: Timestamp) -> Option<OrderHistoryDraft> {
        // The number is assigned when all orders are written.
        let number = RoNumber::try_from(1).ok()?;
        let mut arrival = self.drive.arrival(&mut self.rng, number, status, at, at);
        arrival.dms_number.clear();
        if status == Status::Drop {
            arrival.priority = Some(write_up::desk_priority(&mut self.rng));
        }
        let changes = RepairOrder::create(number, &arrival, at);
        Some(OrderHistoryDraft {
            order: RepairOrder::replay(&changes)?,
            moves: vec![PastMove {
                at,
                by: Person::DealerSystem,
                changes,
            }],
        })
    }

    /// Somebody of the right trade who is not on the order.
    fn technician(&mut self, draft: &OrderHistoryDraft) -> Option<TechnicianId> {
        let order = &draft.order;
        let excluded: Vec<TechnicianId> = order
            .regular_technicians
            .iter()
            .map(|t| t.technician)
            .collect();
        self.floor
            .available_technician(&mut self.rng, &demand(order), &excluded)
    }

    fn dispatch(&mut self, draft: &mut OrderHistoryDraft, at: Timestamp, command: Command) {
        let by = Person::Dispatcher(word(&mut self.rng, DISPATCHERS).to_owned());
        draft.happens(at, by, &command);
    }
}

/// An order that has no number yet.
struct OrderHistoryDraft {
    order: RepairOrder,
    moves: Vec<PastMove>,
}

impl OrderHistoryDraft {
    fn opened_at(&self) -> Timestamp {
        self.order.opened_at
    }

    fn closed_at(&self) -> Timestamp {
        self.order.closed_at.unwrap_or(Timestamp::MAX)
    }

    fn happens(&mut self, at: Timestamp, by: Person, command: &Command) {
        let changes = self.order.apply(command).unwrap_or_default();
        if changes.is_empty() {
            return;
        }
        changes.iter().for_each(|change| self.order.evolve(change));
        self.moves.push(PastMove { at, by, changes });
    }

    fn numbered(mut self, number: RoNumber) -> Option<PastOrder> {
        let [Change::Created { repair_order }, ..] = self.moves.first_mut()?.changes.as_mut_slice()
        else {
            return None;
        };
        repair_order.number = number;
        Some(PastOrder {
            number,
            moves: self.moves,
        })
    }
}

/// `share` of the way.
fn part(from: Timestamp, to: Timestamp, share: f64) -> Timestamp {
    let seconds = to.duration_since(from).as_secs() as f64 * share;
    from + SignedDuration::from_secs(seconds as i64)
}

fn import(imported: ImportedOrder) -> Command {
    Command::Import(Box::new(imported))
}

//! What the shop's technicians were on the clock for: the week up to now, and of the weeks before
//! what was done on cars that are remembered. The same for one seed and one moment.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp, ToSpan};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::{PastOrder, SampleShop};
use crate::repair_order::{
    Change, ImportedJob, Job, Operation, RepairOrder, RoNumber, TechnicianId,
};

/// Shorter stretches nobody clocks.
const SHORTEST: SignedDuration = SignedDuration::from_mins(4);

/// Of the shop's list, by place: the first ones are those of the demo's accounts, and always there.
const ALWAYS_THERE: usize = 2;

/// Who forgot to clock out yesterday.
const FORGETFUL: usize = 2;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SampleClocks {
    /// By technician and time.
    pub entries: Vec<SampleEntry>,
    pub finished: Vec<SampleFinish>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleEntry {
    pub technician: TechnicianId,
    pub started_at: Timestamp,
    /// None: it runs.
    pub ended_at: Option<Timestamp>,
    /// Order and job; none on the clock without a job.
    pub work: Option<(RoNumber, i32)>,
}

/// A job that is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleFinish {
    pub technician: TechnicianId,
    pub number: RoNumber,
    pub job_number: i32,
    pub at: Timestamp,
}

/// Work of one technician on one job.
#[derive(Clone, Copy, Debug)]
struct Task {
    work: (RoNumber, i32),
    /// The technician had it from then until then.
    from: Timestamp,
    until: Timestamp,
    takes: SignedDuration,
    is_finished: bool,
}

/// Time on the clock, from and to.
type Stretch = (Timestamp, Timestamp);

impl SampleShop {
    /// `past_orders`: the closed orders, of [`SampleShop::past`].
    pub fn clocks(&self, seed: u64, now: Timestamp, past_orders: &[PastOrder]) -> SampleClocks {
        let mut rng = StdRng::seed_from_u64(seed ^ 0xC10C);
        let mut tasks: HashMap<TechnicianId, Vec<Task>> = HashMap::new();
        for order in past_orders {
            for (technician, task) in closed(order) {
                tasks.entry(technician).or_default().push(task);
            }
        }
        let mut begun: HashMap<TechnicianId, Vec<Task>> = HashMap::new();
        for (number, order) in &self.orders {
            let lead = order.regular_technicians.iter().flatten().next();
            let Some((lead, opened_at)) = lead.zip(order.opened_at) else {
                continue;
            };
            let work = order.jobs.iter().map(|job| {
                let from = (opened_at + SignedDuration::from_mins(20)).min(now);
                open(&mut rng, *number, job, from, now)
            });
            begun.entry(lead.technician).or_default().extend(work);
        }
        let mut clocks = SampleClocks::default();
        for (place, technician) in self.technicians.iter().enumerate() {
            let id = technician.id;
            let diary = Diary {
                technician: id,
                place,
                closed: tasks.remove(&id).unwrap_or_default(),
                open: begun.remove(&id).unwrap_or_default(),
            };
            self.fill(&mut rng, &mut clocks, diary, seed, now);
        }
        clocks
    }

    fn fill(
        &self,
        rng: &mut StdRng,
        clocks: &mut SampleClocks,
        diary: Diary,
        seed: u64,
        now: Timestamp,
    ) {
        let Diary {
            technician,
            place,
            mut closed,
            open,
        } = diary;
        // Some are quicker than what the customer pays for, some slower.
        let pace = rng.random_range(0.88..1.32);
        let today = self.zone.to_datetime(now).date();
        let week = monday(today);
        let mut shifts = self.shifts(seed, technician, place, now);
        let mut entries = Vec::new();
        let mut clock = |started_at, ended_at, work| {
            entries.push(SampleEntry {
                technician,
                started_at,
                ended_at,
                work,
            });
        };

        let mut clocked_work = None;
        if let Some(last) = shifts.last_mut()
            && (last.1 == now || place == FORGETFUL)
        {
            let since = if place == FORGETFUL {
                last.1 - SignedDuration::from_mins(rng.random_range(25..70))
            } else {
                now - SignedDuration::from_secs(rng.random_range(4 * 60..55 * 60))
            };
            let since = since.max(last.0);
            let fits = |task: &&Task| !task.is_finished && task.from <= since;
            // The newest first: those who wait.
            let work = open.iter().rev().find(fits).map(|task| task.work);
            let busy = place < ALWAYS_THERE || place == FORGETFUL || rng.random_bool(0.75);
            clocked_work = work.filter(|_| busy);
            clock(since, None, clocked_work);
            last.1 = since;
        }

        let mut free: Vec<Stretch> = shifts;
        closed.sort_by_key(|task| (task.until, task.work));
        let done = open
            .into_iter()
            .filter(|task| Some(task.work) != clocked_work);
        for mut task in closed.into_iter().chain(done) {
            task.takes = SignedDuration::from_secs((task.takes.as_secs() as f64 * pace) as i64);
            let pieces = take(&mut free, &task);
            for (from, to) in &pieces {
                clock(*from, Some(*to), Some(task.work));
            }
            if let Some((_, at)) = pieces.last()
                && task.is_finished
            {
                let (number, job_number) = task.work;
                clocks.finished.push(SampleFinish {
                    technician,
                    number,
                    job_number,
                    at: *at,
                });
            }
        }
        // Between two jobs they are on the clock all the same.
        for (from, to) in free {
            if from < to && self.zone.to_datetime(from).date() >= week {
                clock(from, Some(to), None);
            }
        }
        entries.sort_by_key(|entry| entry.started_at);
        clocks.entries.extend(entries);
    }

    /// When a technician is there, from the beginning of the month or of the week or from yesterday,
    /// whichever was first; the last stretch ends with `now` where they are there now.
    fn shifts(
        &self,
        seed: u64,
        technician: TechnicianId,
        place: usize,
        now: Timestamp,
    ) -> Vec<Stretch> {
        let today = self.zone.to_datetime(now).date();
        let yesterday = today.yesterday().unwrap_or(today);
        let mut date = today.first_of_month().min(monday(today)).min(yesterday);
        let mut shifts = Vec::new();
        while date <= today {
            let of_day = self.shift(seed, technician, place, date, today);
            shifts.extend(of_day.into_iter().filter_map(|(from, to)| {
                let to = to.min(now);
                (from < to).then_some((from, to))
            }));
            let Ok(tomorrow) = date.tomorrow() else { break };
            date = tomorrow;
        }
        let is_there = shifts.last().is_some_and(|(_, to)| *to == now);
        // Somebody is always there, also when the drive is closed.
        let crew = place < ALWAYS_THERE || place.is_multiple_of(4);
        if !is_there
            && crew
            && let Some(midnight) = self.at(today, 0)
        {
            let mut rng = self.dice(seed, technician, today);
            let since = now - SignedDuration::from_mins(rng.random_range(70..240));
            let ended = shifts.last().map_or(midnight, |(_, to)| *to);
            let since = since.max(midnight).max(ended);
            if since < now {
                shifts.push((since, now));
            }
        }
        shifts
    }

    /// Before and after lunch.
    fn shift(
        &self,
        seed: u64,
        technician: TechnicianId,
        place: usize,
        date: Date,
        today: Date,
    ) -> Vec<Stretch> {
        let mut rng = self.dice(seed, technician, date);
        let begins = rng.random_range(7 * 60 + 2..8 * 60 + 8);
        let lunch = rng.random_range(11 * 60 + 40..12 * 60 + 35);
        let back = lunch + rng.random_range(28..52);
        // Who begins late stays late: about eight hours, as most work a day.
        let ends = begins + back - lunch + rng.random_range(7 * 60 + 40..8 * 60 + 25);
        // Most are there today, whichever day that is.
        let off = if date == today { 1 } else { 2 };
        let rotation_day = (i64::from(date.day_of_year()) + technician) % 7;
        let day_off = place > FORGETFUL && rotation_day < off;
        if day_off || (place == FORGETFUL && date == today) {
            return Vec::new();
        }
        let moment = |minute| self.at(date, minute);
        [(begins, lunch), (back, ends)]
            .into_iter()
            .filter_map(|(from, to)| Some((moment(from)?, moment(to)?)))
            .collect()
    }

    /// The same for a technician's day, whatever else there is.
    fn dice(&self, seed: u64, technician: TechnicianId, date: Date) -> StdRng {
        let day = i64::from(date.year()) * 366 + i64::from(date.day_of_year());
        let own = (day * 10_007 + technician).unsigned_abs();
        StdRng::seed_from_u64(seed ^ own.wrapping_mul(0x9E37_79B9))
    }

    /// That minute of the day, by the clock on the wall.
    fn at(&self, date: Date, minute: i64) -> Option<Timestamp> {
        let (hour, minute) = (
            i8::try_from(minute / 60).ok()?,
            i8::try_from(minute % 60).ok()?,
        );
        let local = self.zone.to_zoned(date.at(hour, minute, 0, 0));
        Some(local.ok()?.timestamp())
    }
}

/// What a technician has to do and has done.
struct Diary {
    technician: TechnicianId,
    place: usize,
    closed: Vec<Task>,
    open: Vec<Task>,
}

fn monday(date: Date) -> Date {
    let since = date.weekday().to_monday_zero_offset();
    date.checked_sub(i32::from(since).days()).unwrap_or(date)
}

/// Every job of a closed order was done by one of those who had it.
fn closed(past_order: &PastOrder) -> Vec<(TechnicianId, Task)> {
    let changes = past_order.moves.iter().flat_map(|one| &one.changes);
    let Some(order) = RepairOrder::replay(changes) else {
        return Vec::new();
    };
    let Some(closed_at) = order.closed_at else {
        return Vec::new();
    };
    let mut had: Vec<(TechnicianId, Timestamp, Timestamp)> = Vec::new();
    for one in &past_order.moves {
        for change in &one.changes {
            match change {
                Change::TechnicianAssigned { technician, .. } => {
                    had.push((*technician, one.at, closed_at));
                }
                Change::TechnicianUnassigned { technician, .. } => {
                    for (_, _, until) in had
                        .iter_mut()
                        .filter(|(assignee, ..)| assignee == technician)
                    {
                        *until = one.at;
                    }
                }
                _ => {}
            }
        }
    }
    if had.is_empty() {
        return Vec::new();
    }
    let done = order.jobs.iter().enumerate().map(|(place, job)| {
        let (technician, from, until) = had[place % had.len()];
        let task = Task {
            work: (past_order.number, job.job_number),
            from,
            until,
            takes: sold(&job.operations),
            is_finished: true,
        };
        (technician, task)
    });
    done.collect()
}

/// What became of a job of an open order by now: with notes it is mostly done, with a cause alone
/// half done.
fn open(
    rng: &mut StdRng,
    number: RoNumber,
    job: &ImportedJob,
    from: Timestamp,
    now: Timestamp,
) -> Task {
    let takes = sold(job.operations.as_deref().unwrap_or_default());
    let has_notes = job.brief_tech_notes.is_some();
    let is_finished = has_notes && rng.random_bool(0.85);
    let share = match (&job.cause, has_notes) {
        (Some(_), true) => 1.0,
        (Some(_), false) => 0.5,
        (None, _) => 0.0,
    };
    Task {
        work: (number, job.job_number),
        from,
        until: now,
        takes: SignedDuration::from_secs((takes.as_secs() as f64 * share) as i64),
        is_finished,
    }
}

/// The time that a job's work is sold for.
fn sold(operations: &[Operation]) -> SignedDuration {
    let job = Job {
        operations: operations.to_vec(),
        ..Job::default()
    };
    let hundredths = job.sold_hours().map_or(30, |hours| hours.hundredths());
    SignedDuration::from_secs(i64::from(hundredths.max(15)) * 36)
}

/// Takes the time for a task out of what is free, the earliest first, in pieces where it must.
fn take(free: &mut Vec<Stretch>, task: &Task) -> Vec<Stretch> {
    let mut left = task.takes;
    let mut pieces = Vec::new();
    let mut still_free = Vec::with_capacity(free.len() + 1);
    for (from, to) in free.drain(..) {
        let begins = from.max(task.from);
        let ends = to.min(task.until).min(begins + left);
        if left < SHORTEST || ends.duration_since(begins) < SHORTEST {
            still_free.push((from, to));
            continue;
        }
        left -= ends.duration_since(begins);
        pieces.push((begins, ends));
        still_free.extend(
            [(from, begins), (ends, to)]
                .into_iter()
                .filter(|(a, b)| a < b),
        );
    }
    *free = still_free;
    pieces
}

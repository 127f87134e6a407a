//! A worked year once more, as the shop knew it at each moment.

use std::collections::HashMap;
use std::sync::Arc;

use dispatch_actors::promise::{
    Attendance, ClockState, Hold, JobKey, Reason, Risk, ShopHours, ShopNow, risks,
};
use dispatch_actors::repair_order::{AssignedTechnician, RepairOrder, RoNumber, TechnicianId};
use dispatch_actors::sample_shop::{SampleEntry, WorkedOrder, WorkedYear};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// How far apart the looks at the shop are, while it is open.
const STEP: SignedDuration = SignedDuration::from_mins(10);

/// What was said of an order before its promise, and what became of it.
#[derive(Clone, Copy, Debug)]
pub struct Judged {
    pub opened_at: Timestamp,
    pub promised_at: Timestamp,
    pub ready_at: Timestamp,
    /// When it was called at risk for the first time, before its promise.
    pub warned_at: Option<Timestamp>,
    /// What was said first why.
    pub reason: Option<Reason>,
    /// Whether it was called on time at the last look an hour or more before its promise.
    pub was_on_time: bool,
}

/// What was said of an order so far.
#[derive(Clone, Copy, Debug, Default)]
struct Warnings {
    warned_at: Option<Timestamp>,
    reason: Option<Reason>,
    was_on_time: bool,
}

impl Judged {
    pub fn is_late(&self) -> bool {
        self.ready_at > self.promised_at
    }
}

/// Every promised order that was ready within the year.
pub fn replay(year: &WorkedYear) -> Vec<Judged> {
    let mut replay = Replay::new(year);
    for (opens, closes) in &year.days {
        let mut now = *opens;
        while now < *closes {
            replay.judge(now);
            now += STEP;
        }
    }
    replay.judged()
}

struct Replay<'a> {
    year: &'a WorkedYear,
    zone: TimeZone,
    hours: ShopHours,
    entries: HashMap<RoNumber, Vec<SampleEntry>>,
    /// The next order that has not come yet, and the places of those that have and are not ready.
    next: usize,
    open: Vec<usize>,
    warnings: Vec<Warnings>,
    /// Where the attendance of the day of the last look begins.
    day: usize,
}

impl<'a> Replay<'a> {
    fn new(year: &'a WorkedYear) -> Self {
        let mut entries: HashMap<RoNumber, Vec<SampleEntry>> = HashMap::new();
        for entry in &year.entries {
            if let Some((number, _)) = entry.work {
                entries.entry(number).or_default().push(*entry);
            }
        }
        Self {
            year,
            zone: TimeZone::get("America/Chicago").unwrap_or(TimeZone::UTC),
            hours: ShopHours::default(),
            entries,
            next: 0,
            open: vec![],
            warnings: vec![Warnings::default(); year.orders.len()],
            day: 0,
        }
    }

    fn judge(&mut self, now: Timestamp) {
        let orders = &self.year.orders;
        while orders
            .get(self.next)
            .is_some_and(|one| one.order.opened_at <= now)
        {
            self.open.push(self.next);
            self.next += 1;
        }
        self.open
            .retain(|place| orders[*place].ready_at.is_none_or(|ready| ready > now));
        let open: Vec<Arc<RepairOrder>> = self
            .open
            .iter()
            .map(|place| Arc::new(as_known(&orders[*place], now)))
            .collect();
        let mut clocked: HashMap<JobKey, SignedDuration> = HashMap::new();
        let mut finished: HashMap<JobKey, Timestamp> = HashMap::new();
        let mut holds: Vec<Hold> = Vec::new();
        let mut running: HashMap<TechnicianId, JobKey> = HashMap::new();
        for place in &self.open {
            let one = &orders[*place];
            let number = one.order.number;
            let done = one.finished.iter().filter(|(_, at)| *at <= now);
            finished.extend(done.map(|(job, at)| ((number, *job), *at)));
            let held = one.holds.iter();
            let held = held.filter(|(hold, ended)| hold.since <= now && now < *ended);
            holds.extend(held.map(|(hold, _)| *hold));
            for entry in self.entries.get(&number).into_iter().flatten() {
                let (Some(job), Some(ended)) = (entry.work, entry.ended_at) else {
                    continue;
                };
                if entry.started_at > now {
                    break;
                }
                *clocked.entry(job).or_default() += ended.min(now).duration_since(entry.started_at);
                if now < ended {
                    running.insert(entry.technician, job);
                }
            }
        }
        let attendance = self.attendance(now, &running);
        let shop = ShopNow {
            now,
            zone: &self.zone,
            hours: &self.hours,
            orders: &open,
            clocked: &clocked,
            finished: &finished,
            attendance: &attendance,
            holds: &holds,
        };
        let places: HashMap<RoNumber, usize> = self
            .open
            .iter()
            .map(|place| (orders[*place].order.number, *place))
            .collect();
        for one in risks(&shop) {
            let warned = &mut self.warnings[places[&one.order]];
            if one.promised_at.duration_since(now) >= SignedDuration::from_hours(1) {
                warned.was_on_time = one.risk == Risk::OnTime;
            }
            if let Risk::AtRisk { why } = one.risk
                && warned.warned_at.is_none()
            {
                warned.warned_at = Some(now);
                warned.reason = why.first().copied();
            }
        }
    }

    fn attendance(
        &mut self,
        now: Timestamp,
        running: &HashMap<TechnicianId, JobKey>,
    ) -> HashMap<TechnicianId, Attendance> {
        let today = self.zone.to_datetime(now).date();
        let all = &self.year.attendance;
        let is_before = |from: Timestamp| self.zone.to_datetime(from).date() < today;
        while all
            .get(self.day)
            .is_some_and(|(_, from, _)| is_before(*from))
        {
            self.day += 1;
        }
        let ids = self.year.technicians.iter();
        let mut attendance: HashMap<TechnicianId, Attendance> = ids
            .map(|(id, daily)| {
                let daily = SignedDuration::from_hours(i64::from(*daily));
                let nothing = Attendance {
                    daily,
                    ..Attendance::UNKNOWN
                };
                (*id, nothing)
            })
            .collect();
        for (technician, from, to) in &all[self.day..] {
            if self.zone.to_datetime(*from).date() > today {
                break;
            }
            let Some(one) = attendance.get_mut(technician).filter(|_| *from <= now) else {
                continue;
            };
            one.attended += (*to).min(now).duration_since(*from);
            if now < *to {
                let on_job = running.get(technician).copied();
                one.clock = on_job.map_or(ClockState::Idle, ClockState::On);
            }
        }
        attendance
    }

    fn judged(self) -> Vec<Judged> {
        let orders = self.year.orders.iter().zip(self.warnings);
        let judged = orders.filter_map(|(one, warned)| {
            Some(Judged {
                opened_at: one.order.opened_at,
                promised_at: one.order.promised_at?,
                ready_at: one.ready_at?,
                warned_at: warned.warned_at,
                reason: warned.reason,
                was_on_time: warned.was_on_time,
            })
        });
        judged.collect()
    }
}

/// With whoever had it then.
fn as_known(one: &WorkedOrder, now: Timestamp) -> RepairOrder {
    let mut assigned = one.assigned.iter().rev();
    let has = assigned.find(|(at, _)| *at <= now);
    let technician = has.map(|(_, technician)| AssignedTechnician {
        technician: *technician,
        name: None,
    });
    RepairOrder {
        regular_technicians: technician.into_iter().collect(),
        ..one.order.clone()
    }
}

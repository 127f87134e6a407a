//! A year in which the shop's work is really done, minute by minute: what was promised, who had what when, which clocks
//! ran, what waited for parts or an approval, and when each car was ready. For judging a rule that foretells it: the
//! rule sees what a shop would have known at each moment, and nothing of the chances that are drawn here.
//!
//! Work takes longer or shorter than it is sold for, by the technician and by the job, and now and then much longer.
//! Technicians are away, late and at lunch, forget their clock, and do not always take the car that is next. Suppliers
//! are late. Advisors promise by what the work is sold for and by what they guess of the queue.

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp, ToSpan};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::movement::demand;
use super::technicians::Floor;
use super::write_up::{self, Drive};
use super::{SampleEntry, SampleShop, arrivals_per_hour};
use crate::promise::{Hold, ShopHours};
use crate::repair_order::{RepairOrder, RoNumber, SoldHours, Status, TechnicianId};

mod floor;
#[cfg(test)]
mod tests;

use floor::Technician;

/// What was recorded of the year.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkedYear {
    /// With the hours that each works a day.
    pub technicians: Vec<(TechnicianId, u8)>,
    /// By number, which is by when they came.
    pub orders: Vec<WorkedOrder>,
    /// When technicians were on the clock, with a job or without, by time.
    pub attendance: Vec<(TechnicianId, Timestamp, Timestamp)>,
    /// Clocks on jobs, by time. All have ended.
    pub entries: Vec<SampleEntry>,
    /// When the shop was open on each day of work.
    pub days: Vec<(Timestamp, Timestamp)>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct WorkedOrder {
    /// As it was written up, promise included; nobody is on it yet.
    pub order: RepairOrder,
    /// Who had it from when on, each taking it from the one before.
    pub assigned: Vec<(Timestamp, TechnicianId)>,
    /// When each job was said to be done.
    pub finished: Vec<(i32, Timestamp)>,
    /// Each with when it really ended.
    pub holds: Vec<(Hold, Timestamp)>,
    /// When the last job was done; none where the year was over before.
    pub ready_at: Option<Timestamp>,
}

/// Of the time that technicians are there, how much is sold on a slow day and on a busy one.
const SOLD_SHARE: std::ops::Range<f64> = 0.45..0.8;

impl SampleShop {
    /// `days` of the calendar from `first` on, with the hours that a shop has by default.
    pub fn worked_year(&self, seed: u64, first: Date, days: i32) -> WorkedYear {
        let mut year = Year::new(self, seed);
        for day in 0..days {
            if let Ok(date) = first.checked_add(day.days()) {
                year.work(date);
            }
        }
        year.recorded
    }
}

struct Year {
    rng: StdRng,
    drive: Drive,
    hours: ShopHours,
    floor: Floor,
    technicians: Vec<Technician>,
    recorded: WorkedYear,
    /// What really becomes of each order, by its place among the recorded ones.
    truths: Vec<Truth>,
    /// The places of those that are not ready.
    open: Vec<usize>,
    /// What an order's work is sold for in the mean, in minutes.
    mean_minutes: f64,
}

/// What nobody in the shop knows.
struct Truth {
    jobs: Vec<TrueJob>,
    dispatched_at: Timestamp,
    /// Minutes for which the customer is asked once the first job is done, and whether somebody says how long that takes.
    approval: Option<(i64, bool)>,
    /// Until when the whole order waits.
    held_until: Option<Timestamp>,
}

struct TrueJob {
    number: i32,
    /// Minutes of work that are left for a technician of mean pace.
    left: f64,
    /// When so much is left, parts are missing for so many minutes.
    parts: Option<(f64, i64)>,
    held_until: Option<Timestamp>,
    is_clocked: bool,
    is_done: bool,
}

impl Year {
    fn new(shop: &SampleShop, seed: u64) -> Self {
        let mut rng = StdRng::seed_from_u64(seed ^ 0x09_EA12);
        let drive = Drive {
            advisors: shop.advisors.clone(),
            zone: shop.zone.clone(),
            scripts: shop.scripts,
        };
        let technicians = shop.technicians.iter();
        let technicians = technicians
            .map(|one| Technician::new(&mut rng, one))
            .collect();
        let mut year = Self {
            rng,
            drive,
            hours: ShopHours::default(),
            floor: Floor::new(shop.technicians.clone()),
            technicians,
            recorded: WorkedYear {
                technicians: shop
                    .technicians
                    .iter()
                    .map(|one| (one.id, one.daily_hours))
                    .collect(),
                orders: vec![],
                attendance: vec![],
                entries: vec![],
                days: vec![],
            },
            truths: vec![],
            open: vec![],
            mean_minutes: 60.0,
        };
        let minutes = (0..400).filter_map(|_| {
            let (order, _) = year.write_up(Timestamp::UNIX_EPOCH)?;
            Some(sold_minutes(&order))
        });
        year.mean_minutes = minutes.sum::<f64>() / 400.0;
        year
    }

    fn work(&mut self, date: Date) {
        let Some((opens, closes)) = self.hours.on(date, &self.drive.zone) else {
            return;
        };
        self.recorded.days.push((opens, closes));
        for technician in &mut self.technicians {
            technician.come(&mut self.rng, opens, closes);
        }
        let mut arrivals = self.arrivals(opens, closes);
        let minutes = closes.duration_since(opens).as_mins();
        for minute in 0..minutes {
            let now = opens + SignedDuration::from_mins(minute);
            while let Some(at) = arrivals.pop_if(|at| *at <= now) {
                self.arrive(at);
            }
            self.dispatch(now, minute == 60);
            self.turn_wrenches(now);
        }
        for place in 0..self.technicians.len() {
            self.leave(place, closes);
        }
        self.open
            .retain(|place| self.recorded.orders[*place].ready_at.is_none());
    }

    /// Of the day, the latest first.
    fn arrivals(&mut self, opens: Timestamp, closes: Timestamp) -> Vec<Timestamp> {
        let there = self.technicians.iter().map(Technician::minutes_today);
        let share = self.rng.random_range(SOLD_SHARE);
        let count = there.sum::<i64>() as f64 * share / self.mean_minutes;
        let minutes = closes.duration_since(opens).as_mins();
        let mut arrivals = Vec::new();
        while (arrivals.len() as f64) < count {
            let at = opens + SignedDuration::from_secs(self.rng.random_range(0..minutes * 60));
            let local = self.drive.zone.to_datetime(at);
            // As busy as the drive is at that hour.
            if arrivals_per_hour(local.hour(), local.minute()) > self.rng.random_range(0..12) {
                arrivals.push(at);
            }
        }
        arrivals.sort_unstable_by(|one, other| other.cmp(one));
        arrivals
    }

    fn write_up(&mut self, at: Timestamp) -> Option<(RepairOrder, Status)> {
        let number = RoNumber::try_from(40_200 + self.truths.len() as i64).ok()?;
        let status = write_up::status(&mut self.rng, 0.3);
        let mut arrival = self.drive.arrival(&mut self.rng, number, status, at, at);
        if status == Status::Drop {
            arrival.priority = Some(write_up::desk_priority(&mut self.rng));
        }
        arrival.promised_at = None;
        let order = RepairOrder::replay(&RepairOrder::create(number, &arrival, at))?;
        Some((order, status))
    }

    fn arrive(&mut self, at: Timestamp) {
        let Some((mut order, status)) = self.write_up(at) else {
            return;
        };
        order.promised_at = self.promise(&order, status, at);
        let truth = Truth::draw(&mut self.rng, &order, status, at);
        self.open.push(self.truths.len());
        self.truths.push(truth);
        self.recorded.orders.push(WorkedOrder {
            order,
            assigned: vec![],
            finished: vec![],
            holds: vec![],
            ready_at: None,
        });
    }

    /// What the advisor tells the customer, if anything.
    fn promise(&mut self, order: &RepairOrder, status: Status, at: Timestamp) -> Option<Timestamp> {
        let rng = &mut self.rng;
        let is_told = match status {
            Status::Waiting => 0.85,
            Status::Used | Status::Pdi => 0.3,
            _ => 0.75,
        };
        if !rng.random_bool(is_told) {
            return None;
        }
        let work = sold_minutes(order) * rng.random_range(1.0..1.6);
        let queue = match status {
            Status::Waiting => rng.random_range(30.0..90.0),
            _ => rng.random_range(90.0..360.0),
        };
        let today = self.drive.zone.to_datetime(at).date();
        let ready = at + SignedDuration::from_mins((work + queue) as i64);
        let (_, closes) = self.hours.on(today, &self.drive.zone)?;
        let pick_up = closes - SignedDuration::from_mins(30);
        if status == Status::Waiting || (ready <= pick_up && rng.random_bool(0.7)) {
            let second = ready.as_second();
            return Timestamp::from_second(second + 900 - second.rem_euclid(900)).ok();
        }
        // Another day, with so many days between as the work has.
        let mut ahead = 1 + (work / 420.0) as i32 + rng.random_range(0..2);
        loop {
            let date = today.checked_add(ahead.days()).ok()?;
            if let Some((opens, closes)) = self.hours.on(date, &self.drive.zone) {
                let hours = closes.duration_since(opens).as_hours();
                let hour = rng.random_range(hours / 3..hours);
                return Some(opens + SignedDuration::from_hours(hour));
            }
            ahead += 1;
        }
    }

    /// Orders get their technician when the desk comes to them; `is_round`: and those of whom is not there get another.
    fn dispatch(&mut self, now: Timestamp, is_round: bool) {
        let away = self.technicians.iter().filter(|one| one.is_away());
        let away: Vec<TechnicianId> = away.map(|one| one.id).collect();
        for index in 0..self.open.len() {
            let place = self.open[index];
            let has = self.recorded.orders[place]
                .assigned
                .last()
                .map(|(_, id)| *id);
            let is_due = match has {
                None => self.truths[place].dispatched_at <= now,
                Some(technician) => {
                    is_round && away.contains(&technician) && self.rng.random_bool(0.7)
                }
            };
            let order = &self.recorded.orders[place].order;
            if !is_due || self.recorded.orders[place].ready_at.is_some() {
                continue;
            }
            let Some(technician) =
                self.floor
                    .available_technician(&mut self.rng, &demand(order), &away)
            else {
                continue;
            };
            let hundredths = (sold_minutes(order) / 0.6) as i64;
            if let Some(before) = has {
                self.floor.releases(&[before], hundredths);
                self.lay_down(before, place);
            }
            self.floor.takes(&[technician], hundredths);
            self.recorded.orders[place].assigned.push((now, technician));
        }
    }
}

impl Truth {
    fn draw(rng: &mut StdRng, order: &RepairOrder, status: Status, at: Timestamp) -> Self {
        let jobs = order.jobs.iter().map(|job| {
            let sold = job.sold_hours().map(SoldHours::hundredths);
            let sold =
                sold.map_or_else(|| rng.random_range(15.0..90.0), |one| f64::from(one) * 0.6);
            // A quarter more or less in the mean of it, as often below what is sold as above it.
            let spread = (0..4).map(|_| rng.random_range(-0.22..0.22)).sum::<f64>();
            let surprise = match rng.random_bool(0.07) {
                true => rng.random_range(1.5..2.8),
                false => 1.0,
            };
            let left = (sold * (1.0 + spread) * surprise).max(5.0);
            let parts = rng.random_bool(0.05).then(|| {
                let minutes = match rng.random_range(0..100) {
                    0..55 => rng.random_range(60..240),
                    55..85 => rng.random_range(900..1_500),
                    _ => rng.random_range(2_000..5_000),
                };
                (left * rng.random_range(0.3..0.9), minutes)
            });
            TrueJob {
                number: job.job_number,
                left,
                parts,
                held_until: None,
                is_clocked: rng.random_bool(0.96),
                is_done: false,
            }
        });
        let jobs = jobs.collect();
        let lies = match status {
            Status::Waiting => rng.random_range(3..15),
            _ => rng.random_range(5..120),
        };
        let approval = rng.random_bool(0.12).then(|| {
            let minutes = rng.random_range(15..150);
            (minutes, rng.random_bool(0.4))
        });
        Self {
            jobs,
            dispatched_at: at + SignedDuration::from_mins(lies),
            approval,
            held_until: None,
        }
    }
}

/// As far as the order says.
fn sold_minutes(order: &RepairOrder) -> f64 {
    let hours = order.jobs.iter().filter_map(|job| job.sold_hours());
    hours.map(|hours| f64::from(hours.hundredths()) * 0.6).sum()
}

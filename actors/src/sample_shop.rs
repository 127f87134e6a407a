//! A believable shop for the demo, the tests and the load test: people, skills and open repair
//! orders, the same every time for one seed. It makes what an import would bring and knows no
//! database; [`SampleShop::past`] says what was closed before, [`SampleShop::clocks`] who worked on what, and [`Movement`] what happens in that
//! shop next.

mod clocks;
mod jobs;
mod movement;
mod names;
mod past_orders;
mod technicians;
mod vehicles;
mod work;
mod worked_year;
mod write_up;

#[cfg(test)]
mod tests;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

pub use clocks::{SampleClocks, SampleEntry, SampleFinish};
pub use movement::{Move, Movement, Person};
pub use past_orders::{PastMove, PastOrder};
pub use worked_year::{WorkedOrder, WorkedYear};

use crate::repair_order::{ImportedOrder, RoNumber, Status, TechnicianId};
use technicians::Floor;
use write_up::Drive;

/// The source of a job's assignment that came from the dealer management system; only these are
/// shown as a job's technicians.
pub const DMS: &str = "DMS";

#[derive(Clone, Debug, PartialEq)]
pub struct SampleShop {
    pub technicians: Vec<SampleTechnician>,
    pub skills: Vec<SampleSkill>,
    pub rules: Vec<SampleRule>,
    pub advisors: Vec<String>,
    /// Open orders; numbers and opening times ascend together.
    pub orders: Vec<(RoNumber, ImportedOrder)>,
    zone: TimeZone,
    scripts: Scripts,
}

/// In which scripts people's names are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scripts {
    /// Latin, Cyrillic and Greek, which the fonts of the page draw on every screen.
    Shipped,
    /// Also those that a system must have fonts for, so that layouts and searches meet them early.
    All,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleTechnician {
    pub id: TechnicianId,
    pub display_name: String,
    pub specialty: String,
    /// Ids of [`SampleSkill`]s, with the technician's own level where it is not the skill's.
    pub skills: Vec<(i64, Option<i32>)>,
    /// Where they sit, as skills count: 1 (lube-tech) to 6 (foreman).
    pub level: i32,
    pub daily_hours: u8,
}

/// What an opcode asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleRule {
    /// An opcode, or the beginning of some with a `*` behind it.
    pub pattern: String,
    /// Id of a [`SampleSkill`].
    pub skill: i64,
    pub level: i32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleSkill {
    pub id: i64,
    pub name: String,
    /// 1 (lube-tech) to 6 (foreman).
    pub level: i32,
    /// What it is a skill in; of one kind the higher includes the lower.
    pub kind: Option<String>,
}

impl SampleShop {
    /// A shop whose clock shows UTC, with `size` open orders (100 to 100,000 are sensible).
    pub fn new(seed: u64, size: usize, now: Timestamp) -> Self {
        Self::in_zone(seed, size, now, TimeZone::UTC, Scripts::All)
    }

    /// A shop that opens and promises by the clock of `zone`. With 120 to 150 orders its technicians have about a day's
    /// work each.
    pub fn in_zone(
        seed: u64,
        size: usize,
        now: Timestamp,
        zone: TimeZone,
        scripts: Scripts,
    ) -> Self {
        let mut rng = StdRng::seed_from_u64(seed);
        let drive = Drive {
            advisors: technicians::advisors(),
            zone,
            scripts,
        };
        let technicians = technicians::technicians(scripts);
        let mut floor = Floor::new(technicians.clone());
        let arrivals = arrivals(&mut rng, size, now, &drive.zone);
        let numbers = numbers(&mut rng, size);
        let mut orders = Vec::with_capacity(size);
        for (
            number,
            Arrival {
                opened_at,
                status,
                recency,
            },
        ) in numbers.into_iter().zip(arrivals)
        {
            let mut order = drive.arrival(&mut rng, number, status, opened_at, now);
            write_up::catch_up(&mut rng, &mut floor, &mut order, status, recency);
            orders.push((number, order));
        }
        name_certain_customers(&mut orders);
        Self {
            technicians,
            skills: technicians::skills(),
            rules: technicians::rules(),
            advisors: drive.advisors,
            orders,
            zone: drive.zone,
            scripts,
        }
    }
}

fn name_certain_customers(orders: &mut [(RoNumber, ImportedOrder)]) {
    // Of every so many, so that they are among the oldest and among the newest.
    let every = (orders.len() / names::CERTAIN_NAMES.len()).max(1);
    for (some, name) in orders.chunks_mut(every).zip(names::CERTAIN_NAMES) {
        if let Some((_, order)) = some.iter_mut().find(|(_, order)| !is_of_lot(order)) {
            order.header.customer = Some(name.to_owned());
        }
    }
}

/// Whether it is on a car of the dealer's own.
fn is_of_lot(order: &ImportedOrder) -> bool {
    let customer = order.header.customer.as_deref().unwrap_or_default();
    customer.contains("INVENTORY") || customer.contains("AUCTION")
}

/// An order as it came, by its time among those of its kind.
struct Arrival {
    opened_at: Timestamp,
    status: Status,
    /// 0 for the oldest of those who wait or of those who left their car, 1 for the newest.
    recency: f64,
}

/// Ascending. Customers wait since a while ago, not since the day before yesterday.
fn arrivals(rng: &mut StdRng, size: usize, now: Timestamp, zone: &TimeZone) -> Vec<Arrival> {
    let evening = write_up::evening(zone.to_datetime(now).time());
    let waiting = write_up::WAITING * (1.0 - write_up::LEFT_BY_EVENING * evening);
    let waiting = (size as f64 * waiting).round() as usize;
    let recency = |place: usize, of: usize| (place + 1) as f64 / of as f64;
    let left = opening_times(rng, size - waiting, now, zone);
    let waits = waiting_times(rng, waiting, now, zone);
    let mut arrivals: Vec<Arrival> = Vec::with_capacity(size);
    for (place, opened_at) in left.iter().enumerate() {
        arrivals.push(Arrival {
            opened_at: *opened_at,
            status: write_up::left_status(rng),
            recency: recency(place, left.len()),
        });
    }
    for (place, opened_at) in waits.iter().enumerate() {
        arrivals.push(Arrival {
            opened_at: *opened_at,
            status: Status::Waiting,
            recency: recency(place, waits.len()),
        });
    }
    arrivals.sort_by_key(|arrival| arrival.opened_at);
    arrivals
}

/// When those came who wait now: today, within the last two and a half hours, and while the drive was open if it has
/// been for long enough.
fn waiting_times(rng: &mut StdRng, size: usize, now: Timestamp, zone: &TimeZone) -> Vec<Timestamp> {
    const MAX_WAIT_SECONDS: i64 = 150 * 60;
    const MIN_OPEN_SECONDS: i64 = 30 * 60;
    let today = zone.to_datetime(now).date();
    let at = |hour| {
        zone.to_zoned(today.at(hour, 0, 0, 0))
            .map(|at| at.timestamp().as_second())
    };
    let now = now.as_second();
    let midnight = at(0).unwrap_or(now);
    let opens = at(7).ok().filter(|opens| now - opens >= MIN_OPEN_SECONDS);
    let since = (now - MAX_WAIT_SECONDS)
        .max(opens.unwrap_or(midnight))
        .min(now);
    let mut moments: Vec<Timestamp> = (0..size)
        .filter_map(|_| Timestamp::from_second(rng.random_range(since..=now)).ok())
        .collect();
    moments.sort_unstable();
    moments
}

/// Consecutive but for small gaps: a number is spent on an estimate or a void now and then.
fn numbers(rng: &mut StdRng, size: usize) -> Vec<RoNumber> {
    let mut next = 40_200 + rng.random_range(0..30);
    let mut numbers = Vec::with_capacity(size);
    while numbers.len() < size {
        numbers.extend(RoNumber::try_from(next));
        next += if rng.random_bool(0.04) {
            rng.random_range(2..=4)
        } else {
            1
        };
    }
    numbers
}

/// `size` moments of the three days before `now`, ascending, while the service drive is open.
fn opening_times(rng: &mut StdRng, size: usize, now: Timestamp, zone: &TimeZone) -> Vec<Timestamp> {
    const QUARTER: i64 = 15 * 60;
    const THREE_DAYS: i64 = 72 * 60 * 60;
    let now = now.as_second();
    let first = now - THREE_DAYS;
    // Quarters of an hour from midnight, which the clocks of all zones share but for a few islands'.
    let mut slots: Vec<(i64, i64, i64)> = Vec::new();
    let mut total = 0;
    let mut start = first + QUARTER - first.rem_euclid(QUARTER);
    while start <= now {
        if let Ok(moment) = Timestamp::from_second(start) {
            let local = zone.to_datetime(moment).time();
            // The last quarter has only just begun.
            let length = QUARTER.min(now - start + 1);
            total += arrivals_per_hour(local.hour(), local.minute()) * length;
            slots.push((total, start, length));
        }
        start += QUARTER;
    }
    let mut moments: Vec<Timestamp> = (0..size)
        .filter_map(|_| {
            let roll = rng.random_range(0..total.max(1));
            let slot = slots.partition_point(|(up_to, ..)| *up_to <= roll);
            let (_, start, length) = slots.get(slot)?;
            Timestamp::from_second(start + rng.random_range(0..*length)).ok()
        })
        .collect();
    moments.sort_unstable();
    moments
}

/// How busy the drive is by the clock on its wall: closed at night, a rush at 7:30.
fn arrivals_per_hour(hour: i8, minute: i8) -> i64 {
    match (hour, minute) {
        (7, 0..30) => 4,
        (7 | 8, _) => 12,
        (9..12, _) => 6,
        (12, _) => 3,
        (13..16, _) => 4,
        (16, _) => 2,
        (17, _) => 1,
        _ => 0,
    }
}

/// One of a list that is not empty.
fn pick<'a, T>(rng: &mut StdRng, list: &'a [T]) -> &'a T {
    &list[rng.random_range(0..list.len())]
}

fn word(rng: &mut StdRng, list: &[&'static str]) -> &'static str {
    list[rng.random_range(0..list.len())]
}

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

use crate::repair_order::{ImportedOrder, RoNumber, TechnicianId};
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
}

impl SampleShop {
    /// A shop whose clock shows UTC, with `size` open orders (100 to 100,000 are sensible).
    pub fn new(seed: u64, size: usize, now: Timestamp) -> Self {
        Self::in_zone(seed, size, now, TimeZone::UTC)
    }

    /// A shop that opens and promises by the clock of `zone`.
    pub fn in_zone(seed: u64, size: usize, now: Timestamp, zone: TimeZone) -> Self {
        let mut rng = StdRng::seed_from_u64(seed);
        let drive = Drive {
            advisors: technicians::advisors(),
            zone,
        };
        let technicians = technicians::technicians();
        let mut floor = Floor::new(technicians.clone());
        let opened = opening_times(&mut rng, size, now, &drive.zone);
        let numbers = numbers(&mut rng, size);
        let mut orders = Vec::with_capacity(size);
        for (place, (number, opened_at)) in numbers.into_iter().zip(opened).enumerate() {
            let recency = (place + 1) as f64 / size as f64;
            // Customers wait today, not since the day before yesterday; comes to one in six.
            let status = write_up::status(&mut rng, write_up::WAITING * 4.0 * recency.powi(3));
            let mut order = drive.arrival(&mut rng, number, status, opened_at, now);
            write_up::catch_up(&mut rng, &mut floor, &mut order, status, recency);
            orders.push((number, order));
        }
        if let Some((_, order)) = orders.get_mut(size / 2) {
            order.header.customer = Some(names::LONG_NAME.to_owned());
        }
        Self {
            technicians,
            skills: technicians::skills(),
            rules: technicians::rules(),
            advisors: drive.advisors,
            orders,
            zone: drive.zone,
        }
    }
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

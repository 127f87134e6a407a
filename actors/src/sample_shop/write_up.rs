//! Writing up an order at the service drive, and what has happened to it by now.

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use rand::Rng;
use rand::rngs::StdRng;

use super::technicians::{Demand, Floor};
use super::vehicles::{self, Owner};
use super::{DMS, Scripts, jobs, names, pick, word};
use crate::repair_order::{
    AssignedTechnician, ImportedOrder, JobAssignment, Priority, RoHeader, RoNumber, Status,
    TechnicianId,
};

/// Of all orders, how many are waiters; the dealer's own cars come off the rest.
pub(super) const WAITING: f64 = 1.0 / 6.0;
/// By the evening so many of those who wait have left, and nobody has come in their place.
pub(super) const LEFT_BY_EVENING: f64 = 0.75;
const PDI: f64 = 0.09;
const USED: f64 = 0.11;
/// Of the orders without a waiter, how many the desk has raised to High and to Medium.
const HIGH: f64 = 0.12;
const MEDIUM: f64 = 0.18;

/// The status of a new order. `waiting`: the chance that its customer waits for it.
pub(super) fn status(rng: &mut StdRng, waiting: f64) -> Status {
    let roll: f64 = rng.random();
    if roll < PDI {
        Status::Pdi
    } else if roll < PDI + USED {
        Status::Used
    } else if roll < PDI + USED + waiting {
        Status::Waiting
    } else {
        Status::Drop
    }
}

/// The status of an order whose customer does not wait, in the same shares.
pub(super) fn left_status(rng: &mut StdRng) -> Status {
    let roll = rng.random::<f64>() * (1.0 - WAITING);
    if roll < PDI {
        Status::Pdi
    } else if roll < PDI + USED {
        Status::Used
    } else {
        Status::Drop
    }
}

/// The priority that the desk gives an order whose customer does not wait.
pub(super) fn desk_priority(rng: &mut StdRng) -> Priority {
    let roll: f64 = rng.random();
    if roll < HIGH {
        Priority::High
    } else if roll < HIGH + MEDIUM {
        Priority::Medium
    } else {
        Priority::Low
    }
}

/// The service drive, where advisors write orders up.
#[derive(Clone, Debug)]
pub(super) struct Drive {
    pub(super) advisors: Vec<String>,
    pub(super) zone: TimeZone,
    pub(super) scripts: Scripts,
}

impl Drive {
    /// An order as it arrives: nobody assigned, nothing done, its priority left to its status.
    pub(super) fn arrival(
        &self,
        rng: &mut StdRng,
        number: RoNumber,
        status: Status,
        opened_at: Timestamp,
        now: Timestamp,
    ) -> ImportedOrder {
        // Some advisors' terminals write capitals only.
        let capitals = rng.random_bool(0.4);
        let owner = match status {
            Status::Pdi => Owner::NewCarLot,
            Status::Used => Owner::UsedCarLot,
            _ => Owner::Customer,
        };
        let today = self.zone.to_datetime(now).date();
        let vehicle = vehicles::vehicle(rng, owner, today.year());
        let customer = match owner {
            Owner::Customer => names::customer(rng, capitals, self.scripts),
            Owner::NewCarLot => names::new_car_lot(rng),
            Owner::UsedCarLot => names::used_car_lot(rng),
        };
        let waiting = status == Status::Waiting;
        ImportedOrder {
            dms_number: dms_number(number),
            header: RoHeader {
                vin: Some(vehicle.vin),
                vehicle: Some(if capitals {
                    vehicle.text.to_uppercase()
                } else {
                    vehicle.text
                }),
                customer: Some(customer),
                advisor: Some(pick(rng, &self.advisors).clone()),
                tag_number: tag_number(number),
            },
            opened_at: Some(opened_at),
            // Comes to two in three; who sits in the lounge was mostly told a time.
            promised_at: if rng.random_bool(if waiting { 0.85 } else { 0.6 }) {
                self.promise(rng, waiting, opened_at, now)
            } else {
                None
            },
            customer_status: Some(dms_status(rng, status)),
            jobs: jobs::lines(rng, owner, vehicle.power, waiting, capitals),
            ..ImportedOrder::default()
        }
    }

    /// The promised quarter of an hour: within hours for a waiter, one of the next
    /// afternoons for a drop-off. Some are over by now, as in any shop.
    pub(super) fn promise(
        &self,
        rng: &mut StdRng,
        waiting: bool,
        opened_at: Timestamp,
        now: Timestamp,
    ) -> Option<Timestamp> {
        const QUARTER: i64 = 15 * 60;
        if waiting {
            let after = |from: Timestamp, minutes| {
                let promised = from + SignedDuration::from_mins(minutes);
                let second = promised.as_second();
                Timestamp::from_second(second + QUARTER - second.rem_euclid(QUARTER)).ok()
            };
            let promised = after(opened_at, rng.random_range(45..150))?;
            let was_told_another = promised < now && rng.random_bool(0.75);
            return if was_told_another {
                after(now, rng.random_range(5..40))
            } else {
                Some(promised)
            };
        }
        let days = rng.random_range(0..=3);
        let promised = self.afternoon(rng, self.zone.to_datetime(opened_at).date(), days)?;
        let local = self.zone.to_datetime(now);
        let (today, is_today) = (
            local.date(),
            self.zone.to_datetime(promised).date() == local.date(),
        );
        let evening = evening(local.time());
        let was_called = (promised < now && rng.random_bool(0.8))
            || (is_today && rng.random_bool(PUT_OFF_BY_EVENING * evening));
        let promised = if was_called {
            // And promised another time.
            self.afternoon(rng, today, days.max((evening > 0.0).into()))?
        } else {
            promised
        };
        if promised > opened_at {
            Some(promised)
        } else {
            self.afternoon(rng, self.zone.to_datetime(opened_at).date(), 1)
        }
    }

    fn afternoon(&self, rng: &mut StdRng, date: Date, days: i32) -> Option<Timestamp> {
        let (hour, minute) = (
            rng.random_range(11..=17),
            *pick(rng, &[0, 0, 15, 30, 30, 45]),
        );
        let date = date.checked_add(days.days()).ok()?;
        Some(
            self.zone
                .to_zoned(date.at(hour, minute, 0, 0))
                .ok()?
                .timestamp(),
        )
    }
}

/// Of the promises of a day, how many are put off by its evening: their cars do not get done before the shop closes.
const PUT_OFF_BY_EVENING: f64 = 0.85;

/// How much of the afternoon is over: 0 until half past one, 1 from half past five on.
pub(super) fn evening(now: Time) -> f64 {
    const FROM: i64 = 13 * 60 + 30;
    const UNTIL: i64 = 17 * 60 + 30;
    let minute = i64::from(now.hour()) * 60 + i64::from(now.minute());
    let past = (minute - FROM) as f64 / (UNTIL - FROM) as f64;
    past.clamp(0.0, 1.0)
}

/// What has happened to an order since it arrived. `recency`: 0 for the oldest order of those who left their car or of
/// those who wait, 1 for the newest, which is the likeliest to lie on the desk still.
pub(super) fn catch_up(
    rng: &mut StdRng,
    floor: &mut Floor,
    order: &mut ImportedOrder,
    status: Status,
    recency: f64,
) {
    order.priority = Some(match status {
        Status::Drop => desk_priority(rng),
        _ => status.displayed().automatic_priority(),
    });
    desk_status(rng, order, status);
    // Comes to one in five over the whole shop; who waits is given to somebody soon.
    let lies_on_desk = match status {
        Status::Waiting => 0.04 + 0.32 * recency.powi(3),
        _ => 0.08 + 0.544 * recency.powi(3),
    };
    let unassigned = rng.random_bool(lies_on_desk);
    if !unassigned {
        assign(rng, floor, order);
        for job in &mut order.jobs {
            if rng.random_bool(0.95 - 0.55 * recency) {
                jobs::begin(rng, job);
            }
        }
    }
    // An order that nobody dispatched can still have a technician punched on to it in the DMS.
    if rng.random_bool(if unassigned { 0.06 } else { 0.14 }) {
        punch(rng, floor, order);
    }
    let to_do = order.jobs.iter().map(|job| {
        let operations = job.operations.as_deref().unwrap_or_default();
        jobs::hundredths_to_do(operations, job.brief_tech_notes.is_some())
    });
    floor.takes(&technicians_on(order), to_do.sum());
}

/// Everybody on it, once.
fn technicians_on(order: &ImportedOrder) -> Vec<TechnicianId> {
    let regular = order.regular_technicians.iter().flatten();
    let both = regular.chain(order.etl_technicians.iter().flatten());
    let mut technicians: Vec<_> = both.map(|assigned| assigned.technician).collect();
    technicians.sort_unstable();
    technicians.dedup();
    technicians
}

/// What the desk has set itself; the dealer's system then lags behind.
fn desk_status(rng: &mut StdRng, order: &mut ImportedOrder, status: Status) {
    match rng.random_range(0..100) {
        0..4 if status == Status::Drop => {
            order.app_customer_status = Some(*pick(rng, &[Status::Eng, Status::Trans]));
        }
        4..12 => {
            order.app_customer_status = Some(status);
            order.customer_status = Some(word(rng, &["Drop", "In Process", "none"]).to_string());
        }
        _ => {}
    }
}

fn assign(rng: &mut StdRng, floor: &Floor, order: &mut ImportedOrder) {
    let count = match rng.random_range(0..100) {
        0..4 => 3,
        4..17 => 2,
        _ => 1,
    };
    let demand = demand(order);
    let mut assigned: Vec<TechnicianId> = Vec::with_capacity(count);
    for _ in 0..count {
        assigned.extend(floor.available_technician(rng, &demand, &assigned));
    }
    if let Some(name) = assigned.first().and_then(|lead| floor.first_name(*lead)) {
        for job in &mut order.jobs {
            if rng.random_bool(0.1) {
                job.assignments
                    .get_or_insert_default()
                    .push(assignment("APP", name));
            }
        }
    }
    order.regular_technicians = Some(assigned.into_iter().map(assigned_technician).collect());
}

/// Technicians punched on to lines in the dealer's system, now and then the one the desk had chosen.
fn punch(rng: &mut StdRng, floor: &Floor, order: &mut ImportedOrder) {
    let demand = demand(order);
    let mut punched: Vec<TechnicianId> = Vec::new();
    if let Some(lead) = order.regular_technicians.iter().flatten().next()
        && rng.random_bool(0.3)
    {
        punched.push(lead.technician);
    }
    if punched.is_empty() || rng.random_bool(0.2) {
        punched.extend(floor.available_technician(rng, &demand, &punched));
    }
    for technician in &punched {
        let line = rng.random_range(0..order.jobs.len().max(1));
        if let (Some(job), Some(name)) = (order.jobs.get_mut(line), floor.first_name(*technician)) {
            job.assignments
                .get_or_insert_default()
                .push(assignment(DMS, name));
        }
    }
    order.etl_technicians = Some(punched.into_iter().map(assigned_technician).collect());
}

pub(super) fn demand(order: &ImportedOrder) -> Demand {
    let operations = order
        .jobs
        .iter()
        .flat_map(|job| job.operations.iter().flatten());
    jobs::demand(operations.map(|operation| operation.operation_code.as_str()))
}

pub(super) fn assigned_technician(technician: TechnicianId) -> AssignedTechnician {
    AssignedTechnician {
        technician,
        name: None,
    }
}

pub(super) fn assignment(source: &str, first_name: &str) -> JobAssignment {
    JobAssignment {
        source: source.to_owned(),
        first_name: first_name.to_owned(),
    }
}

/// Most systems write plain digits; a few numbers carry a leading zero or a letter.
fn dms_number(number: RoNumber) -> String {
    match number.get() % 97 {
        13 => format!("0{number}"),
        61 => format!("C{number}"),
        _ => number.to_string(),
    }
}

/// Tags are used again when their car has left; some cars have none.
fn tag_number(number: RoNumber) -> Option<String> {
    let number = number.get();
    (number % 9 != 4).then(|| format!("T{:03}", number % 1_000))
}

/// The status as a dealer's system words it, now and then in capitals or in words of its own.
fn dms_status(rng: &mut StdRng, status: Status) -> String {
    match (status, rng.random_range(0..100)) {
        (Status::Drop, 0..8) => word(
            rng,
            &["In Process", "none", "", "Open", "WIP - PARTS ON ORDER"],
        )
        .to_string(),
        (_, 8..16) => status.name().to_uppercase(),
        _ => status.name().to_owned(),
    }
}

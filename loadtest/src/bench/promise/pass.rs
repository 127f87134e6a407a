//! How long one pass over all open orders takes.

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use dispatch_actors::promise::{Attendance, ClockState, JobKey, ShopHours, ShopNow, risks};
use dispatch_actors::repair_order::{RepairOrder, TechnicianId};
use dispatch_actors::sample_shop::SampleShop;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::bench::figures::{median, milliseconds};
use crate::error::LoadTestError;

const ROUNDS: usize = 21;

/// Its title and its figure. Every order has a promise, which is the most work.
pub fn measure(size: u32) -> Result<(String, String), LoadTestError> {
    let now: Timestamp = "2026-11-18T16:00:00Z"
        .parse()
        .map_err(|error: jiff::Error| LoadTestError::Machine(error.to_string()))?;
    let shop = SampleShop::new(4389, size as usize, now);
    let clocks = shop.clocks(4389, now, &[]);
    let orders = shop.orders.iter().filter_map(|(number, imported)| {
        let order = RepairOrder::replay(&RepairOrder::create(*number, imported, now))?;
        let spread = SignedDuration::from_mins(order.number.get() % 4_000);
        let promised_at = order.promised_at.unwrap_or(now + spread);
        Some(Arc::new(RepairOrder {
            promised_at: Some(promised_at),
            ..order
        }))
    });
    let orders: Vec<Arc<RepairOrder>> = orders.collect();
    let mut clocked: HashMap<JobKey, SignedDuration> = HashMap::new();
    let mut attendance: HashMap<TechnicianId, Attendance> = HashMap::new();
    for entry in &clocks.entries {
        let time = entry
            .ended_at
            .unwrap_or(now)
            .duration_since(entry.started_at);
        if let Some(job) = entry.work {
            *clocked.entry(job).or_default() += time;
        }
        if entry.ended_at.is_none() {
            let clock = entry.work.map_or(ClockState::Idle, ClockState::On);
            let on_clock = Attendance {
                clock,
                ..Attendance::UNKNOWN
            };
            attendance.insert(entry.technician, on_clock);
        }
    }
    let finished = clocks.finished.iter();
    let finished = finished
        .map(|one| ((one.number, one.job_number), one.at))
        .collect();
    let shop_now = ShopNow {
        now,
        zone: &TimeZone::UTC,
        hours: &ShopHours::default(),
        orders: &orders,
        clocked: &clocked,
        finished: &finished,
        attendance: &attendance,
        holds: &[],
    };
    let times = (0..ROUNDS).map(|_| {
        let begun = Instant::now();
        black_box(risks(black_box(&shop_now)));
        begun.elapsed().as_secs_f64() * 1_000.0
    });
    let times: Vec<f64> = times.collect();
    let slowest = times.iter().copied().fold(0.0, f64::max);
    let value = format!(
        "{}, slowest {} of {ROUNDS}",
        milliseconds(median(times)),
        milliseconds(slowest)
    );
    Ok((
        format!("a pass over {} open promised orders", orders.len()),
        value,
    ))
}

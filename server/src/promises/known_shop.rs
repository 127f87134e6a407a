//! What is known of the shop at one moment, put together for `dispatch_actors::promise`.

use std::collections::HashMap;
use std::sync::Arc;

use dispatch_actors::promise::{Attendance, Hold, JobKey, PromiseRisk, ShopHours, ShopNow, risks};
use dispatch_actors::repair_order::{self, RepairOrder, RoNumber, TechnicianId};
use dispatch_actors::store::Seq;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::state::PromisesState;
use crate::clocks::Work;
use crate::error::ApiError;
use crate::moments::now;
use crate::technicians::workload::attendance::attendance;

/// The shop as the snapshot, the clocks and the list of technicians have it.
pub(super) struct KnownShop {
    pub now: Timestamp,
    /// The newest event that is in it, and the log that has this event.
    pub seq: Seq,
    pub generation: Arc<str>,
    pub orders: Vec<Arc<RepairOrder>>,
    zone: TimeZone,
    hours: ShopHours,
    clocked: HashMap<JobKey, SignedDuration>,
    finished: HashMap<JobKey, Timestamp>,
    attendance: HashMap<TechnicianId, Attendance>,
    holds: Vec<Hold>,
}

impl KnownShop {
    pub(super) async fn read(state: &PromisesState) -> Result<Self, ApiError> {
        let (seq, generation, orders) = state.snapshot.read(|open| {
            let orders: Vec<_> = open.orders.values().cloned().collect();
            (open.position.seq, Arc::clone(open.generation), orders)
        });
        let numbers: Vec<RoNumber> = orders.iter().map(|order| order.number).collect();
        let finished = state.clocks.finished_on(&numbers).await?;
        let clocked = state.clocks.clocked_on(&numbers).await?;
        let listed = state.technicians.all(&state.names).await?;
        Ok(Self {
            now: now(),
            seq,
            generation,
            zone: state.shop.time_zone(),
            hours: state.hours.clone(),
            clocked: clocked
                .into_iter()
                .map(|(work, time)| (job_key(work), time))
                .collect(),
            finished: finished
                .into_iter()
                .map(|job| (job_key(job.work), job.at))
                .collect(),
            attendance: attendance(&state.clocks, &listed).await?,
            holds: if state.stages.is_on() {
                holds(&orders)
            } else {
                vec![]
            },
            orders,
        })
    }

    pub(super) fn risks(&self) -> Vec<PromiseRisk> {
        risks(&ShopNow {
            now: self.now,
            zone: &self.zone,
            hours: &self.hours,
            orders: &self.orders,
            clocked: &self.clocked,
            finished: &self.finished,
            attendance: &self.attendance,
            holds: &self.holds,
        })
    }
}

fn job_key(work: Work) -> JobKey {
    (work.order, work.job)
}

fn holds(orders: &[Arc<RepairOrder>]) -> Vec<Hold> {
    let of_order = |order: &Arc<RepairOrder>| {
        let number = order.number;
        let known = |hold: &repair_order::Hold| Hold {
            order: number,
            job: hold.job_number,
            since: hold.since,
            expected_until: hold.expected_until,
        };
        order.progress.holds.iter().map(known).collect::<Vec<_>>()
    };
    orders.iter().flat_map(of_order).collect()
}

//! What a technician has to do before an order's turn comes, in the order in which the portal lists it: by urgency, then
//! by number, and the car in hand is finished first unless a car before it cannot wait (`web/src/portal/next-job.ts`).
//!
//! Whether a car passes the one in hand must not depend on its own promise, or an earlier promise would make its answer
//! better. So here only a waiter's does; and the car in hand is let wait for each that the portal might put before it.

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};

use super::remaining::{Remaining, Work, job_work, remaining};
use super::{ClockState, Hold, ShopNow};
use crate::repair_order::{DisplayedStatus, RepairOrder, RoNumber, TechnicianId};

/// A promise further away than this is no reason to leave the car in hand, as in the portal.
const PRESSING: SignedDuration = SignedDuration::from_hours(4);

/// Where an order stands: the most urgent first, then the lower number.
type QueuePlace = (u8, RoNumber);

/// An order with what is left of it and who has it.
pub(super) struct OpenWork<'a> {
    pub order: &'a RepairOrder,
    pub left: Remaining,
    /// Who has it: the technicians on it, for the desk or for the dealer's system; of an order that nobody was given,
    /// whoever is on the clock for it.
    pub technicians: Vec<TechnicianId>,
    pub holds: Vec<Hold>,
}

/// All open orders. `midnight`: the end of the shop's today.
pub(super) fn open_work<'a, O: AsRef<RepairOrder>>(
    shop: &ShopNow<'a, O>,
    midnight: Timestamp,
) -> Vec<OpenWork<'a>> {
    let mut holds: HashMap<RoNumber, Vec<Hold>> = HashMap::new();
    for hold in shop.holds {
        holds.entry(hold.order).or_default().push(*hold);
    }
    let running = running_jobs(shop);
    let open = shop.orders.iter().map(|order| {
        let order = order.as_ref();
        let holds = holds.remove(&order.number).unwrap_or_default();
        let assigned = order.regular_technicians.iter();
        let assigned = assigned.chain(&order.etl_technicians);
        let mut technicians: Vec<TechnicianId> = assigned.map(|one| one.technician).collect();
        if technicians.is_empty() {
            let clocked = running.get(&order.number).into_iter().flatten();
            technicians.extend(clocked.map(|(technician, _)| *technician));
        }
        technicians.sort_unstable();
        technicians.dedup();
        OpenWork {
            order,
            left: remaining(shop, order, &holds, midnight),
            technicians,
            holds,
        }
    });
    open.collect()
}

/// The jobs of each order on which somebody's clock runs.
fn running_jobs<O>(shop: &ShopNow<'_, O>) -> HashMap<RoNumber, Vec<(TechnicianId, i32)>> {
    let mut running: HashMap<RoNumber, Vec<(TechnicianId, i32)>> = HashMap::new();
    for (technician, attendance) in shop.attendance {
        if let ClockState::On((number, job)) = attendance.clock {
            running.entry(number).or_default().push((*technician, job));
        }
    }
    running
}

fn place_of(order: &RepairOrder) -> QueuePlace {
    let status = order.displayed_status();
    (status.urgency(order.priority), order.number)
}

fn is_waiter(order: &RepairOrder) -> bool {
    order.displayed_status() == DisplayedStatus::Waiting
}

/// What one technician has.
#[derive(Default)]
pub(super) struct Queue {
    /// The technician's share of the job that their clock runs on.
    running: Option<(RoNumber, Work)>,
    /// By place; of the car in hand without the job that runs.
    turns: Vec<Turn>,
    /// Of the turns before each, and of all.
    sums: Vec<Sum>,
}

struct Turn {
    place: QueuePlace,
    /// What takes its turn among the others.
    work: Work,
    /// Whether the order has more work than the job that runs, held or not.
    has_more: bool,
    is_pressing: bool,
}

#[derive(Clone, Copy, Default)]
struct Sum {
    all: Before,
    pressing: Before,
}

/// What stands before an order's turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Before {
    pub work: Work,
    pub orders: u32,
}

impl Before {
    fn add(&mut self, work: Work) {
        self.work += work;
        self.orders += u32::from(!work.is_nothing());
    }
}

pub(super) fn queues<O: AsRef<RepairOrder>>(
    shop: &ShopNow<'_, O>,
    open: &[OpenWork<'_>],
) -> HashMap<TechnicianId, Queue> {
    let running = running_jobs(shop);
    let soon = shop.now.checked_add(PRESSING).unwrap_or(Timestamp::MAX);
    let mut queues: HashMap<TechnicianId, Queue> = HashMap::new();
    for one in open {
        let order = one.order;
        for (technician, job) in running.get(&order.number).into_iter().flatten() {
            let queue = queues.entry(*technician).or_default();
            queue.running = Some((order.number, running_work(shop, one, *technician, *job)));
        }
        for technician in &one.technicians {
            let queue = queues.entry(*technician).or_default();
            let among = one.technicians.len();
            let (share, all) = (one.left.in_turn.shared(among), one.left.all.shared(among));
            let running = queue.running.filter(|(number, _)| *number == order.number);
            let running = running.map_or_else(Work::default, |(_, running)| running);
            queue.turns.push(Turn {
                place: place_of(order),
                work: share.without(running),
                has_more: !all.without(running).is_nothing(),
                is_pressing: is_waiter(order) || order.promised_at.is_some_and(|at| at < soon),
            });
        }
    }
    queues.values_mut().for_each(Queue::sum_up);
    queues
}

/// A technician's share of the job that their clock runs on; all of it of somebody who only helps.
fn running_work<O>(
    shop: &ShopNow<'_, O>,
    one: &OpenWork<'_>,
    technician: TechnicianId,
    job: i32,
) -> Work {
    let mut jobs = one.order.jobs.iter();
    let unfinished = jobs.find(|known| {
        known.job_number == job && !shop.finished.contains_key(&(one.order.number, job))
    });
    let work = unfinished.map_or_else(Work::default, |job| job_work(shop, one.order, job));
    match one.technicians.contains(&technician) {
        true => work.shared(one.technicians.len()),
        false => work,
    }
}

impl Queue {
    fn sum_up(&mut self) {
        self.turns.sort_unstable_by_key(|turn| turn.place);
        let mut sum = Sum::default();
        self.sums = vec![sum];
        for turn in &self.turns {
            sum.all.add(turn.work);
            if turn.is_pressing {
                sum.pressing.add(turn.work);
            }
            self.sums.push(sum);
        }
    }

    /// What the technician does before this order's last job is done, without the order's own.
    pub(super) fn before(&self, order: &RepairOrder) -> Before {
        let place = place_of(order);
        let place_among = |place: QueuePlace| self.turns.partition_point(|turn| turn.place < place);
        let sum = self
            .sums
            .get(place_among(place))
            .copied()
            .unwrap_or_default();
        let Some((number, running)) = self.running else {
            return sum.all;
        };
        let in_hand = self.turns.iter().find(|turn| turn.place.1 == number);
        if number == order.number {
            // Its last job may be the one that runs; another waits for the cars that press.
            return if in_hand.is_some_and(|turn| turn.has_more) {
                sum.pressing
            } else {
                Before::default()
            };
        }
        let mut before = sum.all;
        before.add(running);
        if let Some(in_hand) = in_hand {
            let comes_later = place < in_hand.place;
            if comes_later && !is_waiter(order) {
                before.work += in_hand.work;
            } else if !comes_later && !running.is_nothing() && !in_hand.work.is_nothing() {
                // One car: its job that runs, and what is left of it.
                before.orders -= 1;
            }
        }
        before
    }
}

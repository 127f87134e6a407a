//! What to push to a technician: everything that comes within a moment is one message, so that
//! forty orders assigned at once are one notification.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use dispatch_actors::repair_order::{RepairOrder, RoNumber, TechnicianId};
use dispatch_actors::store::Seq;
use std::sync::Arc;

use super::delivery_confirmation::About;
use super::message::{PushAssigned, PushMessage, PushUnassigned};
use super::send::{PushJob, deliver};
use super::state::PushState;
use super::{TTL, subscriptions};
use crate::error::ApiError;
use crate::receipts::AssignmentEvent;

/// A message goes out when nothing came for so long.
const QUIET_PERIOD: Duration = Duration::from_millis(300);

/// And after this, whatever comes.
const MAX_DELAY: Duration = Duration::from_secs(3);

/// Until what the database did not answer is asked again.
const RETRY_INTERVAL: Duration = Duration::from_secs(2);

/// Orders that a message names.
const MAX_NAMED_ORDERS: usize = 100;

/// Characters of a vehicle in a message.
const MAX_VEHICLE_CHARS: usize = 200;

/// This server's turn to tell a technician of assignments, held by all that is done about it.
pub(super) struct PushTurn {
    technician: TechnicianId,
    seqs: Vec<Seq>,
}

/// Where nothing else is done about it any more.
pub(super) async fn end_if_last(state: &PushState, turn: Arc<PushTurn>) {
    if let Some(turn) = Arc::into_inner(turn) {
        let ended = state.receipts.end_push(turn.technician, &turn.seqs);
        if let Err(error) = ended.await {
            tracing::warn!(%error, "that a technician was told could not be recorded");
        }
    }
}

#[derive(Default)]
pub struct Gathering(Mutex<HashMap<TechnicianId, PendingPush>>);

/// One technician's news that have not gone out yet.
struct PendingPush {
    began: Instant,
    grew: Instant,
    assigned: Vec<(i64, Seq)>,
    taken_away: Vec<i64>,
}

impl PendingPush {
    fn new() -> Self {
        Self {
            began: Instant::now(),
            grew: Instant::now(),
            assigned: Vec::new(),
            taken_away: Vec::new(),
        }
    }

    fn add(&mut self, event: &AssignmentEvent) {
        self.grew = Instant::now();
        let count_before = self.assigned.len();
        self.assigned.retain(|(number, _)| *number != event.number);
        self.taken_away.retain(|number| *number != event.number);
        match event.assigned {
            Some(seq) => self.assigned.push((event.number, seq)),
            // An assignment that was never pushed needs no push about its end.
            None if self.assigned.len() < count_before => {}
            None => self.taken_away.push(event.number),
        }
    }

    fn is_ready(&self) -> bool {
        self.grew.elapsed() >= QUIET_PERIOD || self.began.elapsed() >= MAX_DELAY
    }
}

impl Gathering {
    /// True when the technician has a new pending push, which somebody must see to.
    fn add(&self, event: &AssignmentEvent) -> bool {
        let mut pending = self.pending();
        let is_new = !pending.contains_key(&event.technician);
        pending
            .entry(event.technician)
            .or_insert_with(PendingPush::new)
            .add(event);
        is_new
    }

    fn take_if_ready(&self, technician: TechnicianId) -> Option<PendingPush> {
        let mut pending = self.pending();
        if pending.get(&technician).is_some_and(PendingPush::is_ready) {
            pending.remove(&technician)
        } else {
            None
        }
    }

    fn pending(&self) -> MutexGuard<'_, HashMap<TechnicianId, PendingPush>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Schedules a push to the technician's browsers in a moment, without waiting.
pub fn gather(state: &PushState, event: &AssignmentEvent) {
    if !state.push.inner.gathering.add(event) {
        return;
    }
    let (state, technician) = (state.clone(), event.technician);
    actix::spawn(async move {
        let gathered = loop {
            tokio::time::sleep(QUIET_PERIOD).await;
            if let Some(gathered) = state.push.inner.gathering.take_if_ready(technician) {
                break gathered;
            }
        };
        let seqs = gathered.assigned.iter().map(|(_, seq)| *seq).collect();
        let turn = Arc::new(PushTurn { technician, seqs });
        let mut is_failing = false;
        // Nothing is under way where that fails: the database is away, and this is said to nobody else.
        while let Err(error) = send(&state, &turn, &gathered).await {
            if gathered.began.elapsed() >= TTL {
                tracing::error!(%error, technician, "a technician's browsers were not told");
                break;
            }
            if !std::mem::replace(&mut is_failing, true) {
                tracing::warn!(%error, technician, "a technician's browsers are told later");
            }
            tokio::time::sleep(RETRY_INTERVAL).await;
        }
        end_if_last(&state, turn).await;
    });
}

async fn send(
    state: &PushState,
    turn: &Arc<PushTurn>,
    gathered: &PendingPush,
) -> Result<(), ApiError> {
    let technician = turn.technician;
    // Off the clock means silent.
    if !state.clocks.is_on(technician) {
        return Ok(());
    }
    let browsers = subscriptions::of(&state.push.inner.store, technician).await?;
    if browsers.is_empty() {
        return Ok(());
    }
    let (numbers, seqs): (Vec<i64>, Vec<Seq>) = gathered.assigned.iter().copied().unzip();
    let jobs = [
        taken_away(state, technician, gathered.taken_away.clone()),
        assigned(state, technician, numbers, &seqs).await?,
    ];
    for job in jobs.into_iter().flatten() {
        let job = Arc::new(job);
        for browser in &browsers {
            deliver(state, browser.clone(), Arc::clone(&job), Arc::clone(turn));
        }
    }
    Ok(())
}

/// The current assignments that the technician has not seen yet.
pub async fn unseen(
    state: &PushState,
    technician: TechnicianId,
    seqs: &[Seq],
) -> Result<Vec<(i64, Seq)>, ApiError> {
    let receipts = state.receipts.of_events(technician, seqs).await?;
    let unseen = receipts
        .into_iter()
        .filter(|receipt| receipt.seen_at.is_none() && receipt.handed_back_at.is_none());
    let mut unseen: Vec<_> = unseen
        .map(|receipt| (receipt.ro_number, receipt.seq))
        .collect();
    unseen.sort_by_key(|(_, seq)| *seq);
    Ok(unseen)
}

async fn assigned(
    state: &PushState,
    technician: TechnicianId,
    numbers: Vec<i64>,
    seqs: &[Seq],
) -> Result<Option<PushJob>, ApiError> {
    let unseen = unseen(state, technician, seqs).await?;
    let mut open: Vec<(Arc<RepairOrder>, Seq)> = Vec::new();
    for (number, seq) in unseen {
        if numbers.contains(&number)
            && let Some(order) = open_order(state, number).await?
        {
            open.push((order, seq));
        }
    }
    let (Some((_, first)), Some((order, last))) = (open.first(), open.last()) else {
        return Ok(None);
    };
    let about = About {
        technician,
        first: *first,
        last: *last,
    };
    let number = order.number.get();
    let named = open.iter().rev().map(|(order, _)| order.number.get());
    let display_number = order.dms_number.clone();
    let message = PushMessage::Assigned(PushAssigned {
        technician_id: technician,
        ro_number: number,
        display_number: display_number.unwrap_or_else(|| number.to_string()),
        vehicle: order
            .header
            .vehicle
            .chars()
            .take(MAX_VEHICLE_CHARS)
            .collect(),
        status: order.displayed_status(),
        priority: order.priority,
        count: open.len(),
        ro_numbers: named.take(MAX_NAMED_ORDERS).collect(),
        url: format!("/technicians/{technician}"),
        receipt: state.push.inner.receipts.sign(about),
    });
    let seqs = open.iter().map(|(_, seq)| *seq).collect();
    Ok(PushJob::new(
        &message,
        topic(open.len(), number),
        technician,
        seqs,
    ))
}

fn taken_away(
    state: &PushState,
    technician: TechnicianId,
    mut numbers: Vec<i64>,
) -> Option<PushJob> {
    numbers.retain(|number| {
        let order = order(state, *number);
        order.is_none_or(|order| !order.has_technician(technician))
    });
    let (count, number) = (numbers.len(), *numbers.last()?);
    let message = PushMessage::Unassigned(PushUnassigned {
        technician_id: technician,
        ro_number: number,
        count,
        ro_numbers: numbers.into_iter().rev().take(MAX_NAMED_ORDERS).collect(),
    });
    PushJob::new(&message, topic(count, number), technician, Vec::new())
}

fn order(state: &PushState, number: i64) -> Option<Arc<RepairOrder>> {
    state.snapshot.get(RoNumber::try_from(number).ok()?)
}

/// Receipts are written by the log, which may be further than what this server has announced of another's orders.
async fn open_order(state: &PushState, number: i64) -> Result<Option<Arc<RepairOrder>>, ApiError> {
    if let Some(order) = order(state, number) {
        return Ok(Some(order));
    }
    let Ok(number) = RoNumber::try_from(number) else {
        return Ok(None);
    };
    let order = state.push.inner.store.load(number).await?;
    Ok(order
        .filter(|order| order.closed_at.is_none())
        .map(Arc::new))
}

/// With a topic, a browser that was away gets the newest message about the order alone.
fn topic(count: usize, number: i64) -> Option<String> {
    (count == 1).then(|| format!("ro-{number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gathered(events: &[AssignmentEvent]) -> (Vec<i64>, Vec<i64>) {
        let mut gathered = PendingPush::new();
        events.iter().for_each(|event| gathered.add(event));
        let assigned = gathered
            .assigned
            .iter()
            .map(|(number, _)| *number)
            .collect();
        (assigned, gathered.taken_away)
    }

    #[test]
    fn an_assignment_that_ends_at_once_is_not_pushed() {
        let assignment = |number, seq| AssignmentEvent::assigned((number, 11), seq);
        let unassignment = |number| AssignmentEvent::unassigned((number, 11));
        assert_eq!(
            gathered(&[assignment(5, 1), assignment(6, 2)]),
            (vec![5, 6], vec![])
        );
        assert_eq!(
            gathered(&[assignment(5, 1), unassignment(5)]),
            (vec![], vec![])
        );
        assert_eq!(
            gathered(&[unassignment(5), assignment(5, 2)]),
            (vec![5], vec![])
        );
        assert_eq!(
            gathered(&[unassignment(5), assignment(6, 2)]),
            (vec![6], vec![5])
        );
    }

    #[test]
    fn only_the_first_event_of_a_pending_push_starts_its_delivery() {
        let gathering = Gathering::default();
        assert!(gathering.add(&AssignmentEvent::assigned((5, 11), 1)));
        assert!(!gathering.add(&AssignmentEvent::assigned((6, 11), 2)));
        assert!(gathering.add(&AssignmentEvent::assigned((7, 12), 3)));
        assert!(gathering.take_if_ready(11).is_none(), "more may come");
    }
}

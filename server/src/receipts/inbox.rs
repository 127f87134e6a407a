//! What the one who writes receipts is sent, and what is published once receipts are written.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use dispatch_actors::repair_order::{RoNumber, TechnicianId};
use dispatch_actors::store::{Seq, Store};
use sea_orm::DbErr;
use tokio::sync::{mpsc, oneshot, watch};

use super::book::{AssignmentSelector, Reached};
use super::push_turns;
use super::store::{self, Row};
use crate::error::ApiError;
use crate::identity::Caller;
use crate::publisher::Publisher;

/// Acknowledgements of screens that may wait; further callers wait for room.
const QUEUE_CAPACITY: usize = 1_024;

/// How long after an assignment its technician's browsers are still worth telling of it.
pub const UNSENT_WINDOW: Duration = Duration::from_secs(60 * 60);

/// The desk gave a technician an order, or took it away.
#[derive(Clone, Copy, Debug)]
pub struct AssignmentEvent {
    pub technician: TechnicianId,
    pub number: i64,
    /// The number of the event that gave it; none where the order was taken away.
    pub assigned: Option<Seq>,
}

impl AssignmentEvent {
    pub fn assigned((number, technician): (i64, TechnicianId), seq: Seq) -> Self {
        Self {
            technician,
            number,
            assigned: Some(seq),
        }
    }

    pub fn unassigned((number, technician): (i64, TechnicianId)) -> Self {
        Self {
            technician,
            number,
            assigned: None,
        }
    }
}

/// Receipts are read here, and screens acknowledge them here.
#[derive(Clone)]
pub struct Receipts {
    store: Store,
    words: mpsc::Sender<ReachReport>,
    /// Published once their receipts are written.
    assignments: Publisher<AssignmentEvent>,
    /// Until somebody follows.
    desk: Arc<Mutex<Option<ReportQueue>>>,
}

/// The messages to the task that writes receipts.
pub(super) struct ReportQueue {
    pub(super) words: mpsc::Receiver<ReachReport>,
    pub(super) assigned: watch::Receiver<Seq>,
}

/// That assignments have reached somebody.
pub(super) struct ReachReport {
    pub(super) technician: TechnicianId,
    pub(super) meant: AssignmentSelector,
    pub(super) reached: Reached,
    /// Their receipts as they are then.
    pub(super) reply: oneshot::Sender<Vec<Row>>,
}

impl Receipts {
    /// `assigned`: the newest event that gave an order to a technician or took one away.
    pub fn new(store: Store, assigned: watch::Receiver<Seq>) -> Self {
        let (sender, words) = mpsc::channel(QUEUE_CAPACITY);
        let desk = ReportQueue { words, assigned };
        Self {
            store,
            words: sender,
            assignments: Publisher::default(),
            desk: Arc::new(Mutex::new(Some(desk))),
        }
    }

    /// Assignments, each once its receipt is written.
    pub fn assignments(&self) -> &Publisher<AssignmentEvent> {
        &self.assignments
    }

    /// Once.
    pub(super) fn desk(&self) -> Option<ReportQueue> {
        let mut desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        desk.take()
    }

    /// Of open orders, all of them or one technician's, by order and technician.
    pub async fn of_open_orders(
        &self,
        technician: Option<TechnicianId>,
    ) -> Result<Vec<Row>, DbErr> {
        store::of_open_orders(&self.store, technician).await
    }

    /// What became of a technician's assignments by these events; those that ended are not among them.
    pub async fn of_events(
        &self,
        technician: TechnicianId,
        seqs: &[Seq],
    ) -> Result<Vec<Row>, DbErr> {
        store::of_events(&self.store, technician, seqs).await
    }

    /// None where the order is not the technician's by the desk's word.
    pub async fn reach(
        &self,
        technician: TechnicianId,
        number: RoNumber,
        reached: Reached,
    ) -> Result<Option<Row>, ApiError> {
        let meant = AssignmentSelector::Order(number.get());
        let mut rows = self.reach_all(technician, meant, reached).await?;
        Ok(rows.pop())
    }

    /// Whether it is this server that tells the technician's browsers of the assignments of these events: while it was not
    /// heard of, another one may have taken that over.
    pub async fn has_push_turn(
        &self,
        technician: TechnicianId,
        seqs: &[Seq],
    ) -> Result<bool, DbErr> {
        push_turns::is_own(&self.store, technician, seqs).await
    }

    /// The technician's browsers were told of the assignments of these events, or need not be.
    pub async fn end_push(&self, technician: TechnicianId, seqs: &[Seq]) -> Result<(), DbErr> {
        push_turns::end(&self.store, technician, seqs).await
    }

    /// Answered when it is durable; 503 where it cannot be now.
    pub async fn reach_all(
        &self,
        technician: TechnicianId,
        meant: AssignmentSelector,
        reached: Reached,
    ) -> Result<Vec<Row>, ApiError> {
        let (reply, written) = oneshot::channel();
        let word = ReachReport {
            technician,
            meant,
            reached,
            reply,
        };
        let unavailable = |_| ApiError::unavailable();
        self.words.send(word).await.map_err(|_| unavailable(()))?;
        written.await.map_err(|_| unavailable(()))
    }
}

/// 403 `forbidden` for a caller without a role.
pub fn require_staff(caller: &Caller) -> Result<(), ApiError> {
    if caller.roles.is_empty() {
        let sentence = "Assignments are for the staff; ask an owner to give you a role";
        return Err(ApiError::forbidden(sentence));
    }
    Ok(())
}

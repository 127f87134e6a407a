//! Receipts: whether the technician who was given an order knows of it. (The kept answers of requests
//! are idempotency records, in the store of `dispatch_actors`.)
//!
//! They follow the log and never hold up a change: one task reads what was assigned after the last
//! event that it has handled (which is stored, so that nothing is lost or told twice over a restart)
//! and writes it together with what screens say meanwhile, one transaction at a time. What a screen
//! says of an assignment that is not written yet waits for it: the log is read first.
//!
//! `follow` is that task, `book` decides what becomes of a receipt, without IO; `store` has the table,
//! `state` what the calls and the task work with, `routes` the calls, `api_types` the shapes.

pub mod api_types;
mod book;
mod follow;
pub mod routes;
mod state;
mod store;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use dispatch_actors::repair_order::{RoNumber, TechnicianId};
use dispatch_actors::store::{Seq, Store};
use sea_orm::DbErr;
use tokio::sync::{mpsc, oneshot, watch};

use crate::error::ApiError;
use crate::identity::Caller;
use crate::publisher::Publisher;

pub use book::{Meant, Reached};
pub use follow::follow;
pub use state::ReceiptsState;
pub use store::Row;

/// Words of screens that may wait; whoever comes then waits, too.
const WAITING: usize = 1_024;

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

/// Where receipts are read, and where it is said how far they have come.
#[derive(Clone)]
pub struct Receipts {
    store: Store,
    words: mpsc::Sender<Word>,
    /// Published once their receipts are written.
    assignments: Publisher<AssignmentEvent>,
    /// Until somebody follows.
    desk: Arc<Mutex<Option<Desk>>>,
}

/// What the one who writes receipts hears.
struct Desk {
    words: mpsc::Receiver<Word>,
    assigned: watch::Receiver<Seq>,
}

/// That assignments have reached somebody.
struct Word {
    technician: TechnicianId,
    meant: Meant,
    reached: Reached,
    /// Their receipts as they are then.
    reply: oneshot::Sender<Vec<Row>>,
}

impl Receipts {
    /// `assigned`: the newest event that gave an order to a technician or took one away.
    pub fn new(store: Store, assigned: watch::Receiver<Seq>) -> Self {
        let (sender, words) = mpsc::channel(WAITING);
        let desk = Desk { words, assigned };
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
    fn desk(&self) -> Option<Desk> {
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
        let meant = Meant::Order(number.get());
        let mut rows = self.reach_all(technician, meant, reached).await?;
        Ok(rows.pop())
    }

    /// Answered when it is durable; 503 where it cannot be now.
    pub async fn reach_all(
        &self,
        technician: TechnicianId,
        meant: Meant,
        reached: Reached,
    ) -> Result<Vec<Row>, ApiError> {
        let (reply, written) = oneshot::channel();
        let word = Word {
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

/// 403 `forbidden` for who has no role.
pub fn staff_only(caller: &Caller) -> Result<(), ApiError> {
    if caller.roles.is_empty() {
        let sentence = "Assignments are for the staff; ask an owner to give you a role";
        return Err(ApiError::forbidden(sentence));
    }
    Ok(())
}

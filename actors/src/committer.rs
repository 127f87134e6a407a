//! Commit, then announce, then reply: the one place that knows the order.
//!
//! Takes whatever decisions wait, commits them in one transaction, hands their events to the
//! broadcaster in the order of their numbers, and only then lets the supervisors reply. While one
//! group is being made durable the next one gathers, so a busy disk makes groups larger and not
//! the queue longer.

use actix::Addr;
use actix::prelude::SendError;
use tokio::sync::{mpsc, oneshot};

use crate::broadcaster::{Announce, Announcement, Broadcaster};
use crate::store::{Decision, Event, Store, Verdict};

/// Decisions in one transaction.
const GROUP: usize = 256;

/// Decisions that may wait; supervisors beyond it wait to enqueue.
const QUEUE: usize = 1_024;

/// Where supervisors hand in what they decided.
#[derive(Clone)]
pub struct Committer {
    queue: mpsc::Sender<Waiting>,
}

struct Waiting {
    decision: Decision,
    reply: oneshot::Sender<Commit>,
}

/// What became of a decision.
#[derive(Debug)]
pub enum Commit {
    /// Durable, and handed on to be announced.
    Done(Vec<Event>),
    /// Somebody else's change came first.
    Lost,
    /// Not kept, or not known to be: forget what was decided and load again.
    Unavailable,
}

impl Committer {
    /// Starts on this thread's arbiter and ends when the last handle is gone.
    pub fn start(store: Store, broadcaster: Addr<Broadcaster>) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE);
        actix::spawn(run(store, broadcaster, waiting));
        Self { queue }
    }

    pub async fn commit(&self, decision: Decision) -> Commit {
        let (reply, committed) = oneshot::channel();
        if self.queue.send(Waiting { decision, reply }).await.is_err() {
            return Commit::Unavailable;
        }
        committed.await.unwrap_or(Commit::Unavailable)
    }
}

async fn run(store: Store, broadcaster: Addr<Broadcaster>, mut waiting: mpsc::Receiver<Waiting>) {
    let mut group = Vec::with_capacity(GROUP);
    while waiting.recv_many(&mut group, GROUP).await > 0 {
        let (decisions, replies): (Vec<_>, Vec<_>) = group
            .drain(..)
            .map(|waiting| (waiting.decision, waiting.reply))
            .unzip();
        let verdicts = match store.commit(&decisions).await {
            Ok(verdicts) => verdicts,
            Err(error) => {
                tracing::error!(%error, changes = decisions.len(), "a group of changes was not committed");
                for reply in replies {
                    // A supervisor that is gone has nobody to tell.
                    let _ = reply.send(Commit::Unavailable);
                }
                continue;
            }
        };
        announce(&broadcaster, &decisions, &verdicts).await;
        for (verdict, reply) in verdicts.into_iter().zip(replies) {
            let commit = match verdict {
                Verdict::Committed(events) => Commit::Done(events),
                Verdict::Lost => Commit::Lost,
                Verdict::Failed(error) => {
                    tracing::error!(%error, "a change was refused by the database");
                    Commit::Unavailable
                }
            };
            let _ = reply.send(commit);
        }
    }
}

async fn announce(broadcaster: &Addr<Broadcaster>, decisions: &[Decision], verdicts: &[Verdict]) {
    let mut announcements: Vec<Announcement> = decisions
        .iter()
        .zip(verdicts)
        .flat_map(|(decision, verdict)| {
            let events = match verdict {
                Verdict::Committed(events) => events.as_slice(),
                Verdict::Lost | Verdict::Failed(_) => &[],
            };
            events.iter().map(|event| Announcement {
                event: event.clone(),
                order: decision.after.clone(),
            })
        })
        .collect();
    announcements.sort_unstable_by_key(|announcement| announcement.event.seq);
    if announcements.is_empty() {
        return;
    }
    // Handed over in order; waits only while the broadcaster is far behind, which slows the
    // writers down and skips nothing.
    let handed_over = match broadcaster.try_send(Announce(announcements)) {
        Err(SendError::Full(announce)) => broadcaster.send(announce).await.is_ok(),
        handed_over => handed_over.is_ok(),
    };
    if !handed_over {
        tracing::error!("the broadcaster is gone; changes are kept but not announced");
    }
}

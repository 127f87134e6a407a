//! Commit, then announce, then reply: the one place that knows the order.
//!
//! Takes whatever decisions wait, commits them in one transaction, hands their events to the
//! broadcaster in the order of their numbers, and only then lets the supervisors reply. While one
//! group is being made durable the next one gathers, so a busy disk makes groups larger and not
//! the queue longer. What another process commits to the same database is announced from the log.

use std::time::Duration;

use actix::Addr;
use actix::prelude::SendError;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use crate::broadcaster::{Announce, Announcement, Broadcaster};
use crate::past::announcements_after;
use crate::snapshot::Snapshot;
use crate::store::{Decision, Event, Seq, Store, Verdict};

/// Decisions in one transaction. One would be a transaction for every request.
pub const GROUP: usize = 256;

/// Decisions that may wait; supervisors beyond it wait to enqueue.
const QUEUE: usize = 1_024;

/// A database that takes longer over a group is treated as gone.
const PATIENCE: Duration = Duration::from_secs(30);

/// How often an idle committer looks whether another process wrote to the log.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// Where supervisors hand in what they decided.
#[derive(Clone)]
pub struct Committer {
    queue: mpsc::Sender<Waiting>,
}

/// Who hears of a commit: the list first, then the sessions.
struct Screens {
    snapshot: Snapshot,
    broadcaster: Addr<Broadcaster>,
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
    /// The same request was carried out before; its receipt has the answer.
    Repeated,
    /// Somebody else's change came first.
    Lost,
    /// Not kept, or not known to be: forget what was decided and load again.
    Unavailable,
}

impl Committer {
    /// Starts on this thread's arbiter and ends when the last handle is gone. The broadcaster
    /// must have started with the snapshot's event number. `group`: decisions in one transaction.
    pub fn start(
        store: Store,
        snapshot: Snapshot,
        broadcaster: Addr<Broadcaster>,
        group: usize,
    ) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE);
        let announced = snapshot.seq();
        let screens = Screens {
            snapshot,
            broadcaster,
        };
        actix::spawn(run(store, screens, announced, waiting, group.max(1)));
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

/// Commits group after group. `announced` is the newest event that was handed on.
async fn run(
    store: Store,
    screens: Screens,
    mut announced: Seq,
    mut waiting: mpsc::Receiver<Waiting>,
    most: usize,
) {
    let mut group = Vec::with_capacity(most);
    loop {
        match timeout(LOOK_AGAIN, waiting.recv_many(&mut group, most)).await {
            Ok(0) => return,
            Ok(_) => {}
            Err(_idle) => {
                announced = catch_up(&store, &screens, announced).await;
                continue;
            }
        }
        let (decisions, replies): (Vec<_>, Vec<_>) = group
            .drain(..)
            .map(|waiting| (waiting.decision, waiting.reply))
            .unzip();
        let Some(verdicts) = commit(&store, &decisions).await else {
            for reply in replies {
                // A supervisor that is gone has nobody to tell.
                let _ = reply.send(Commit::Unavailable);
            }
            // The outcome may be unknown: what is in the log after all is announced from there.
            announced = catch_up(&store, &screens, announced).await;
            continue;
        };
        let announcements = announcements(&decisions, &verdicts);
        announced = match announcements.first() {
            Some(first) if first.event.seq == announced + 1 => {
                hand_over(&screens, announcements, announced).await
            }
            // Another process committed in between: the log has its events and ours, in order.
            Some(_) => catch_up(&store, &screens, announced).await,
            // So did one that was faster.
            None if is_any_lost(&verdicts) => catch_up(&store, &screens, announced).await,
            None => announced,
        };
        for (verdict, reply) in verdicts.into_iter().zip(replies) {
            let commit = match verdict {
                Verdict::Committed(events) => Commit::Done(events),
                Verdict::Lost => Commit::Lost,
                Verdict::Repeated => Commit::Repeated,
                Verdict::Failed(error) => {
                    tracing::error!(%error, "a change was refused by the database");
                    Commit::Unavailable
                }
            };
            let _ = reply.send(commit);
        }
    }
}

fn is_any_lost(verdicts: &[Verdict]) -> bool {
    let mut verdicts = verdicts.iter();
    verdicts.any(|verdict| matches!(verdict, Verdict::Lost))
}

/// None: nothing may be acknowledged.
async fn commit(store: &Store, decisions: &[Decision]) -> Option<Vec<Verdict>> {
    let changes = decisions.len();
    match timeout(PATIENCE, store.commit(decisions)).await {
        Ok(Ok(verdicts)) => Some(verdicts),
        Ok(Err(error)) => {
            tracing::error!(%error, changes, "a group of changes was not committed");
            None
        }
        Err(_late) => {
            tracing::error!(
                changes,
                "the database did not commit a group of changes in time"
            );
            None
        }
    }
}

fn announcements(decisions: &[Decision], verdicts: &[Verdict]) -> Vec<Announcement> {
    let mut announcements: Vec<Announcement> = decisions
        .iter()
        .zip(verdicts)
        .flat_map(|(decision, verdict)| {
            let events = match verdict {
                Verdict::Committed(events) => events.as_slice(),
                Verdict::Lost | Verdict::Repeated | Verdict::Failed(_) => &[],
            };
            events.iter().map(|event| Announcement {
                event: event.clone(),
                order: decision.after.clone(),
            })
        })
        .collect();
    announcements.sort_unstable_by_key(|announcement| announcement.event.seq);
    announcements
}

/// Announces from the log whatever is newer than `announced`; gives the newest it got to. What
/// cannot be read now is announced the next time.
async fn catch_up(store: &Store, screens: &Screens, mut announced: Seq) -> Seq {
    loop {
        let next = announcements_after(store, &screens.snapshot, announced, GROUP as u64);
        match timeout(PATIENCE, next).await {
            Ok(Ok(announcements)) if announcements.is_empty() => return announced,
            Ok(Ok(announcements)) => {
                announced = hand_over(screens, announcements, announced).await;
            }
            Ok(Err(error)) => {
                tracing::error!(%error, "the log could not be read");
                return announced;
            }
            Err(_late) => {
                tracing::error!("the log could not be read in time");
                return announced;
            }
        }
    }
}

/// Hands announcements over in their order; waits only while the broadcaster is far behind, which
/// slows the writers down and skips nothing. Gives the newest event that was handed over.
async fn hand_over(screens: &Screens, announcements: Vec<Announcement>, announced: Seq) -> Seq {
    screens.snapshot.land(&announcements);
    let newest = announcements
        .last()
        .map_or(announced, |last| last.event.seq);
    let handed_over = match screens.broadcaster.try_send(Announce(announcements)) {
        Err(SendError::Full(announce)) => screens.broadcaster.send(announce).await.is_ok(),
        handed_over => handed_over.is_ok(),
    };
    if !handed_over {
        tracing::error!("the broadcaster is gone; changes are kept but not announced");
    }
    newest
}

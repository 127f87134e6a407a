//! Commit, then announce, then reply: the one place that knows the order.
//!
//! Takes whatever decisions wait, commits them in one transaction, hands their events to the
//! broadcaster in the order of their numbers, and only then lets the supervisors reply. While one
//! group is being made durable the next one gathers, so a busy disk makes groups larger and not
//! the queue longer. What another process commits to the same database is announced from the log.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::Addr;
use actix::prelude::SendError;
use jiff::Timestamp;
use tokio::sync::{Notify, mpsc, oneshot};

use crate::broadcaster::{Announce, Announcement, Broadcaster, StartOver};
use crate::commit_counts::CommitCounts;
use crate::event_replay::announcements_after;
use crate::log_watch;
use crate::snapshot::Snapshot;
use crate::store::{
    Decision, Event, LogPosition, LogState, OpenOrders, Seq, Store, StoreError, Verdict, WentBack,
};

/// Decisions in one transaction. One would be a transaction for every request.
pub const GROUP: usize = 256;

/// Decisions that may wait; supervisors beyond it wait to enqueue.
const QUEUE: usize = 1_024;

/// A database that takes longer over a group is treated as gone.
const COMMIT_TIMEOUT: Duration = Duration::from_secs(10);

/// A read of a part of the log that takes longer.
const READ_TIMEOUT: Duration = Duration::from_secs(5);

/// The same for all open orders, after the log went back. A shop that cannot be loaded in this time
/// stays without changes until its server is started again.
const LOAD_TIMEOUT: Duration = Duration::from_secs(60);

/// Where supervisors hand in what they decided.
#[derive(Clone)]
pub struct Committer {
    queue: mpsc::Sender<Waiting>,
    snapshot: Snapshot,
    counts: Arc<CommitCounts>,
}

/// Watches a committer, which ends all the same when its last handle is gone.
#[derive(Clone)]
pub struct CommitterWatch {
    queue: mpsc::WeakSender<Waiting>,
    pub counts: Arc<CommitCounts>,
}

/// Who receives a commit: the list first, then the sessions.
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
    /// Durable, and passed on to be announced.
    Done(Vec<Event>),
    /// The same request was carried out before; its idempotency record has the answer.
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
        let work = Work {
            store,
            screens: Screens {
                snapshot: snapshot.clone(),
                broadcaster,
            },
            log_changed: Arc::default(),
            counts: Arc::default(),
        };
        let counts = Arc::clone(&work.counts);
        let wake = Arc::downgrade(&work.log_changed);
        actix::spawn(log_watch::watch(work.store.clone(), wake));
        actix::spawn(work.run(waiting, group.max(1)));
        Self {
            queue,
            snapshot,
            counts,
        }
    }

    pub fn watch(&self) -> CommitterWatch {
        CommitterWatch {
            queue: self.queue.downgrade(),
            counts: Arc::clone(&self.counts),
        }
    }

    /// The open orders as they were announced.
    pub(crate) fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    pub async fn commit(&self, decision: Decision) -> Commit {
        let (reply, committed) = oneshot::channel();
        if self.queue.send(Waiting { decision, reply }).await.is_err() {
            return Commit::Unavailable;
        }
        committed.await.unwrap_or(Commit::Unavailable)
    }
}

impl CommitterWatch {
    /// Decisions that wait for a group.
    pub fn waiting(&self) -> usize {
        let queue = self.queue.upgrade();
        queue.map_or(0, |queue| queue.max_capacity() - queue.capacity())
    }
}

struct Work {
    store: Store,
    screens: Screens,
    /// The log is not as it was announced.
    log_changed: Arc<Notify>,
    counts: Arc<CommitCounts>,
}

impl Work {
    /// Commits group after group.
    async fn run(self, mut waiting: mpsc::Receiver<Waiting>, most: usize) {
        let mut group = Vec::with_capacity(most);
        loop {
            tokio::select! {
                () = self.log_changed.notified() => self.catch_up().await,
                count = waiting.recv_many(&mut group, most) => match count {
                    0 => return,
                    _ => self.commit_group(&mut group).await,
                }
            }
        }
    }

    async fn commit_group(&self, group: &mut Vec<Waiting>) {
        let (decisions, replies): (Vec<_>, Vec<_>) = group
            .drain(..)
            .map(|waiting| (waiting.decision, waiting.reply))
            .unzip();
        let begun = (Instant::now(), Timestamp::now());
        let verdicts = match self.commit(&decisions).await {
            Ok(verdicts) => {
                self.counts.committed(&verdicts, begun.0.elapsed());
                verdicts
            }
            Err(unsaved) => {
                self.counts.failures.add(decisions.len() as u64);
                // Events that are in the log after all are announced from there; of another log all
                // events are.
                self.catch_up().await;
                for reply in replies {
                    // A supervisor that is gone has no caller.
                    let _ = reply.send(match unsaved {
                        Unsaved::WentBack => Commit::Lost,
                        Unsaved::Unknown => Commit::Unavailable,
                    });
                }
                return;
            }
        };
        let announcements = announcements(&decisions, &verdicts);
        match announcements.first() {
            Some(first) if first.event.seq == self.announced().seq + 1 => {
                self.hand_over(announcements).await;
                // Nobody else wrote anything in between.
                self.store.status().read_at(begun);
            }
            // Another process committed in between: the log has its events and ours, in order.
            Some(_) => self.catch_up().await,
            // So did one that was faster.
            None if is_any_lost(&verdicts) => self.catch_up().await,
            None => {}
        }
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

    fn announced(&self) -> LogPosition {
        self.store.status().announced()
    }

    /// Late is also what was asked of a host of the database that takes no writes any more.
    async fn in_time<T>(
        &self,
        limit: Duration,
        answer: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, AnswerError> {
        match self.store.in_time(limit, answer).await {
            Some(answer) => Ok(answer?),
            None => Err(AnswerError::Late),
        }
    }

    /// On `Err` nothing may be acknowledged.
    async fn commit(&self, decisions: &[Decision]) -> Result<Vec<Verdict>, Unsaved> {
        match self
            .in_time(COMMIT_TIMEOUT, self.store.commit(decisions))
            .await
        {
            Ok(verdicts) => Ok(verdicts),
            Err(AnswerError::Store(StoreError::WentBack)) => Err(Unsaved::WentBack),
            // It was logged when it began.
            Err(AnswerError::Store(_)) => Err(Unsaved::Unknown),
            Err(AnswerError::Late) => {
                let status = self.store.status();
                status.not_saved(&"the database did not commit a group of changes in time");
                Err(Unsaved::Unknown)
            }
        }
    }

    /// Announces from the log everything newer than the last announced event, or starts over where
    /// the log went back. What cannot be read now is announced the next time.
    async fn catch_up(&self) {
        let status = self.store.status();
        match self.announce_to_end().await {
            Ok(moment) => status.caught_up(moment),
            Err(why) => status.not_read(&why),
        }
    }

    /// As far as the log went when this began: another process may write without a pause, and the
    /// decisions that wait here must have their turn. Gives a moment before which everything that is
    /// in the log was announced.
    async fn announce_to_end(&self) -> Result<(Instant, Timestamp), AnswerError> {
        let now = || (Instant::now(), Timestamp::now());
        let (mut begun, mut end) = (now(), None);
        let mut has_started_over = false;
        loop {
            match self.in_time(READ_TIMEOUT, self.store.compare()).await? {
                LogState::Announced => return Ok(begun),
                LogState::Ahead { top } => {
                    let end = *end.get_or_insert(top);
                    let (snapshot, after) = (&self.screens.snapshot, self.announced().seq);
                    let page = announcements_after(&self.store, snapshot, after, GROUP as u64);
                    let announcements = self.in_time(READ_TIMEOUT, page).await?;
                    if announcements.is_empty() {
                        return Err(StoreError::NoEvents { after, top }.into());
                    }
                    // The events that were read are handed over, however long that takes.
                    self.hand_over(announcements).await;
                    if self.announced().seq >= end {
                        return Ok(begun);
                    }
                }
                // It was loaded a moment ago: loading it once more could repeat forever.
                LogState::WentBack(_) if has_started_over => {
                    return Err(StoreError::WentBack.into());
                }
                LogState::WentBack(found) => {
                    let open = self.in_time(LOAD_TIMEOUT, self.load(&found)).await?;
                    self.start_over(found.top, open).await;
                    has_started_over = true;
                    (begun, end) = (now(), None);
                }
            }
        }
    }

    /// Everything in a log that went back, which has another name then.
    async fn load(&self, found: &WentBack) -> Result<OpenOrders, StoreError> {
        if !found.is_renamed {
            self.store.begin_generation(&found.generation).await?;
        }
        self.store.open_orders().await
    }

    /// The log went back, or is another one: nothing that was known of it holds any more. Everything
    /// is loaded again, and every session comes back for it.
    async fn start_over(&self, top: Seq, open: OpenOrders) {
        let status = self.store.status();
        let announced = status.announced().seq;
        let (generation, position) = (open.head.generation.clone(), open.head.position);
        tracing::error!(
            announced, top, %generation,
            "the database went back behind what was announced, or is another one; everything is loaded again"
        );
        self.screens.snapshot.replace(open);
        status.start_over(&generation, position);
        let over = self.screens.broadcaster.send(StartOver(position));
        if over.await.is_err() {
            tracing::error!(
                "the broadcaster is gone; screens are not told that the database went back"
            );
        }
    }

    /// Hands announcements over in their order; waits only while the broadcaster is far behind, which
    /// slows the writers down and skips nothing.
    async fn hand_over(&self, announcements: Vec<Announcement>) {
        let Some(newest) = announcements.last() else {
            return;
        };
        let newest = newest.event.position();
        self.screens.snapshot.land(&announcements);
        self.store.status().set_announced(newest);
        let broadcaster = &self.screens.broadcaster;
        let handed_over = match broadcaster.try_send(Announce(announcements)) {
            Err(SendError::Full(announce)) => broadcaster.send(announce).await.is_ok(),
            handed_over => handed_over.is_ok(),
        };
        if !handed_over {
            tracing::error!("the broadcaster is gone; changes are kept but not announced");
        }
    }
}

/// Why the database did not do what it was asked.
#[derive(Debug, thiserror::Error)]
enum AnswerError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the database did not answer in time")]
    Late,
}

/// Why a group is not acknowledged.
enum Unsaved {
    /// It was decided on a log that has been replaced.
    WentBack,
    /// Nothing of it was kept, or it is not known.
    Unknown,
}

fn is_any_lost(verdicts: &[Verdict]) -> bool {
    let mut verdicts = verdicts.iter();
    verdicts.any(|verdict| matches!(verdict, Verdict::Lost))
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

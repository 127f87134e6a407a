//! One actor per repair order. Every change to the order is decided here, one after the other:
//! apply, hand to the committer, take the new state, reply.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use actix::prelude::*;
use jiff::Timestamp;
use tokio::time::timeout;
use tracing::{Instrument, Span};

use crate::TRACE_TARGET;
use crate::committer::{Commit, Committer};
use crate::registry::SupervisorRegistry;
use crate::repair_order::{Change, Command, Refusal, RepairOrder, RoNumber, Version};
use crate::store::{Author, Decision, Event, IdempotencyRecord, Store, StoreError};

/// A supervisor that was idle for this long releases its memory.
pub(crate) const IDLE: Duration = Duration::from_secs(60);

pub struct RoSupervisor {
    number: RoNumber,
    store: Store,
    committer: Committer,
    registry: Weak<SupervisorRegistry>,
    idle_after: Duration,
    cached: CachedOrder,
    last_used: Instant,
}

/// What the database holds, while we know it; of another generation of the log nothing is known.
#[derive(Default)]
struct CachedOrder {
    order: Option<Arc<RepairOrder>>,
    generation: Arc<str>,
}

/// Change this order, please.
#[derive(Clone, Debug)]
pub struct Execute {
    pub command: Command,
    pub by: Author,
    /// The version the caller had seen; a newer one refuses the command.
    pub expected_version: Option<Version>,
    /// What one request did, to one order or to several, can be undone together.
    pub request: Option<String>,
    /// Kept in the change's transaction, also when there is nothing to change.
    pub idempotency_record: Option<IdempotencyRecord>,
}

impl Execute {
    /// A command without an idempotency key, on whatever version there is.
    pub fn new(command: Command, by: Author) -> Self {
        Self {
            command,
            by,
            expected_version: None,
            request: None,
            idempotency_record: None,
        }
    }
}

/// A command that is carried out: durable, and announced.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub order: Arc<RepairOrder>,
    /// Empty when the order already was what the command asks for.
    pub events: Vec<Event>,
}

#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("Repair order {0} is not known")]
    Unknown(RoNumber),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("Repair order {} has changed since you saw it", .0.order.number)]
    Stale(Box<Stale>),
    #[error("This request was carried out before")]
    Repeated,
    #[error("The change could not be saved; please try again")]
    Unavailable,
}

/// The order as it is now, and its newest event.
#[derive(Clone, Debug)]
pub struct Stale {
    pub order: Arc<RepairOrder>,
    pub last: Option<Event>,
}

impl RoSupervisor {
    pub(crate) fn new(
        number: RoNumber,
        store: Store,
        committer: Committer,
        registry: Weak<SupervisorRegistry>,
        idle_after: Duration,
    ) -> Self {
        Self {
            number,
            store,
            committer,
            registry,
            idle_after,
            cached: CachedOrder::default(),
            last_used: Instant::now(),
        }
    }
}

impl RoSupervisor {
    fn retire(&self, ctx: &mut Context<Self>) {
        match self.registry.upgrade() {
            Some(registry) => {
                let me = ctx.address();
                registry.retire(self.number, |supervisor| *supervisor == me);
            }
            None => ctx.stop(),
        }
    }
}

impl Actor for RoSupervisor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.set_mailbox_capacity(256);
        ctx.run_interval(self.idle_after, |supervisor, ctx| {
            if supervisor.last_used.elapsed() >= supervisor.idle_after {
                supervisor.retire(ctx);
            }
        });
    }
}

/// A request on its way; the caller keeps it, to send it again.
#[derive(Message)]
#[rtype(result = "Result<Outcome, Failure>")]
pub(crate) struct Ask {
    request: Arc<Execute>,
    /// Of the caller's trace; from here on, so that it shows how long the order's turn was waited for.
    span: Span,
}

impl Ask {
    pub(crate) fn new(request: Arc<Execute>) -> Self {
        let span = tracing::trace_span!(target: TRACE_TARGET, "change of a repair order");
        Self { request, span }
    }
}

impl Handler<Ask> for RoSupervisor {
    // Atomic: the next message waits until this one is committed or refused.
    type Result = AtomicResponse<Self, Result<Outcome, Failure>>;

    fn handle(&mut self, Ask { request, span }: Ask, _: &mut Self::Context) -> Self::Result {
        self.last_used = Instant::now();
        let walk = Walk {
            number: self.number,
            store: self.store.clone(),
            committer: self.committer.clone(),
            cached: std::mem::take(&mut self.cached),
        };
        let decided = walk.execute(request).instrument(span).into_actor(self);
        AtomicResponse::new(Box::pin(decided.map(|(cached, result), supervisor, _| {
            supervisor.cached = cached;
            result
        })))
    }
}

/// Sent by the router once no new message can be on its way.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Stop;

impl Handler<Stop> for RoSupervisor {
    type Result = ();

    fn handle(&mut self, Stop: Stop, ctx: &mut Self::Context) {
        ctx.stop();
    }
}

/// How often a command is decided at most: again when another writer came first.
const ATTEMPTS: usize = 3;

/// A database that takes longer over one order is treated as gone.
const READ_TIMEOUT: Duration = Duration::from_secs(5);

/// One command on its way through; holds the order meanwhile.
struct Walk {
    number: RoNumber,
    store: Store,
    committer: Committer,
    cached: CachedOrder,
}

/// How one attempt ended, when not with a reply.
enum Attempt {
    Failed(Failure),
    /// Another writer came first; the state is forgotten.
    Lost,
}

impl From<Failure> for Attempt {
    fn from(failure: Failure) -> Self {
        Attempt::Failed(failure)
    }
}

impl Walk {
    async fn execute(mut self, request: Arc<Execute>) -> (CachedOrder, Result<Outcome, Failure>) {
        // A lost race is decided again on what is there now; the caller who named a version is
        // refused by it then.
        for attempt in 0..ATTEMPTS {
            let may_use_cached = attempt == 0;
            match self.attempt(&request, may_use_cached).await {
                Ok(outcome) => return (self.cached, Ok(outcome)),
                Err(Attempt::Failed(failure)) => return (self.cached, Err(failure)),
                Err(Attempt::Lost) => self.cached.order = None,
            }
        }
        (self.cached, Err(Failure::Unavailable))
    }

    /// `may_use_cached`: what this process remembers of the order may be decided on; it is held against
    /// the database before anything is answered.
    async fn attempt(
        &mut self,
        request: &Execute,
        may_use_cached: bool,
    ) -> Result<Outcome, Attempt> {
        let generation = self.store.status().generation();
        if generation != self.cached.generation {
            self.cached = CachedOrder {
                order: None,
                generation,
            };
        }
        if self.cached.order.is_none() && may_use_cached {
            self.cached.order = self.committer.snapshot().get(self.number);
        }
        let was_cached = self.cached.order.is_some();
        if !was_cached {
            self.cached.order = self.read(self.store.load(self.number)).await?.map(Arc::new);
        }
        let decided = self.decide(request);
        // A change is held against the database when it is written. Where there is none to write,
        // another process may have made what is known here old.
        if was_cached && !matches!(&decided, Ok((_, changes)) if !changes.is_empty()) {
            let version = self.read(self.store.version(self.number)).await?;
            if version != self.cached.order.as_ref().map(|order| order.version) {
                return Err(Attempt::Lost);
            }
        }
        let (after, changes) = match decided {
            Ok(decided) => decided,
            Err(Undecided::Refused(failure)) => return Err(failure.into()),
            Err(Undecided::Stale(order)) => {
                let last = self.read(self.store.last_event(self.number)).await?;
                return Err(Failure::Stale(Box::new(Stale { order, last })).into());
            }
        };
        if changes.is_empty() && request.idempotency_record.is_none() {
            return Ok(Outcome {
                order: after,
                events: Vec::new(),
            });
        }
        self.commit(request, after, changes).await
    }

    /// Decides on what is known, without IO: the order afterwards, and the changes that make it so.
    fn decide(&self, request: &Execute) -> Result<(Arc<RepairOrder>, Vec<Change>), Undecided> {
        let cached = &self.cached.order;
        if let (Some(order), Some(expected)) = (cached, request.expected_version)
            && order.version != expected
        {
            return Err(Undecided::Stale(order.clone()));
        }
        let unknown = || Undecided::Refused(Failure::Unknown(self.number));
        let rules = self.store.stage_rules();
        let changes = match (cached, &request.command) {
            (Some(order), command) => {
                let decided = order.decide(command, &rules.current(), now());
                decided.map_err(Failure::from)?
            }
            (None, Command::Import(imported)) => {
                RepairOrder::create_in_stage(self.number, imported, &rules.current(), now())
            }
            (None, _) => return Err(unknown()),
        };
        let after = self.order_after(&changes).ok_or_else(unknown)?;
        Ok((after, changes))
    }

    async fn commit(
        &mut self,
        request: &Execute,
        after: Arc<RepairOrder>,
        changes: Vec<Change>,
    ) -> Result<Outcome, Attempt> {
        let before = self.cached.order.take().map_or(0, |order| order.version);
        let decision = Decision {
            before,
            after: after.clone(),
            changes,
            by: request.by.clone(),
            request: request.request.clone(),
            idempotency_record: request.idempotency_record.clone(),
            at: now(),
        };
        let span = tracing::trace_span!(target: TRACE_TARGET, "commit");
        match self.committer.commit(decision).instrument(span).await {
            Commit::Done(events) => {
                self.cached.order = Some(after.clone());
                Ok(Outcome {
                    order: after,
                    events,
                })
            }
            Commit::Lost => Err(Attempt::Lost),
            Commit::Repeated => Err(Failure::Repeated.into()),
            Commit::Unavailable => Err(Failure::Unavailable.into()),
        }
    }

    async fn read<T>(
        &self,
        read: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, Attempt> {
        let failed = match timeout(READ_TIMEOUT, read).await {
            Ok(Ok(read)) => return Ok(read),
            Ok(Err(error)) => error.to_string(),
            Err(late) => late.to_string(),
        };
        tracing::error!(
            number = self.number.get(),
            why = failed,
            "a repair order could not be read"
        );
        Err(Failure::Unavailable.into())
    }

    /// The order once `changes` are made; none when there is no order and none is created.
    fn order_after(&self, changes: &[Change]) -> Option<Arc<RepairOrder>> {
        match &self.cached.order {
            Some(order) if changes.is_empty() => Some(order.clone()),
            Some(order) => {
                let mut after = (**order).clone();
                changes.iter().for_each(|change| after.evolve(change));
                Some(Arc::new(after))
            }
            None => RepairOrder::replay(changes).map(Arc::new),
        }
    }
}

/// The clock, in the milliseconds that the database keeps.
fn now() -> Timestamp {
    let now = Timestamp::now();
    Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now)
}

/// Why there is nothing to commit.
enum Undecided {
    Refused(Failure),
    /// The caller has seen another version than this.
    Stale(Arc<RepairOrder>),
}

impl From<Failure> for Undecided {
    fn from(failure: Failure) -> Self {
        Undecided::Refused(failure)
    }
}

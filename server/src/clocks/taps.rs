//! Taps: decided on what the database holds, committed with the answer, then announced. When
//! another process was faster, the tap is decided again.

use dispatch_actors::repair_order::TechnicianId;
use dispatch_actors::store::WriteTransaction;
use jiff::Timestamp;

use super::Clocks;
use super::api_types::TechnicianClock;
use super::arithmetic::{Action, Chain, Entry, TapEffect, TapTime, Work};
use super::running_clocks::Running;
use super::store::{self, Finished, LastTap};
use crate::change_request::AnswerKeeper;
use crate::error::{ApiError, ErrorCode};
use crate::moments::{in_milliseconds, now};

/// Times that a tap is decided before it is refused as unavailable.
const MAX_ATTEMPTS: usize = 5;

/// A tap, as far as it could be read.
#[derive(Clone, Copy, Debug)]
pub struct TapRequest {
    pub technician: TechnicianId,
    pub action: Action,
    /// When, where that was not now.
    pub at: Option<Timestamp>,
}

/// What became of one try.
enum TapOutcome {
    Changed(TechnicianClock, Option<Running>),
    Unchanged(TechnicianClock),
    /// Somebody else was quicker.
    Overtaken,
}

impl Clocks {
    /// Executes a tap: commits it, then announces it, then answers.
    pub async fn tap(
        &self,
        request: TapRequest,
        keeper: &AnswerKeeper,
    ) -> Result<TechnicianClock, ApiError> {
        let _turn = self.commit_lock.lock().await;
        for _ in 0..MAX_ATTEMPTS {
            match self.tap_once(request, keeper).await? {
                TapOutcome::Changed(clock, running) => {
                    // Also one on which no clock runs may be finished now.
                    let marked = request.action.work().map(|work| work.order);
                    self.clock_changed(request.technician, running, marked)
                        .await?;
                    return Ok(clock);
                }
                TapOutcome::Unchanged(clock) => return Ok(clock),
                TapOutcome::Overtaken => {}
            }
        }
        tracing::error!(?request, "a tap was overtaken again and again");
        Err(ApiError::unavailable())
    }

    async fn tap_once(
        &self,
        request: TapRequest,
        keeper: &AnswerKeeper,
    ) -> Result<TapOutcome, ApiError> {
        let TapRequest {
            technician,
            action,
            at,
        } = request;
        let transaction = store::begin(&self.store).await?;
        // Read once the transaction has begun: an entry of an earlier transaction is then not in
        // the future.
        let now = now();
        let tapped = TapTime::at(at.map(in_milliseconds), now);
        let tapped = tapped.map_err(|refused| self.refuse(refused))?;
        let chain = store::chain(&transaction, technician).await?;
        self.permit(&transaction, technician, action, &chain)
            .await?;
        let effect = chain.tap(action, tapped, now);
        let effect = effect.map_err(|refused| self.refuse(refused))?;
        let Some(changed) = apply_effect(&transaction, technician, &chain, effect).await? else {
            transaction.rollback().await?;
            return Ok(TapOutcome::Overtaken);
        };
        let tapped_at = match effect {
            TapEffect::Changed { at, .. } => at,
            TapEffect::Unchanged => tapped.moment(now),
        };
        let tap = LastTap {
            technician,
            tapped_at,
            kept_at: now,
            ended_entry: changed.ended_entry,
            begun_entry: changed.begun_entry,
            marked: mark(&transaction, technician, action, tapped_at).await?,
        };
        let is_changed = effect != TapEffect::Unchanged || tap.marked.is_some();
        if is_changed {
            store::keep_tap(&transaction, &tap).await?;
        }
        let (clock, running) = self.picture(&transaction, technician, now).await?;
        keeper.keep(&transaction, &clock).await?;
        transaction.commit().await?;
        Ok(if is_changed {
            TapOutcome::Changed(clock, running)
        } else {
            TapOutcome::Unchanged(clock)
        })
    }

    /// Only technicians on the order begin and finish its jobs. A technician may finish the job they are working on,
    /// or worked on when the order was closed, whatever happened to the order meanwhile.
    async fn permit(
        &self,
        transaction: &WriteTransaction,
        technician: TechnicianId,
        action: Action,
        chain: &Chain,
    ) -> Result<(), ApiError> {
        let (Action::Start(work) | Action::Finish(work) | Action::Reopen(work)) = action else {
            return Ok(());
        };
        if chain.running.and_then(|running| running.work) == Some(work) {
            return Ok(());
        }
        let order = self.order_of(work).await?;
        if let Action::Finish(_) = action
            && let Some(last) = store::last_with_job(transaction, technician).await?
            && last.ended_by_closing
            && Entry::from(last).work == Some(work)
        {
            return Ok(());
        }
        let refuse = |code, sentence: String| Err(ApiError::new(code, sentence));
        if order.closed_at.is_some() {
            return refuse(
                ErrorCode::Closed,
                format!("Repair order {} is closed", order.number),
            );
        }
        // Another server may have given it to them a moment ago.
        let own = order.has_technician(technician)
            || self
                .stored_order(work.order)
                .await?
                .is_some_and(|order| order.has_technician(technician));
        let finished_it = matches!(action, Action::Reopen(_))
            && store::finished_job(transaction, work)
                .await?
                .is_some_and(|mark| mark.technician == technician);
        if own || finished_it {
            return Ok(());
        }
        refuse(
            ErrorCode::NotAssigned,
            format!(
                "Technician {technician} is not assigned to repair order {}",
                order.number
            ),
        )
    }
}

/// The entries that a tap changed.
#[derive(Default)]
struct ChangedEntries {
    ended_entry: Option<i64>,
    begun_entry: Option<i64>,
}

/// None where another process was quicker.
async fn apply_effect(
    transaction: &WriteTransaction,
    technician: TechnicianId,
    chain: &Chain,
    effect: TapEffect,
) -> Result<Option<ChangedEntries>, ApiError> {
    let mut changed = ChangedEntries::default();
    let TapEffect::Changed { at, begins } = effect else {
        return Ok(Some(changed));
    };
    if let Some(running) = chain.running {
        if !store::end(transaction, running.id, at).await? {
            return Ok(None);
        }
        changed.ended_entry = Some(running.id);
    }
    if let Some(work) = begins {
        let entry = Entry {
            id: 0,
            started_at: at,
            ended_at: None,
            work,
            corrected: false,
        };
        match store::insert(transaction, technician, &entry, None).await {
            Ok(id) => changed.begun_entry = Some(id),
            Err(error) if store::is_overtaken(&error) => return Ok(None),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Some(changed))
}

/// What a tap says of the job besides the time, where that is news: the job, and how it was marked before.
async fn mark(
    transaction: &WriteTransaction,
    technician: TechnicianId,
    action: Action,
    at: Timestamp,
) -> Result<Option<(Work, Option<Finished>)>, ApiError> {
    match action {
        Action::Finish(work) => {
            let done = Finished {
                work,
                technician,
                at,
            };
            let is_news = store::finish(transaction, &done).await?;
            Ok(is_news.then_some((work, None)))
        }
        // A technician who resumes a job is not done with it.
        Action::Start(work) | Action::Reopen(work) => {
            let before = store::finished_job(transaction, work).await?;
            let is_news = store::reopen(transaction, work).await?;
            Ok(is_news.then_some((work, before)))
        }
        Action::ClockIn | Action::Stop(_) | Action::ClockOut => Ok(None),
    }
}

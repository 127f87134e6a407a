//! Undoing the last tap: everything is as if it had not been made, to the millisecond.

use dispatch_actors::repair_order::TechnicianId;
use jiff::SignedDuration;

use super::Clocks;
use super::api_types::TechnicianClock;
use super::arithmetic::Chain;
use super::store::{self, LastTap};
use crate::change_request::AnswerKeeper;
use crate::error::{ApiError, ErrorCode};
use crate::moments::now;

/// Since the tap arrived: one that waited for a connection has its undo right behind it. The page offers it for ten seconds.
const MAX_AGE: SignedDuration = SignedDuration::from_secs(60);

impl Clocks {
    /// Undoes a technician's last tap: commits it, then announces it, then answers.
    pub async fn undo_tap(
        &self,
        technician: TechnicianId,
        keeper: &AnswerKeeper,
    ) -> Result<TechnicianClock, ApiError> {
        let _turn = self.commit_lock.lock().await;
        let transaction = store::begin(&self.store).await?;
        let now = now();
        let tap = store::last_tap(&transaction, technician).await?;
        let tap = tap.filter(|tap| now.duration_since(tap.kept_at) <= MAX_AGE);
        let Some(tap) = tap else {
            return Err(ApiError::new(
                ErrorCode::NothingToUndo,
                "There is no tap of the last minute to undo",
            ));
        };
        if !is_last(&store::chain(&transaction, technician).await?, &tap)
            || !store::undo_tap(&transaction, &tap).await?
        {
            return Err(ApiError::new(
                ErrorCode::CannotUndo,
                "The clock or the job was changed since that tap, so it cannot be undone",
            ));
        }
        store::forget_tap(&transaction, technician).await?;
        let (clock, running) = self.picture(&transaction, technician, now).await?;
        keeper.keep(&transaction, &clock).await?;
        transaction.commit().await?;
        let marked = tap.marked.map(|(work, _)| work.order);
        self.clock_changed(technician, running, marked).await?;
        Ok(clock)
    }
}

/// Whether the clock is as the tap left it.
fn is_last(chain: &Chain, tap: &LastTap) -> bool {
    let running = chain.running.map(|running| running.id);
    match (tap.begun_entry, tap.ended_entry) {
        (Some(begun), _) => running == Some(begun),
        (None, Some(ended)) => running.is_none() && chain.last.is_some_and(|last| last.id == ended),
        // It only marked a job.
        (None, None) => true,
    }
}

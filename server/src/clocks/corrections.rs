//! Corrections of clocks, each with who made it and why. An entry that is corrected counts as it is
//! then; what it was is in its trail.

use dispatch_actors::repair_order::{RoNumber, TechnicianId};
use dispatch_actors::store::WriteTransaction;
use jiff::Timestamp;
use sea_orm::ConnectionTrait;

use super::Clocks;
use super::api_types::{ClockEntry, ClockTimes};
use super::arithmetic::{Entry, Work};
use super::running_clocks::Running;
use super::store::{self, Correction, entry};
use crate::change_request::AnswerKeeper;
use crate::error::{ApiError, ErrorCode};
use crate::moments::now;
use crate::repair_orders::api_types::By;
use crate::text;

/// A correction, as far as it could be read.
#[derive(Clone, Debug)]
pub struct CorrectionRequest {
    pub technician: TechnicianId,
    pub by: By,
    pub reason: String,
    pub corrected: EntryChange,
}

/// The new state of an entry.
#[derive(Clone, Debug)]
pub enum EntryChange {
    Added {
        started_at: Timestamp,
        ended_at: Timestamp,
        work: Option<Work>,
    },
    Changed {
        id: i64,
        started_at: Option<Timestamp>,
        ended_at: Option<Timestamp>,
        /// Order and job, each as it was sent if it was.
        order: Option<Option<RoNumber>>,
        job: Option<Option<i32>>,
    },
    Deleted {
        id: i64,
    },
}

impl Clocks {
    /// Executes a correction: commits it, then announces it, then answers.
    pub async fn correct(
        &self,
        correction: CorrectionRequest,
        keeper: &AnswerKeeper,
    ) -> Result<ClockEntry, ApiError> {
        let technician = correction.technician;
        let _turn = self.commit_lock.lock().await;
        let transaction = store::begin(&self.store).await?;
        let changed = self.execute(&transaction, correction).await?;
        self.commit_entry(transaction, technician, changed, keeper)
            .await
    }

    /// Keeps the answer, commits, and announces. `orders`: those that the entry was on and is on. To be called only
    /// while `commit_lock` is held.
    pub(super) async fn commit_entry(
        &self,
        transaction: WriteTransaction,
        technician: TechnicianId,
        (id, orders): (i64, Vec<RoNumber>),
        keeper: &AnswerKeeper,
    ) -> Result<ClockEntry, ApiError> {
        let rows = store::entries_of(&transaction, &[id]).await?;
        let mut shown = self.shown(&transaction, rows).await?;
        let entry = shown.pop().ok_or_else(ApiError::unavailable)?;
        keeper.keep(&transaction, &entry).await?;
        let running = self.running_of(&transaction, technician).await?;
        transaction.commit().await?;
        self.clock_changed(technician, running, orders).await?;
        Ok(entry)
    }

    /// The entry, and the orders that it was on and is on.
    pub(super) async fn execute(
        &self,
        transaction: &WriteTransaction,
        correction: CorrectionRequest,
    ) -> Result<(i64, Vec<RoNumber>), ApiError> {
        let CorrectionRequest {
            technician,
            by,
            reason,
            corrected,
        } = correction;
        let now = now();
        let mut correction = Correction {
            at: now,
            by_uid: by.uid,
            by_name: by.name,
            reason,
            before: None,
            after: None,
        };
        let mut works: Vec<Work> = Vec::new();
        let id = match corrected {
            EntryChange::Added {
                started_at,
                ended_at,
                work,
            } => {
                let entry = Entry {
                    id: 0,
                    started_at,
                    ended_at: Some(ended_at),
                    work,
                    corrected: true,
                };
                self.fits(transaction, technician, &entry, now).await?;
                correction.after = Some(times(&entry));
                works.extend(entry.work);
                store::insert(transaction, technician, &entry, Some(now)).await?
            }
            EntryChange::Changed {
                id,
                started_at,
                ended_at,
                order,
                job,
            } => {
                let mut row = self.entry_of(transaction, technician, id).await?;
                let before = Entry::from(&row);
                let order = order.unwrap_or_else(|| before.work.map(|work| work.order));
                let job = job.unwrap_or_else(|| before.work.map(|work| work.job));
                let after = Entry {
                    started_at: started_at.unwrap_or(before.started_at),
                    ended_at: ended_at.or(before.ended_at),
                    work: work(order, job)?,
                    corrected: true,
                    ..before
                };
                // The job that it was on may be gone; its new job exists.
                if after.work != before.work
                    && let Some(work) = after.work
                {
                    self.order_of(work).await?;
                }
                self.fits(transaction, technician, &after, now).await?;
                correction.before = Some(times(&before));
                correction.after = Some(times(&after));
                works.extend(before.work.into_iter().chain(after.work));
                row.started_at = after.started_at.as_millisecond();
                row.ended_at = after.ended_at.map(Timestamp::as_millisecond);
                row.ro_number = after.work.map(|work| work.order.get());
                row.job_number = after.work.map(|work| work.job);
                row.corrected_at = Some(now.as_millisecond());
                store::update(transaction, row).await?;
                id
            }
            EntryChange::Deleted { id } => {
                let mut row = self.entry_of(transaction, technician, id).await?;
                let before = Entry::from(&row);
                correction.before = Some(times(&before));
                works.extend(before.work);
                row.corrected_at = Some(now.as_millisecond());
                row.deleted_at = Some(now.as_millisecond());
                store::update(transaction, row).await?;
                id
            }
        };
        store::correct(transaction, id, &correction).await?;
        // Whatever its technician said of it was said of what it was before.
        store::delete_proposal(transaction, id).await?;
        Ok((id, works.into_iter().map(|work| work.order).collect()))
    }

    /// Whether it may stand beside the technician's other entries; its job is checked where it is
    /// added.
    pub(super) async fn fits(
        &self,
        transaction: &WriteTransaction,
        technician: TechnicianId,
        entry: &Entry,
        now: Timestamp,
    ) -> Result<(), ApiError> {
        if entry.id == 0
            && let Some(work) = entry.work
        {
            self.order_of(work).await?;
        }
        let others = store::since(transaction, technician, entry.started_at).await?;
        entry
            .fits(&others, now)
            .map_err(|refused| self.refuse(refused))
    }

    /// 404 `unknown-entry`, also where it is another technician's.
    pub(super) async fn entry_of(
        &self,
        transaction: &WriteTransaction,
        technician: TechnicianId,
        id: i64,
    ) -> Result<entry::Model, ApiError> {
        let row = store::one(transaction, technician, id).await?;
        row.ok_or_else(|| {
            ApiError::new(
                ErrorCode::UnknownEntry,
                format!("Technician {technician} has no clock entry {id}"),
            )
        })
    }

    async fn running_of(
        &self,
        connection: &impl ConnectionTrait,
        technician: TechnicianId,
    ) -> Result<Option<Running>, ApiError> {
        match store::chain(connection, technician).await?.running {
            Some(entry) => Ok(Some(self.running_on(entry).await?)),
            None => Ok(None),
        }
    }
}

/// Order and job go together.
pub fn work(order: Option<RoNumber>, job: Option<i32>) -> Result<Option<Work>, ApiError> {
    match (order, job) {
        (Some(order), Some(job)) => Ok(Some(Work { order, job })),
        (None, None) => Ok(None),
        _ => Err(ApiError::new(
            ErrorCode::InvalidRequest,
            "roNumber and jobNumber go together: send both or neither",
        )),
    }
}

/// Why something is corrected, in the corrector's words; 400 `invalid-request`.
pub fn reason(text: &str) -> Result<String, ApiError> {
    let reason = text::cleaned(text);
    match reason.chars().count() {
        0 => Err(ApiError::invalid("The reason is missing")),
        1..=MAX_REASON_CHARS => Ok(reason),
        length => Err(ApiError::invalid(format!(
            "The reason has {length} characters; use at most {MAX_REASON_CHARS}"
        ))),
    }
}

/// Characters.
const MAX_REASON_CHARS: usize = 500;

pub(super) fn times(entry: &Entry) -> ClockTimes {
    ClockTimes {
        started_at: entry.started_at,
        ended_at: entry.ended_at,
        ro_number: entry.work.map(|work| work.order.get()),
        job_number: entry.work.map(|work| work.job),
    }
}

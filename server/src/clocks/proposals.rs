//! Corrections that technicians propose of their own entries. An Owner or Admin accepts or declines them.

use dispatch_actors::repair_order::TechnicianId;
use dispatch_actors::store::WriteTransaction;
use jiff::Timestamp;

use super::Clocks;
use super::api_types::{ClockEntry, ClockProposal, ClockTimes, ProposedEntry};
use super::arithmetic::Entry;
use super::corrections::{CorrectionRequest, EntryChange, times, work};
use super::store::{self, Correction, proposal};
use crate::change_request::AnswerKeeper;
use crate::error::{ApiError, ErrorCode};
use crate::moments::now;
use crate::repair_orders::api_types::By;

impl Clocks {
    /// Keeps how a technician says that an entry was, in the place of what they said before. It has to fit beside the
    /// other entries as it would when it is accepted.
    pub async fn propose(
        &self,
        request: CorrectionRequest,
        keeper: &AnswerKeeper,
    ) -> Result<ClockEntry, ApiError> {
        let CorrectionRequest {
            technician,
            by,
            reason,
            corrected,
        } = request;
        let EntryChange::Changed {
            id,
            started_at,
            ended_at,
            order,
            job,
        } = corrected
        else {
            return Err(ApiError::invalid(
                "Only a change of an entry can be proposed",
            ));
        };
        let _turn = self.commit_lock.lock().await;
        let transaction = store::begin(&self.store).await?;
        let now = now();
        let before = Entry::from(self.entry_of(&transaction, technician, id).await?);
        let order = order.unwrap_or_else(|| before.work.map(|work| work.order));
        let job = job.unwrap_or_else(|| before.work.map(|work| work.job));
        let Some(ended_at) = ended_at.or(before.ended_at) else {
            return Err(ApiError::invalid(
                "The entry runs: say when it ended (endedAt), or stop it first",
            ));
        };
        let proposed = Entry {
            started_at: started_at.unwrap_or(before.started_at),
            ended_at: Some(ended_at),
            work: work(order, job)?,
            ..before
        };
        if proposed.work != before.work
            && let Some(work) = proposed.work
        {
            self.order_of(work).await?;
        }
        self.fits(&transaction, technician, &proposed, now).await?;
        let row = proposal::Model {
            entry: id,
            technician,
            proposed_at: now.as_millisecond(),
            by_uid: by.uid,
            by_name: by.name,
            reason,
            started_at: proposed.started_at.as_millisecond(),
            ended_at: ended_at.as_millisecond(),
            ro_number: proposed.work.map(|work| work.order.get()),
            job_number: proposed.work.map(|work| work.job),
        };
        store::propose(&transaction, row).await?;
        self.commit_entry(transaction, technician, (id, Vec::new()), keeper)
            .await
    }

    /// Takes a proposal back.
    pub async fn withdraw(
        &self,
        technician: TechnicianId,
        id: i64,
        keeper: &AnswerKeeper,
    ) -> Result<ClockEntry, ApiError> {
        let _turn = self.commit_lock.lock().await;
        let transaction = store::begin(&self.store).await?;
        self.entry_of(&transaction, technician, id).await?;
        store::delete_proposal(&transaction, id).await?;
        self.commit_entry(transaction, technician, (id, Vec::new()), keeper)
            .await
    }

    /// Corrects the entry as it was proposed.
    pub async fn accept(
        &self,
        technician: TechnicianId,
        id: i64,
        by: By,
        keeper: &AnswerKeeper,
    ) -> Result<ClockEntry, ApiError> {
        let _turn = self.commit_lock.lock().await;
        let transaction = store::begin(&self.store).await?;
        self.entry_of(&transaction, technician, id).await?;
        let ClockProposal {
            by: proposer,
            reason,
            times,
            ..
        } = find_proposal(&transaction, id).await?;
        let ro_number = times.ro_number.map(TryFrom::try_from).transpose();
        let ro_number = ro_number.map_err(|_| ApiError::unavailable())?;
        let correction = CorrectionRequest {
            technician,
            by,
            reason: format!("{} ({})", reason, proposer.name),
            corrected: EntryChange::Changed {
                id,
                started_at: Some(times.started_at),
                ended_at: times.ended_at,
                order: Some(ro_number),
                job: Some(times.job_number),
            },
        };
        let changed = self.execute(&transaction, correction).await?;
        self.commit_entry(transaction, technician, changed, keeper)
            .await
    }

    /// The entry stays as it is; who declined and why is in its trail.
    pub async fn decline(
        &self,
        technician: TechnicianId,
        id: i64,
        by: By,
        reason: String,
        keeper: &AnswerKeeper,
    ) -> Result<ClockEntry, ApiError> {
        let _turn = self.commit_lock.lock().await;
        let transaction = store::begin(&self.store).await?;
        let entry = Entry::from(self.entry_of(&transaction, technician, id).await?);
        find_proposal(&transaction, id).await?;
        let declined = Correction {
            at: now(),
            by_uid: by.uid,
            by_name: by.name,
            reason,
            before: Some(times(&entry)),
            after: Some(times(&entry)),
        };
        store::correct(&transaction, id, &declined).await?;
        store::delete_proposal(&transaction, id).await?;
        self.commit_entry(transaction, technician, (id, Vec::new()), keeper)
            .await
    }

    /// Every entry with a proposal, the oldest proposal first.
    pub async fn proposed_entries(&self) -> Result<Vec<ProposedEntry>, ApiError> {
        let reader = self.store.reader();
        let mut proposed = Vec::new();
        for proposal in store::all_proposals(reader).await? {
            let row = store::any(reader, proposal.entry).await?;
            let shown = self.shown(reader, row.into_iter().collect()).await?;
            proposed.extend(shown.into_iter().map(|entry| ProposedEntry {
                technician_id: proposal.technician,
                entry,
            }));
        }
        Ok(proposed)
    }
}

/// 409 `no-proposal`.
async fn find_proposal(
    transaction: &WriteTransaction,
    entry: i64,
) -> Result<ClockProposal, ApiError> {
    let mut proposals = store::proposals_of(transaction, &[entry]).await?;
    let proposal = proposals.pop().ok_or_else(|| {
        ApiError::new(
            ErrorCode::NoProposal,
            "Nothing is proposed for this entry any more: it was decided or taken back",
        )
    })?;
    Ok(proposal.into())
}

impl From<proposal::Model> for ClockProposal {
    fn from(row: proposal::Model) -> Self {
        Self {
            at: moment(row.proposed_at),
            by: By {
                uid: row.by_uid,
                name: row.by_name,
            },
            reason: row.reason,
            times: ClockTimes {
                started_at: moment(row.started_at),
                ended_at: Some(moment(row.ended_at)),
                ro_number: row.ro_number,
                job_number: row.job_number,
            },
        }
    }
}

/// The database keeps milliseconds. No proposal was written with an impossible moment.
fn moment(milliseconds: i64) -> Timestamp {
    Timestamp::from_millisecond(milliseconds).unwrap_or_default()
}

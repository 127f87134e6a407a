//! Corrections that technicians propose of their own entries. An Owner or Admin accepts or declines them.

use std::collections::HashMap;

use dispatch_actors::repair_order::TechnicianId;
use dispatch_actors::store::WriteTransaction;

use super::Clocks;
use super::api_types::{ClockEntry, ClockProposal, ClockTimes, ProposedEntry};
use super::arithmetic::Entry;
use super::corrections::{CorrectionRequest, EntryChange, times, work};
use super::store::{self, Correction, Proposal};
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
        let proposal = Proposal {
            entry: id,
            technician,
            at: now,
            by,
            reason,
            started_at: proposed.started_at,
            ended_at,
            work: proposed.work,
        };
        store::replace_proposal(&transaction, proposal).await?;
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
        let proposal = find_proposal(&transaction, id).await?;
        let correction = CorrectionRequest {
            technician,
            by,
            reason: format!("{} ({})", proposal.reason, proposal.by.name),
            corrected: EntryChange::Changed {
                id,
                started_at: Some(proposal.started_at),
                ended_at: Some(proposal.ended_at),
                order: Some(proposal.work.map(|work| work.order)),
                job: Some(proposal.work.map(|work| work.job)),
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
        let proposals = store::all_proposals(reader).await?;
        let ids: Vec<i64> = proposals.iter().map(|proposal| proposal.entry).collect();
        let entries = self
            .shown(reader, store::entries_of(reader, &ids).await?)
            .await?;
        let mut entries: HashMap<i64, ClockEntry> = entries
            .into_iter()
            .map(|entry| (entry.entry_id, entry))
            .collect();
        let proposed = proposals.into_iter().filter_map(|proposal| {
            Some(ProposedEntry {
                technician_id: proposal.technician,
                entry: entries.remove(&proposal.entry)?,
            })
        });
        Ok(proposed.collect())
    }
}

/// 409 `no-proposal`.
async fn find_proposal(transaction: &WriteTransaction, entry: i64) -> Result<Proposal, ApiError> {
    let mut proposals = store::proposals_of(transaction, &[entry]).await?;
    proposals.pop().ok_or_else(|| {
        ApiError::new(
            ErrorCode::NoProposal,
            "Nothing is proposed for this entry any more: it was decided or taken back",
        )
    })
}

impl From<Proposal> for ClockProposal {
    fn from(proposal: Proposal) -> Self {
        Self {
            at: proposal.at,
            by: proposal.by,
            reason: proposal.reason,
            times: ClockTimes {
                started_at: proposal.started_at,
                ended_at: Some(proposal.ended_at),
                ro_number: proposal.work.map(|work| work.order.get()),
                job_number: proposal.work.map(|work| work.job),
            },
        }
    }
}

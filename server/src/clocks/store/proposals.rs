//! How technicians say that their entries were, until somebody decides.

use dispatch_actors::repair_order::{RoNumber, TechnicianId};
use dispatch_actors::store::WriteTransaction;
use jiff::Timestamp;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder,
};

use super::entities::{BATCH_SIZE, proposal, time};
use crate::clocks::arithmetic::Work;
use crate::repair_orders::api_types::By;

/// How a technician says that one of their entries was.
#[derive(Clone, Debug)]
pub struct Proposal {
    pub entry: i64,
    pub technician: TechnicianId,
    pub at: Timestamp,
    pub by: By,
    pub reason: String,
    pub started_at: Timestamp,
    pub ended_at: Timestamp,
    pub work: Option<Work>,
}

/// Keeps a proposal in the place of an earlier one for the same entry.
pub async fn replace_proposal(
    transaction: &WriteTransaction,
    proposal: Proposal,
) -> Result<(), DbErr> {
    delete_proposal(transaction, proposal.entry).await?;
    let row = proposal::Model::from(proposal);
    proposal::Entity::insert(row.into_active_model())
        .exec_without_returning(transaction)
        .await?;
    Ok(())
}

/// Changes nothing where there is none.
pub async fn delete_proposal(transaction: &WriteTransaction, entry: i64) -> Result<(), DbErr> {
    proposal::Entity::delete_by_id(entry)
        .exec(transaction)
        .await?;
    Ok(())
}

/// Those for these entries.
pub async fn proposals_of(
    connection: &impl ConnectionTrait,
    entries: &[i64],
) -> Result<Vec<Proposal>, DbErr> {
    let mut proposals = Vec::new();
    for some in entries.chunks(BATCH_SIZE) {
        let rows = proposal::Entity::find()
            .filter(proposal::Column::Entry.is_in(some.iter().copied()))
            .all(connection)
            .await?;
        proposals.extend(rows.into_iter().map(Proposal::from));
    }
    Ok(proposals)
}

/// All of them, the oldest first.
pub async fn all_proposals(connection: &impl ConnectionTrait) -> Result<Vec<Proposal>, DbErr> {
    let rows = proposal::Entity::find()
        .order_by_asc(proposal::Column::ProposedAt)
        .order_by_asc(proposal::Column::Entry)
        .all(connection)
        .await?;
    Ok(rows.into_iter().map(Proposal::from).collect())
}

impl From<Proposal> for proposal::Model {
    fn from(proposal: Proposal) -> Self {
        Self {
            entry: proposal.entry,
            technician: proposal.technician,
            proposed_at: proposal.at.as_millisecond(),
            by_uid: proposal.by.uid,
            by_name: proposal.by.name,
            reason: proposal.reason,
            started_at: proposal.started_at.as_millisecond(),
            ended_at: proposal.ended_at.as_millisecond(),
            ro_number: proposal.work.map(|work| work.order.get()),
            job_number: proposal.work.map(|work| work.job),
        }
    }
}

impl From<proposal::Model> for Proposal {
    fn from(row: proposal::Model) -> Self {
        let order = row.ro_number.map(RoNumber::try_from).and_then(Result::ok);
        let work = order.zip(row.job_number);
        Self {
            entry: row.entry,
            technician: row.technician,
            at: time(row.proposed_at),
            by: By {
                uid: row.by_uid,
                name: row.by_name,
            },
            reason: row.reason,
            started_at: time(row.started_at),
            ended_at: time(row.ended_at),
            work: work.map(|(order, job)| Work { order, job }),
        }
    }
}

//! How technicians say that their entries were, until somebody decides.

use dispatch_actors::store::WriteTransaction;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder,
};

use super::entities::{BATCH_SIZE, proposal};

/// In the place of an earlier one of the same entry.
pub async fn propose(
    transaction: &WriteTransaction,
    proposed: proposal::Model,
) -> Result<(), DbErr> {
    delete_proposal(transaction, proposed.entry).await?;
    proposal::Entity::insert(proposed.into_active_model())
        .exec_without_returning(transaction)
        .await?;
    Ok(())
}

/// False where there is none.
pub async fn delete_proposal(transaction: &WriteTransaction, entry: i64) -> Result<bool, DbErr> {
    let deleted = proposal::Entity::delete_by_id(entry)
        .exec(transaction)
        .await?;
    Ok(deleted.rows_affected == 1)
}

/// Those of these entries.
pub async fn proposals_of(
    connection: &impl ConnectionTrait,
    entries: &[i64],
) -> Result<Vec<proposal::Model>, DbErr> {
    let mut proposals = Vec::new();
    for some in entries.chunks(BATCH_SIZE) {
        let rows = proposal::Entity::find()
            .filter(proposal::Column::Entry.is_in(some.iter().copied()))
            .all(connection)
            .await?;
        proposals.extend(rows);
    }
    Ok(proposals)
}

/// All of them, the oldest first.
pub async fn all_proposals(
    connection: &impl ConnectionTrait,
) -> Result<Vec<proposal::Model>, DbErr> {
    proposal::Entity::find()
        .order_by_asc(proposal::Column::ProposedAt)
        .order_by_asc(proposal::Column::Entry)
        .all(connection)
        .await
}

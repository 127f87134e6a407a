//! The clocks of a sample shop.

use dispatch_actors::repair_order::TechnicianId;
use dispatch_actors::store::Store;
use sea_orm::sea_query::OnConflict;
use sea_orm::{DbErr, EntityTrait, IntoActiveModel};

use super::entities::{BATCH_SIZE, entry, finished};
use super::entries::{begin, highest, row};
use super::finished_jobs::Finished;
use crate::clocks::arithmetic::Entry;

/// Fills clocks that nobody has used yet, for a sample shop; leaves others unchanged.
pub async fn begin_with(
    store: &Store,
    entries: &[(TechnicianId, Entry)],
    finished: &[Finished],
) -> Result<(), DbErr> {
    let transaction = begin(store).await?;
    if highest(&transaction).await? > 0 {
        return transaction.rollback().await;
    }
    let rows: Vec<_> = (1..)
        .zip(entries)
        .map(|(id, (technician, entry))| row(id, *technician, entry, None).into_active_model())
        .collect();
    for some in rows.chunks(BATCH_SIZE / 10) {
        entry::Entity::insert_many(some.to_vec())
            .exec_without_returning(&transaction)
            .await?;
    }
    let rows: Vec<_> = finished
        .iter()
        .map(|finished| finished::Model::from(finished).into_active_model())
        .collect();
    for some in rows.chunks(BATCH_SIZE / 10) {
        finished::Entity::insert_many(some.to_vec())
            .on_conflict(OnConflict::new().do_nothing().to_owned())
            .exec_without_returning(&transaction)
            .await?;
    }
    transaction.commit().await
}

//! What clocks have of one customer: on which jobs they ran, and what somebody wrote about it.

use std::collections::BTreeMap;

use dispatch_actors::repair_order::RoNumber;
use dispatch_actors::store::Store;
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QuerySelect};
use serde_json::{Value, json};

use super::entities::{BATCH_SIZE, correction, entry, proposal, time};
use super::proposals::proposals_of;

/// The entries on these orders with their corrections, as JSON.
pub async fn rows_of_orders(store: &Store, orders: &[RoNumber]) -> Result<Vec<Value>, DbErr> {
    let mut entries = BTreeMap::new();
    for some in orders.chunks(BATCH_SIZE) {
        let rows = entry::Entity::find()
            .filter(entry::Column::RoNumber.is_in(some.iter().map(|number| number.get())))
            .all(store.reader())
            .await?;
        entries.extend(rows.into_iter().map(|row| (row.id, (row, Vec::new()))));
    }
    let ids: Vec<i64> = entries.keys().copied().collect();
    for some in ids.chunks(BATCH_SIZE) {
        let rows = correction::Entity::find()
            .filter(correction::Column::Entry.is_in(some.iter().copied()))
            .all(store.reader())
            .await?;
        for row in rows {
            if let Some((_, corrections)) = entries.get_mut(&row.entry) {
                corrections.push(json!({
                    "at": time(row.at),
                    "byName": row.by_name,
                    "reason": row.reason,
                }));
            }
        }
        for row in proposals_of(store.reader(), some).await? {
            if let Some((_, corrections)) = entries.get_mut(&row.entry) {
                corrections.push(json!({
                    "proposedAt": row.at,
                    "byName": row.by.name,
                    "reason": row.reason,
                }));
            }
        }
    }
    let shown = |(row, corrections): (entry::Model, Vec<Value>)| {
        json!({
            "roNumber": row.ro_number,
            "jobNumber": row.job_number,
            "technicianId": row.technician,
            "startedAt": time(row.started_at),
            "endedAt": row.ended_at.map(time),
            "corrections": corrections,
        })
    };
    Ok(entries.into_values().map(shown).collect())
}

/// Takes away why entries on this order were corrected, or are proposed to be; gives how many corrections there are.
pub async fn erase_reasons(
    connection: &impl ConnectionTrait,
    order: RoNumber,
) -> Result<u64, DbErr> {
    let ids: Vec<i64> = entry::Entity::find()
        .select_only()
        .column(entry::Column::Id)
        .filter(entry::Column::RoNumber.eq(order.get()))
        .into_tuple()
        .all(connection)
        .await?;
    let mut count = 0;
    for some in ids.chunks(BATCH_SIZE) {
        let erased = correction::Entity::update_many()
            .col_expr(correction::Column::Reason, Expr::value(""))
            .filter(correction::Column::Entry.is_in(some.iter().copied()))
            .exec(connection)
            .await?;
        count += erased.rows_affected;
        let erased = proposal::Entity::update_many()
            .col_expr(proposal::Column::Reason, Expr::value(""))
            .filter(proposal::Column::Entry.is_in(some.iter().copied()))
            .exec(connection)
            .await?;
        count += erased.rows_affected;
    }
    Ok(count)
}

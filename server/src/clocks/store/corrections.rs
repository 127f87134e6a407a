//! The trail of each entry: who corrected what, and why.

use std::collections::HashMap;

use dispatch_actors::store::WriteTransaction;
use jiff::Timestamp;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder,
    QuerySelect,
};

use super::entities::{BATCH_SIZE, correction, time};
use crate::clocks::api_types::ClockTimes;

/// An entry as it was corrected.
#[derive(Clone, Debug)]
pub struct Correction {
    pub at: Timestamp,
    pub by_uid: String,
    pub by_name: String,
    pub reason: String,
    pub before: Option<ClockTimes>,
    pub after: Option<ClockTimes>,
}

/// Adds to the trail of an entry.
pub async fn correct(
    transaction: &WriteTransaction,
    entry: i64,
    correction: &Correction,
) -> Result<(), DbErr> {
    let places: Vec<i32> = correction::Entity::find()
        .select_only()
        .column(correction::Column::Place)
        .filter(correction::Column::Entry.eq(entry))
        .into_tuple()
        .all(transaction)
        .await?;
    let json = |times: &Option<ClockTimes>| {
        let text = times.as_ref().map(serde_json::to_string).transpose();
        text.map_err(|error| DbErr::Custom(error.to_string()))
    };
    let row = correction::Model {
        entry,
        place: places.into_iter().max().unwrap_or(0) + 1,
        at: correction.at.as_millisecond(),
        by_uid: correction.by_uid.clone(),
        by_name: correction.by_name.clone(),
        reason: correction.reason.clone(),
        before: json(&correction.before)?,
        after: json(&correction.after)?,
    };
    correction::Entity::insert(row.into_active_model())
        .exec_without_returning(transaction)
        .await?;
    Ok(())
}

/// The trails of these entries, the oldest correction first.
pub async fn trails(
    connection: &impl ConnectionTrait,
    entries: &[i64],
) -> Result<HashMap<i64, Vec<Correction>>, DbErr> {
    let mut trails: HashMap<i64, Vec<Correction>> = HashMap::new();
    let times = |json: Option<String>| {
        let times = json.as_deref().map(serde_json::from_str).transpose();
        times.map_err(|error| DbErr::Custom(format!("a correction is damaged: {error}")))
    };
    for some in entries.chunks(BATCH_SIZE) {
        let rows = correction::Entity::find()
            .filter(correction::Column::Entry.is_in(some.iter().copied()))
            .order_by_asc(correction::Column::Entry)
            .order_by_asc(correction::Column::Place)
            .all(connection)
            .await?;
        for row in rows {
            trails.entry(row.entry).or_default().push(Correction {
                at: time(row.at),
                by_uid: row.by_uid,
                by_name: row.by_name,
                reason: row.reason,
                before: times(row.before)?,
                after: times(row.after)?,
            });
        }
    }
    Ok(trails)
}

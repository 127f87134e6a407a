//! Idempotency records: the answer that a request with an idempotency key was given, written in the
//! transaction of what it did, so that the same request sent again gets the same answer and does
//! nothing a second time. The table is called `receipts`.

use std::fmt;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, ExprTrait, IntoActiveModel, QueryFilter,
};

use super::rows::idempotency_records::{Column, Entity, Model};
use super::write::{Unwritten, in_blocks};
use super::{Decision, Event, Store, StoreError};
use crate::repair_order::RepairOrder;

/// How long the answer to a key is kept. The web's queue (`TOO_OLD_MS` in
/// `web/src/offline/queue.ts`) gives up on a request before that.
pub const IDEMPOTENCY_RECORD_TTL: SignedDuration = SignedDuration::from_hours(24);

/// One entry of a request that a client may send again.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IdempotencyRecordKey {
    pub uid: String,
    /// The client's own key.
    pub key: String,
    /// Which entry of the request, from 0.
    pub entry: i32,
    /// Of the whole request: the same key with another request is a mistake.
    pub request_hash: String,
}

/// Writes an answer down: the order after the change, and its events with their numbers.
pub type WriteAnswer = Arc<dyn Fn(&RepairOrder, &[Event]) -> String + Send + Sync>;

/// What to keep beside a change: the key, and how the answer is written once the events have
/// their numbers.
#[derive(Clone)]
pub struct IdempotencyRecord {
    pub key: IdempotencyRecordKey,
    pub answer: WriteAnswer,
}

impl fmt::Debug for IdempotencyRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("IdempotencyRecord").field(&self.key).finish()
    }
}

/// An answer that was given before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAnswer {
    pub request_hash: String,
    pub answer: String,
}

impl Store {
    /// The answers a key was given that have not expired, each with its entry.
    pub async fn idempotency_records(
        &self,
        uid: &str,
        key: &str,
    ) -> Result<Vec<(i32, StoredAnswer)>, StoreError> {
        let rows = Entity::find()
            .filter(Column::Uid.eq(uid))
            .filter(Column::Key.eq(key))
            .filter(Column::CreatedAt.gt(newest_expired()))
            .all(self.reader())
            .await?;
        Ok(rows
            .into_iter()
            .map(|row| {
                let stored = StoredAnswer {
                    request_hash: row.request_hash,
                    answer: row.answer,
                };
                (row.entry, stored)
            })
            .collect())
    }

    /// Keeps the answers to entries that were refused, and so have no transaction of their own.
    /// Gives how many were kept: the others were answered before.
    pub async fn keep_idempotency_records(
        &self,
        answers: Vec<(IdempotencyRecordKey, String)>,
    ) -> Result<u64, StoreError> {
        let rows = answers
            .into_iter()
            .map(|(key, answer)| row(&key, answer).into_active_model());
        let kept = Entity::insert_many(rows)
            .on_conflict(OnConflict::new().do_nothing().to_owned())
            .exec_without_returning(self.writer())
            .await?;
        Ok(kept)
    }

    /// Deletes what has expired; gives how many there were.
    pub async fn sweep_idempotency_records(&self) -> Result<u64, StoreError> {
        let deleted = Entity::delete_many()
            .filter(Column::CreatedAt.lte(newest_expired()))
            .exec(self.writer())
            .await?;
        Ok(deleted.rows_affected)
    }
}

/// Keeps an answer; a unique violation says that the same entry was answered before.
pub async fn keep_idempotency_record(
    connection: &impl ConnectionTrait,
    key: &IdempotencyRecordKey,
    answer: String,
) -> Result<(), DbErr> {
    // An expired record that is not swept yet makes room.
    Entity::delete_many()
        .filter(Column::Uid.eq(&key.uid))
        .filter(Column::Key.eq(&key.key))
        .filter(Column::CreatedAt.lte(newest_expired()))
        .exec(connection)
        .await?;
    Entity::insert(row(key, answer).into_active_model())
        .exec_without_returning(connection)
        .await?;
    Ok(())
}

/// Keeps the answers of decisions that come with an idempotency record, once their events have
/// numbers.
pub(super) async fn write_answers(
    transaction: &impl ConnectionTrait,
    decisions: &[Decision],
    written: &[Vec<Event>],
) -> Result<(), Unwritten> {
    let rows = decisions
        .iter()
        .zip(written)
        .filter_map(|(decision, events)| {
            let IdempotencyRecord { key, answer } = decision.idempotency_record.as_ref()?;
            Some(row(key, answer(&decision.after, events)))
        });
    for block in in_blocks(rows.collect()) {
        let count = block.len() as u64;
        let mut newer = OnConflict::columns([Column::Uid, Column::Key, Column::Entry]);
        // An expired record that is not swept yet makes room.
        newer
            .update_columns([Column::RequestHash, Column::Answer, Column::CreatedAt])
            .action_and_where(Expr::col((Entity, Column::CreatedAt)).lte(newest_expired()));
        let kept = Entity::insert_many(block.into_iter().map(Model::into_active_model))
            .on_conflict(newer)
            .exec_without_returning(transaction)
            .await?;
        if kept != count {
            return Err(Unwritten::Repeated);
        }
    }
    Ok(())
}

fn row(key: &IdempotencyRecordKey, answer: String) -> Model {
    Model {
        uid: key.uid.clone(),
        key: key.key.clone(),
        entry: key.entry,
        request_hash: key.request_hash.clone(),
        answer,
        created_at: Timestamp::now().as_millisecond(),
    }
}

/// Milliseconds since 1970: what was kept then or before has expired.
fn newest_expired() -> i64 {
    let ttl = IDEMPOTENCY_RECORD_TTL.as_secs() * 1_000;
    Timestamp::now().as_millisecond() - ttl
}

//! Committing decisions: one transaction for all that waits, numbered densely in commit order.
//!
//! A group is written together, with a few statements for all its rows, as if nothing could be
//! wrong with any of it. Where something is (another writer came first, a request is repeated, the
//! database refuses a row) the group is taken back and written once more decision by decision, each
//! under a savepoint, so that one refusal does not sink the others.

use std::slice;

use sea_orm::ActiveValue::Set;
use sea_orm::{ActiveModelTrait, ConnectionTrait, DbErr, EntityTrait, Statement};

use super::idempotency_records::write_answers;
use super::order_rows::write_orders;
use super::other_servers::CHANNEL;
use super::rows::events;
use super::{Decision, Event, Seq, Store, StoreError, Verdict};
use crate::repair_order::Change;

/// Rows in one statement; more are no cheaper each.
const ROWS_AT_ONCE: usize = 64;

/// Fewer than this are written in one statement, however many they are.
const FEW: usize = 8;

/// Why decisions could not be written. Of a single one it is what became of it.
pub(super) enum Unwritten {
    /// An order is no longer at the version that was decided on.
    Lost,
    /// A request was carried out before.
    Repeated,
    Failed(StoreError),
}

impl<E: Into<StoreError>> From<E> for Unwritten {
    fn from(error: E) -> Self {
        Unwritten::Failed(error.into())
    }
}

impl From<Unwritten> for Verdict {
    fn from(unwritten: Unwritten) -> Self {
        match unwritten {
            Unwritten::Lost => Verdict::Lost,
            Unwritten::Repeated => Verdict::Repeated,
            Unwritten::Failed(error) => Verdict::Failed(error),
        }
    }
}

impl Store {
    /// Commits a group, at most one decision per order.
    ///
    /// On `Err` nothing may be acknowledged: nothing was committed, or the outcome is unknown.
    /// `WentBack` where the log is another than the announced one.
    pub async fn commit(&self, group: &[Decision]) -> Result<Vec<Verdict>, StoreError> {
        let committed = match self.holds_locked(group) {
            true => self.commit_one_by_one(group).await,
            false => self.commit_together(group).await,
        };
        match &committed {
            Ok(verdicts) if is_any_committed(verdicts) => self.status.saved(),
            Ok(_) | Err(StoreError::WentBack) => {}
            Err(error) => {
                // A connection that is opened anew would not be to a lost file.
                if !self.is_file_lost() {
                    self.suspect.raise();
                }
                self.status.not_saved(error);
            }
        }
        committed
    }

    async fn commit_together(&self, group: &[Decision]) -> Result<Vec<Verdict>, StoreError> {
        let transaction = self.begin_write().await?;
        let written = match write(&transaction, self, group).await {
            Ok(written) => written,
            Err(_) => {
                transaction.rollback().await?;
                return self.commit_one_by_one(group).await;
            }
        };
        transaction.commit().await?;
        Ok(written.into_iter().map(Verdict::Committed).collect())
    }

    async fn commit_one_by_one(&self, group: &[Decision]) -> Result<Vec<Verdict>, StoreError> {
        let transaction = self.begin_write().await?;
        // The counter comes before any order, here too.
        raise_top(&transaction, self, 0).await?;
        let locked = self.find_locked(&transaction, group).await?;
        let mut verdicts = Vec::with_capacity(group.len());
        for decision in group {
            if locked.contains(&decision.after.number) {
                verdicts.push(Verdict::Failed(StoreError::Locked(decision.after.number)));
                continue;
            }
            let savepoint = transaction.savepoint().await?;
            let written = write(&savepoint, self, slice::from_ref(decision)).await;
            verdicts.push(match written {
                Ok(mut written) => {
                    savepoint.commit().await?;
                    Verdict::Committed(written.pop().unwrap_or_default())
                }
                Err(unwritten) => {
                    savepoint.rollback().await?;
                    unwritten.into()
                }
            });
        }
        transaction.commit().await?;
        Ok(verdicts)
    }
}

/// Whether events were written, and with them the log.
fn is_any_committed(verdicts: &[Verdict]) -> bool {
    let mut verdicts = verdicts.iter();
    verdicts.any(|verdict| matches!(verdict, Verdict::Committed(events) if !events.is_empty()))
}

/// Writes decisions, all or none, and gives the events of each. Numbered in the order they came in,
/// which is what people saw happen. On `Err` the transaction holds some of it, or is unusable.
///
/// The counter comes first: only the process that holds its row commits, so that two
/// processes cannot lock each other out, whatever orders they change.
async fn write(
    transaction: &impl ConnectionTrait,
    store: &Store,
    decisions: &[Decision],
) -> Result<Vec<Vec<Event>>, Unwritten> {
    let count: usize = decisions.iter().map(|one| one.changes.len()).sum();
    // Where only idempotency records are kept the counter is left alone.
    let mut seq = match count {
        0 => 0,
        _ => raise_top(transaction, store, count as Seq).await? - count as Seq,
    };
    let written: Vec<Vec<Event>> = decisions
        .iter()
        .map(|decision| number_events(decision, &mut seq))
        .collect();
    write_answers(transaction, decisions, &written).await?;
    write_orders(transaction, decisions).await?;
    let rows: Result<Vec<_>, _> = written.iter().flatten().map(event_row).collect();
    insert(transaction, rows?).await?;
    Ok(written)
}

/// In blocks of few sizes: a statement's text says how many rows it has, and only so many texts
/// stay prepared.
pub(super) fn in_blocks<T>(rows: Vec<T>) -> impl Iterator<Item = Vec<T>> {
    let mut rows = rows.into_iter();
    std::iter::from_fn(move || {
        let block = match rows.len().min(ROWS_AT_ONCE) {
            0 => return None,
            few @ 1..FEW => few,
            many => many - many % FEW,
        };
        Some(rows.by_ref().take(block).collect())
    })
}

/// Inserts rows, if there are any; a model read back would cost a round trip and is not needed.
pub(super) async fn insert<A>(transaction: &impl ConnectionTrait, rows: Vec<A>) -> Result<(), DbErr>
where
    A: ActiveModelTrait + Send,
{
    for block in in_blocks(rows) {
        A::Entity::insert_many(block)
            .exec_without_returning(transaction)
            .await?;
    }
    Ok(())
}

/// Raises the counter by `count` and gives its new value. Holding this row until the commit is what
/// makes the numbers commit-ordered. `WentBack` where it is not the counter of the log that was
/// announced, or ends before. Other servers hear of it with the commit.
pub(super) async fn raise_top(
    transaction: &impl ConnectionTrait,
    store: &Store,
    count: Seq,
) -> Result<Seq, StoreError> {
    let status = &store.status;
    let raise =
        "UPDATE event_log SET top = top + $1 WHERE id = 1 AND generation = $2 RETURNING top";
    let mut values: Vec<sea_orm::Value> = vec![count.into(), status.generation().as_ref().into()];
    let sql = match store.others.log_payload() {
        None => raise.to_owned(),
        Some(payload) => {
            values.extend([CHANNEL.into(), payload.into()]);
            format!("{raise}, pg_notify($3, $4)")
        }
    };
    let backend = transaction.get_database_backend();
    let statement = Statement::from_sql_and_values(backend, sql, values);
    let row = transaction.query_one_raw(statement).await?;
    let top: Seq = row.ok_or(StoreError::WentBack)?.try_get("", "top")?;
    if top - count < status.announced().seq {
        return Err(StoreError::WentBack);
    }
    Ok(top)
}

fn number_events(decision: &Decision, seq: &mut Seq) -> Vec<Event> {
    let number_one = |(version, change): (i64, &Change)| {
        *seq += 1;
        Event {
            seq: *seq,
            number: decision.after.number,
            version,
            change: change.clone(),
            by: decision.by.clone(),
            request: decision.request.clone(),
            at: decision.at,
        }
    };
    (decision.before + 1..)
        .zip(&decision.changes)
        .map(number_one)
        .collect()
}

pub(super) fn event_row(event: &Event) -> Result<events::ActiveModel, StoreError> {
    let change = serde_json::to_string(&event.change).map_err(|error| StoreError::Damaged {
        number: event.number.get(),
        what: error.to_string(),
    })?;
    Ok(events::ActiveModel {
        seq: Set(event.seq),
        ro_number: Set(event.number.get()),
        version: Set(event.version),
        action: Set(event.action().name().to_owned()),
        technician: Set(event.change.technician()),
        at: Set(event.at.as_millisecond()),
        by_uid: Set(event.by.uid.clone()),
        by_name: Set(event.by.name.clone()),
        channel: Set(event.by.channel.name().to_owned()),
        request: Set(event.request.clone()),
        change: Set(change),
    })
}

#[cfg(test)]
mod tests {
    use super::in_blocks;

    #[test]
    fn blocks_have_few_sizes_and_lose_nothing() {
        for (rows, expected) in [
            (0, vec![]),
            (1, vec![1]),
            (7, vec![7]),
            (8, vec![8]),
            (29, vec![24, 5]),
            (150, vec![64, 64, 16, 6]),
        ] {
            let blocks: Vec<Vec<usize>> = in_blocks((0..rows).collect()).collect();
            let sizes: Vec<usize> = blocks.iter().map(Vec::len).collect();
            assert_eq!(sizes, expected, "{rows} rows");
            assert!(blocks.into_iter().flatten().eq(0..rows));
        }
    }
}

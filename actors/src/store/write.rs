//! Committing decisions: one transaction for all that waits, numbered densely in commit order.

use sea_orm::ActiveValue::Set;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait,
    IntoActiveModel, QueryFilter, SqlErr, SqliteTransactionMode, Statement, TransactionOptions,
    TransactionTrait,
};

use super::read::{ETL, REGULAR};
use super::receipts::{keep_receipt, write_answer};
use super::rows::{
    events, job_assignments, jobs, operations, repair_orders, technician_assignments,
};
use super::{Decision, Event, Seq, Store, StoreError, Verdict};
use crate::repair_order::{Change, RepairOrder};

/// Rows in one INSERT; ten columns each stay below SQLite's 32,766 parameters.
const ROWS_AT_ONCE: usize = 1_000;

impl Store {
    /// Commits a group, at most one decision per order. The rows are changed in RO order, so that
    /// two processes cannot lock each other out; each decision under a savepoint, so that one
    /// refusal does not sink the others; then the counter is raised and the events written.
    ///
    /// On `Err` nothing may be acknowledged: the outcome is none, or not known.
    pub async fn commit(&self, group: &[Decision]) -> Result<Vec<Verdict>, StoreError> {
        let mut order: Vec<usize> = (0..group.len()).collect();
        order.sort_by_key(|&index| group[index].after.number);

        let transaction = self.begin_write().await?;
        let mut verdicts: Vec<Option<Verdict>> = group.iter().map(|_| None).collect();
        let mut written = Vec::with_capacity(group.len());
        for index in order {
            match write_decision(&transaction, &group[index]).await? {
                Ok(()) => written.push(index),
                Err(verdict) => verdicts[index] = Some(verdict),
            }
        }
        // Numbered in the order they came in, which is what people saw happen.
        written.sort_unstable();
        if written.is_empty() {
            transaction.rollback().await?;
        } else {
            let count = written
                .iter()
                .map(|&index| group[index].changes.len())
                .sum::<usize>();
            // Where only receipts are kept the counter is left alone.
            let mut seq = match count {
                0 => 0,
                _ => raise_top(&transaction, count as Seq).await? - count as Seq,
            };
            let mut rows = Vec::with_capacity(count);
            for index in written {
                let decision = &group[index];
                let events = number_events(decision, &mut seq);
                for event in &events {
                    rows.push(event_row(event)?);
                }
                if let Some(receipt) = &decision.receipt {
                    let answer = (receipt.answer)(&decision.after, &events);
                    write_answer(&transaction, &receipt.key, answer).await?;
                }
                verdicts[index] = Some(Verdict::Committed(events));
            }
            insert(&transaction, rows).await?;
            transaction.commit().await?;
        }
        Ok(verdicts
            .into_iter()
            .map(|verdict| verdict.unwrap_or(Verdict::Lost))
            .collect())
    }

    /// SQLite takes the write lock at once; a deferred one can fail when it turns to writing.
    pub async fn begin_write(&self) -> Result<DatabaseTransaction, DbErr> {
        self.writer()
            .begin_with_options(TransactionOptions {
                sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
                ..Default::default()
            })
            .await
    }
}

/// `Err` outside: the whole transaction is unusable. `Err` inside: this decision alone is.
async fn write_decision(
    transaction: &DatabaseTransaction,
    decision: &Decision,
) -> Result<Result<(), Verdict>, DbErr> {
    let savepoint = transaction.begin().await?;
    if let Some(receipt) = &decision.receipt
        && let Err(error) = keep_receipt(&savepoint, &receipt.key, String::new()).await
    {
        savepoint.rollback().await?;
        return Ok(Err(match error.sql_err() {
            Some(SqlErr::UniqueConstraintViolation(_)) => Verdict::Repeated,
            _ => Verdict::Failed(error.into()),
        }));
    }
    match write_rows(&savepoint, decision).await {
        Ok(true) => {
            savepoint.commit().await?;
            Ok(Ok(()))
        }
        Ok(false) => {
            savepoint.rollback().await?;
            Ok(Err(Verdict::Lost))
        }
        Err(error) => {
            savepoint.rollback().await?;
            let created_twice = decision.before == 0
                && matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_)));
            Ok(Err(if created_twice {
                Verdict::Lost
            } else {
                Verdict::Failed(error.into())
            }))
        }
    }
}

/// False when the order is no longer at the version that was decided on.
async fn write_rows(transaction: &DatabaseTransaction, decision: &Decision) -> Result<bool, DbErr> {
    if decision.changes.is_empty() {
        return Ok(true);
    }
    let order = &*decision.after;
    let head = head_row(order).into_active_model();
    if decision.before == 0 {
        insert(transaction, vec![head]).await?;
        write_technicians(transaction, order).await?;
        write_jobs(transaction, order).await?;
        return Ok(true);
    }
    let updated = repair_orders::Entity::update_many()
        .set(head.reset_all())
        .filter(repair_orders::Column::Number.eq(order.number.get()))
        .filter(repair_orders::Column::Version.eq(decision.before))
        .exec(transaction)
        .await?;
    if updated.rows_affected == 0 {
        return Ok(false);
    }
    let touches = |test: fn(&Change) -> bool| decision.changes.iter().any(test);
    if touches(changes_technicians) {
        technician_assignments::Entity::delete_many()
            .filter(technician_assignments::Column::RoNumber.eq(order.number.get()))
            .exec(transaction)
            .await?;
        write_technicians(transaction, order).await?;
    }
    if touches(changes_jobs) {
        delete_jobs(transaction, order.number.get()).await?;
        write_jobs(transaction, order).await?;
    }
    Ok(true)
}

fn changes_technicians(change: &Change) -> bool {
    match change {
        Change::TechnicianAssigned { .. } | Change::TechnicianUnassigned { .. } => true,
        Change::Imported { fields } => fields.etl_technicians.is_some(),
        _ => false,
    }
}

fn changes_jobs(change: &Change) -> bool {
    match change {
        Change::JobEdited { .. } => true,
        Change::Imported { fields } => !fields.jobs.is_empty(),
        _ => false,
    }
}

async fn delete_jobs(transaction: &DatabaseTransaction, number: i64) -> Result<(), DbErr> {
    jobs::Entity::delete_many()
        .filter(jobs::Column::RoNumber.eq(number))
        .exec(transaction)
        .await?;
    operations::Entity::delete_many()
        .filter(operations::Column::RoNumber.eq(number))
        .exec(transaction)
        .await?;
    job_assignments::Entity::delete_many()
        .filter(job_assignments::Column::RoNumber.eq(number))
        .exec(transaction)
        .await?;
    Ok(())
}

async fn write_technicians(
    transaction: &DatabaseTransaction,
    order: &RepairOrder,
) -> Result<(), DbErr> {
    let sources = [
        (REGULAR, &order.regular_technicians),
        (ETL, &order.etl_technicians),
    ];
    let rows = sources.into_iter().flat_map(|(source, technicians)| {
        (0..).zip(technicians).map(move |(position, assigned)| {
            technician_assignments::Model {
                ro_number: order.number.get(),
                source: source.to_owned(),
                position,
                technician: assigned.technician,
                name: assigned.name.clone(),
            }
            .into_active_model()
        })
    });
    insert(transaction, rows.collect()).await
}

async fn write_jobs(transaction: &DatabaseTransaction, order: &RepairOrder) -> Result<(), DbErr> {
    let ro_number = order.number.get();
    let mut job_rows = Vec::new();
    let mut operation_rows = Vec::new();
    let mut assignment_rows = Vec::new();
    for job in &order.jobs {
        let job_number = job.job_number;
        job_rows.push(
            jobs::Model {
                ro_number,
                job_number,
                concern: job.concern.clone(),
                cause: job.cause.clone(),
                brief_tech_notes: job.brief_tech_notes.clone(),
                tech_story: job.tech_story.clone(),
            }
            .into_active_model(),
        );
        operation_rows.extend((0..).zip(&job.operations).map(|(position, operation)| {
            operations::Model {
                ro_number,
                job_number,
                position,
                code: operation.operation_code.clone(),
                description: operation.operation_description.clone(),
            }
            .into_active_model()
        }));
        assignment_rows.extend((0..).zip(&job.assignments).map(|(position, assignment)| {
            job_assignments::Model {
                ro_number,
                job_number,
                position,
                source: assignment.source.clone(),
                first_name: assignment.first_name.clone(),
            }
            .into_active_model()
        }));
    }
    insert(transaction, job_rows).await?;
    insert(transaction, operation_rows).await?;
    insert(transaction, assignment_rows).await
}

/// Inserts rows, if there are any; a model read back would cost a round trip and is not needed.
async fn insert<A>(transaction: &DatabaseTransaction, rows: Vec<A>) -> Result<(), DbErr>
where
    A: ActiveModelTrait + Send,
{
    let mut rows = rows.into_iter().peekable();
    while rows.peek().is_some() {
        let chunk: Vec<A> = rows.by_ref().take(ROWS_AT_ONCE).collect();
        A::Entity::insert_many(chunk)
            .exec_without_returning(transaction)
            .await?;
    }
    Ok(())
}

/// Raises the counter by `count` and gives its new value. Holding this row until the commit is what
/// makes the numbers commit-ordered.
async fn raise_top(transaction: &DatabaseTransaction, count: Seq) -> Result<Seq, StoreError> {
    let statement = Statement::from_string(
        transaction.get_database_backend(),
        format!("UPDATE event_log SET top = top + {count} WHERE id = 1 RETURNING top"),
    );
    let row = transaction.query_one_raw(statement).await?;
    match row {
        Some(row) => Ok(row.try_get("", "top")?),
        None => Err(StoreError::Damaged {
            number: 0,
            what: "the event counter is gone".to_owned(),
        }),
    }
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

fn event_row(event: &Event) -> Result<events::ActiveModel, StoreError> {
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

fn head_row(order: &RepairOrder) -> repair_orders::Model {
    repair_orders::Model {
        number: order.number.get(),
        version: order.version,
        dms_number: order.dms_number.clone(),
        vin: order.vin.clone(),
        vehicle: order.vehicle.clone(),
        customer: order.customer.clone(),
        advisor: order.advisor.clone(),
        opened_at: order.opened_at.as_millisecond(),
        promised_at: order.promised_at.map(|at| at.as_millisecond()),
        closed_at: order.closed_at.map(|at| at.as_millisecond()),
        reopened_at: order.reopened_at.map(|at| at.as_millisecond()),
        customer_status: order.customer_status.clone(),
        app_customer_status: order
            .app_customer_status
            .map(|status| status.name().to_owned()),
        priority: order.priority.name().to_owned(),
    }
}

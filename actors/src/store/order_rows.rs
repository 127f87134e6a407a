//! The rows of orders: what a group of decisions changes of them, a few statements for all.

use sea_orm::sea_query::{Alias, Expr, IntoIden, OnConflict, Query, TableRef, ValueTuple};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, ExprTrait, IntoActiveModel,
    QueryFilter, Statement, Value,
};

use super::Decision;
use super::read::{ETL, REGULAR};
use super::rows::{
    job_assignments, jobs, operations, progress_text, repair_orders, technician_assignments,
};
use super::search;
use super::write::{Unwritten, in_blocks, insert};
use crate::repair_order::{Change, RepairOrder, SoldHours};

/// Every row is changed only at the version that its decision was made on.
pub(super) async fn write_orders(
    transaction: &impl ConnectionTrait,
    decisions: &[Decision],
) -> Result<(), Unwritten> {
    let mut created = Vec::new();
    let mut updates = Vec::new();
    let mut technicians = Vec::new();
    let mut jobs = Vec::new();
    let mut searched = Vec::new();
    let mut progressed = Vec::new();
    for decision in decisions.iter().filter(|one| !one.changes.is_empty()) {
        let order = &*decision.after;
        let touches = |test: fn(&Change) -> bool| decision.changes.iter().any(test);
        if decision.before == 0 {
            created.push(order);
            continue;
        }
        if touches(changes_head) {
            write_head(transaction, decision).await?;
        } else {
            updates.push(decision);
            if touches(changes_progress) {
                progressed.push(order);
            }
        }
        if touches(changes_technicians) {
            technicians.push(order);
        }
        if touches(changes_jobs) {
            jobs.push(order);
        }
        if touches(search::changes_texts) {
            searched.push(order);
        }
    }
    for block in in_blocks(updates) {
        move_heads(transaction, &block).await?;
    }
    // After the heads: the versions are the ones that were decided on, and their rows are locked.
    for block in in_blocks(progressed) {
        write_progress(transaction, &block).await?;
    }
    delete_technicians(transaction, &technicians).await?;
    delete_jobs(transaction, &jobs).await?;
    create_heads(transaction, &created).await?;
    technicians.extend(&created);
    jobs.extend(&created);
    searched.extend(&created);
    write_technicians(transaction, &technicians).await?;
    write_jobs(transaction, &jobs).await?;
    search::write_texts(transaction, &searched).await?;
    Ok(())
}

/// Whether it changes more of the head row than its version, status and priority.
fn changes_head(change: &Change) -> bool {
    matches!(
        change,
        Change::Imported { .. }
            | Change::Closed { .. }
            | Change::Reopened { .. }
            | Change::CustomerErased { .. }
    )
}

fn changes_progress(change: &Change) -> bool {
    matches!(
        change,
        Change::StageChanged { .. }
            | Change::HoldStarted { .. }
            | Change::HoldChanged { .. }
            | Change::HoldEnded { .. }
            | Change::WorkReported { .. }
            | Change::CustomerCalled { .. }
    )
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
        Change::JobEdited { .. } | Change::CustomerErased { .. } => true,
        Change::Imported { fields } => !fields.jobs.is_empty(),
        _ => false,
    }
}

async fn create_heads(
    transaction: &impl ConnectionTrait,
    orders: &[&RepairOrder],
) -> Result<(), Unwritten> {
    for block in in_blocks(orders.to_vec()) {
        let count = block.len() as u64;
        let rows = block
            .into_iter()
            .map(|order| repair_orders::Model::from(order).into_active_model());
        let created = repair_orders::Entity::insert_many(rows)
            .on_conflict(OnConflict::new().do_nothing().to_owned())
            .exec_without_returning(transaction)
            .await?;
        if created != count {
            return Err(Unwritten::Lost);
        }
    }
    Ok(())
}

async fn write_head(
    transaction: &impl ConnectionTrait,
    decision: &Decision,
) -> Result<(), Unwritten> {
    let order = &*decision.after;
    let updated = repair_orders::Entity::update_many()
        .set(
            repair_orders::Model::from(order)
                .into_active_model()
                .reset_all(),
        )
        .filter(repair_orders::Column::Number.eq(order.number.get()))
        .filter(repair_orders::Column::Version.eq(decision.before))
        .exec(transaction)
        .await?;
    if updated.rows_affected == 1 {
        Ok(())
    } else {
        Err(Unwritten::Lost)
    }
}

/// Sets what most changes change of the head rows, the same number of columns for each: version,
/// status and priority. Not naming the other columns leaves their index alone.
async fn move_heads(
    transaction: &impl ConnectionTrait,
    block: &[&Decision],
) -> Result<(), Unwritten> {
    let moved = match block {
        [one] => move_head(transaction, one).await?,
        _ => move_listed_heads(transaction, block).await?,
    };
    if moved == block.len() as u64 {
        Ok(())
    } else {
        Err(Unwritten::Lost)
    }
}

/// How many rows that was. To SQLite a list of values is a table, which it would build for one row, too.
async fn move_head(transaction: &impl ConnectionTrait, decision: &Decision) -> Result<u64, DbErr> {
    let statement = Statement::from_sql_and_values(
        transaction.get_database_backend(),
        "UPDATE repair_orders SET version = $3, app_customer_status = $4, priority = $5 \
         WHERE number = $1 AND version = $2",
        moved_values(decision),
    );
    let moved = transaction.execute_raw(statement).await?;
    Ok(moved.rows_affected())
}

async fn move_listed_heads(
    transaction: &impl ConnectionTrait,
    block: &[&Decision],
) -> Result<u64, DbErr> {
    use repair_orders::{Column, Entity};
    let rows = block
        .iter()
        .map(|decision| ValueTuple::Many(moved_values(decision).into()));
    let list_name = Alias::new("moved").into_iden();
    // Both databases call the columns of a list of values so.
    let column = |name: &'static str| Expr::col((list_name.clone(), Alias::new(name)));
    let update = Query::update()
        .table(Entity)
        .value(Column::Version, column("column3"))
        .value(Column::AppCustomerStatus, column("column4"))
        .value(Column::Priority, column("column5"))
        .from(TableRef::ValuesList(rows.collect(), list_name.clone()))
        .and_where(Expr::col((Entity, Column::Number)).eq(column("column1")))
        .and_where(Expr::col((Entity, Column::Version)).eq(column("column2")))
        .to_owned();
    let moved = transaction.execute(&update).await?;
    Ok(moved.rows_affected())
}

/// The order's number, its version before, and its new version, status and priority.
fn moved_values(decision: &Decision) -> [Value; 5] {
    let order = &*decision.after;
    let status = order.app_customer_status.map(|status| status.name());
    [
        order.number.get().into(),
        decision.before.into(),
        order.version.into(),
        status.into(),
        order.priority.name().into(),
    ]
}

/// One statement for all, which a shop without stages never needs.
async fn write_progress(
    transaction: &impl ConnectionTrait,
    block: &[&RepairOrder],
) -> Result<(), DbErr> {
    use repair_orders::{Column, Entity};
    let rows = block.iter().map(|order| {
        let progress = progress_text(&order.progress);
        ValueTuple::Many(vec![order.number.get().into(), progress.into()])
    });
    let list_name = Alias::new("progressed").into_iden();
    let column = |name: &'static str| Expr::col((list_name.clone(), Alias::new(name)));
    let update = Query::update()
        .table(Entity)
        .value(Column::Progress, column("column2"))
        .from(TableRef::ValuesList(rows.collect(), list_name.clone()))
        .and_where(Expr::col((Entity, Column::Number)).eq(column("column1")))
        .to_owned();
    transaction.execute(&update).await?;
    Ok(())
}

async fn delete_technicians(
    transaction: &impl ConnectionTrait,
    orders: &[&RepairOrder],
) -> Result<(), DbErr> {
    for block in in_blocks(numbers(orders)) {
        technician_assignments::Entity::delete_many()
            .filter(technician_assignments::Column::RoNumber.is_in(block))
            .exec(transaction)
            .await?;
    }
    Ok(())
}

async fn delete_jobs(
    transaction: &impl ConnectionTrait,
    orders: &[&RepairOrder],
) -> Result<(), DbErr> {
    for block in in_blocks(numbers(orders)) {
        jobs::Entity::delete_many()
            .filter(jobs::Column::RoNumber.is_in(block.clone()))
            .exec(transaction)
            .await?;
        operations::Entity::delete_many()
            .filter(operations::Column::RoNumber.is_in(block.clone()))
            .exec(transaction)
            .await?;
        job_assignments::Entity::delete_many()
            .filter(job_assignments::Column::RoNumber.is_in(block))
            .exec(transaction)
            .await?;
    }
    Ok(())
}

fn numbers(orders: &[&RepairOrder]) -> Vec<i64> {
    orders.iter().map(|order| order.number.get()).collect()
}

async fn write_technicians(
    transaction: &impl ConnectionTrait,
    orders: &[&RepairOrder],
) -> Result<(), DbErr> {
    let rows = orders.iter().flat_map(|order| {
        let sources = [
            (REGULAR, &order.regular_technicians),
            (ETL, &order.etl_technicians),
        ];
        sources.into_iter().flat_map(move |(source, technicians)| {
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
        })
    });
    insert(transaction, rows.collect()).await
}

async fn write_jobs(
    transaction: &impl ConnectionTrait,
    orders: &[&RepairOrder],
) -> Result<(), DbErr> {
    let mut job_rows = Vec::new();
    let mut operation_rows = Vec::new();
    let mut assignment_rows = Vec::new();
    let jobs = orders
        .iter()
        .flat_map(|order| order.jobs.iter().map(|job| (order.number.get(), job)));
    for (ro_number, job) in jobs {
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
                sold_hundredths: operation.sold_hours.map(SoldHours::hundredths),
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

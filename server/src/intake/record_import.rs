//! A record of a file, sent to its order's supervisor like any other change.

use std::sync::Arc;
use std::time::Duration;

use dispatch_actors::repair_order::{Change, Command, ImportedOrder, RepairOrder, RoNumber};
use dispatch_actors::store::Author;
use dispatch_actors::supervisor::{Execute, Failure, Outcome};
use dispatch_actors::text::quotable;
use dispatch_intake::{Record, Reject};
use jiff::Timestamp;

use super::dms_numbers::NamedStage;
use super::file_import::ImportError;
use super::state::IntakeState;

/// Pauses between the attempts to save a record while the database does not answer.
const RETRY_PAUSES: [Duration; 3] = [
    Duration::from_millis(500),
    Duration::from_secs(1),
    Duration::from_secs(2),
];

/// What became of a record.
pub(super) enum RecordOutcome {
    Created,
    Changed,
    Unchanged,
    Rejected(Box<Reject>),
}

/// What became of a record, and of the stage that it names.
pub(super) struct RecordReport {
    pub(super) outcome: RecordOutcome,
    /// It names a stage, and files do not say in this shop where orders stand.
    pub(super) leaves_stage_out: bool,
    /// A sentence about a stage that the shop does not have.
    pub(super) warning: Option<String>,
}

pub(super) async fn import_record(
    state: &IntakeState,
    record: Record,
    by: &Author,
    dry_run: bool,
) -> Result<RecordReport, ImportError> {
    let Record {
        place,
        number,
        mut order,
        continues,
        technicians_without_number,
        stage,
        raw,
        ..
    } = record;
    // Held until the command is executed, so that no new match of a number comes in between.
    let resolved = state
        .matches
        .resolve(
            number,
            &mut order,
            &technicians_without_number,
            stage.as_deref(),
        )
        .await;
    let named_stage = resolved.named_stage();
    let leaves_stage_out = *named_stage == NamedStage::LeftOut;
    let warning = match named_stage {
        NamedStage::Unknown(name) => Some(unknown_stage(&place, name)),
        NamedStage::LeftOut | NamedStage::Settled => None,
    };
    let report = |outcome| RecordReport {
        outcome,
        leaves_stage_out,
        warning,
    };
    let mut retry_pauses = RETRY_PAUSES.into_iter();
    let executed = loop {
        let executed = execute(state, number, &mut order, continues, by, dry_run).await;
        let Err(Failure::Unavailable) = executed else {
            break executed;
        };
        match retry_pauses.next() {
            Some(pause) => tokio::time::sleep(pause).await,
            None => return Err(ImportError::Unavailable),
        }
    };
    let (changes, order) = match executed {
        Ok(done) => done,
        Err(failure) => {
            return Ok(report(RecordOutcome::Rejected(Box::new(Reject {
                place,
                field: "repairOrderNumber".to_owned(),
                reason: failure.to_string(),
                raw,
            }))));
        }
    };
    let outcome = match &changes[..] {
        [] => RecordOutcome::Unchanged,
        [Change::Created { .. }, ..] => RecordOutcome::Created,
        _ => RecordOutcome::Changed,
    };
    if let Some(order) = order {
        let is_new = matches!(outcome, RecordOutcome::Created);
        resolved.save_notes(&order, is_new, continues).await;
    }
    Ok(report(outcome))
}

fn unknown_stage(place: &str, name: &str) -> String {
    format!(
        "{place}: the shop has no stage '{}', so the order stays where it stands; name a stage as the shop's list does, \
         or match the name (unmatched numbers)",
        quotable(name)
    )
}

/// What the record changes, and the order as it is then; a dry run gives no order.
async fn execute(
    state: &IntakeState,
    number: RoNumber,
    order: &mut ImportedOrder,
    continues: bool,
    by: &Author,
    dry_run: bool,
) -> Result<(Vec<Change>, Option<Arc<RepairOrder>>), Failure> {
    if continues {
        add_earlier_lists(state, number, order).await?;
    }
    let command = Command::Import(Box::new(order.clone()));
    if dry_run {
        return Ok((preview(state, number, &command).await?, None));
    }
    let request = Execute::new(command, by.clone());
    let outcome = state.orders.execute(number, request).await;
    state.orders.release(number);
    let Outcome { order, events } = outcome?;
    let changes = events.into_iter().map(|event| event.change).collect();
    Ok((changes, Some(order)))
}

/// An import's lists replace those of the order. A record that continues an earlier one has only the
/// rest of them, so what the earlier one brought is put before them.
async fn add_earlier_lists(
    state: &IntakeState,
    number: RoNumber,
    imported: &mut ImportedOrder,
) -> Result<(), Failure> {
    let Some(order) = load(state, number).await? else {
        return Ok(());
    };
    if let Some(technicians) = &mut imported.etl_technicians {
        let mut all = order.etl_technicians;
        for technician in technicians.drain(..) {
            match all
                .iter_mut()
                .find(|existing| existing.technician == technician.technician)
            {
                Some(existing) => existing.name = technician.name.or(existing.name.take()),
                None => all.push(technician),
            }
        }
        *technicians = all;
    }
    for job in &mut imported.jobs {
        let existing_job = order
            .jobs
            .iter()
            .find(|existing| existing.job_number == job.job_number);
        let Some(existing_job) = existing_job else {
            continue;
        };
        prepend(&mut job.operations, &existing_job.operations);
        prepend(&mut job.assignments, &existing_job.assignments);
    }
    Ok(())
}

fn prepend<T: Clone + PartialEq>(list: &mut Option<Vec<T>>, existing: &[T]) {
    if let Some(list) = list {
        let mut all = existing.to_vec();
        let new = list.drain(..).filter(|new| !existing.contains(new));
        all.extend(new);
        *list = all;
    }
}

async fn load(state: &IntakeState, number: RoNumber) -> Result<Option<RepairOrder>, Failure> {
    state.store.load(number).await.map_err(|error| {
        tracing::error!(%error, "a repair order could not be read");
        Failure::Unavailable
    })
}

async fn preview(
    state: &IntakeState,
    number: RoNumber,
    command: &Command,
) -> Result<Vec<Change>, Failure> {
    let (rules, now) = (state.store.stage_rules().current(), Timestamp::now());
    match (load(state, number).await?, command) {
        (Some(order), command) => Ok(order.decide(command, &rules, now)?),
        (None, Command::Import(imported)) => {
            Ok(RepairOrder::create_in_stage(number, imported, &rules, now))
        }
        (None, _) => Err(Failure::Unknown(number)),
    }
}

//! Corrects the open orders that have a number, when the desk matches it.

use dispatch_actors::broadcaster::CatchUp;
use dispatch_actors::repair_order::{Command, ImportedOrder, RepairOrder, RoHeader, TechnicianId};
use dispatch_actors::store::Author;
use dispatch_actors::supervisor::{Execute, Failure};
use dispatch_intake::TechnicianSource;
use futures_util::future::join_all;

use super::dms_number::{DmsNumber, NumberKind, NumberMeaning};
use super::match_table::{assigned, remove_duplicates};
use super::notes::Note;
use crate::error::ApiError;
use crate::intake::IntakeState;

/// Orders that are corrected at once.
const BATCH_SIZE: usize = 64;

/// Somebody else may change the order between its being read and its being corrected.
const MAX_ATTEMPTS: usize = 5;

/// Saves the match and corrects the orders; gives how many it changed. An order that could not be saved
/// is left to the next attempt.
pub(super) async fn add_match(
    state: &IntakeState,
    number: &DmsNumber,
    meaning: &NumberMeaning,
    by: Author,
) -> Result<usize, ApiError> {
    let notes = state.matches.add(number, meaning).await?;
    let changed = correct_all(state, &notes, number, meaning, &by).await?;
    actix::spawn(correct_later(
        state.clone(),
        number.clone(),
        meaning.clone(),
        notes,
        by,
    ));
    Ok(changed)
}

/// Corrects the orders that another server has imported in the moment of the match, which it did not know yet.
/// `again`: the notes of those that this one corrected at once, which the other may have imported after that.
async fn correct_later(
    state: IntakeState,
    number: DmsNumber,
    meaning: NumberMeaning,
    mut again: Vec<Note>,
    by: Author,
) {
    let corrected = async {
        match state.matches.noted_elsewhere(&number, &meaning).await? {
            Some(mut notes) => {
                let is_noted = |note: &Note| notes.iter().any(|other| other.order == note.order);
                again.retain(|note| can_be_corrected_again(note) && !is_noted(note));
                notes.append(&mut again);
                correct_all(&state, &notes, &number, &meaning, &by).await
            }
            None => Ok(0),
        }
    };
    if let Err(error) = corrected.await {
        // Matching the number again corrects them.
        tracing::error!(%error, "orders that another server imported were not corrected");
    }
}

/// Where the number is on its order it has come again, and where it is not nothing is changed. Of a technician who is not
/// on the order nobody knows whether the desk has taken them off since, and of a stage whether the order has moved on.
fn can_be_corrected_again(note: &Note) -> bool {
    note.source.is_none() && note.number.kind != NumberKind::Stage
}

/// How many orders it changed.
async fn correct_all(
    state: &IntakeState,
    notes: &[Note],
    number: &DmsNumber,
    meaning: &NumberMeaning,
    by: &Author,
) -> Result<usize, ApiError> {
    let (mut changed, mut failed) = (0, None);
    for notes in notes.chunks(BATCH_SIZE) {
        let corrected = notes.iter().map(|note| correct(state, note, meaning, by));
        let mut corrected_orders = Vec::with_capacity(notes.len());
        for (note, corrected) in notes.iter().zip(join_all(corrected).await) {
            match corrected {
                Ok(is_changed) => {
                    changed += usize::from(is_changed);
                    corrected_orders.push(note.order);
                }
                Err(failure) => failed = Some(failure),
            }
        }
        state.matches.clear_notes(number, &corrected_orders).await?;
        // Open screens get what was announced before there is more.
        if let Err(error) = state.broadcaster.send(CatchUp).await {
            tracing::error!(%error, "the broadcaster is gone");
        }
    }
    match failed {
        Some(failure) => Err(ApiError::from(&failure)),
        None => Ok(changed),
    }
}

/// Whether the order was changed. A closed order is not, nor one from which the number is gone.
async fn correct(
    state: &IntakeState,
    note: &Note,
    meaning: &NumberMeaning,
    by: &Author,
) -> Result<bool, Failure> {
    let mut changed = false;
    'attempts: for _ in 0..MAX_ATTEMPTS {
        let order = state.store.load(note.order).await.map_err(|error| {
            tracing::error!(%error, "a repair order could not be read");
            Failure::Unavailable
        })?;
        let Some(order) = order.filter(|order| order.closed_at.is_none()) else {
            return Ok(changed);
        };
        let mut version = order.version;
        for command in corrections(&order, note, meaning) {
            let request = Execute {
                expected_version: Some(version),
                ..Execute::new(command, by.clone())
            };
            match state.orders.execute(note.order, request).await {
                Ok(outcome) => {
                    version = outcome.order.version;
                    changed |= !outcome.events.is_empty();
                }
                Err(Failure::Stale(_)) => continue 'attempts,
                Err(Failure::Unknown(_) | Failure::Refused(_)) => return Ok(changed),
                Err(Failure::Unavailable | Failure::Repeated) => return Err(Failure::Unavailable),
            }
        }
        return Ok(changed);
    }
    Err(Failure::Unavailable)
}

/// What makes an order as if the number had meant this when it came.
fn corrections(order: &RepairOrder, note: &Note, meaning: &NumberMeaning) -> Vec<Command> {
    match meaning {
        NumberMeaning::Advisor(name) => {
            let imported = ImportedOrder {
                header: RoHeader {
                    advisor: Some(name.clone()),
                    ..RoHeader::default()
                },
                ..ImportedOrder::default()
            };
            let number = DmsNumber::from_advisor_text(&order.header.advisor);
            let is_theirs = number.as_ref() == Some(&note.number);
            is_theirs
                .then(|| import_command(order, imported))
                .into_iter()
                .collect()
        }
        NumberMeaning::Technician(technician) => reassignments(order, note, *technician),
        NumberMeaning::Stage(stage) => {
            let imported = ImportedOrder {
                stage: Some(stage.clone()),
                ..ImportedOrder::default()
            };
            vec![import_command(order, imported)]
        }
    }
}

fn reassignments(order: &RepairOrder, note: &Note, technician: TechnicianId) -> Vec<Command> {
    let mut commands = Vec::new();
    let unknown = note.number.technician_id();
    let mut etl = order.etl_technicians.clone();
    for entry in &mut etl {
        if Some(entry.technician) == unknown {
            *entry = assigned(technician);
        }
    }
    if note.source == Some(TechnicianSource::Etl) {
        etl.push(assigned(technician));
    }
    remove_duplicates(&mut etl);
    if etl != order.etl_technicians {
        let imported = ImportedOrder {
            etl_technicians: Some(etl),
            ..ImportedOrder::default()
        };
        commands.push(import_command(order, imported));
    }
    let replaced = unknown.filter(|&unknown| {
        let mut assigned = order.regular_technicians.iter();
        assigned.any(|assigned| assigned.technician == unknown)
    });
    if replaced.is_some() || note.source == Some(TechnicianSource::Regular) {
        commands.push(Command::Assign(technician));
    }
    commands.extend(replaced.map(Command::Unassign));
    commands
}

/// The import of one field of an order that is there.
fn import_command(order: &RepairOrder, mut imported: ImportedOrder) -> Command {
    imported.dms_number = order
        .dms_number
        .clone()
        .unwrap_or_else(|| order.number.to_string());
    Command::Import(Box::new(imported))
}

#[cfg(test)]
mod tests {
    use dispatch_actors::repair_order::{AssignedTechnician, Change, RoNumber};
    use jiff::Timestamp;

    use super::*;

    fn order(regular: &[TechnicianId], etl: &[TechnicianId]) -> RepairOrder {
        let list = |ids: &[TechnicianId]| {
            let named = |&technician| AssignedTechnician {
                technician,
                name: Some("As it came".to_owned()),
            };
            Some(ids.iter().map(named).collect())
        };
        let imported = ImportedOrder {
            dms_number: "A7".to_owned(),
            header: RoHeader {
                advisor: Some("A12".to_owned()),
                ..RoHeader::default()
            },
            regular_technicians: list(regular),
            etl_technicians: list(etl),
            ..ImportedOrder::default()
        };
        let number = RoNumber::try_from(7).unwrap();
        let created = RepairOrder::create(number, &imported, Timestamp::UNIX_EPOCH);
        RepairOrder::replay(&created).unwrap()
    }

    fn note(kind: NumberKind, number: &str, source: Option<TechnicianSource>) -> Note {
        Note {
            number: DmsNumber::new(kind, number).unwrap(),
            order: RoNumber::try_from(7).unwrap(),
            name: None,
            source,
            seen_at: Timestamp::UNIX_EPOCH,
        }
    }

    /// The order's regular and ETL technicians once 77, or the note's number, is known as 11.
    fn corrected(mut order: RepairOrder, note: &Note) -> (Vec<i64>, Vec<i64>) {
        for command in corrections(&order, note, &NumberMeaning::Technician(11)) {
            for change in order.apply(&command).unwrap() {
                order.evolve(&change);
            }
        }
        let ids = |list: &[AssignedTechnician]| list.iter().map(|t| t.technician).collect();
        (ids(&order.regular_technicians), ids(&order.etl_technicians))
    }

    #[test]
    fn a_technicians_number_is_replaced_wherever_it_stands_and_once() {
        let note = note(NumberKind::Technician, "77", None);
        for (regular, etl, regular_after, etl_after) in [
            (&[][..], &[77][..], &[][..], &[11][..]),
            (&[], &[22, 77, 11], &[], &[22, 11]),
            (&[77, 22], &[], &[22, 11], &[]),
            (&[77], &[77, 22], &[11], &[11, 22]),
            (&[22], &[23], &[22], &[23]),
        ] {
            let after = corrected(order(regular, etl), &note);
            assert_eq!(after, (regular_after.to_vec(), etl_after.to_vec()));
        }
    }

    #[test]
    fn a_technician_without_a_number_joins_the_list_of_their_source() {
        let of = |source| note(NumberKind::Technician, "T-9", Some(source));
        let after = corrected(order(&[22], &[23]), &of(TechnicianSource::Etl));
        assert_eq!(after, (vec![22], vec![23, 11]));
        let after = corrected(order(&[22], &[23]), &of(TechnicianSource::Regular));
        assert_eq!(after, (vec![22, 11], vec![23]));
    }

    #[test]
    fn a_number_that_stands_on_its_order_can_be_corrected_again() {
        for (kind, source, again) in [
            (NumberKind::Technician, None, true),
            (NumberKind::Advisor, None, true),
            (NumberKind::Technician, Some(TechnicianSource::Etl), false),
            (NumberKind::Stage, None, false),
        ] {
            assert_eq!(can_be_corrected_again(&note(kind, "77", source)), again);
        }
    }

    #[test]
    fn an_advisor_is_named_where_the_number_still_stands() {
        let dana = NumberMeaning::Advisor("Dana".to_owned());
        let order = order(&[], &[]);
        let commands = corrections(&order, &note(NumberKind::Advisor, "A12", None), &dana);
        let changes = order.apply(&commands[0]).unwrap();
        assert!(
            matches!(&changes[..], [Change::Imported { fields }]
                if fields.header.advisor.as_ref().unwrap().to == "Dana"),
            "{changes:?}"
        );
        assert!(corrections(&order, &note(NumberKind::Advisor, "12", None), &dana).is_empty());
    }
}

//! What a match does to the open orders that its number came with.

use dispatch_actors::broadcaster::CatchUp;
use dispatch_actors::repair_order::{Command, ImportedOrder, RepairOrder, RoHeader, TechnicianId};
use dispatch_actors::store::Author;
use dispatch_actors::supervisor::{Execute, Failure};
use futures_util::future::join_all;

use super::matching::{Meaning, Number, Source, known, without_repeats};
use super::notes::Note;
use super::state::IntakeState;
use crate::error::ApiError;

/// Orders that are corrected at once.
const AT_ONCE: usize = 64;

/// Somebody else may change the order between its being read and being corrected.
const ATTEMPTS: usize = 5;

/// Makes the match and corrects the orders; gives how many it changed. An order that could not be saved is left to the next attempt.
pub(super) async fn carry_out(
    state: &IntakeState,
    number: &Number,
    meaning: &Meaning,
    by: Author,
) -> Result<usize, ApiError> {
    let notes = state.matching.learn(number, meaning).await?;
    let (mut changed, mut failed) = (0, None);
    for notes in notes.chunks(AT_ONCE) {
        let corrected = notes.iter().map(|note| correct(state, note, meaning, &by));
        let mut settled = Vec::with_capacity(notes.len());
        for (note, corrected) in notes.iter().zip(join_all(corrected).await) {
            match corrected {
                Ok(is_changed) => {
                    changed += usize::from(is_changed);
                    settled.push(note.order);
                }
                Err(failure) => failed = Some(failure),
            }
        }
        state.matching.settle(number, &settled).await?;
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

/// Whether the order was changed: not when it is closed, or has gone on without the number.
async fn correct(
    state: &IntakeState,
    note: &Note,
    meaning: &Meaning,
    by: &Author,
) -> Result<bool, Failure> {
    let mut changed = false;
    'attempts: for _ in 0..ATTEMPTS {
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
fn corrections(order: &RepairOrder, note: &Note, meaning: &Meaning) -> Vec<Command> {
    match meaning {
        Meaning::Advisor(name) => {
            let said = ImportedOrder {
                header: RoHeader {
                    advisor: Some(name.clone()),
                    ..RoHeader::default()
                },
                ..ImportedOrder::default()
            };
            let number = Number::of_advisor(&order.header.advisor);
            let is_his = number.as_ref() == Some(&note.number);
            is_his.then(|| import(order, said)).into_iter().collect()
        }
        Meaning::Technician(technician) => reassignments(order, note, *technician),
    }
}

fn reassignments(order: &RepairOrder, note: &Note, technician: TechnicianId) -> Vec<Command> {
    let mut commands = Vec::new();
    let unknown = note.number.technician();
    let mut etl = order.etl_technicians.clone();
    for assigned in &mut etl {
        if Some(assigned.technician) == unknown {
            *assigned = known(technician);
        }
    }
    if note.source == Some(Source::Etl) {
        etl.push(known(technician));
    }
    without_repeats(&mut etl);
    if etl != order.etl_technicians {
        let said = ImportedOrder {
            etl_technicians: Some(etl),
            ..ImportedOrder::default()
        };
        commands.push(import(order, said));
    }
    let replaced = unknown.filter(|&unknown| {
        let mut assigned = order.regular_technicians.iter();
        assigned.any(|assigned| assigned.technician == unknown)
    });
    if replaced.is_some() || note.source == Some(Source::Regular) {
        commands.push(Command::Assign(technician));
    }
    commands.extend(replaced.map(Command::Unassign));
    commands
}

/// The import of one field of an order that is there.
fn import(order: &RepairOrder, mut said: ImportedOrder) -> Command {
    said.dms_number = order
        .dms_number
        .clone()
        .unwrap_or_else(|| order.number.to_string());
    Command::Import(Box::new(said))
}

#[cfg(test)]
mod tests {
    use dispatch_actors::repair_order::{AssignedTechnician, Change, RoNumber};
    use jiff::Timestamp;

    use super::super::matching::Kind;
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

    fn note(kind: Kind, number: &str, source: Option<Source>) -> Note {
        Note {
            number: Number::of(kind, number).unwrap(),
            order: RoNumber::try_from(7).unwrap(),
            name: None,
            source,
            seen_at: Timestamp::UNIX_EPOCH,
        }
    }

    /// The order's regular and ETL technicians once 77, or the note's number, is known as 11.
    fn corrected(mut order: RepairOrder, note: &Note) -> (Vec<i64>, Vec<i64>) {
        for command in corrections(&order, note, &Meaning::Technician(11)) {
            for change in order.apply(&command).unwrap() {
                order.evolve(&change);
            }
        }
        let ids = |list: &[AssignedTechnician]| list.iter().map(|t| t.technician).collect();
        (ids(&order.regular_technicians), ids(&order.etl_technicians))
    }

    #[test]
    fn a_technicians_number_is_replaced_wherever_it_stands_and_once() {
        let note = note(Kind::Technician, "77", None);
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
        let of = |source| note(Kind::Technician, "T-9", Some(source));
        let after = corrected(order(&[22], &[23]), &of(Source::Etl));
        assert_eq!(after, (vec![22], vec![23, 11]));
        let after = corrected(order(&[22], &[23]), &of(Source::Regular));
        assert_eq!(after, (vec![22, 11], vec![23]));
    }

    #[test]
    fn an_advisor_is_named_where_the_number_still_stands() {
        let dana = Meaning::Advisor("Dana".to_owned());
        let order = order(&[], &[]);
        let commands = corrections(&order, &note(Kind::Advisor, "A12", None), &dana);
        let changes = order.apply(&commands[0]).unwrap();
        assert!(
            matches!(&changes[..], [Change::Imported { fields }]
                if fields.header.advisor.as_ref().unwrap().to == "Dana"),
            "{changes:?}"
        );
        assert!(corrections(&order, &note(Kind::Advisor, "12", None), &dana).is_empty());
    }
}

//! Taking a change back: its opposite, as long as nothing newer touched the same field.

use jiff::Timestamp;

use super::{Change, Refusal, RepairOrder, TechnicianId, Undo};

impl RepairOrder {
    /// The opposite of each change, the newest first, where nothing has touched its field since.
    pub(super) fn undo(&self, undo: &Undo) -> Result<Vec<Change>, Refusal> {
        let touched: Vec<Field> = undo.since.iter().flat_map(Change::fields).collect();
        let erased = |change: &Change| matches!(change, Change::CustomerErased { .. });
        let is_erased = undo.since.iter().any(erased);
        let mut after = self.clone();
        let mut changes = Vec::new();
        for change in undo.changes.iter().rev() {
            let is_touched =
                |field: &Field| touched.contains(field) || (is_erased && field.is_text());
            if let Some(field) = change.fields().find(is_touched) {
                return Err(Refusal::ChangedSince {
                    number: self.number,
                    what: field.name(),
                });
            }
            let opposite = after.opposite(change, undo.at)?;
            let may_be_closed = matches!(
                opposite,
                Change::Reopened { .. } | Change::Closed { .. } | Change::JobEdited { .. }
            );
            if !may_be_closed {
                after.open()?;
            }
            after.evolve(&opposite);
            changes.push(opposite);
        }
        Ok(changes)
    }

    fn opposite(&self, change: &Change, at: Timestamp) -> Result<Change, Refusal> {
        Ok(match change {
            Change::StatusChanged { from, to } => Change::StatusChanged {
                from: *to,
                to: *from,
            },
            Change::PriorityChanged { from, to } => Change::PriorityChanged {
                from: *to,
                to: *from,
            },
            Change::TechnicianAssigned { technician, .. } => {
                let place = self.place_of(*technician).ok_or(Refusal::NotAssigned {
                    number: self.number,
                    technician: *technician,
                })?;
                self.unassigned(place)
            }
            Change::TechnicianUnassigned {
                technician,
                name,
                place,
                ..
            } => Change::TechnicianAssigned {
                technician: *technician,
                name: name.clone(),
                place: *place,
            },
            Change::JobEdited {
                job_number,
                from,
                to,
                ..
            } => Change::JobEdited {
                job_number: *job_number,
                from: to.clone(),
                to: from.clone(),
                provenance: None,
            },
            Change::Closed { at: closed_at } => Change::Reopened {
                closed_at: *closed_at,
                at: Some(at),
            },
            Change::Reopened { closed_at, .. } => Change::Closed { at: *closed_at },
            Change::Created { .. } | Change::Imported { .. } => {
                return Err(Refusal::CannotUndoImport);
            }
            Change::CustomerErased { .. } => return Err(Refusal::CannotUndoErasure),
        })
    }
}

/// What a change touches; of two changes to the same one, only the newer can be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Status,
    Priority,
    Technician(TechnicianId),
    Cause(i32),
    Notes(i32),
    Story(i32),
    Closing,
}

impl Field {
    fn is_text(self) -> bool {
        matches!(self, Field::Cause(_) | Field::Notes(_) | Field::Story(_))
    }

    fn name(self) -> &'static str {
        match self {
            Field::Status => "the status",
            Field::Priority => "the priority",
            Field::Technician(_) => "the assignment of this technician",
            Field::Cause(_) => "the cause of this job",
            Field::Notes(_) => "the notes of this job",
            Field::Story(_) => "the story of this job",
            Field::Closing => "whether it is closed",
        }
    }
}

impl Change {
    fn fields(&self) -> impl Iterator<Item = Field> + use<> {
        let fields = match self {
            Change::StatusChanged { .. } => vec![Field::Status],
            Change::PriorityChanged { .. } => vec![Field::Priority],
            Change::TechnicianAssigned { technician, .. }
            | Change::TechnicianUnassigned { technician, .. } => {
                vec![Field::Technician(*technician)]
            }
            Change::JobEdited { job_number, to, .. } => [
                to.cause.as_ref().map(|_| Field::Cause(*job_number)),
                to.brief_tech_notes
                    .as_ref()
                    .map(|_| Field::Notes(*job_number)),
                to.tech_story.as_ref().map(|_| Field::Story(*job_number)),
            ]
            .into_iter()
            .flatten()
            .collect(),
            Change::Closed { .. } | Change::Reopened { .. } => vec![Field::Closing],
            Change::Created { .. } | Change::Imported { .. } | Change::CustomerErased { .. } => {
                Vec::new()
            }
        };
        fields.into_iter()
    }
}

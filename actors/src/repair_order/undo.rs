//! Taking a change back: its opposite, as long as nothing newer touched the same field.

use jiff::Timestamp;

use super::{Change, HoldId, Refusal, RepairOrder, StageCause, TechnicianId, Undo};

impl Undo {
    /// The same, but nothing about stages that followed by itself.
    pub(super) fn without_own_moves(&self) -> Self {
        let mut undo = self.clone();
        undo.changes.retain(|change| !change.is_own_move());
        undo
    }

    /// Whether a move that followed from what is undone cannot be taken back, since the order was moved again.
    pub(super) fn has_overtaken_move(&self) -> bool {
        let is_move = |change: &Change| matches!(change, Change::StageChanged { .. });
        self.changes.iter().any(Change::is_own_move) && self.since.iter().any(is_move)
    }
}

impl RepairOrder {
    /// The opposite of each change, the newest first, where nothing has touched its field since.
    pub(super) fn undo(&self, undo: &Undo) -> Result<Vec<Change>, Refusal> {
        let touched: Vec<Field> = undo.since.iter().flat_map(Change::fields).collect();
        let erased = |change: &Change| matches!(change, Change::CustomerErased { .. });
        let is_erased = undo.since.iter().any(erased);
        let mut after = self.clone();
        let mut changes = Vec::new();
        for change in undo.changes.iter().rev() {
            // A move that followed by itself does not keep its cause from being undone.
            if change.is_own_move() && (touched.contains(&Field::Stage) || change.is_first_stage())
            {
                continue;
            }
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
                Change::Reopened { .. }
                    | Change::Closed { .. }
                    | Change::JobEdited { .. }
                    // What follows from a closing comes after it, and is taken back before.
                    | Change::StageChanged {
                        cause: StageCause::Undone,
                        ..
                    }
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
            Change::StageChanged {
                cause: StageCause::Imported,
                ..
            } => return Err(Refusal::CannotUndoImport),
            Change::StageChanged { from, cause, .. } => Change::StageChanged {
                from: self.progress.placement.clone(),
                to: from.clone(),
                at,
                cause: match cause {
                    StageCause::Person => StageCause::Person,
                    _ => StageCause::Undone,
                },
            },
            Change::HoldStarted { hold } => Change::HoldEnded {
                hold: hold.clone(),
                at,
            },
            Change::HoldChanged { from, to } => Change::HoldChanged {
                from: to.clone(),
                to: from.clone(),
            },
            Change::HoldEnded { hold, .. } => Change::HoldStarted { hold: hold.clone() },
            Change::WorkReported { .. } => return Err(Refusal::CannotUndoWork),
            Change::CustomerCalled {
                about,
                is_undone,
                from,
                to,
            } => Change::CustomerCalled {
                about: about.clone(),
                is_undone: !is_undone,
                from: to.clone(),
                to: from.clone(),
            },
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
    Stage,
    Hold(HoldId),
    Calls,
}

impl Field {
    fn is_text(self) -> bool {
        matches!(
            self,
            Field::Cause(_) | Field::Notes(_) | Field::Story(_) | Field::Hold(_)
        )
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
            Field::Stage => "the stage",
            Field::Hold(_) => "this hold",
            Field::Calls => "whether its customer was called",
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
            Change::StageChanged { .. } => vec![Field::Stage],
            Change::HoldStarted { hold }
            | Change::HoldChanged { to: hold, .. }
            | Change::HoldEnded { hold, .. } => vec![Field::Hold(hold.id)],
            Change::CustomerCalled { .. } => vec![Field::Calls],
            Change::Created { .. }
            | Change::Imported { .. }
            | Change::CustomerErased { .. }
            | Change::WorkReported { .. } => Vec::new(),
        };
        fields.into_iter()
    }

    /// Whether it is a move that followed by itself from what was done.
    pub(super) fn is_own_move(&self) -> bool {
        matches!(
            self,
            Change::StageChanged { cause, .. }
                if !matches!(cause, StageCause::Person | StageCause::Imported)
        )
    }

    /// Nothing was known before it, which is nothing to go back to.
    fn is_first_stage(&self) -> bool {
        matches!(self, Change::StageChanged { from, .. } if from.stage.is_none())
    }
}

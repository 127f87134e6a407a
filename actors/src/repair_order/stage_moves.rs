//! Moves that orders make by themselves, where it is known: what a command did to an order is held against the
//! shop's stages. Nothing is guessed: a stage that nobody named and nothing moved stays.

use jiff::Timestamp;

use super::stage::{Placement, StageCause, StageId, StageKind, StageRules, shipped};
use super::{CallReason, Change, Command, ImportedOrder, Refusal, RepairOrder, RoNumber};

/// Where an order stands, holds left aside, while its move is decided.
struct Base {
    stage: StageId,
    came_from: Option<StageId>,
    cause: Option<StageCause>,
}

impl RepairOrder {
    /// The changes that `command` makes, and the move to another stage that follows from them. While stages are off it
    /// is [`RepairOrder::apply`], and commands about stages are refused.
    pub fn decide(
        &self,
        command: &Command,
        rules: &StageRules,
        at: Timestamp,
    ) -> Result<Vec<Change>, Refusal> {
        if !rules.is_on {
            return match command {
                command if command.is_about_stages() => Err(Refusal::StagesOff),
                Command::Undo(undo) if undo.changes.iter().any(Change::is_of_person_on_stage) => {
                    Err(Refusal::StagesOff)
                }
                Command::Undo(undo) => {
                    self.apply(&Command::Undo(Box::new(undo.without_own_moves())))
                }
                command => self.apply(command),
            };
        }
        if let Command::SetStage { stage, .. } = command
            && rules.available(stage.as_str()).is_none()
        {
            return Err(Refusal::UnknownStage(stage.clone()));
        }
        if let Command::RecordCall { about, .. } = command
            && about.contains(&CallReason::Ready)
            && !self.is_ready(rules)
        {
            return Err(Refusal::NothingToCallAbout {
                number: self.number,
                reason: CallReason::Ready,
            });
        }
        let mut changes = self.apply(command)?;
        let mut after = self.clone();
        changes.iter().for_each(|change| after.evolve(change));
        if let Command::Import(imported) = command
            && let Some(stage) = &imported.stage
            && let Some(moves) = after.moved_by_file(stage, rules, at)
        {
            changes.extend(moves);
            return Ok(changes);
        }
        // An undo has taken its own moves back already.
        let before = match command {
            Command::Undo(undo) if !undo.has_overtaken_move() => &after,
            _ => self,
        };
        changes.extend(before.move_to(&after, rules, at));
        Ok(changes)
    }

    /// The changes that create an order, which has its first stage from the beginning.
    pub fn create_in_stage(
        number: RoNumber,
        imported: &ImportedOrder,
        rules: &StageRules,
        now: Timestamp,
    ) -> Vec<Change> {
        let mut changes = Self::create(number, imported, now);
        // One that arrives closed is only kept.
        let [Change::Created { repair_order }] = changes.as_mut_slice() else {
            return changes;
        };
        if !rules.is_on {
            return changes;
        }
        let of_file = imported.stage.as_ref();
        let first = of_file.and_then(|stage| rules.stage_of_file(stage));
        if let Some(stage) = first.or_else(|| repair_order.first_stage(rules)) {
            let placement = Placement {
                stage: Some(stage),
                ..Placement::default()
            };
            repair_order.progress.take_placement(&placement, now);
        }
        let moves = of_file.and_then(|stage| repair_order.moved_by_file(stage, rules, now));
        changes.extend(moves.into_iter().flatten());
        changes
    }

    /// Where an open order stands of which nothing was known before.
    pub(super) fn first_stage(&self, rules: &StageRules) -> Option<StageId> {
        let progress = &self.progress;
        let known = [
            (progress.is_finished(&self.jobs), shipped::QUALITY_CHECK),
            (progress.work.clocked, shipped::IN_WORK),
            (self.has_any_technician(), shipped::DISPATCHED),
            (true, shipped::TO_BE_DISPATCHED),
        ];
        let mut known = known.into_iter().filter(|(is_known, _)| *is_known);
        known.find_map(|(_, stage)| rules.available(stage))
    }

    fn has_any_technician(&self) -> bool {
        !self.regular_technicians.is_empty() || !self.etl_technicians.is_empty()
    }

    /// The move that follows from what made `self` into `after`.
    fn move_to(&self, after: &Self, rules: &StageRules, at: Timestamp) -> Option<Change> {
        let from = &after.progress.placement;
        let base = match from.base() {
            Some(stage) => self.base_after(
                after,
                Base {
                    stage: stage.clone(),
                    came_from: from.came_from.clone(),
                    cause: None,
                },
                rules,
            ),
            None if after.closed_at.is_some() => return None,
            None => Base {
                stage: after.first_stage(rules)?,
                came_from: None,
                cause: Some(StageCause::FirstStage),
            },
        };
        let held_in = match after.closed_at {
            None => after.progress.stage_of_holds(&after.jobs, rules),
            Some(_) => None,
        };
        let hold_cause = match &held_in {
            Some(_) => StageCause::HoldStarted,
            None => StageCause::HoldEnded,
        };
        let to = Placement {
            resumes_at: held_in.as_ref().map(|_| base.stage.clone()),
            stage: Some(held_in.unwrap_or(base.stage)),
            came_from: base.came_from,
        };
        (to != *from).then(|| Change::StageChanged {
            from: from.clone(),
            to,
            at,
            cause: base.cause.unwrap_or(hold_cause),
        })
    }

    fn base_after(&self, after: &Self, base: Base, rules: &StageRules) -> Base {
        let (was_open, is_open) = (self.closed_at.is_none(), after.closed_at.is_none());
        match (was_open, is_open) {
            (true, false) => base.moves_on(
                shipped::WITH_THE_CUSTOMER,
                StageCause::Closed,
                rules,
                |_| true,
            ),
            (false, true) => base.moves_back(shipped::WITH_THE_CUSTOMER, StageCause::Reopened),
            (false, false) => base,
            (true, true) => {
                self.base_after_work(after, self.base_after_assignment(after, base, rules), rules)
            }
        }
    }

    fn base_after_assignment(&self, after: &Self, base: Base, rules: &StageRules) -> Base {
        let (from, to, cause) = match (self.has_any_technician(), after.has_any_technician()) {
            (false, true) => (
                shipped::TO_BE_DISPATCHED,
                shipped::DISPATCHED,
                StageCause::Assigned,
            ),
            (true, false) => (
                shipped::DISPATCHED,
                shipped::TO_BE_DISPATCHED,
                StageCause::Unassigned,
            ),
            _ => return base,
        };
        match rules.available(to) {
            Some(stage) if base.stage.as_str() == from => Base {
                stage,
                came_from: None,
                cause: Some(cause),
            },
            _ => base,
        }
    }

    fn base_after_work(&self, after: &Self, base: Base, rules: &StageRules) -> Base {
        let (before, now) = (&self.progress, &after.progress);
        let kind = |stage: &StageId| rules.kind(stage);
        let base = match (before.work.clocked, now.work.clocked) {
            (false, true) => {
                base.moves_on(shipped::IN_WORK, StageCause::ClockStarted, rules, |stage| {
                    kind(stage) == Some(StageKind::Queue)
                })
            }
            (true, false) => base.moves_back(shipped::IN_WORK, StageCause::ClockUndone),
            _ => base,
        };
        match (before.is_finished(&self.jobs), now.is_finished(&after.jobs)) {
            (false, true) => base.moves_on(
                shipped::QUALITY_CHECK,
                StageCause::JobsFinished,
                rules,
                |stage| {
                    matches!(kind(stage), Some(StageKind::Queue | StageKind::Active))
                        && rules.is_before(stage, shipped::QUALITY_CHECK)
                },
            ),
            (true, false) => base.moves_back(shipped::QUALITY_CHECK, StageCause::JobReopened),
            _ => base,
        }
    }
}

impl Base {
    /// To a stage that is there, from one that `may_leave`.
    fn moves_on(
        self,
        to: &str,
        cause: StageCause,
        rules: &StageRules,
        may_leave: impl Fn(&StageId) -> bool,
    ) -> Self {
        match rules.available(to) {
            Some(stage) if stage != self.stage && may_leave(&self.stage) => Self {
                stage,
                came_from: Some(self.stage),
                cause: Some(cause),
            },
            _ => self,
        }
    }

    /// To where it stood before it moved by itself to `from`, unless something moved it since.
    fn moves_back(self, from: &str, cause: StageCause) -> Self {
        match self.came_from {
            Some(stage) if self.stage.as_str() == from => Self {
                stage,
                came_from: None,
                cause: Some(cause),
            },
            came_from => Self { came_from, ..self },
        }
    }
}

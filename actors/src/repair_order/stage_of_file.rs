//! A stage that a dealer system's file names, in a shop whose stages are the file's: the file has the last word on
//! where a car stands, and the desk's holds stay.

use jiff::Timestamp;

use super::hold::{Hold, HoldReason};
use super::stage::{Placement, StageCause, StageId, StageKind, StageRules};
use super::{Change, NewHold, RepairOrder};

impl StageRules {
    /// The stage in which a file puts a car by itself: none for one that is not there, and for one in which a hold of its own
    /// keeps it.
    pub(super) fn stage_of_file(&self, stage: &StageId) -> Option<StageId> {
        let stage = self.available(stage.as_str())?;
        let has_hold = self
            .reason_of_file(&stage)
            .is_some_and(|reason| reason.stage().is_some());
        (!has_hold).then_some(stage)
    }

    /// Why a car waits that a file puts in this stage; none where it does not wait for somebody else.
    fn reason_of_file(&self, stage: &StageId) -> Option<HoldReason> {
        let waits = self.kind(stage) == Some(StageKind::Hold);
        waits.then(|| HoldReason::of_stage(stage))
    }
}

impl RepairOrder {
    /// What it changes that a file says where this order stands; none where that decides nothing: the stage is not there, or
    /// the order is closed.
    ///
    /// Holds that earlier files began end, a stage of the kind hold begins one without an expected end, and the order moves
    /// in one change. A hold of the desk keeps it where it waits: then the file says where it goes on afterwards.
    pub(super) fn moved_by_file(
        &self,
        stage: &StageId,
        rules: &StageRules,
        at: Timestamp,
    ) -> Option<Vec<Change>> {
        let stage = rules.available(stage.as_str())?;
        if self.closed_at.is_some() {
            return None;
        }
        let mut changes = self.holds_of_file(&stage, rules, at);
        let mut after = self.clone();
        changes.iter().for_each(|change| after.evolve(change));
        let from = &self.progress.placement;
        let known = || from.base().cloned().or_else(|| self.first_stage(rules));
        let base = rules.stage_of_file(&stage);
        let base = base.or_else(known).unwrap_or(stage);
        let held_in = after.progress.stage_of_holds(&after.jobs, rules);
        let to = Placement {
            came_from: from
                .came_from
                .clone()
                .filter(|_| from.base() == Some(&base)),
            resumes_at: held_in.as_ref().map(|_| base.clone()),
            stage: Some(held_in.unwrap_or(base)),
        };
        if to != *from {
            changes.push(Change::StageChanged {
                from: from.clone(),
                to,
                at,
                cause: StageCause::Imported,
            });
        }
        Some(changes)
    }

    /// The holds of files that end, and the one that begins.
    fn holds_of_file(&self, stage: &StageId, rules: &StageRules, at: Timestamp) -> Vec<Change> {
        let reason = rules.reason_of_file(stage);
        // Of holds without a stage of their own, two stages may have the same reason.
        let stands_there = self.progress.placement.base() == Some(stage);
        let goes_on = |hold: &Hold| {
            Some(hold.reason) == reason && (hold.reason.stage().is_some() || stands_there)
        };
        let of_order = || {
            let holds = self.progress.holds.iter();
            holds.filter(|hold| hold.job_number.is_none())
        };
        let ended = of_order().filter(|hold| hold.from_file && !goes_on(hold));
        let mut changes: Vec<Change> = ended
            .map(|hold| Change::HoldEnded {
                hold: hold.clone(),
                at,
            })
            .collect();
        let stays = |hold: &Hold| Some(hold.reason) == reason && (!hold.from_file || goes_on(hold));
        if let Some(reason) = reason
            && !of_order().any(stays)
        {
            let new = NewHold {
                job_number: None,
                reason,
                expected_until: None,
                who_acts: None,
                note: None,
            };
            let hold = Hold {
                from_file: true,
                ..Hold::new(self.progress.last_hold + 1, &new, at)
            };
            changes.push(Change::HoldStarted { hold });
        }
        changes
    }
}

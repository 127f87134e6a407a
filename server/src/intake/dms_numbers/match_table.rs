//! The matches of numbers, and the technicians they may stand for, in memory.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use dispatch_actors::repair_order::{
    AssignedTechnician, ImportedOrder, RoNumber, StageId, TechnicianId,
};
use dispatch_intake::{DmsTechnician, TechnicianSource};
use jiff::Timestamp;

use super::dms_number::{DmsNumber, NumberKind, NumberMeaning};
use super::notes::Note;
use crate::stages::KnownStages;

/// The table is loaded again after this time, because of new technicians and of other processes' matches.
pub(super) const TABLE_TTL: Duration = Duration::from_secs(5);

/// The numbers of a record that mean nobody.
#[derive(Default)]
pub(super) struct Unmatched {
    /// Of the dealer system's technicians and of the advisor.
    pub(super) dealer_owned: Vec<Note>,
    /// Of regular technicians, who are the desk's once the order is there.
    pub(super) regular: Vec<Note>,
    pub(super) has_technicians: bool,
    pub(super) has_advisor: bool,
    pub(super) has_stage: bool,
}

/// What becomes of the stage that a record names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum NamedStage {
    /// It names none, or the shop has the one that it names.
    #[default]
    Settled,
    /// In this shop files do not say where orders stand.
    LeftOut,
    /// The shop has no stage of this name.
    Unknown(String),
}

#[derive(Default)]
pub(super) struct MatchTable {
    pub(super) technicians: HashSet<TechnicianId>,
    pub(super) meanings: HashMap<DmsNumber, NumberMeaning>,
    pub(super) loaded: Option<Instant>,
}

impl MatchTable {
    pub(super) fn is_stale(&self) -> bool {
        self.loaded
            .is_none_or(|loaded| loaded.elapsed() >= TABLE_TTL)
    }

    /// The person a number stands for. None, too, for a technician who has left.
    fn technician(&self, number: &DmsNumber) -> Option<TechnicianId> {
        match self.meanings.get(number) {
            Some(NumberMeaning::Technician(id)) if self.technicians.contains(id) => Some(*id),
            _ => None,
        }
    }

    pub(super) fn resolve(
        &self,
        number: RoNumber,
        order: &mut ImportedOrder,
        unnumbered: &[DmsTechnician],
    ) -> Unmatched {
        let note = |number_text, name, source| Note {
            number: number_text,
            order: number,
            name,
            source,
            seen_at: Timestamp::now(),
        };
        let mut unmatched = Unmatched {
            has_technicians: order.regular_technicians.is_some()
                || order.etl_technicians.is_some()
                || !unnumbered.is_empty(),
            has_advisor: order.header.advisor.is_some(),
            ..Unmatched::default()
        };
        for (list, unmatched) in [
            (&mut order.regular_technicians, &mut unmatched.regular),
            (&mut order.etl_technicians, &mut unmatched.dealer_owned),
        ] {
            for technician in list.iter_mut().flatten() {
                let text = technician.technician.to_string();
                let Some(number) = DmsNumber::new(NumberKind::Technician, &text) else {
                    continue;
                };
                if let Some(technician_id) = self.technician(&number) {
                    *technician = assigned(technician_id);
                } else if !self.technicians.contains(&technician.technician) {
                    unmatched.push(note(number, technician.name.clone(), None));
                }
            }
            if let Some(list) = list {
                remove_duplicates(list);
            }
        }
        for technician in unnumbered {
            let text = if technician.id.trim().is_empty() {
                technician.name.as_deref().unwrap_or_default()
            } else {
                &technician.id
            };
            let Some(number) = DmsNumber::new(NumberKind::Technician, text) else {
                continue;
            };
            let Some(technician_id) = self.technician(&number) else {
                let note = note(number, technician.name.clone(), Some(technician.source));
                match technician.source {
                    TechnicianSource::Regular => unmatched.regular.push(note),
                    TechnicianSource::Etl => unmatched.dealer_owned.push(note),
                }
                continue;
            };
            let list = match technician.source {
                TechnicianSource::Regular => order.regular_technicians.get_or_insert_default(),
                TechnicianSource::Etl => order.etl_technicians.get_or_insert_default(),
            };
            list.push(assigned(technician_id));
            remove_duplicates(list);
        }
        if let Some(advisor) = &mut order.header.advisor
            && let Some(number) = DmsNumber::from_advisor_text(advisor)
        {
            match self.meanings.get(&number) {
                Some(NumberMeaning::Advisor(name)) => advisor.clone_from(name),
                _ => unmatched.dealer_owned.push(note(number, None, None)),
            }
        }
        unmatched
    }

    /// Puts the order into the stage that its record names. A record that closes the order says where it stands.
    pub(super) fn resolve_stage(
        &self,
        number: RoNumber,
        (order, text): (&mut ImportedOrder, Option<&str>),
        stages: &KnownStages,
        unmatched: &mut Unmatched,
    ) -> NamedStage {
        let name = text.and_then(|text| DmsNumber::new(NumberKind::Stage, text));
        let (Some(text), Some(name), None) = (text, name, order.closed_at) else {
            return NamedStage::Settled;
        };
        if !stages.file_owns_stage() {
            return NamedStage::LeftOut;
        }
        unmatched.has_stage = true;
        order.stage = self.stage(&name, stages);
        if order.stage.is_some() {
            return NamedStage::Settled;
        }
        unmatched.dealer_owned.push(Note {
            number: name,
            order: number,
            name: None,
            source: None,
            seen_at: Timestamp::now(),
        });
        NamedStage::Unknown(text.to_owned())
    }

    /// The shop's own names come before what the desk has said.
    pub(super) fn stage(&self, name: &DmsNumber, stages: &KnownStages) -> Option<StageId> {
        let said = || match self.meanings.get(name) {
            Some(NumberMeaning::Stage(stage)) => stages.named(stage.as_str()),
            _ => None,
        };
        stages.named(&name.text).or_else(said)
    }
}

/// The technician under the name that the shop knows.
pub(super) fn assigned(technician: TechnicianId) -> AssignedTechnician {
    AssignedTechnician {
        technician,
        name: None,
    }
}

/// Two numbers may mean the same technician. The first stays.
pub(super) fn remove_duplicates(list: &mut Vec<AssignedTechnician>) {
    let mut seen_ids = HashSet::new();
    list.retain(|technician| seen_ids.insert(technician.technician));
}

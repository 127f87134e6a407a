//! Taking a customer off an order and out of its events: who it was, which car, and every text that
//! somebody wrote about it. What the shop counts by stays: number, times, statuses, technicians, operation
//! codes and sold hours.

use std::sync::Arc;

use jiff::Timestamp;

use super::{
    Change, Edit, Hold, ImportedFields, ImportedJob, ImportedOrder, Job, JobEdit, JobTexts,
    Operation, RepairOrder, RoHeader, StoryProvenance,
};

impl RepairOrder {
    /// None where nothing of a customer is on it any more.
    pub(super) fn erase_customer(&self, at: Timestamp) -> Option<Change> {
        let mut after = self.clone();
        after.take_erasure(self.erased_at.unwrap_or(at));
        (after != *self).then_some(Change::CustomerErased { at })
    }

    pub(super) fn take_erasure(&mut self, at: Timestamp) {
        self.erased_at = Some(at);
        self.header = RoHeader {
            advisor: std::mem::take(&mut self.header.advisor),
            ..RoHeader::default()
        };
        Arc::make_mut(&mut self.jobs)
            .iter_mut()
            .for_each(Job::clear);
        self.progress.holds.iter_mut().for_each(Hold::clear);
    }
}

impl Hold {
    fn clear(&mut self) {
        self.note.clear();
    }
}

impl Job {
    fn clear(&mut self) {
        for text in [
            &mut self.concern,
            &mut self.cause,
            &mut self.brief_tech_notes,
            &mut self.tech_story,
        ] {
            text.clear();
        }
        clear_descriptions(&mut self.operations);
    }
}

fn clear_descriptions(operations: &mut [Operation]) {
    for operation in operations {
        operation.operation_description.clear();
    }
}

impl ImportedOrder {
    /// What a file may still say of an order whose customer was erased.
    pub(super) fn without_customer(&self) -> Self {
        let mut known = self.clone();
        known.header = RoHeader {
            advisor: known.header.advisor.take(),
            ..RoHeader::default()
        };
        for job in &mut known.jobs {
            *job = ImportedJob {
                job_number: job.job_number,
                operations: job.operations.take(),
                assignments: job.assignments.take(),
                ..ImportedJob::default()
            };
            job.operations
                .iter_mut()
                .for_each(|all| clear_descriptions(all));
        }
        known
    }
}

impl Change {
    /// The same change without anything of the customer. Replayed, the events of an erased order still give
    /// what it is now.
    pub fn without_customer(&self) -> Self {
        let mut known = self.clone();
        match &mut known {
            Change::Created { repair_order } => {
                let erased_at = repair_order.erased_at;
                repair_order.take_erasure(repair_order.opened_at);
                repair_order.erased_at = erased_at;
            }
            Change::TechnicianUnassigned { reason, .. } => *reason = None,
            Change::JobEdited {
                from,
                to,
                provenance,
                ..
            } => {
                clear_texts(from);
                clear_texts(to);
                if let Some(provenance) = provenance {
                    clear_provenance(provenance);
                }
            }
            Change::Imported { fields } => clear_fields(fields),
            Change::HoldStarted { hold } | Change::HoldEnded { hold, .. } => hold.clear(),
            Change::HoldChanged { from, to } => {
                from.clear();
                to.clear();
            }
            Change::StageChanged { .. }
            | Change::WorkReported { .. }
            | Change::CustomerCalled { .. }
            | Change::StatusChanged { .. }
            | Change::PriorityChanged { .. }
            | Change::TechnicianAssigned { .. }
            | Change::Closed { .. }
            | Change::Reopened { .. }
            | Change::CustomerErased { .. } => {}
        }
        known
    }
}

fn clear_texts(texts: &mut JobTexts) {
    let texts = [
        &mut texts.cause,
        &mut texts.brief_tech_notes,
        &mut texts.tech_story,
    ];
    texts.into_iter().flatten().for_each(String::clear);
}

/// Who wrote it stays.
fn clear_provenance(provenance: &mut StoryProvenance) {
    provenance.cause.clear();
    provenance.brief_tech_notes.clear();
    provenance.answers.clear();
    provenance.confirmed.clear();
    provenance.claim = None;
}

fn clear_fields(fields: &mut ImportedFields) {
    let header = &mut fields.header;
    let edits = [
        &mut header.vin,
        &mut header.vehicle,
        &mut header.customer,
        &mut header.tag_number,
    ];
    for Edit { from, to } in edits.into_iter().flatten() {
        from.clear();
        to.clear();
    }
    for JobEdit { from, to } in &mut fields.jobs {
        from.iter_mut().for_each(Job::clear);
        to.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Command, RoNumber, StoryClaim};
    use super::*;

    const NAME: &str = "Ann Miller";
    const VIN: &str = "1HGCM82633A004352";

    fn file(name: &str) -> ImportedOrder {
        ImportedOrder {
            header: RoHeader {
                vin: Some(VIN.to_owned()),
                vehicle: Some("Honda".to_owned()),
                customer: Some(name.to_owned()),
                advisor: Some("Dana".to_owned()),
                tag_number: Some("T7".to_owned()),
            },
            jobs: vec![ImportedJob {
                job_number: 1,
                concern: Some(format!("{name} hears a noise")),
                operations: Some(vec![Operation {
                    operation_code: "BRK".to_owned(),
                    operation_description: format!("for {name}"),
                    sold_hours: None,
                }]),
                ..ImportedJob::default()
            }],
            ..ImportedOrder::default()
        }
    }

    /// An order with every kind of text, and its events.
    fn lived() -> (RepairOrder, Vec<Change>) {
        let now = Timestamp::from_second(1_784_000_000).unwrap();
        let number = RoNumber::try_from(4389).unwrap();
        let mut events = RepairOrder::create(number, &file("A. Miller"), now);
        let mut order = RepairOrder::replay(&events).unwrap();
        let story = JobTexts {
            cause: Some("Worn".to_owned()),
            brief_tech_notes: Some(format!("told {NAME}")),
            tech_story: Some(format!("{NAME} brought {VIN}")),
        };
        let commands = [
            Command::Import(Box::new(file(NAME))),
            Command::Assign(11),
            Command::HandBack {
                technician: 11,
                reason: format!("{NAME} is my neighbour"),
            },
            Command::EditJob {
                job_number: 1,
                texts: story,
                provenance: Some(Box::new(StoryProvenance {
                    cause: NAME.to_owned(),
                    confirmed: vec![VIN.to_owned()],
                    claim: Some(StoryClaim {
                        measurements: vec![format!("{NAME} measured it")],
                        ..StoryClaim::default()
                    }),
                    ..StoryProvenance::default()
                })),
            },
            Command::EraseCustomer { at: now },
        ];
        for command in commands {
            for change in order.apply(&command).unwrap() {
                order.evolve(&change);
                events.push(change);
            }
        }
        (order, events)
    }

    #[test]
    fn nothing_of_the_customer_is_left_on_the_order_or_in_its_events() {
        let (order, events) = lived();
        let known: Vec<Change> = events.iter().map(Change::without_customer).collect();
        let all = serde_json::to_string(&(&order, &known)).unwrap();
        for text in ["Miller", VIN, "Honda", "T7", "Worn", "noise"] {
            assert!(!all.contains(text), "{text} in {all}");
        }
        assert!(all.contains("Dana") && all.contains("BRK"), "{all}");
        assert_eq!(RepairOrder::replay(&known).unwrap(), order);
        let again: Vec<Change> = known.iter().map(Change::without_customer).collect();
        assert_eq!(again, known);
    }

    #[test]
    fn erasing_again_changes_nothing_and_a_later_file_brings_no_customer() {
        let (order, _) = lived();
        let at = Timestamp::from_second(1_785_000_000).unwrap();
        let again = order.apply(&Command::EraseCustomer { at }).unwrap();
        assert_eq!(again, []);
        let mut later = file(NAME);
        later.customer_status = Some("PDI".to_owned());
        let changes = order.apply(&Command::Import(Box::new(later))).unwrap();
        let mut after = order.clone();
        changes.iter().for_each(|change| after.evolve(change));
        assert_eq!(after.customer_status, "PDI");
        assert_eq!((&after.header, &after.jobs), (&order.header, &order.jobs));
    }

    #[test]
    fn a_text_that_was_erased_does_not_come_back_by_an_undo() {
        let (order, events) = lived();
        let edit = events
            .iter()
            .position(|change| matches!(change, Change::JobEdited { .. }));
        let (edited, since) = events.split_at(edit.unwrap() + 1);
        let undo = super::super::Undo {
            changes: edited.last().cloned().into_iter().collect(),
            since: since.to_vec(),
            at: order.opened_at,
        };
        assert!(order.apply(&Command::Undo(Box::new(undo))).is_err());
        let erasure = super::super::Undo {
            changes: since.to_vec(),
            since: Vec::new(),
            at: order.opened_at,
        };
        assert!(order.apply(&Command::Undo(Box::new(erasure))).is_err());
    }
}

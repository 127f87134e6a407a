//! Any command, for properties.

use dispatch_actors::repair_order::{
    AssignedTechnician, Command, ImportedJob, ImportedOrder, JobTexts, Priority, RoHeader, Status,
};
use jiff::Timestamp;
use proptest::option;
use proptest::prelude::*;

use crate::stage_commands::{any_stage, stage_commands};

/// `moment`: when all of them are made. `text`: what texts are like, as a regular expression. `closes`: the share of files
/// that close the order.
pub fn any_command(
    moment: Timestamp,
    text: &'static str,
    closes: f64,
) -> impl Strategy<Value = Command> {
    let edit = (1..4_i32, any_texts(text)).prop_map(|(job_number, texts)| Command::EditJob {
        job_number,
        texts,
        provenance: None,
    });
    prop_oneof![
        prop::sample::select(Status::ALL.to_vec()).prop_map(Command::ChangeStatus),
        prop::sample::select(Priority::ALL.to_vec()).prop_map(Command::ChangePriority),
        (1..5_i64).prop_map(Command::Assign),
        (1..5_i64).prop_map(Command::Unassign),
        (1..5_i64).prop_map(|technician| Command::HandBack {
            technician,
            reason: "No lift is free".to_owned(),
        }),
        (1..5_i64, 1..5_i64).prop_map(|(from, to)| Command::Reassign { from, to }),
        edit,
        Just(Command::Close { at: moment }),
        Just(Command::Reopen { at: moment }),
        any_import(moment, text, closes).prop_map(|file| Command::Import(Box::new(file))),
        stage_commands(moment),
        stage_commands(moment),
    ]
}

fn any_texts(text: &'static str) -> impl Strategy<Value = JobTexts> {
    let text = || option::of(text);
    (text(), text(), text()).prop_map(|(cause, brief_tech_notes, tech_story)| JobTexts {
        cause,
        brief_tech_notes,
        tech_story,
    })
}

fn any_import(
    moment: Timestamp,
    text: &'static str,
    closes: f64,
) -> impl Strategy<Value = ImportedOrder> {
    let statuses = vec!["Waiting", "Drop", "PDI", "none", ""];
    (
        (option::of(text), option::of(text)),
        option::of(prop::sample::select(statuses)),
        option::of(prop::collection::btree_set(1..5_i64, 0..3)),
        prop::collection::btree_map(1..4_i32, option::of(text), 0..3),
        prop::bool::weighted(closes),
        option::weighted(0.3, any_stage()),
    )
        .prop_map(
            move |((customer, tag_number), status, etl, jobs, closes, stage)| ImportedOrder {
                header: RoHeader {
                    customer,
                    tag_number,
                    ..RoHeader::default()
                },
                customer_status: status.map(str::to_owned),
                etl_technicians: etl.map(|ids| ids.into_iter().map(technician).collect()),
                jobs: jobs
                    .into_iter()
                    .map(|(job_number, concern)| ImportedJob {
                        job_number,
                        concern,
                        ..ImportedJob::default()
                    })
                    .collect(),
                closed_at: closes.then_some(moment),
                stage,
                ..ImportedOrder::default()
            },
        )
}

fn technician(technician: i64) -> AssignedTechnician {
    AssignedTechnician {
        technician,
        name: Some("Zoë".to_owned()),
    }
}

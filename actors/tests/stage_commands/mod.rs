//! Any command about stages, for properties.

use dispatch_actors::repair_order::{
    CallReason, Command, HoldActor, HoldReason, NewHold, StageId, WorkFacts,
};
use dispatch_actors::testing::shipped_stages;
use jiff::Timestamp;
use proptest::prelude::*;

/// One of the shipped stages, or one that nobody knows.
pub fn any_stage() -> impl Strategy<Value = StageId> {
    let stages = shipped_stages().stages.into_iter().map(|stage| stage.id);
    let unknown = StageId::from("no-such-stage");
    prop::sample::select(stages.chain([unknown]).collect::<Vec<_>>())
}

/// `moment`: when all of them are made.
pub fn stage_commands(moment: Timestamp) -> impl Strategy<Value = Command> {
    let reasons = vec![
        HoldReason::Approval,
        HoldReason::Parts,
        HoldReason::Sublet,
        HoldReason::Other,
    ];
    let actor = proptest::option::of(Just(HoldActor::Advisor));
    let hold = (
        proptest::option::of(1..4_i32),
        prop::sample::select(reasons),
        proptest::option::of(proptest::option::of(Just(moment))),
        actor,
        proptest::option::of("[a-zé'%;]{0,4}"),
    )
        .prop_map(
            |(job_number, reason, expected_until, who_acts, note)| NewHold {
                job_number,
                reason,
                expected_until,
                who_acts,
                note,
            },
        );
    let facts = (any::<bool>(), prop::collection::btree_set(1..4_i32, 0..4)).prop_map(
        |(clocked, finished_jobs)| WorkFacts {
            clocked,
            finished_jobs: finished_jobs.into_iter().collect(),
        },
    );
    prop_oneof![
        (any_stage(), any::<bool>()).prop_map(move |(stage, ends_holds)| {
            Command::SetStage {
                stage,
                ends_holds,
                at: moment,
            }
        }),
        hold.prop_map(move |hold| Command::StartHold {
            hold: Box::new(hold),
            at: moment,
        }),
        (1..4_i32).prop_map(move |id| Command::EndHold { id, at: moment }),
        facts.prop_map(Command::ReportWork),
        prop::sample::subsequence(CallReason::ALL.to_vec(), 0..3)
            .prop_map(move |about| Command::RecordCall { about, at: moment }),
    ]
}

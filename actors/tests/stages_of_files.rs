//! Stages that a dealer system's file names, in a shop whose stages are the file's.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use dispatch_actors::repair_order::{
    AssignedTechnician, Change, Command, HoldReason, ImportedJob, ImportedOrder, NewHold, Refusal,
    RepairOrder, RoNumber, StageCause, StageId, StageKind, StageRule, StageRules, Undo,
};
use dispatch_actors::testing::shipped_stages;
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

mod stage_commands;
use stage_commands::{any_stage, stage_commands};

/// Stages of the kind hold that have no reason of their own, beside the shipped ones; one is deleted.
const OWN_HOLDS: [&str; 2] = ["insurance", "customer-keys"];
const DELETED: &str = "detailing";

fn rules() -> StageRules {
    let mut rules = shipped_stages();
    let own = OWN_HOLDS.map(|id| (id, StageKind::Hold, false));
    let deleted = (DELETED, StageKind::Active, true);
    for (id, kind, is_deleted) in own.into_iter().chain([deleted]) {
        let id = StageId::from(id);
        rules.stages.push(StageRule {
            id,
            kind,
            is_deleted,
        });
    }
    rules
}

fn noon() -> Timestamp {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

fn file(stage: Option<&str>) -> ImportedOrder {
    ImportedOrder {
        jobs: vec![ImportedJob {
            job_number: 1,
            ..ImportedJob::default()
        }],
        stage: stage.map(StageId::from),
        ..ImportedOrder::default()
    }
}

fn names(stage: &str) -> Command {
    Command::Import(Box::new(file(Some(stage))))
}

fn created(stage: Option<&str>) -> RepairOrder {
    let number = RoNumber::try_from(4389).unwrap();
    let changes = RepairOrder::create_in_stage(number, &file(stage), &rules(), noon());
    RepairOrder::replay(&changes).unwrap()
}

fn does(order: &mut RepairOrder, command: &Command) -> Vec<Change> {
    let changes = order.decide(command, &rules(), noon()).unwrap();
    changes.iter().for_each(|change| order.evolve(change));
    changes
}

/// The stage, where it goes on, and why it waits, with a star for what a file began.
fn place(order: &RepairOrder) -> (String, Option<String>, Vec<String>) {
    let progress = &order.progress;
    let text = |stage: &Option<StageId>| stage.as_ref().map(StageId::to_string);
    let holds = progress.holds.iter().map(|hold| {
        let star = if hold.from_file { "*" } else { "" };
        format!("{}{star}", hold.reason.name())
    });
    let placement = &progress.placement;
    let stage = text(&placement.stage).unwrap_or_default();
    (stage, text(&placement.resumes_at), holds.collect())
}

fn hold(reason: HoldReason) -> Command {
    Command::StartHold {
        hold: Box::new(NewHold {
            job_number: None,
            reason,
            expected_until: Some(Some(noon() + SignedDuration::from_hours(2))),
            who_acts: None,
            note: None,
        }),
        at: noon(),
    }
}

fn assert_place(order: &RepairOrder, stage: &str, resumes_at: Option<&str>, holds: &[&str]) {
    let expected = (
        stage.to_owned(),
        resumes_at.map(str::to_owned),
        holds.iter().map(|&hold| hold.to_owned()).collect(),
    );
    assert_eq!(place(order), expected);
}

#[test]
fn a_new_order_is_where_its_file_says() {
    assert_place(&created(Some("in-work")), "in-work", None, &[]);
    let waits = created(Some("waiting-for-parts"));
    let on = Some("to-be-dispatched");
    assert_place(&waits, "waiting-for-parts", on, &["parts*"]);
    let own = created(Some("insurance"));
    assert_place(&own, "insurance", None, &["other*"]);
    for unknown in [None, Some("no-such-stage"), Some(DELETED)] {
        assert_place(&created(unknown), "to-be-dispatched", None, &[]);
    }
}

#[test]
fn a_file_moves_an_order_in_one_change_and_the_same_file_again_does_nothing() {
    let mut order = created(None);
    let changes = does(&mut order, &names("wash"));
    let [Change::StageChanged { cause, .. }] = changes.as_slice() else {
        panic!("{changes:?}");
    };
    assert_eq!(*cause, StageCause::Imported);
    assert_place(&order, "wash", None, &[]);
    assert_eq!(does(&mut order, &names("wash")), []);
    for unknown in ["no-such-stage", DELETED] {
        assert_eq!(does(&mut order, &names(unknown)), []);
    }
}

#[test]
fn what_a_file_says_comes_before_what_would_follow_by_itself() {
    let mut order = created(None);
    let assigned = ImportedOrder {
        etl_technicians: Some(vec![AssignedTechnician {
            technician: 7,
            name: None,
        }]),
        ..file(Some("to-be-dispatched"))
    };
    let assigned = Command::Import(Box::new(assigned));
    assert_eq!(does(&mut order, &assigned).len(), 1);
    assert_place(&order, "to-be-dispatched", None, &[]);
    assert_eq!(does(&mut order, &assigned), []);
}

#[test]
fn a_hold_that_a_file_began_ends_with_the_file_that_names_another_stage() {
    let mut order = created(Some("in-work"));
    does(&mut order, &names("waiting-for-parts"));
    let on = Some("in-work");
    assert_place(&order, "waiting-for-parts", on, &["parts*"]);
    assert_eq!(order.progress.holds[0].expected_until, None);
    // What the desk says of it stays.
    does(&mut order, &hold(HoldReason::Parts));
    assert_eq!(does(&mut order, &names("waiting-for-parts")), []);
    assert!(order.progress.holds[0].expected_until.is_some());
    does(&mut order, &names("sublet"));
    assert_place(&order, "sublet", on, &["sublet*"]);
    does(&mut order, &names("insurance"));
    assert_place(&order, "insurance", None, &["other*"]);
    // Another wait, although its reason is the same.
    does(&mut order, &names("customer-keys"));
    assert_place(&order, "customer-keys", None, &["other*"]);
    assert_eq!(order.progress.holds[0].id, 4);
    assert_eq!(does(&mut order, &names("customer-keys")), []);
    does(&mut order, &names("ready"));
    assert_place(&order, "ready", None, &[]);
}

#[test]
fn a_hold_of_the_desk_keeps_an_order_and_the_file_says_where_it_goes_on() {
    let mut order = created(Some("in-work"));
    does(&mut order, &hold(HoldReason::Approval));
    does(&mut order, &names("wash"));
    let approval = "waiting-for-approval";
    assert_place(&order, approval, Some("wash"), &["approval"]);
    does(&mut order, &names(approval));
    assert_place(&order, approval, Some("wash"), &["approval"]);
    does(&mut order, &names("waiting-for-parts"));
    assert_place(&order, approval, Some("wash"), &["approval", "parts*"]);
    let end = Command::EndHold { id: 1, at: noon() };
    does(&mut order, &end);
    let on = Some("wash");
    assert_place(&order, "waiting-for-parts", on, &["parts*"]);
}

#[test]
fn a_closed_order_is_with_the_customer_whatever_its_file_says() {
    let mut order = created(Some("in-work"));
    let closing = ImportedOrder {
        closed_at: Some(noon()),
        ..file(Some("wash"))
    };
    does(&mut order, &Command::Import(Box::new(closing)));
    assert_place(&order, "with-the-customer", None, &[]);
    assert_eq!(does(&mut order, &names("ready")), []);
    does(&mut order, &Command::Reopen { at: noon() });
    assert_place(&order, "in-work", None, &[]);
}

#[test]
fn a_file_moves_nothing_while_stages_are_off() {
    let off = StageRules {
        is_on: false,
        ..rules()
    };
    let number = RoNumber::try_from(4389).unwrap();
    let made = RepairOrder::create_in_stage(number, &file(Some("wash")), &off, noon());
    let order = RepairOrder::replay(&made).unwrap();
    assert!(order.progress.is_empty());
    assert_eq!(order.decide(&names("wash"), &off, noon()), Ok(vec![]));
}

#[test]
fn a_move_of_a_file_is_corrected_there_and_keeps_older_moves_from_being_undone() {
    let mut order = created(None);
    let set = Command::SetStage {
        stage: StageId::from("in-work"),
        ends_holds: false,
        at: noon(),
    };
    let by_desk = does(&mut order, &set);
    let by_file = does(&mut order, &names("wash"));
    let undo = |changes: &[Change], since: &[Change]| {
        Command::Undo(Box::new(Undo {
            changes: changes.to_vec(),
            since: since.to_vec(),
            at: noon(),
        }))
    };
    let refused = |command: Command| order.decide(&command, &rules(), noon()).unwrap_err();
    assert_eq!(refused(undo(&by_file, &[])), Refusal::CannotUndoImport);
    assert!(matches!(
        refused(undo(&by_desk, &by_file)),
        Refusal::ChangedSince { .. }
    ));
}

fn any_named_stage() -> impl Strategy<Value = StageId> {
    let own = OWN_HOLDS.into_iter().chain([DELETED]).map(StageId::from);
    prop_oneof![any_stage(), prop::sample::select(own.collect::<Vec<_>>())]
}

fn steps() -> impl Strategy<Value = Command> {
    let named = any_named_stage().prop_map(|stage| names(stage.as_str()));
    prop_oneof![
        3 => named,
        3 => stage_commands(noon()),
        1 => Just(Command::Assign(7)),
        1 => Just(Command::Unassign(7)),
        1 => Just(Command::Close { at: noon() }),
        1 => Just(Command::Reopen { at: noon() }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn after_a_file_an_order_is_where_the_file_says_or_where_a_hold_keeps_it(
        before in prop::collection::vec(steps(), 0..20),
        stage in any_named_stage(),
    ) {
        let mut order = created(None);
        for command in before {
            for change in order.decide(&command, &rules(), noon()).unwrap_or_default() {
                order.evolve(&change);
            }
        }
        let before = order.clone();
        let changes = does(&mut order, &names(stage.as_str()));
        prop_assert_eq!(does(&mut order, &names(stage.as_str())), vec![]);
        let rules = rules();
        if before.closed_at.is_some() || rules.available(stage.as_str()).is_none() {
            prop_assert_eq!(changes, vec![]);
            return Ok(());
        }
        let moves = changes.iter().filter(|change| matches!(change, Change::StageChanged { .. }));
        prop_assert!(moves.count() <= 1, "{:?}", changes);
        // What the desk holds is held as before.
        let of_desk = |order: &RepairOrder| {
            let holds = order.progress.holds.iter().filter(|hold| !hold.from_file);
            holds.cloned().collect::<Vec<_>>()
        };
        prop_assert_eq!(of_desk(&before), of_desk(&order));
        let progress = &order.progress;
        let held_in = progress.stage_of_holds(&order.jobs, &rules);
        let placement = &progress.placement;
        prop_assert_eq!(placement.resumes_at.is_some(), held_in.is_some());
        let waits = rules.kind(&stage) == Some(StageKind::Hold);
        let has_reason = ["waiting-for-approval", "waiting-for-parts", "sublet"].contains(&stage.as_str());
        if has_reason {
            prop_assert!(held_in.is_some());
            prop_assert_eq!(&placement.stage, &held_in);
        } else {
            prop_assert_eq!(placement.base(), Some(&stage));
        }
        let of_file = progress.holds.iter().filter(|hold| hold.from_file).count();
        prop_assert!(of_file <= usize::from(waits), "{:?}", progress.holds);
    }
}

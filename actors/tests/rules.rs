//! The rules of status, priority, assignment and import: one by one, and for any sequence.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use dispatch_actors::repair_order::{
    Action, AssignedTechnician, BadRoNumber, Change, Command, DisplayedStatus, ImportedJob,
    ImportedOrder, JobTexts, Operation, OrderProgress, Priority, Refusal, RepairOrder, RoHeader,
    RoNumber, SoldHours, StageCause, StageRules, Status, Undo,
};
use dispatch_actors::testing::shipped_stages;
use jiff::Timestamp;
use proptest::prelude::*;

mod any_command;
mod stage_commands;
use any_command::any_command;

fn number(value: i64) -> RoNumber {
    RoNumber::try_from(value).unwrap()
}

fn noon() -> Timestamp {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

fn created(imported: &ImportedOrder) -> RepairOrder {
    RepairOrder::replay(&RepairOrder::create(number(4389), imported, noon())).unwrap()
}

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn technician(id: i64) -> AssignedTechnician {
    AssignedTechnician {
        technician: id,
        name: None,
    }
}

/// Carries a command out; gives the names of what happened.
fn apply(order: &mut RepairOrder, command: Command) -> Vec<Action> {
    let changes = order.apply(&command).unwrap();
    changes.iter().for_each(|change| order.evolve(change));
    changes.iter().map(Change::action).collect()
}

#[test]
fn a_status_change_sets_the_priority_with_it() {
    let mut order = created(&ImportedOrder::default());
    let happened = apply(&mut order, Command::ChangeStatus(Status::Waiting));
    assert_eq!(happened, [Action::StatusChanged, Action::PriorityChanged]);
    assert_eq!(
        (order.app_customer_status, order.priority),
        (Some(Status::Waiting), Priority::Waiting)
    );
    assert_eq!(order.version, 3);

    for status in Status::ALL
        .into_iter()
        .filter(|status| *status != Status::Waiting)
    {
        apply(&mut order, Command::ChangePriority(Priority::High));
        apply(&mut order, Command::ChangeStatus(status));
        assert_eq!(
            order.priority,
            Priority::Low,
            "after a change to {}",
            status.name()
        );
    }
}

#[test]
fn a_command_that_changes_nothing_makes_no_event() {
    let mut order = created(&ImportedOrder::default());
    apply(&mut order, Command::ChangeStatus(Status::Used));
    apply(&mut order, Command::ChangePriority(Priority::High));
    apply(&mut order, Command::Assign(7));
    let version = order.version;
    for command in [
        Command::ChangeStatus(Status::Used),
        Command::ChangePriority(Priority::High),
        Command::Assign(7),
        Command::Unassign(8),
    ] {
        assert_eq!(apply(&mut order, command), []);
    }
    assert_eq!(order.version, version);
    assert_eq!(
        order.priority,
        Priority::High,
        "a status that stays leaves the priority alone"
    );
}

#[test]
fn technicians_keep_the_order_in_which_they_were_assigned() {
    let mut order = created(&ImportedOrder::default());
    for id in [3, 1, 2] {
        assert_eq!(
            apply(&mut order, Command::Assign(id)),
            [Action::TechAssigned]
        );
    }
    assert_eq!(
        apply(&mut order, Command::Unassign(1)),
        [Action::TechUnassigned]
    );
    assert_eq!(order.regular_technicians, [technician(3), technician(2)]);
}

#[test]
fn a_technician_of_the_dealer_system_is_removed_there() {
    let mut order = created(&ImportedOrder {
        etl_technicians: Some(vec![technician(9)]),
        ..ImportedOrder::default()
    });
    let refused = order.apply(&Command::Unassign(9));
    assert_eq!(refused, Err(Refusal::EtlTechnician { technician: 9 }));
    assert_eq!(
        apply(&mut order, Command::Assign(9)),
        [Action::TechAssigned],
        "the desk may assign them too"
    );
    assert_eq!(
        apply(&mut order, Command::Unassign(9)),
        [Action::TechUnassigned]
    );
    assert_eq!(order.etl_technicians, [technician(9)]);
}

#[test]
fn a_technician_who_hands_an_order_back_is_unassigned_and_the_log_has_the_reason() {
    let mut order = created(&ImportedOrder {
        etl_technicians: Some(vec![technician(9)]),
        ..ImportedOrder::default()
    });
    apply(&mut order, Command::Assign(3));
    let hand_back = |technician| Command::HandBack {
        technician,
        reason: "No lift is free".to_owned(),
    };
    let changes = order.apply(&hand_back(3)).unwrap();
    let [Change::TechnicianUnassigned { reason, .. }] = changes.as_slice() else {
        panic!("{changes:?}");
    };
    assert_eq!(reason.as_deref(), Some("No lift is free"));
    assert_eq!(apply(&mut order, hand_back(3)), [Action::TechUnassigned]);
    assert_eq!(order.regular_technicians, []);
    assert_eq!(
        order.apply(&hand_back(3)),
        Err(Refusal::NotAssigned {
            number: number(4389),
            technician: 3
        })
    );
    assert_eq!(
        order.apply(&hand_back(9)),
        Err(Refusal::EtlTechnician { technician: 9 })
    );
}

#[test]
fn a_file_without_hours_leaves_the_hours_unchanged() {
    let operation = |code: &str, hundredths: Option<i32>| Operation {
        operation_code: code.to_owned(),
        operation_description: String::new(),
        sold_hours: hundredths.and_then(SoldHours::from_hundredths),
    };
    let file = |operations: Vec<Operation>| ImportedOrder {
        jobs: vec![ImportedJob {
            job_number: 1,
            operations: Some(operations),
            ..ImportedJob::default()
        }],
        ..ImportedOrder::default()
    };
    let mut order = created(&file(vec![
        operation("LOF", Some(30)),
        operation("ROT", Some(20)),
    ]));
    let silent = file(vec![operation("ROT", None), operation("LOF", None)]);
    apply(&mut order, Command::Import(Box::new(silent)));
    assert_eq!(
        order.jobs[0].operations,
        [operation("ROT", Some(20)), operation("LOF", Some(30))]
    );
    let imported = file(vec![operation("LOF", Some(50)), operation("WASH", None)]);
    apply(&mut order, Command::Import(Box::new(imported)));
    assert_eq!(
        order.jobs[0].operations,
        [operation("LOF", Some(50)), operation("WASH", None)]
    );
    assert_eq!(order.jobs[0].sold_hours(), SoldHours::from_hundredths(50));
}

#[test]
fn a_closed_order_takes_no_command_of_the_desk() {
    let mut order = created(&ImportedOrder::default());
    let closing = ImportedOrder {
        closed_at: Some(noon()),
        ..ImportedOrder::default()
    };
    assert_eq!(
        apply(&mut order, Command::Import(Box::new(closing.clone()))),
        [Action::Closed]
    );
    assert_eq!(apply(&mut order, Command::Import(Box::new(closing))), []);
    for command in [
        Command::ChangeStatus(Status::Used),
        Command::ChangePriority(Priority::High),
        Command::Assign(1),
        Command::Unassign(1),
    ] {
        assert_eq!(order.apply(&command), Err(Refusal::Closed(number(4389))));
    }
}

#[test]
fn the_displayed_status_is_the_desks_else_the_dealer_systems_else_drop() {
    let shown = |app: Option<Status>, customer: &str| {
        created(&ImportedOrder {
            app_customer_status: app,
            customer_status: text(customer),
            ..ImportedOrder::default()
        })
        .displayed_status()
    };
    assert_eq!(shown(Some(Status::Used), "Waiting"), DisplayedStatus::Used);
    assert_eq!(shown(None, "  waiting "), DisplayedStatus::Waiting);
    assert_eq!(shown(None, "pdi"), DisplayedStatus::Pdi);
    assert_eq!(shown(None, "In Process"), DisplayedStatus::Drop);
    assert_eq!(shown(None, ""), DisplayedStatus::Drop);
    assert_eq!(
        shown(Some(Status::Eng), "Waiting"),
        DisplayedStatus::Drop,
        "engine work has no tab"
    );
}

#[test]
fn a_new_order_has_the_imported_priority_else_that_of_its_status() {
    let priority = |priority: Option<Priority>, status: &str| {
        created(&ImportedOrder {
            priority,
            customer_status: text(status),
            ..ImportedOrder::default()
        })
        .priority
    };
    assert_eq!(
        priority(Some(Priority::Medium), "Waiting"),
        Priority::Medium
    );
    assert_eq!(priority(None, "Waiting"), Priority::Waiting);
    assert_eq!(priority(None, "Used"), Priority::Low);
}

#[test]
fn a_later_import_takes_its_own_fields_and_leaves_the_desks() {
    let first = ImportedOrder {
        dms_number: "4389".to_owned(),
        header: RoHeader {
            customer: text("Ann Example"),
            vehicle: text("2020 Ford Escape"),
            ..RoHeader::default()
        },
        customer_status: text("Drop"),
        regular_technicians: Some(vec![technician(1)]),
        jobs: vec![ImportedJob {
            job_number: 1,
            concern: text("Noise"),
            cause: text("Loose shield"),
            ..ImportedJob::default()
        }],
        ..ImportedOrder::default()
    };
    let mut order = created(&first);
    apply(&mut order, Command::ChangeStatus(Status::Waiting));
    apply(&mut order, Command::ChangePriority(Priority::High));
    apply(&mut order, Command::Assign(2));

    let again = ImportedOrder {
        header: RoHeader {
            customer: text("Ann Example-Smith"),
            tag_number: text("T118"),
            ..first.header.clone()
        },
        customer_status: text("PDI"),
        app_customer_status: Some(Status::Used),
        priority: Some(Priority::Low),
        regular_technicians: Some(vec![]),
        etl_technicians: Some(vec![technician(5)]),
        jobs: vec![
            ImportedJob {
                job_number: 2,
                concern: text("Oil change"),
                operations: Some(vec![Operation {
                    operation_code: "LOF".to_owned(),
                    operation_description: "Lube, oil, filter".to_owned(),
                    sold_hours: SoldHours::from_hundredths(30),
                }]),
                ..ImportedJob::default()
            },
            ImportedJob {
                job_number: 1,
                concern: text("Noise from below"),
                cause: text("overwritten?"),
                ..ImportedJob::default()
            },
        ],
        ..first.clone()
    };
    assert_eq!(
        apply(&mut order, Command::Import(Box::new(again.clone()))),
        [Action::Imported]
    );
    assert_eq!(order.header.customer, "Ann Example-Smith");
    assert_eq!(order.header.tag_number, "T118");
    assert_eq!(order.customer_status, "PDI");
    assert_eq!(order.etl_technicians, [technician(5)]);
    assert_eq!(order.jobs.len(), 2);
    assert_eq!(order.jobs[0].concern, "Noise from below");
    assert_eq!(
        order.jobs[0].cause, "Loose shield",
        "the cause is the shop's own"
    );
    assert_eq!(order.app_customer_status, Some(Status::Waiting));
    assert_eq!(order.priority, Priority::High);
    assert_eq!(order.regular_technicians, [technician(1), technician(2)]);

    assert_eq!(
        apply(&mut order, Command::Import(Box::new(again))),
        [],
        "the same file again"
    );
    let without_jobs = ImportedOrder {
        jobs: vec![],
        ..ImportedOrder::default()
    };
    assert_eq!(
        apply(
            &mut order,
            Command::Import(Box::new(ImportedOrder {
                dms_number: "4389".into(),
                ..without_jobs
            }))
        ),
        [],
        "what a file does not say it does not erase"
    );
}

#[test]
fn the_same_digits_under_another_text_are_another_order() {
    let order = created(&ImportedOrder {
        dms_number: "A4389".to_owned(),
        ..ImportedOrder::default()
    });
    let other = Command::Import(Box::new(ImportedOrder {
        dms_number: "B4389".to_owned(),
        ..ImportedOrder::default()
    }));
    assert!(matches!(
        order.apply(&other),
        Err(Refusal::NumberCollision { .. })
    ));
}

#[test]
fn an_ro_number_is_the_value_of_its_digits() {
    assert_eq!(" 004389 ".parse(), Ok(number(4389)));
    assert_eq!("C4389".parse(), Ok(number(4389)));
    assert_eq!("".parse::<RoNumber>(), Err(BadRoNumber::Missing));
    assert!(matches!(
        "ABC".parse::<RoNumber>(),
        Err(BadRoNumber::NoDigits(_))
    ));
    for other in ["-5", "1002.5", "100234.0", "1.00234E+11", "+7", "1,5"] {
        assert!(
            matches!(other.parse::<RoNumber>(), Err(BadRoNumber::NotWhole(_))),
            "{other}"
        );
    }
    assert_eq!("40-13".parse(), Ok(number(4013)));
    assert!(matches!(
        "0".parse::<RoNumber>(),
        Err(BadRoNumber::OutOfRange(_))
    ));
    assert_eq!("9007199254740991".parse(), Ok(number(RoNumber::MAX)));
    assert!(matches!(
        "9007199254740992".parse::<RoNumber>(),
        Err(BadRoNumber::OutOfRange(_))
    ));
    assert!(matches!(
        "99999999999999999999999".parse::<RoNumber>(),
        Err(BadRoNumber::OutOfRange(_))
    ));
}

fn commands() -> impl Strategy<Value = Command> {
    any_command(noon(), "[a-z]{0,2}", 0.02)
}

/// A command, or an undo of the request that is so many back.
#[derive(Clone, Debug)]
enum Step {
    Do(Command),
    Undo(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => commands().prop_map(Step::Do),
        1 => (0..4_usize).prop_map(Step::Undo),
    ];
    prop::collection::vec(step, 0..40)
}

/// What an undo of the request `back` requests ago is: its changes, and everything since.
fn undo_of(requests: &[Vec<Change>], back: usize) -> Option<Undo> {
    let target = requests.len().checked_sub(back + 1)?;
    Some(Undo {
        changes: requests[target].clone(),
        since: requests[target + 1..].concat(),
        at: noon(),
    })
}

fn assert_sound(order: &RepairOrder) {
    let unique = |technicians: &[AssignedTechnician]| {
        let mut ids: Vec<i64> = technicians.iter().map(|t| t.technician).collect();
        ids.sort_unstable();
        ids.windows(2).all(|pair| pair[0] != pair[1])
    };
    assert!(
        unique(&order.regular_technicians),
        "nobody is assigned twice: {order:?}"
    );
    assert!(
        unique(&order.etl_technicians),
        "nobody is assigned twice: {order:?}"
    );
    assert!(
        order
            .jobs
            .windows(2)
            .all(|pair| pair[0].job_number < pair[1].job_number),
        "jobs are sorted and unique: {order:?}"
    );
}

/// An open order has a stage, and is in the one that its holds say where they say one.
fn assert_placed(order: &RepairOrder, rules: &StageRules) {
    let placement = &order.progress.placement;
    if !rules.is_on {
        assert_eq!(order.progress, OrderProgress::default());
        return;
    }
    assert!(placement.stage.is_some() && order.progress.since.is_some());
    if order.closed_at.is_none() {
        let held_in = order.progress.stage_of_holds(&order.jobs, rules);
        assert_eq!(placement.resumes_at.is_some(), held_in.is_some());
        if held_in.is_some() {
            assert_eq!(placement.stage, held_in);
        }
    } else {
        assert_eq!(placement.resumes_at, None);
    }
    let holds = &order.progress.holds;
    assert!(holds.windows(2).all(|pair| pair[0].id < pair[1].id));
    assert!(holds.iter().all(|hold| hold.id <= order.progress.last_hold));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn any_sequence_leaves_a_valid_order_that_equals_its_replayed_events(steps in steps(), is_on in any::<bool>()) {
        let rules = StageRules { is_on, ..shipped_stages() };
        let first = ImportedOrder {
            dms_number: "4389".into(),
            jobs: vec![ImportedJob { job_number: 1, ..ImportedJob::default() }],
            ..ImportedOrder::default()
        };
        let mut events = RepairOrder::create_in_stage(number(4389), &first, &rules, noon());
        let mut order = RepairOrder::replay(&events).unwrap();
        let mut requests: Vec<Vec<Change>> = Vec::new();
        for step in steps {
            let command = match step {
                Step::Do(command) => command,
                Step::Undo(back) => match undo_of(&requests, back) {
                    Some(undo) => Command::Undo(Box::new(undo)),
                    None => continue,
                },
            };
            let Ok(changes) = order.decide(&command, &rules, noon()) else { continue };
            for change in &changes {
                let before = order.version;
                order.evolve(change);
                prop_assert_eq!(order.version, before + 1);
            }
            match &command {
                Command::ChangeStatus(status) if !changes.is_empty() => {
                    prop_assert_eq!(order.priority, status.displayed().automatic_priority());
                }
                _ => {}
            }
            if !matches!(command, Command::Undo(_)) {
                prop_assert_eq!(
                    order.decide(&command, &rules, noon()).unwrap_or_default(),
                    vec![],
                    "a command repeated changes nothing"
                );
            }
            assert_sound(&order);
            assert_placed(&order, &rules);
            if !changes.is_empty() {
                requests.push(changes.clone());
            }
            events.extend(changes);
        }
        // Through JSON, as the log keeps them.
        let kept: Vec<Change> = events
            .iter()
            .map(|change| serde_json::from_str(&serde_json::to_string(change).unwrap()).unwrap())
            .collect();
        prop_assert_eq!(&kept, &events);
        prop_assert_eq!(RepairOrder::replay(&kept), Some(order));
    }

    #[test]
    fn undoing_the_last_change_gives_the_order_from_before(before in prop::collection::vec(commands(), 0..20), last in commands(), is_on in any::<bool>()) {
        let rules = StageRules { is_on, ..shipped_stages() };
        let first = ImportedOrder {
            dms_number: "4389".into(),
            jobs: vec![ImportedJob { job_number: 1, ..ImportedJob::default() }],
            ..ImportedOrder::default()
        };
        let created = RepairOrder::create_in_stage(number(4389), &first, &rules, noon());
        let mut order = RepairOrder::replay(&created).unwrap();
        for command in before {
            for change in order.decide(&command, &rules, noon()).unwrap_or_default() {
                order.evolve(&change);
            }
        }
        let before = order.clone();
        let changes = order.decide(&last, &rules, noon()).unwrap_or_default();
        changes.iter().for_each(|change| order.evolve(change));
        let undo = Command::Undo(Box::new(Undo { changes: changes.clone(), since: Vec::new(), at: noon() }));
        let undone = order.decide(&undo, &rules, noon());
        let is_of_file = |change: &Change| {
            let cause = StageCause::Imported;
            matches!(change, Change::Imported { .. })
                || matches!(change, Change::StageChanged { cause: by, .. } if *by == cause)
        };
        if changes.iter().any(is_of_file) {
            prop_assert_eq!(undone, Err(Refusal::CannotUndoImport));
            return Ok(());
        }
        if changes.iter().any(|change| matches!(change, Change::WorkReported { .. })) {
            prop_assert_eq!(undone, Err(Refusal::CannotUndoWork));
            return Ok(());
        }
        undone.unwrap().iter().for_each(|change| order.evolve(change));
        // A closing that was taken back is remembered, and versions only rise.
        order.version = before.version;
        order.reopened_at = before.reopened_at;
        // It has been in its stage since the undo, and the number of a hold is not given twice.
        order.progress.since = before.progress.since;
        order.progress.last_hold = before.progress.last_hold;
        prop_assert_eq!(order, before);
    }
}

#[test]
fn a_technician_is_replaced_and_the_replacement_can_be_undone() {
    let mut order = created(&ImportedOrder::default());
    for id in [1, 2, 3] {
        apply(&mut order, Command::Assign(id));
    }
    let exchange = Command::Reassign { from: 2, to: 4 };
    let changes = order.apply(&exchange).unwrap();
    assert_eq!(
        apply(&mut order, exchange.clone()),
        [Action::TechUnassigned, Action::TechAssigned]
    );
    assert_eq!(order.regular_technicians, [1, 3, 4].map(technician));
    assert_eq!(apply(&mut order, exchange), [], "done already");
    assert_eq!(
        order.apply(&Command::Reassign { from: 9, to: 5 }),
        Err(Refusal::NotAssigned {
            number: number(4389),
            technician: 9
        })
    );
    let undo = Undo {
        changes,
        since: vec![],
        at: noon(),
    };
    apply(&mut order, Command::Undo(Box::new(undo)));
    assert_eq!(order.regular_technicians, [1, 2, 3].map(technician));
}

#[test]
fn a_change_that_was_changed_again_is_not_undone() {
    let mut order = created(&ImportedOrder::default());
    let waiting = order
        .apply(&Command::ChangeStatus(Status::Waiting))
        .unwrap();
    apply(&mut order, Command::ChangeStatus(Status::Waiting));
    let since = order
        .apply(&Command::ChangePriority(Priority::High))
        .unwrap();
    apply(&mut order, Command::ChangePriority(Priority::High));
    let undo = Undo {
        changes: waiting,
        since,
        at: noon(),
    };
    let refused = order.apply(&Command::Undo(Box::new(undo))).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "This cannot be undone: the priority of repair order 4389 has changed again since"
    );
}

#[test]
fn an_order_that_the_shop_reopened_stays_open_when_a_file_repeats_its_closing() {
    let mut order = created(&ImportedOrder::default());
    let at = |hour: i8| -> Timestamp { format!("2026-11-20T{hour:02}:00:00Z").parse().unwrap() };
    let closing = |hour, closing_is_undated| {
        Command::Import(Box::new(ImportedOrder {
            closed_at: Some(at(hour)),
            closing_is_undated,
            ..ImportedOrder::default()
        }))
    };
    // The desk closes at 8, a file says 10, the desk reopens at 12.
    apply(&mut order, Command::Close { at: at(8) });
    assert_eq!(apply(&mut order, closing(10, false)), []);
    let reopen = Command::Reopen { at: at(12) };
    assert_eq!(apply(&mut order, reopen.clone()), [Action::Reopened]);
    assert_eq!(apply(&mut order, reopen), []);
    for (hour, undated) in [(10, false), (12, false), (11, true), (18, true)] {
        assert_eq!(apply(&mut order, closing(hour, undated)), [], "{hour}");
    }
    assert_eq!(apply(&mut order, closing(13, false)), [Action::Closed]);
    assert_eq!(order.closed_at, Some(at(13)));

    // What is reopened by undoing its closing is reopened like that, too.
    let undo = Undo {
        changes: vec![Change::Closed { at: at(13) }],
        since: vec![],
        at: at(14),
    };
    apply(&mut order, Command::Undo(Box::new(undo)));
    assert_eq!(apply(&mut order, closing(14, false)), []);
    assert_eq!(apply(&mut order, closing(15, true)), []);
    assert_eq!(apply(&mut order, closing(15, false)), [Action::Closed]);
}

#[test]
fn an_order_that_is_closed_without_a_time_is_closed() {
    let closed = ImportedOrder {
        closed_at: Some(noon()),
        closing_is_undated: true,
        ..ImportedOrder::default()
    };
    assert_eq!(created(&closed).closed_at, Some(noon()));
    let mut open = created(&ImportedOrder::default());
    let import = Command::Import(Box::new(closed));
    assert_eq!(apply(&mut open, import), [Action::Closed]);
}

#[test]
fn an_old_event_that_does_not_say_when_it_reopened_is_read() {
    let old = r#"{"type":"reopened","closedAt":"2026-11-20T16:00:00Z"}"#;
    let change: Change = serde_json::from_str(old).unwrap();
    assert_eq!(serde_json::to_string(&change).unwrap(), old);
    let mut order = created(&ImportedOrder::default());
    order.evolve(&change);
    assert_eq!(
        order.reopened_at,
        Some("2026-11-20T16:00:00Z".parse().unwrap())
    );
}

#[test]
fn a_jobs_texts_are_written_also_when_the_order_is_closed() {
    let mut order = created(&ImportedOrder {
        jobs: vec![ImportedJob {
            job_number: 2,
            cause: text("Worn pads"),
            ..ImportedJob::default()
        }],
        ..ImportedOrder::default()
    });
    apply(&mut order, Command::Close { at: noon() });
    let edit = Command::EditJob {
        job_number: 2,
        texts: JobTexts {
            cause: text("Worn pads"),
            tech_story: text("Replaced."),
            ..JobTexts::default()
        },
        provenance: None,
    };
    assert_eq!(apply(&mut order, edit.clone()), [Action::JobChanged]);
    assert_eq!(apply(&mut order, edit), []);
    assert_eq!(order.jobs[0].tech_story, "Replaced.");
    let nowhere = Command::EditJob {
        job_number: 3,
        texts: JobTexts::default(),
        provenance: None,
    };
    assert!(matches!(
        order.apply(&nowhere),
        Err(Refusal::UnknownJob { job_number: 3, .. })
    ));
}

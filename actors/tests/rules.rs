//! The rules of status, priority, assignment and import: one by one, and for any sequence.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use dispatch_actors::repair_order::{
    Action, AssignedTechnician, BadRoNumber, Change, Command, ImportedJob, ImportedOrder,
    Operation, Priority, Refusal, RepairOrder, RoNumber, Status,
};
use jiff::Timestamp;
use proptest::prelude::*;

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
fn carry_out(order: &mut RepairOrder, command: Command) -> Vec<Action> {
    let changes = order.apply(&command).unwrap();
    changes.iter().for_each(|change| order.evolve(change));
    changes.iter().map(Change::action).collect()
}

#[test]
fn a_status_change_sets_the_priority_with_it() {
    let mut order = created(&ImportedOrder::default());
    let happened = carry_out(&mut order, Command::ChangeStatus(Status::Waiting));
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
        carry_out(&mut order, Command::ChangePriority(Priority::High));
        carry_out(&mut order, Command::ChangeStatus(status));
        assert_eq!(
            order.priority,
            Priority::Low,
            "after a change to {}",
            status.name()
        );
    }
}

#[test]
fn what_is_so_already_changes_nothing() {
    let mut order = created(&ImportedOrder::default());
    carry_out(&mut order, Command::ChangeStatus(Status::Used));
    carry_out(&mut order, Command::ChangePriority(Priority::High));
    carry_out(&mut order, Command::Assign(7));
    let version = order.version;
    for command in [
        Command::ChangeStatus(Status::Used),
        Command::ChangePriority(Priority::High),
        Command::Assign(7),
        Command::Unassign(8),
    ] {
        assert_eq!(carry_out(&mut order, command), []);
    }
    assert_eq!(order.version, version);
    assert_eq!(
        order.priority,
        Priority::High,
        "a status that stays leaves the priority alone"
    );
}

#[test]
fn technicians_come_and_go_in_their_order() {
    let mut order = created(&ImportedOrder::default());
    for id in [3, 1, 2] {
        assert_eq!(
            carry_out(&mut order, Command::Assign(id)),
            [Action::TechAssigned]
        );
    }
    assert_eq!(
        carry_out(&mut order, Command::Unassign(1)),
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
        carry_out(&mut order, Command::Assign(9)),
        [Action::TechAssigned],
        "the desk may assign them too"
    );
    assert_eq!(
        carry_out(&mut order, Command::Unassign(9)),
        [Action::TechUnassigned]
    );
    assert_eq!(order.etl_technicians, [technician(9)]);
}

#[test]
fn a_closed_order_takes_no_command_of_the_desk() {
    let mut order = created(&ImportedOrder::default());
    let closing = ImportedOrder {
        closed_at: Some(noon()),
        ..ImportedOrder::default()
    };
    assert_eq!(
        carry_out(&mut order, Command::Import(Box::new(closing.clone()))),
        [Action::Closed]
    );
    assert_eq!(
        carry_out(&mut order, Command::Import(Box::new(closing))),
        []
    );
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
    assert_eq!(shown(Some(Status::Used), "Waiting"), Status::Used);
    assert_eq!(shown(None, "  waiting "), Status::Waiting);
    assert_eq!(shown(None, "pdi"), Status::Pdi);
    assert_eq!(shown(None, "In Process"), Status::Drop);
    assert_eq!(shown(None, ""), Status::Drop);
    assert_eq!(
        shown(Some(Status::Eng), "Waiting"),
        Status::Drop,
        "engine work has no tab"
    );
}

#[test]
fn a_new_order_has_the_priority_that_came_else_its_statuss() {
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
        customer: text("Ann Example"),
        vehicle: text("2020 Ford Escape"),
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
    carry_out(&mut order, Command::ChangeStatus(Status::Waiting));
    carry_out(&mut order, Command::ChangePriority(Priority::High));
    carry_out(&mut order, Command::Assign(2));

    let again = ImportedOrder {
        customer: text("Ann Example-Smith"),
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
        carry_out(&mut order, Command::Import(Box::new(again.clone()))),
        [Action::Imported]
    );
    assert_eq!(order.customer, "Ann Example-Smith");
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
        carry_out(&mut order, Command::Import(Box::new(again))),
        [],
        "the same file again"
    );
    let without_jobs = ImportedOrder {
        jobs: vec![],
        ..ImportedOrder::default()
    };
    assert_eq!(
        carry_out(
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
    let import = (
        proptest::option::of("[A-Z]{0,3}"),
        proptest::option::of(prop::sample::select(vec![
            "Waiting", "Drop", "PDI", "none", "",
        ])),
        proptest::option::of(prop::collection::btree_set(1..5_i64, 0..3)),
        prop::collection::btree_map(1..4_i32, proptest::option::of("[a-z]{0,3}"), 0..3),
        prop::bool::weighted(0.02),
    )
        .prop_map(|(customer, status, etl, jobs, closes)| ImportedOrder {
            dms_number: "4389".to_owned(),
            customer,
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
            closed_at: closes.then(noon),
            ..ImportedOrder::default()
        });
    prop_oneof![
        prop::sample::select(Status::ALL.to_vec()).prop_map(Command::ChangeStatus),
        prop::sample::select(Priority::ALL.to_vec()).prop_map(Command::ChangePriority),
        (1..5_i64).prop_map(Command::Assign),
        (1..5_i64).prop_map(Command::Unassign),
        import.prop_map(|order| Command::Import(Box::new(order))),
    ]
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_sequence_leaves_a_sound_order_that_its_events_tell(commands in prop::collection::vec(commands(), 0..40)) {
        let mut events = RepairOrder::create(number(4389), &ImportedOrder { dms_number: "4389".into(), ..ImportedOrder::default() }, noon());
        let mut order = RepairOrder::replay(&events).unwrap();
        for command in commands {
            let Ok(changes) = order.apply(&command) else { continue };
            for change in &changes {
                let before = order.version;
                order.evolve(change);
                prop_assert_eq!(order.version, before + 1);
            }
            prop_assert_eq!(order.apply(&command).unwrap_or_default(), vec![], "a command repeated changes nothing");
            if let Command::ChangeStatus(status) = command
                && !changes.is_empty()
            {
                prop_assert_eq!(order.priority, status.automatic_priority());
            }
            assert_sound(&order);
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
}

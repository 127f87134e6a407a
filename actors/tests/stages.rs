//! How an order moves from stage to stage, by itself and by people; holds; and where its hours went.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use dispatch_actors::repair_order::{
    Change, Command, HoldReason, ImportedJob, ImportedOrder, NewHold, Refusal, RepairOrder,
    RoNumber, StageId, StageRules, Undo, WorkFacts, stage_strip,
};
use dispatch_actors::testing::shipped_stages;
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

mod stage_commands;
use stage_commands::stage_commands;

fn noon() -> Timestamp {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

fn minutes(minutes: i64) -> Timestamp {
    noon() + SignedDuration::from_mins(minutes)
}

/// An order, with everything that happened to it, a minute apart.
struct Life {
    order: RepairOrder,
    events: Vec<(Timestamp, Change)>,
    rules: StageRules,
}

impl Life {
    fn new(jobs: &[i32]) -> Self {
        Self::with_rules(jobs, shipped_stages())
    }

    fn with_rules(jobs: &[i32], rules: StageRules) -> Self {
        let job = |number: &i32| ImportedJob {
            job_number: *number,
            ..ImportedJob::default()
        };
        let file = ImportedOrder {
            jobs: jobs.iter().map(job).collect(),
            ..ImportedOrder::default()
        };
        let number = RoNumber::try_from(4389).unwrap();
        let created = RepairOrder::create_in_stage(number, &file, &rules, noon());
        Self {
            order: RepairOrder::replay(&created).unwrap(),
            events: created.into_iter().map(|change| (noon(), change)).collect(),
            rules,
        }
    }

    fn now(&self) -> Timestamp {
        minutes(self.events.len() as i64)
    }

    fn decide(&mut self, command: &Command) -> Result<Vec<Change>, Refusal> {
        let now = self.now();
        let changes = self.order.decide(command, &self.rules, now)?;
        for change in &changes {
            self.order.evolve(change);
            self.events.push((now, change.clone()));
        }
        Ok(changes)
    }

    /// Gives the stage it is in afterwards.
    fn after(&mut self, command: Command) -> &str {
        self.decide(&command).unwrap();
        self.stage()
    }

    fn stage(&self) -> &str {
        let stage = &self.order.progress.placement.stage;
        stage.as_ref().map_or("", StageId::as_str)
    }

    /// Undoes what these changes did, of which nothing later is known but `since`.
    fn undo(&mut self, changes: Vec<Change>, since: Vec<Change>) -> Result<&str, Refusal> {
        let at = self.now();
        let undo = Undo { changes, since, at };
        self.decide(&Command::Undo(Box::new(undo)))?;
        Ok(self.stage())
    }
}

fn set(stage: &str) -> Command {
    Command::SetStage {
        stage: StageId::from(stage),
        ends_holds: false,
        at: noon(),
    }
}

fn hold(reason: HoldReason, job_number: Option<i32>) -> Command {
    Command::StartHold {
        hold: Box::new(NewHold {
            job_number,
            reason,
            expected_until: None,
            who_acts: None,
            note: None,
        }),
        at: noon(),
    }
}

fn end(id: i32) -> Command {
    Command::EndHold { id, at: noon() }
}

fn clocked(finished_jobs: &[i32]) -> Command {
    Command::ReportWork(WorkFacts {
        clocked: true,
        finished_jobs: finished_jobs.to_vec(),
    })
}

fn close() -> Command {
    Command::Close { at: noon() }
}

fn reopen() -> Command {
    Command::Reopen { at: noon() }
}

#[test]
fn an_order_moves_by_itself_through_its_day() {
    let mut life = Life::new(&[1, 2]);
    assert_eq!(life.stage(), "to-be-dispatched");
    assert_eq!(life.after(Command::Assign(7)), "dispatched");
    assert_eq!(life.after(Command::Unassign(7)), "to-be-dispatched");
    life.after(Command::Assign(7));
    assert_eq!(life.after(clocked(&[])), "in-work");
    assert_eq!(life.after(clocked(&[1])), "in-work");
    assert_eq!(life.after(clocked(&[1, 2])), "quality-check");
    assert_eq!(life.after(close()), "with-the-customer");
    assert_eq!(life.after(reopen()), "quality-check");
}

#[test]
fn a_stage_that_somebody_named_stays_where_nothing_else_is_known() {
    let mut life = Life::new(&[1]);
    life.after(Command::Assign(7));
    assert_eq!(life.after(set("in-diagnosis")), "in-diagnosis");
    assert_eq!(life.after(clocked(&[])), "in-diagnosis", "it is worked on");
    assert_eq!(life.after(Command::Unassign(7)), "in-diagnosis");
    assert_eq!(life.after(set("wash")), "wash");
    assert_eq!(life.after(clocked(&[1])), "wash", "it is past the check");
    // Only the first clock says something.
    let mut life = Life::new(&[1]);
    life.after(clocked(&[]));
    life.after(set("dispatched"));
    let again = life.decide(&clocked(&[])).unwrap();
    assert_eq!((life.stage(), again), ("dispatched", Vec::new()));
}

#[test]
fn what_moved_an_order_by_itself_takes_it_back() {
    let mut life = Life::new(&[1]);
    life.after(Command::Assign(7));
    life.after(clocked(&[]));
    let undone = Command::ReportWork(WorkFacts::default());
    assert_eq!(life.after(undone), "dispatched");
    life.after(set("in-diagnosis"));
    assert_eq!(life.after(clocked(&[1])), "quality-check");
    assert_eq!(life.after(clocked(&[])), "in-diagnosis", "it was reopened");
    life.after(clocked(&[1]));
    let more = Command::Import(Box::new(ImportedOrder {
        jobs: vec![ImportedJob {
            job_number: 2,
            ..ImportedJob::default()
        }],
        ..ImportedOrder::default()
    }));
    assert_eq!(life.after(more), "in-diagnosis", "there is more to do");
    // Somebody moved it since: it stays.
    life.after(clocked(&[1, 2]));
    life.after(set("wash"));
    assert_eq!(life.after(clocked(&[1])), "wash");
}

#[test]
fn a_hold_of_the_whole_order_keeps_it_until_it_ends() {
    let mut life = Life::new(&[1]);
    life.after(clocked(&[]));
    assert_eq!(
        life.after(hold(HoldReason::Parts, None)),
        "waiting-for-parts"
    );
    assert_eq!(
        life.after(hold(HoldReason::Approval, None)),
        "waiting-for-approval",
        "the shop's own call comes first"
    );
    assert_eq!(life.after(end(2)), "waiting-for-parts");
    assert_eq!(life.after(end(1)), "in-work", "where it stood before");
    assert_eq!(life.after(end(1)), "in-work", "it has ended already");
    assert_eq!(
        life.decide(&end(9)),
        Err(Refusal::UnknownHold {
            number: life.order.number,
            id: 9
        })
    );
    assert_eq!(life.after(hold(HoldReason::Other, None)), "in-work");
    assert_eq!(life.order.progress.holds[0].id, 3);
}

#[test]
fn work_that_goes_on_during_a_hold_counts_once_it_ends() {
    let mut life = Life::new(&[1, 2]);
    life.after(hold(HoldReason::Sublet, None));
    assert_eq!(life.after(Command::Assign(7)), "sublet");
    assert_eq!(life.after(clocked(&[])), "sublet");
    assert_eq!(life.after(end(1)), "in-work");
}

#[test]
fn a_jobs_own_hold_decides_once_no_job_is_left_to_do() {
    let mut life = Life::new(&[1, 2]);
    life.after(clocked(&[]));
    assert_eq!(life.after(hold(HoldReason::Parts, Some(2))), "in-work");
    assert_eq!(life.after(clocked(&[1])), "waiting-for-parts");
    assert_eq!(life.after(clocked(&[])), "in-work");
    assert_eq!(
        life.after(hold(HoldReason::Approval, Some(1))),
        "waiting-for-approval",
        "all of them wait, and this matters most"
    );
    assert_eq!(life.after(clocked(&[1])), "waiting-for-parts", "it is done");
    assert_eq!(life.after(clocked(&[1, 2])), "quality-check");
    assert_eq!(
        life.decide(&hold(HoldReason::Parts, Some(9))),
        Err(Refusal::UnknownJob {
            number: life.order.number,
            job_number: 9
        })
    );
}

#[test]
fn an_order_on_hold_is_moved_by_who_ends_its_holds() {
    let mut life = Life::new(&[1]);
    life.after(hold(HoldReason::Parts, None));
    let refused = life.decide(&set("in-work"));
    assert_eq!(refused, Err(Refusal::OnHold(life.order.number)));
    assert_eq!(life.after(set("waiting-for-parts")), "waiting-for-parts");
    let moves = Command::SetStage {
        stage: StageId::from("ready"),
        ends_holds: true,
        at: noon(),
    };
    let changes = life.decide(&moves).unwrap();
    assert_eq!((life.stage(), changes.len()), ("ready", 2));
    assert!(life.order.progress.holds.is_empty());
    assert_eq!(life.undo(changes, Vec::new()).unwrap(), "waiting-for-parts");
    assert_eq!(life.order.progress.holds.len(), 1);
}

#[test]
fn the_same_hold_again_changes_what_is_said_of_it() {
    let mut life = Life::new(&[1]);
    life.after(hold(HoldReason::Parts, None));
    assert_eq!(life.decide(&hold(HoldReason::Parts, None)).unwrap(), []);
    let later = Command::StartHold {
        hold: Box::new(NewHold {
            job_number: None,
            reason: HoldReason::Parts,
            expected_until: Some(Some(minutes(90))),
            who_acts: None,
            note: Some("Second supplier".to_owned()),
        }),
        at: minutes(9),
    };
    let changes = life.decide(&later).unwrap();
    let holds = &life.order.progress.holds;
    assert_eq!((holds.len(), holds[0].since), (1, noon()));
    assert_eq!(holds[0].expected_until, Some(minutes(90)));
    life.undo(changes, Vec::new()).unwrap();
    assert_eq!(life.order.progress.holds[0].expected_until, None);
}

#[test]
fn the_expected_end_of_a_hold_is_moved_or_taken_away_and_stays_where_nothing_is_said_of_it() {
    let mut life = Life::new(&[1]);
    let parts = |expected_until| Command::StartHold {
        hold: Box::new(NewHold {
            job_number: None,
            reason: HoldReason::Parts,
            expected_until,
            who_acts: None,
            note: None,
        }),
        at: noon(),
    };
    let expected = |life: &Life| life.order.progress.holds[0].expected_until;
    life.after(parts(Some(None)));
    assert_eq!(expected(&life), None);
    life.after(parts(Some(Some(minutes(30)))));
    life.after(parts(None));
    assert_eq!(expected(&life), Some(minutes(30)));
    let taken = life.decide(&parts(Some(None))).unwrap();
    assert_eq!(expected(&life), None);
    life.undo(taken, Vec::new()).unwrap();
    assert_eq!(expected(&life), Some(minutes(30)));
}

#[test]
fn an_undo_takes_the_move_back_that_followed() {
    let mut life = Life::new(&[1]);
    let assigned = life.decide(&Command::Assign(7)).unwrap();
    assert_eq!(life.stage(), "dispatched");
    assert_eq!(life.undo(assigned, Vec::new()).unwrap(), "to-be-dispatched");
    // It was moved since, which keeps nobody from undoing the assignment.
    let assigned = life.decide(&Command::Assign(7)).unwrap();
    let since = life.decide(&clocked(&[])).unwrap();
    assert_eq!(life.undo(assigned, since).unwrap(), "in-work");
    assert!(life.order.regular_technicians.is_empty());
    // What somebody named is undone only while it stands.
    let named = life.decide(&set("wash")).unwrap();
    let since = life.decide(&set("ready")).unwrap();
    let refused = life.undo(named, since).map(str::to_owned);
    assert_eq!(
        refused,
        Err(Refusal::ChangedSince {
            number: life.order.number,
            what: "the stage"
        })
    );
}

#[test]
fn a_deleted_stage_is_left_and_never_entered() {
    let mut life = Life::new(&[1]);
    for rule in &mut life.rules.stages {
        rule.is_deleted = ["dispatched", "waiting-for-parts"].contains(&rule.id.as_str());
    }
    assert_eq!(
        life.decide(&set("dispatched")),
        Err(Refusal::UnknownStage(StageId::from("dispatched")))
    );
    assert_eq!(life.after(Command::Assign(7)), "to-be-dispatched");
    let held = life.after(hold(HoldReason::Parts, None)).to_owned();
    assert_eq!(held, "to-be-dispatched", "the hold alone is known");
    assert_eq!(life.after(clocked(&[])), "in-work");
}

#[test]
fn without_stages_an_order_has_none_and_nothing_about_them_can_be_done() {
    let mut life = Life::with_rules(&[1], StageRules::default());
    let assigned = life.decide(&Command::Assign(7)).unwrap();
    assert_eq!((life.stage(), assigned.len()), ("", 1));
    for command in [
        set("ready"),
        hold(HoldReason::Parts, None),
        end(1),
        clocked(&[]),
    ] {
        assert_eq!(life.decide(&command), Err(Refusal::StagesOff));
    }
    // Turned on, it gets the one that is known.
    life.rules = shipped_stages();
    assert_eq!(
        life.after(Command::ReportWork(WorkFacts::default())),
        "dispatched"
    );
    // Turned off, it keeps what it has.
    life.rules.is_on = false;
    assert_eq!(life.after(Command::Unassign(7)), "dispatched");
    assert_eq!(life.after(close()), "dispatched");
}

#[test]
fn a_strip_says_where_the_hours_went() {
    let mut life = Life::new(&[1]);
    life.after(Command::Assign(7));
    life.after(hold(HoldReason::Parts, None));
    life.after(end(1));
    let changes = life.events.iter().map(|(at, change)| (*at, change));
    let strip = stage_strip(minutes(-30), minutes(20), changes);
    let spans: Vec<(Option<&str>, i64)> = strip
        .iter()
        .map(|span| {
            let stage = span.stage.as_ref().map(StageId::as_str);
            (stage, span.to.duration_since(span.from).as_mins())
        })
        .collect();
    let expected = [
        (None, 30),
        (Some("to-be-dispatched"), 1),
        (Some("dispatched"), 2),
        (Some("waiting-for-parts"), 2),
        (Some("dispatched"), 15),
    ];
    assert_eq!(spans, expected);
}

fn commands() -> impl Strategy<Value = Command> {
    prop_oneof![
        (1..3_i64).prop_map(Command::Assign),
        (1..3_i64).prop_map(Command::Unassign),
        Just(close()),
        Just(reopen()),
        stage_commands(noon()),
        stage_commands(noon()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    /// Whatever happens, in whichever order the clock of the server says, and whenever the order was opened.
    #[test]
    fn a_strip_adds_up_to_the_age_of_the_order(
        steps in prop::collection::vec((commands(), -50..500_i64), 0..30),
        opened in -1_000..600_i64,
        age in 0..2_000_i64,
    ) {
        let mut life = Life::new(&[1, 2]);
        let mut events = life.events.clone();
        for (command, at) in steps {
            let changes = life.decide(&command).unwrap_or_default();
            events.extend(changes.into_iter().map(|change| (minutes(at), change)));
        }
        let (from, to) = (minutes(opened), minutes(opened + age));
        let strip = stage_strip(from, to, events.iter().map(|(at, change)| (*at, change)));
        let whole = strip.iter().map(|span| span.to.duration_since(span.from));
        prop_assert_eq!(whole.sum::<SignedDuration>(), to.duration_since(from));
        prop_assert!(strip.iter().all(|span| span.from < span.to));
        prop_assert!(strip.windows(2).all(|pair| pair[0].to == pair[1].from));
        prop_assert!(strip.windows(2).all(|pair| pair[0].stage != pair[1].stage));
    }
}

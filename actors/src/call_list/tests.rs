//! What holds for any order, whatever happened to it.

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

use super::*;
use crate::promise::Reason;
use crate::repair_order::{
    Change, Command, HoldActor, HoldReason, ImportedJob, ImportedOrder, NewHold, StageId, Status,
    Undo,
};
use crate::testing::shipped_stages;

fn at(minutes: i64) -> Timestamp {
    let noon: Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
    noon + SignedDuration::from_mins(minutes)
}

fn late() -> Option<Risk> {
    let by = SignedDuration::from_mins(5);
    Some(Risk::Late { by })
}

fn at_risk() -> Option<Risk> {
    let why = vec![Reason::Tight];
    Some(Risk::AtRisk { why })
}

/// An order that was promised, and the shop's stages.
struct Life {
    order: RepairOrder,
    rules: StageRules,
}

impl Life {
    fn new() -> Self {
        let rules = shipped_stages();
        let job = |job_number| ImportedJob {
            job_number,
            ..ImportedJob::default()
        };
        let file = ImportedOrder {
            promised_at: Some(at(180)),
            jobs: vec![job(1), job(2)],
            ..ImportedOrder::default()
        };
        let number = RoNumber::try_from(4389).unwrap();
        let created = RepairOrder::create_in_stage(number, &file, &rules, at(0));
        let order = RepairOrder::replay(&created).unwrap();
        Self { order, rules }
    }

    /// What it changed; nothing where it is refused.
    fn decide(&mut self, command: &Command, now: Timestamp) -> Vec<Change> {
        let decided = self.order.decide(command, &self.rules, now);
        let changes = decided.unwrap_or_default();
        changes.iter().for_each(|change| self.order.evolve(change));
        changes
    }

    fn reasons(&self, risk: Option<Risk>, now: Timestamp) -> Vec<ReasonToCall> {
        reasons_to_call(&self.order, risk.as_ref(), &self.rules, now)
    }

    /// About what somebody is still to be called.
    fn open(&self, risk: Option<Risk>, now: Timestamp) -> Vec<CallReason> {
        let reasons = self.reasons(risk, now);
        let open = reasons.iter().filter(|one| one.called_at.is_none());
        open.map(|one| one.reason).collect()
    }

    fn call(&mut self, about: &[CallReason], now: Timestamp) -> Vec<Change> {
        let about = about.to_vec();
        self.decide(&Command::RecordCall { about, at: now }, now)
    }
}

fn stage(stage: &str, now: Timestamp) -> Command {
    Command::SetStage {
        stage: StageId::from(stage),
        ends_holds: true,
        at: now,
    }
}

fn approval(expected_until: Option<Timestamp>, now: Timestamp) -> Command {
    Command::StartHold {
        hold: Box::new(NewHold {
            job_number: None,
            reason: HoldReason::Approval,
            expected_until: Some(expected_until),
            who_acts: None,
            note: None,
        }),
        at: now,
    }
}

fn promise(minutes: i64) -> Command {
    Command::Import(Box::new(ImportedOrder {
        promised_at: Some(at(minutes)),
        ..ImportedOrder::default()
    }))
}

#[test]
fn a_call_about_a_risk_is_none_about_the_delay_that_follows() {
    let mut life = Life::new();
    assert_eq!(life.open(at_risk(), at(1)), [CallReason::AtRisk]);
    life.call(&[CallReason::AtRisk], at(2));
    assert_eq!(life.open(at_risk(), at(3)), []);
    assert_eq!(life.open(late(), at(181)), [CallReason::Late]);
    life.call(&[CallReason::Late], at(182));
    assert_eq!(life.open(late(), at(600)), []);
    // Another time was promised, which is not kept either.
    life.decide(&promise(700), at(600));
    assert_eq!(life.open(at_risk(), at(601)), [CallReason::AtRisk]);
    assert_eq!(life.open(late(), at(701)), [CallReason::Late]);
}

#[test]
fn a_customer_who_was_asked_is_asked_again_once_the_expected_end_has_come() {
    let mut life = Life::new();
    life.decide(&approval(Some(at(60)), at(0)), at(0));
    assert_eq!(life.open(None, at(1)), [CallReason::Approval]);
    life.call(&[CallReason::Approval], at(2));
    assert_eq!(life.open(None, at(59)), []);
    assert_eq!(life.open(None, at(60)), [CallReason::Approval]);
    life.call(&[CallReason::Approval], at(61));
    assert_eq!(life.open(None, at(900)), []);
    // Ended and begun again it is another one.
    life.decide(&Command::EndHold { id: 1, at: at(901) }, at(901));
    assert_eq!(life.reasons(None, at(902)), []);
    life.decide(&approval(None, at(903)), at(903));
    assert_eq!(life.open(None, at(904)), [CallReason::Approval]);
}

#[test]
fn an_approval_for_which_somebody_else_must_act_first_is_no_reason() {
    let mut life = Life::new();
    let mut hold = approval(None, at(0));
    if let Command::StartHold { hold, .. } = &mut hold {
        hold.who_acts = Some(HoldActor::Parts);
    }
    life.decide(&hold, at(0));
    assert_eq!(life.reasons(None, at(1)), []);
}

#[test]
fn a_car_that_is_ready_is_called_about_as_such_and_again_when_it_is_ready_anew() {
    let mut life = Life::new();
    life.decide(&stage("ready", at(10)), at(10));
    assert_eq!(life.open(late(), at(11)), [CallReason::Ready]);
    life.call(&[CallReason::Ready], at(12));
    assert_eq!(life.open(late(), at(13)), []);
    life.decide(&stage("in-work", at(14)), at(14));
    assert_eq!(life.open(None, at(15)), []);
    life.decide(&stage("ready", at(16)), at(16));
    assert_eq!(life.open(None, at(17)), [CallReason::Ready]);
    life.decide(&stage("with-the-customer", at(18)), at(18));
    assert_eq!(life.reasons(late(), at(19)), []);
}

fn commands() -> impl Strategy<Value = Command> {
    let now = at(20);
    prop_oneof![
        Just(stage("ready", now)),
        Just(stage("in-work", now)),
        Just(stage("with-the-customer", now)),
        Just(approval(Some(at(400)), now)),
        Just(approval(None, now)),
        (1..3_i32).prop_map(move |id| Command::EndHold { id, at: now }),
        (100..900_i64).prop_map(promise),
        Just(Command::Close { at: now }),
        Just(Command::Reopen { at: now }),
        prop::sample::subsequence(CallReason::ALL.to_vec(), 1..4)
            .prop_map(move |about| Command::RecordCall { about, at: now }),
    ]
}

fn risks() -> impl Strategy<Value = Option<Risk>> {
    let unknown = Risk::Unknown {
        why: vec![Reason::NoJobs],
    };
    prop::sample::select(vec![
        None,
        Some(Risk::OnTime),
        Some(unknown),
        at_risk(),
        late(),
    ])
}

fn lives() -> impl Strategy<Value = Life> {
    prop::collection::vec(commands(), 0..12).prop_map(|commands| {
        let mut life = Life::new();
        for command in commands {
            life.decide(&command, at(20));
        }
        life
    })
}

impl std::fmt::Debug for Life {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.order.fmt(f)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Whatever is listed can be called about, and is listed no more until something of it changes: another risk, which
    /// was no reason then, or the expected end of an approval. Taken back, everything is as before.
    #[test]
    fn who_was_called_is_listed_again_only_for_what_changed(
        mut life in lives(),
        risk in risks(),
        later in risks(),
        minutes in 21..2_000_i64,
    ) {
        let now = at(21);
        let listed = life.open(risk.clone(), now);
        let before = life.order.clone();
        let changes = life.call(&listed, now);
        prop_assert_eq!(changes.is_empty(), listed.is_empty());
        prop_assert_eq!(life.open(risk.clone(), now), []);
        for reason in life.open(later.clone(), at(minutes)) {
            let is_new = !listed.contains(&reason) && matches!(reason, CallReason::Late | CallReason::AtRisk);
            let is_due = reason == CallReason::Approval && minutes >= 400;
            prop_assert!(is_new || is_due, "{reason:?} of {listed:?}");
        }
        let since = Vec::new();
        life.decide(&Command::Undo(Box::new(Undo { changes, since, at: now })), now);
        prop_assert_eq!(&life.order.progress, &before.progress);
        prop_assert_eq!(life.open(risk, now), listed);
    }

    #[test]
    fn a_promise_is_a_reason_only_as_it_is_judged_and_nothing_is_one_without_stages(
        mut life in lives(),
        risk in risks(),
    ) {
        let reasons: Vec<CallReason> = life.reasons(risk.clone(), at(21)).iter().map(|one| one.reason).collect();
        prop_assert!(reasons.is_sorted() && reasons.windows(2).all(|pair| pair[0] != pair[1]));
        let is = |reason| reasons.contains(&reason);
        let is_late = matches!(risk, Some(Risk::Late { .. }));
        let is_at_risk = matches!(risk, Some(Risk::AtRisk { .. }));
        prop_assert!(!is(CallReason::Late) || is_late);
        prop_assert!(!is(CallReason::AtRisk) || is_at_risk);
        prop_assert_eq!(is(CallReason::Ready), life.order.closed_at.is_none() && life.order.is_ready(&life.rules));
        prop_assert!(life.order.closed_at.is_none() || reasons.is_empty());
        life.rules.is_on = false;
        prop_assert_eq!(life.reasons(risk, at(21)), []);
    }

    /// Nobody who is still to be called stands behind somebody who is not, or behind a less urgent reason.
    #[test]
    fn the_most_urgent_come_first(all in prop::collection::vec((lives(), risks()), 1..6)) {
        let number = |place: usize| RoNumber::try_from(place as i64 + 1).unwrap();
        let reasons = all.iter().map(|(life, risk)| life.reasons(risk.clone(), at(21)));
        let mut listed: Vec<_> = reasons.enumerate().map(|(place, one)| (number(place), one)).collect();
        listed.retain(|(_, reasons)| !reasons.is_empty());
        listed.sort_by_key(|(number, reasons)| urgency(*number, reasons));
        let open = |reasons: &[ReasonToCall]| {
            reasons.iter().filter(|one| one.called_at.is_none()).map(|one| one.reason).min()
        };
        for pair in listed.windows(2) {
            match (open(&pair[0].1), open(&pair[1].1)) {
                (None, Some(_)) => prop_assert!(false, "who was called comes last"),
                (Some(first), Some(second)) => prop_assert!(first <= second),
                (_, None) => {}
            }
        }
    }
}

#[test]
fn of_a_car_of_the_shop_nobody_is_called() {
    let mut life = Life::new();
    life.decide(&stage("ready", at(1)), at(1));
    assert_eq!(life.open(late(), at(200)), [CallReason::Ready]);
    for (status, has_customer) in [
        (Status::Used, false),
        (Status::Pdi, false),
        (Status::Drop, true),
    ] {
        life.order.app_customer_status = Some(status);
        assert_eq!(!life.open(late(), at(200)).is_empty(), has_customer);
    }
}

//! Time in stages, added up by day, technician and advisor: against a minute-by-minute look at the same events.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use std::collections::BTreeMap;

use dispatch_actors::repair_order::{
    AssignedTechnician, Change, Command, ImportedJob, ImportedOrder, RepairOrder, RoHeader,
    RoNumber, StageId, TechnicianId, WorkFacts,
};
use dispatch_actors::stage_totals::{DayBorders, OrderLife, StageTotals, percentile, stays};
use dispatch_actors::testing::shipped_stages;
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

const MINUTE_MS: i64 = 60_000;

fn minute(minute: i64) -> Timestamp {
    let noon: Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
    noon + SignedDuration::from_mins(minute)
}

/// An order that was opened at some minute, came at minute 0, and what happened to it at later ones.
fn order(opened: i64, steps: &[(Command, i64)]) -> OrderLife {
    let rules = shipped_stages();
    let file = ImportedOrder {
        opened_at: Some(minute(opened)),
        header: RoHeader {
            advisor: Some("Dana Whitfield".to_owned()),
            ..RoHeader::default()
        },
        jobs: vec![ImportedJob {
            job_number: 1,
            ..ImportedJob::default()
        }],
        ..ImportedOrder::default()
    };
    let number = RoNumber::try_from(4389).unwrap();
    let created = RepairOrder::create_in_stage(number, &file, &rules, minute(0));
    let mut order = RepairOrder::replay(&created).unwrap();
    let mut events: Vec<_> = created
        .into_iter()
        .map(|change| (minute(0), change))
        .collect();
    for (command, at) in steps {
        let command = at_minute(command, *at);
        for change in order
            .decide(&command, &rules, minute(*at))
            .unwrap_or_default()
        {
            order.evolve(&change);
            events.push((minute(*at), change));
        }
    }
    OrderLife {
        number,
        opened_at: order.opened_at,
        closed_at: order.closed_at,
        advisor: order.header.advisor,
        events,
    }
}

fn at_minute(command: &Command, at: i64) -> Command {
    let at = minute(at);
    match command {
        Command::Close { .. } => Command::Close { at },
        Command::Reopen { .. } => Command::Reopen { at },
        other => other.clone(),
    }
}

fn close() -> Command {
    Command::Close { at: minute(0) }
}

fn reopen() -> Command {
    Command::Reopen { at: minute(0) }
}

fn set(stage: &str) -> Command {
    Command::SetStage {
        stage: StageId::from(stage),
        ends_holds: true,
        at: minute(0),
    }
}

/// Days of any length, so that a day that a clock made shorter or longer is nothing special.
fn totals(orders: &[OrderLife], borders: &[i64], now: i64) -> StageTotals {
    let borders: Vec<Timestamp> = borders.iter().map(|border| minute(*border)).collect();
    let days = DayBorders::new(&borders, None, minute(now));
    let limits = BTreeMap::from([(StageId::from("in-work"), 30 * MINUTE_MS)]);
    let mut totals = StageTotals::new(days, limits);
    for order in orders {
        totals.add(order);
    }
    totals.finish()
}

fn minutes_in(totals: &StageTotals, stage: &str) -> Vec<i64> {
    let stage = totals.stages.get(&Some(StageId::from(stage)));
    let by_day = stage.map(|total| total.by_day.clone());
    let by_day = by_day.unwrap_or_default().into_iter();
    by_day.map(|ms| ms / MINUTE_MS).collect()
}

#[test]
fn hours_are_divided_by_stage_day_technician_and_advisor() {
    let steps = [
        (Command::Assign(7), 60),
        (set("in-work"), 120),
        (Command::Assign(8), 150),
        (close(), 200),
    ];
    let totals = totals(&[order(-10, &steps)], &[-30, 100, 180, 300], 1_000);
    assert_eq!(totals.cars, 1);
    assert_eq!(minutes_in(&totals, "to-be-dispatched"), [60, 0, 0]);
    assert_eq!(minutes_in(&totals, "dispatched"), [40, 20, 0]);
    assert_eq!(minutes_in(&totals, "in-work"), [0, 60, 20]);
    assert_eq!(totals.stages[&None].by_day, [10 * MINUTE_MS, 0, 0]);
    let of = |technician: Option<TechnicianId>| {
        let total = &totals.technicians[&technician];
        total.by_stage.values().sum::<i64>() / MINUTE_MS
    };
    // Until the first is on it nobody is; from the second on it is the time of both.
    assert_eq!((of(None), of(Some(7)), of(Some(8))), (70, 140, 50));
    let advisor = &totals.advisors["dana whitfield"];
    assert_eq!(advisor.name, "Dana Whitfield");
    assert_eq!(
        advisor.total.by_stage.values().sum::<i64>(),
        210 * MINUTE_MS
    );
    let in_work = &totals.stages[&Some(StageId::from("in-work"))];
    assert_eq!((in_work.too_long, in_work.going_on), (1, 0));
    assert_eq!(in_work.ended, [80 * MINUTE_MS]);
}

#[test]
fn a_closed_order_waits_nowhere_until_it_is_reopened() {
    let steps = [(set("ready"), 30), (close(), 60), (reopen(), 500)];
    let order = order(0, &steps);
    let found: Vec<_> = stays(&order, minute(510))
        .into_iter()
        .map(|stay| (stay.stage.unwrap().to_string(), stay.from, stay.goes_on))
        .collect();
    let expected = [
        ("to-be-dispatched", 0, false),
        ("ready", 30, false),
        ("ready", 500, true),
    ];
    let expected = expected.map(|(stage, from, goes_on)| (stage.to_owned(), minute(from), goes_on));
    assert_eq!(found, expected);
    let totals = totals(&[order], &[0, 1_000], 510);
    assert_eq!(minutes_in(&totals, "ready"), [40]);
    assert!(minutes_in(&totals, "with-the-customer").is_empty());
}

#[test]
fn a_stay_is_measured_whole_and_one_that_goes_on_has_no_length_yet() {
    let steps = [(set("in-work"), 10), (set("wash"), 100)];
    let [early, late] = [order(0, &steps), order(0, &[(set("in-work"), 10)])];
    // The days begin long after the stays did, and end before the second one does.
    let totals = totals(&[early, late], &[90, 140], 1_000);
    let in_work = &totals.stages[&Some(StageId::from("in-work"))];
    assert_eq!(in_work.by_day, [(10 + 50) * MINUTE_MS]);
    assert_eq!(in_work.ended, [90 * MINUTE_MS]);
    assert_eq!((in_work.cars, in_work.going_on), (2, 1));
    assert_eq!(in_work.too_long, 2);
    assert!(
        !totals
            .stages
            .contains_key(&Some(StageId::from("to-be-dispatched")))
    );
}

#[test]
fn what_is_before_the_first_known_day_is_not_counted() {
    let order = order(0, &[(set("in-work"), 10)]);
    let borders = [minute(0), minute(60), minute(120)];
    let days = DayBorders::new(&borders, Some(minute(60)), minute(100));
    let mut totals = StageTotals::new(days, BTreeMap::new());
    totals.add(&order);
    assert_eq!(minutes_in(&totals, "in-work"), [0, 40]);
    assert_eq!(totals.stages.len(), 1);
}

#[test]
fn of_an_order_whose_events_were_deleted_nothing_is_made_up() {
    let mut order = order(0, &[(Command::Assign(7), 10), (close(), 60)]);
    order.events.clear();
    let totals = totals(&[order], &[0, 100], 1_000);
    assert_eq!(totals.stages[&None].by_day, [60 * MINUTE_MS]);
    assert_eq!(totals.technicians.len(), 1);
    assert!(totals.technicians.contains_key(&None));
}

#[test]
fn percentiles_are_those_of_a_stay_that_was() {
    let ten: Vec<i64> = (1..=10).collect();
    assert_eq!(percentile(&ten, 50), Some(5));
    assert_eq!(percentile(&ten, 90), Some(9));
    assert_eq!(percentile(&[3], 50), Some(3));
    assert_eq!(percentile(&[], 50), None);
}

fn commands() -> impl Strategy<Value = Command> {
    let stages: Vec<StageId> = shipped_stages()
        .stages
        .into_iter()
        .map(|stage| stage.id)
        .collect();
    prop_oneof![
        prop::sample::select(stages).prop_map(|stage| set(stage.as_str())),
        (7..10_i64).prop_map(Command::Assign),
        (7..10_i64).prop_map(Command::Unassign),
        any::<bool>().prop_map(|clocked| Command::ReportWork(WorkFacts {
            clocked,
            finished_jobs: vec![1],
        })),
        etl(),
        Just(close()),
        Just(reopen()),
    ]
}

/// The dealer's system names technicians of its own.
fn etl() -> impl Strategy<Value = Command> {
    prop::collection::vec(7..10_i64, 0..3).prop_map(|ids| {
        let technician = |technician| AssignedTechnician {
            technician,
            name: None,
        };
        Command::Import(Box::new(ImportedOrder {
            etl_technicians: Some(ids.into_iter().map(technician).collect()),
            ..ImportedOrder::default()
        }))
    })
}

/// Minutes in each stage, of each technician, and all of them, by looking at each minute.
#[derive(Debug, Default, PartialEq)]
struct Sampled {
    stages: BTreeMap<Option<StageId>, i64>,
    technicians: BTreeMap<Option<TechnicianId>, i64>,
    open: i64,
}

fn sample_each_minute(order: &OrderLife, from: i64, to: i64) -> Sampled {
    let mut sampled = Sampled::default();
    for at in from..to {
        let so_far = order
            .events
            .iter()
            .filter(|(logged, _)| *logged <= minute(at));
        let changes: Vec<&Change> = so_far.map(|(_, change)| change).collect();
        let then = RepairOrder::replay(changes);
        let is_closed = then.as_ref().is_some_and(|then| then.closed_at.is_some());
        if minute(at) < order.opened_at || is_closed {
            continue;
        }
        sampled.open += 1;
        let stage = then
            .as_ref()
            .and_then(|then| then.progress.placement.stage.clone());
        *sampled.stages.entry(stage).or_default() += 1;
        let mut ids: Vec<TechnicianId> = then.map_or_else(Vec::new, |then| {
            let all = then.regular_technicians.iter().chain(&then.etl_technicians);
            all.map(|one| one.technician).collect()
        });
        ids.sort_unstable();
        ids.dedup();
        if ids.is_empty() {
            *sampled.technicians.entry(None).or_default() += 1;
        }
        for id in ids {
            *sampled.technicians.entry(Some(id)).or_default() += 1;
        }
    }
    sampled
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Whatever happens to an order, and wherever the days begin and end: its stages add up to the time that it was open
    /// in them, and so do its advisor's; and each minute is counted where, and for whom, the order then was.
    #[test]
    fn totals_are_what_a_sample_each_minute_gives(
        steps in prop::collection::vec((commands(), 1..30_i64), 0..12),
        opened in -60..0_i64,
        lengths in prop::collection::vec(1..120_i64, 1..4),
        from in -80..200_i64,
        now in 0..400_i64,
    ) {
        let mut clock = 0;
        let steps: Vec<(Command, i64)> = steps
            .into_iter()
            .map(|(command, later)| {
                clock += later;
                (command, clock)
            })
            .collect();
        let now = now.max(clock);
        let order = order(opened, &steps);
        let mut borders = vec![from];
        for length in lengths {
            borders.push(borders.last().unwrap() + length);
        }
        let end = *borders.last().unwrap();
        let found = totals(std::slice::from_ref(&order), &borders, now);
        let sampled = sample_each_minute(&order, from, end.min(now));

        let stages = found.stages.iter().map(|(stage, total)| {
            (stage.clone(), total.by_day.iter().sum::<i64>() / MINUTE_MS)
        });
        prop_assert_eq!(stages.collect::<BTreeMap<_, _>>(), sampled.stages);
        let technicians = found.technicians.iter().map(|(technician, total)| {
            (*technician, total.by_stage.values().sum::<i64>() / MINUTE_MS)
        });
        prop_assert_eq!(technicians.collect::<BTreeMap<_, _>>(), sampled.technicians);
        let of_advisor: i64 = found
            .advisors
            .values()
            .flat_map(|advisor| advisor.total.by_stage.values())
            .sum();
        prop_assert_eq!(of_advisor / MINUTE_MS, sampled.open);
        prop_assert_eq!(found.cars, u32::from(sampled.open > 0));
        for total in found.stages.values() {
            prop_assert_eq!(total.cars, 1);
            prop_assert!(total.ended.len() + total.going_on as usize > 0);
        }
    }
}

//! What holds for any shop at any moment.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::super::*;
use super::{Shop, key, minutes, order};
use crate::repair_order::{Job, Operation, Priority, RepairOrder, SoldHours, Status};

const ZONES: [&str; 4] = ["UTC", "America/Chicago", "Asia/Kolkata", "Pacific/Auckland"];

fn any_order(number: i64) -> impl Strategy<Value = RepairOrder> {
    let hours = vec(option::weighted(0.9, 0..400_i32), 0..4);
    let technicians = vec(1..4_i64, 0..3);
    let statuses = [
        Status::Drop,
        Status::Drop,
        Status::Waiting,
        Status::Used,
        Status::Pdi,
    ];
    let promise = option::weighted(0.8, -300..4_000_i64);
    let priority = select(Priority::ALL.to_vec());
    (
        hours,
        technicians,
        select(statuses.to_vec()),
        priority,
        promise,
    )
        .prop_map(
            move |(hours, technicians, status, priority, promise)| RepairOrder {
                app_customer_status: Some(status),
                priority,
                // From the shop's now, which is not known here: in minutes since 1970.
                promised_at: promise.map(|at| Timestamp::UNIX_EPOCH + minutes(at)),
                ..order(number, &hours, &technicians)
            },
        )
}

fn any_attendance() -> impl Strategy<Value = Attendance> {
    let clock = prop_oneof![
        Just(ClockState::Off),
        Just(ClockState::Idle),
        (1..8_i64, 1..4).prop_map(|(number, job)| ClockState::On(key(number, job))),
    ];
    (240..720_i64, 0..700_i64, clock).prop_map(|(daily, attended, clock)| Attendance {
        daily: minutes(daily),
        attended: minutes(attended),
        clock,
    })
}

fn any_hold(now: Timestamp) -> impl Strategy<Value = Hold> {
    let until = option::weighted(0.7, -100..3_000_i64);
    (1..8_i64, option::of(1..4), until).prop_map(move |(number, job, until)| Hold {
        order: number.try_into().unwrap(),
        job,
        since: now - minutes(60),
        expected_until: until.map(|until| now + minutes(until)),
    })
}

/// At any minute of a year, in any zone, nights and changes of the clocks included.
fn any_shop() -> impl Strategy<Value = Shop> {
    (0..527_040_i64, select(ZONES.to_vec())).prop_flat_map(|(minute, zone)| {
        let now = Timestamp::from_second(1_767_225_600).unwrap() + minutes(minute);
        let orders: Vec<_> = (1..8).map(any_order).collect();
        let attendance = proptest::collection::hash_map(1..4_i64, any_attendance(), 0..4);
        let jobs = || (1..8_i64, 1..4_i32).prop_map(|(number, job)| key(number, job));
        let clocked = (0..300_i64).prop_map(minutes);
        let clocked = proptest::collection::hash_map(jobs(), clocked, 0..6);
        let finished = (0..500_i64).prop_map(move |ago| now - minutes(ago));
        let finished = proptest::collection::hash_map(jobs(), finished, 0..4);
        let holds = vec(any_hold(now), 0..3);
        let parts = (orders, attendance, clocked, finished, holds);
        parts.prop_map(move |(orders, attendance, clocked, finished, holds)| {
            let from_now = |order: RepairOrder| RepairOrder {
                promised_at: order
                    .promised_at
                    .map(|at| now + at.duration_since(Timestamp::UNIX_EPOCH)),
                ..order
            };
            Shop {
                now,
                zone: TimeZone::get(zone).unwrap(),
                hours: ShopHours::default(),
                orders: orders.into_iter().map(from_now).map(Arc::new).collect(),
                clocked,
                finished,
                attendance,
                holds,
            }
        })
    })
}

fn badness(risk: &Risk) -> u8 {
    match risk {
        Risk::OnTime => 0,
        Risk::Unknown { .. } => 1,
        Risk::AtRisk { .. } => 2,
        Risk::Late { .. } => 3,
    }
}

/// What is left of an order as the specification says it, reckoned anew.
fn left_of(shop: &Shop, order: &RepairOrder) -> Option<SignedDuration> {
    let mut sum = SignedDuration::ZERO;
    for job in order.jobs.iter() {
        let key = (order.number, job.job_number);
        if shop.finished.contains_key(&key) {
            continue;
        }
        let sold =
            minutes(0) + SignedDuration::from_secs(i64::from(job.sold_hours()?.hundredths()) * 36);
        let clocked = shop.clocked.get(&key).copied().unwrap_or_default();
        if clocked >= sold {
            return None;
        }
        sum += sold - clocked;
    }
    (!order.jobs.is_empty()).then_some(sum)
}

fn changed(shop: &Shop, place: usize, change: impl FnOnce(&mut RepairOrder)) -> Shop {
    let mut shop = shop.clone();
    change(Arc::make_mut(&mut shop.orders[place]));
    shop
}

fn never_better(before: &Shop, after: &Shop, which: impl Fn(&PromiseRisk) -> bool) {
    let after: HashMap<_, _> = after
        .judge()
        .into_iter()
        .map(|one| (one.order, one))
        .collect();
    for one in before.judge().into_iter().filter(which) {
        let other = &after[&one.order];
        assert!(
            badness(&other.risk) >= badness(&one.risk),
            "{one:?} became better: {other:?}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn on_time_is_only_what_is_known_and_fits(shop in any_shop()) {
        for one in shop.judge() {
            let order = shop.orders.iter().find(|order| order.number == one.order).unwrap();
            match &one.risk {
                Risk::OnTime if one.figures.finished_at.is_some() => {
                    prop_assert!(one.figures.finished_at <= Some(one.promised_at));
                }
                Risk::OnTime => {
                    let left = left_of(&shop, order);
                    prop_assert!(left.is_some(), "{one:?}");
                    // With whoever has it at work all the time until then.
                    let hands = i32::try_from(one.figures.technicians).unwrap();
                    prop_assert!(hands > 0);
                    let time = one.promised_at.duration_since(shop.now);
                    prop_assert!(left.unwrap() <= time * hands + minutes(1), "{one:?}");
                    prop_assert!(one.figures.ready_about.unwrap() <= one.promised_at);
                    let open = |hold: &&Hold| hold.order == one.order;
                    for hold in shop.holds.iter().filter(open) {
                        prop_assert!(hold.expected_until.is_some_and(|until| until > shop.now && until <= one.promised_at), "{one:?}");
                    }
                }
                Risk::AtRisk { why } | Risk::Unknown { why } => prop_assert!(!why.is_empty()),
                Risk::Late { by } => prop_assert!(!by.is_negative()),
            }
        }
    }

    #[test]
    fn there_is_an_answer_for_each_promise(shop in any_shop()) {
        let promised = shop.orders.iter().filter(|order| order.promised_at.is_some());
        let promised: Vec<_> = promised.map(|order| order.number).collect();
        let judged: Vec<_> = shop.judge().iter().map(|one| one.order).collect();
        prop_assert_eq!(judged, promised);
    }

    #[test]
    fn an_earlier_promise_is_never_better(shop in any_shop(), place in 0..7_usize, by in 1..3_000_i64) {
        let earlier = changed(&shop, place, |order| {
            order.promised_at = order.promised_at.map(|at| at - minutes(by));
        });
        let number = shop.orders[place].number;
        never_better(&shop, &earlier, |one| one.order == number);
    }

    #[test]
    fn more_work_is_never_better_for_anybody(
        shop in any_shop(),
        place in 0..7_usize,
        hours in option::of(1..500_i32),
    ) {
        // The first job of an order makes known what was not.
        prop_assume!(!shop.orders[place].jobs.is_empty());
        let more = changed(&shop, place, |order| {
            let mut jobs = order.jobs.to_vec();
            jobs.push(Job {
                job_number: 9,
                operations: vec![Operation {
                    sold_hours: hours.and_then(SoldHours::from_hundredths),
                    ..Operation::default()
                }],
                ..Job::default()
            });
            order.jobs = Arc::new(jobs);
        });
        // A finished car was in time, whatever is found afterwards: that is another question.
        never_better(&shop, &more, |one| one.figures.finished_at.is_none());
    }

    #[test]
    fn another_order_in_the_queue_is_never_better_for_the_others(shop in any_shop(), other in any_order(99)) {
        let mut more = shop.clone();
        more.has(RepairOrder { promised_at: None, ..other });
        never_better(&shop, &more, |_| true);
    }

    #[test]
    fn less_clocked_is_never_better_unless_all_was_clocked(shop in any_shop()) {
        let mut less = shop.clone();
        let overdrawn = less.clocked.iter().any(|((number, job), clocked)| {
            let order = shop.orders.iter().find(|order| order.number == *number);
            let job = order.and_then(|order| order.jobs.iter().find(|one| one.job_number == *job));
            let sold = job.and_then(Job::sold_hours);
            sold.is_some_and(|sold| *clocked >= SignedDuration::from_secs(i64::from(sold.hundredths()) * 36))
        });
        prop_assume!(!overdrawn);
        less.clocked.clear();
        never_better(&shop, &less, |_| true);
    }

    #[test]
    fn a_hold_is_never_better_for_its_own_order(shop in any_shop(), hold in any_hold(Timestamp::UNIX_EPOCH)) {
        let mut held = shop.clone();
        let since_now = |at: Timestamp| shop.now + at.duration_since(Timestamp::UNIX_EPOCH);
        held.holds.push(Hold {
            since: since_now(hold.since),
            expected_until: hold.expected_until.map(since_now),
            ..hold
        });
        never_better(&shop, &held, |one| one.order == hold.order);
    }

    #[test]
    fn the_order_of_the_input_says_nothing(shop in any_shop()) {
        let mut other = shop.clone();
        other.orders.reverse();
        other.holds.reverse();
        prop_assert_eq!(shop.judge(), other.judge());
    }
}

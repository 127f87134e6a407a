use std::collections::HashMap;
use std::sync::Arc;

use jiff::civil::{DateTime, date};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::repair_order::{
    AssignedTechnician, Job, Operation, Priority, RepairOrder, SoldHours, Status,
};

const TYLER: TechnicianId = 1;
const KEISHA: TechnicianId = 2;

/// A shop at one moment, changed by each test.
#[derive(Clone, Debug)]
struct Shop {
    now: Timestamp,
    zone: TimeZone,
    hours: ShopHours,
    orders: Vec<Arc<RepairOrder>>,
    clocked: HashMap<JobKey, SignedDuration>,
    finished: HashMap<JobKey, Timestamp>,
    attendance: HashMap<TechnicianId, Attendance>,
    holds: Vec<Hold>,
}

impl Shop {
    /// In Chicago; Tyler is on the clock since seven o'clock.
    fn at(now: DateTime) -> Self {
        let zone = TimeZone::get("America/Chicago").unwrap();
        let now = now.to_zoned(zone.clone()).unwrap();
        let seven = now.date().at(7, 0, 0, 0).to_zoned(zone.clone()).unwrap();
        let tyler = Attendance {
            attended: now.duration_since(&seven).max(SignedDuration::ZERO),
            clock: ClockState::Idle,
            ..Attendance::UNKNOWN
        };
        Self {
            now: now.timestamp(),
            zone,
            hours: ShopHours::default(),
            orders: vec![],
            clocked: HashMap::new(),
            finished: HashMap::new(),
            attendance: HashMap::from([(TYLER, tyler)]),
            holds: vec![],
        }
    }

    fn local(&self, at: DateTime) -> Timestamp {
        at.to_zoned(self.zone.clone()).unwrap().timestamp()
    }

    fn has(&mut self, order: RepairOrder) {
        self.orders.push(Arc::new(order));
    }

    fn judge(&self) -> Vec<PromiseRisk> {
        risks(&ShopNow {
            now: self.now,
            zone: &self.zone,
            hours: &self.hours,
            orders: &self.orders,
            clocked: &self.clocked,
            finished: &self.finished,
            attendance: &self.attendance,
            holds: &self.holds,
        })
    }

    fn of(&self, order: i64) -> PromiseRisk {
        let judged = self.judge();
        let of_order = judged.iter().find(|one| one.order.get() == order);
        of_order.unwrap().clone()
    }
}

/// A drop-off of low priority. `hours`: of each job, in hundredths.
fn order(number: i64, hours: &[Option<i32>], technicians: &[i64]) -> RepairOrder {
    let job = |(job_number, hundredths): (i32, &Option<i32>)| Job {
        job_number,
        operations: vec![Operation {
            sold_hours: hundredths.and_then(SoldHours::from_hundredths),
            ..Operation::default()
        }],
        ..Job::default()
    };
    RepairOrder {
        number: number.try_into().unwrap(),
        version: 1,
        dms_number: None,
        header: Default::default(),
        opened_at: Timestamp::UNIX_EPOCH,
        promised_at: None,
        closed_at: None,
        reopened_at: None,
        erased_at: None,
        customer_status: String::new(),
        app_customer_status: None,
        priority: Priority::Low,
        regular_technicians: technicians
            .iter()
            .map(|technician| AssignedTechnician {
                technician: *technician,
                name: None,
            })
            .collect(),
        etl_technicians: vec![],
        jobs: Arc::new((1..).zip(hours).map(job).collect()),
    }
}

fn promised(at: Timestamp, order: RepairOrder) -> RepairOrder {
    RepairOrder {
        promised_at: Some(at),
        ..order
    }
}

fn key(number: i64, job: i32) -> JobKey {
    (number.try_into().unwrap(), job)
}

fn minutes(minutes: i64) -> SignedDuration {
    SignedDuration::from_mins(minutes)
}

/// Wednesday.
const DAY: jiff::civil::Date = date(2026, 11, 18);

#[test]
fn an_order_that_waits_for_its_technician_says_when_they_are_free() {
    let mut shop = Shop::at(DAY.at(10, 0, 0, 0));
    let three = shop.local(DAY.at(15, 0, 0, 0));
    shop.attendance.get_mut(&TYLER).unwrap().attended = minutes(0);
    shop.has(order(1, &[Some(400), Some(50)], &[TYLER]));
    shop.has(promised(three, order(2, &[Some(210)], &[TYLER])));
    let judged = shop.of(2);
    assert_eq!(
        judged.risk,
        Risk::AtRisk {
            why: vec![Reason::DoesNotFit]
        }
    );
    let figures = judged.figures;
    assert_eq!(figures.remaining, minutes(126));
    assert_eq!(
        (figures.technician, figures.orders_before),
        (Some(TYLER), 1)
    );
    assert_eq!(figures.before, minutes(270));
    assert_eq!(figures.free_at, Some(shop.local(DAY.at(14, 30, 0, 0))));
    assert_eq!(figures.ready_about, Some(shop.local(DAY.at(16, 36, 0, 0))));
    assert_eq!(figures.begin_by, Some(shop.local(DAY.at(12, 54, 0, 0))));
    assert_eq!(figures.closes_at, Some(shop.local(DAY.at(18, 0, 0, 0))));
}

#[test]
fn each_answer_has_its_reason() {
    let at = |hour, minute| DAY.at(hour, minute, 0, 0);
    let judge = |promise: DateTime, hours: &[Option<i32>], change: &dyn Fn(&mut Shop)| {
        let mut shop = Shop::at(at(10, 0));
        let promise = shop.local(promise);
        shop.has(promised(promise, order(1, hours, &[TYLER])));
        change(&mut shop);
        shop.of(1).risk
    };
    let risk = |why: &[Reason]| Risk::AtRisk { why: why.to_vec() };
    let unknown = |why: &[Reason]| Risk::Unknown { why: why.to_vec() };
    let nothing = |_: &mut Shop| {};
    let noon = at(12, 0);
    let tomorrow = DAY.tomorrow().unwrap().at(15, 0, 0, 0);
    let two = [Some(200)];
    assert_eq!(judge(noon, &[Some(100)], &nothing), Risk::OnTime);
    assert_eq!(judge(noon, &[Some(195)], &nothing), risk(&[Reason::Tight]));
    assert_eq!(
        judge(noon, &[Some(210)], &nothing),
        risk(&[Reason::DoesNotFit])
    );
    assert_eq!(
        judge(at(9, 30), &two, &nothing),
        Risk::Late { by: minutes(30) }
    );
    // Tyler's eight hours end at three.
    assert_eq!(
        judge(at(17, 0), &[Some(600)], &nothing),
        risk(&[Reason::DayEnds])
    );
    assert_eq!(judge(tomorrow, &[Some(600)], &nothing), Risk::OnTime);
    // What nobody knows is no risk until there is no time left to learn it.
    assert_eq!(
        judge(tomorrow, &[None], &nothing),
        unknown(&[Reason::HoursUnknown])
    );
    assert_eq!(
        judge(at(11, 0), &[None], &nothing),
        risk(&[Reason::HoursUnknown])
    );
    assert_eq!(judge(tomorrow, &[], &nothing), unknown(&[Reason::NoJobs]));
    let all_clocked = |shop: &mut Shop| {
        shop.clocked.insert(key(1, 1), minutes(130));
    };
    assert_eq!(
        judge(tomorrow, &two, &all_clocked),
        unknown(&[Reason::HoursUsedUp])
    );
    let nobody = |shop: &mut Shop| {
        let mut order = RepairOrder::clone(&shop.orders[0]);
        order.regular_technicians.clear();
        shop.orders[0] = Arc::new(order);
    };
    assert_eq!(
        judge(tomorrow, &two, &nobody),
        unknown(&[Reason::NobodyHasIt])
    );
    assert_eq!(
        judge(at(13, 0), &two, &nobody),
        risk(&[Reason::NobodyHasIt])
    );
    let unknown_before = |shop: &mut Shop| {
        let waiter = RepairOrder {
            app_customer_status: Some(Status::Waiting),
            ..order(7, &[None], &[TYLER])
        };
        shop.has(waiter);
    };
    assert_eq!(
        judge(tomorrow, &two, &unknown_before),
        unknown(&[Reason::QueueUnknown])
    );
}

#[test]
fn a_hold_stands_before_the_work_and_one_without_an_end_is_never_on_time() {
    let mut shop = Shop::at(DAY.at(10, 0, 0, 0));
    let two = shop.local(DAY.at(14, 0, 0, 0));
    let tomorrow = shop.local(DAY.tomorrow().unwrap().at(15, 0, 0, 0));
    shop.has(promised(two, order(1, &[Some(100)], &[TYLER])));
    assert_eq!(shop.of(1).risk, Risk::OnTime);
    let hold = |expected_until| Hold {
        order: 1.try_into().unwrap(),
        job: None,
        since: shop.now - minutes(60),
        expected_until,
    };
    let held = |expected_until, promise| {
        let mut shop = shop.clone();
        shop.holds.push(hold(expected_until));
        shop.orders[0] = Arc::new(promised(promise, order(1, &[Some(100)], &[TYLER])));
        shop.of(1)
    };
    let noon = shop.local(DAY.at(12, 0, 0, 0));
    let at_noon = held(Some(noon), two);
    assert_eq!(at_noon.risk, Risk::OnTime);
    assert_eq!(at_noon.figures.hold_until, Some(noon));
    assert_eq!(at_noon.figures.ready_about, Some(noon + minutes(60)));
    let lasts = held(Some(two - minutes(30)), two);
    assert_eq!(
        lasts.risk,
        Risk::AtRisk {
            why: vec![Reason::HoldLasts]
        }
    );
    for expected in [None, Some(shop.now - minutes(1))] {
        let why = vec![Reason::HoldWithoutEnd];
        assert_eq!(held(expected, tomorrow).risk, Risk::Unknown { why });
    }
}

#[test]
fn who_is_not_on_the_clock_while_others_are_is_not_counted_on() {
    let mut shop = Shop::at(DAY.at(10, 0, 0, 0));
    let noon = shop.local(DAY.at(12, 0, 0, 0));
    shop.has(promised(noon, order(1, &[Some(50)], &[KEISHA])));
    let absent = Attendance::UNKNOWN;
    let gone = Attendance {
        attended: minutes(120),
        ..absent
    };
    for (attendance, reason) in [(absent, Reason::NotClockedIn), (gone, Reason::ClockedOut)] {
        shop.attendance.insert(KEISHA, attendance);
        let why = vec![reason];
        assert_eq!(shop.of(1).risk, Risk::AtRisk { why });
    }
    // Where nobody uses the clocks it says nothing.
    shop.attendance.clear();
    assert_eq!(shop.of(1).risk, Risk::OnTime);
}

#[test]
fn the_car_in_hand_comes_before_all_but_waiters() {
    let mut shop = Shop::at(DAY.at(8, 0, 0, 0));
    let evening = shop.local(DAY.at(17, 0, 0, 0));
    let waiter = RepairOrder {
        app_customer_status: Some(Status::Waiting),
        ..order(3, &[Some(50)], &[TYLER])
    };
    shop.has(promised(evening, order(1, &[Some(100)], &[TYLER])));
    shop.has(promised(evening, order(2, &[Some(60), Some(40)], &[TYLER])));
    shop.has(promised(evening, waiter));
    let before = |shop: &Shop, number| {
        let figures = shop.of(number).figures;
        (figures.before.as_mins(), figures.orders_before)
    };
    assert_eq!(
        [1, 2, 3].map(|one| before(&shop, one)),
        [(30, 1), (90, 2), (0, 0)]
    );
    shop.attendance.get_mut(&TYLER).unwrap().clock = ClockState::On(key(2, 1));
    assert_eq!(
        [1, 2, 3].map(|one| before(&shop, one)),
        [(90, 2), (30, 1), (36, 1)]
    );
    // Its last job is the one that runs: nothing comes before it.
    shop.finished.insert(key(2, 2), shop.now);
    assert_eq!(before(&shop, 2), (0, 0));
}

#[test]
fn finished_work_is_judged_by_when_it_was_finished() {
    let mut shop = Shop::at(DAY.at(16, 0, 0, 0));
    let noon = shop.local(DAY.at(12, 0, 0, 0));
    shop.has(promised(noon, order(1, &[Some(100)], &[TYLER])));
    shop.finished.insert(key(1, 1), noon - minutes(5));
    assert_eq!(shop.of(1).risk, Risk::OnTime);
    shop.finished.insert(key(1, 1), noon + minutes(5));
    assert_eq!(shop.of(1).risk, Risk::Late { by: minutes(5) });
}

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

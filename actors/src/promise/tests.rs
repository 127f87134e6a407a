mod properties;

use std::collections::HashMap;
use std::sync::Arc;

use jiff::civil::{DateTime, date};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

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
        progress: Default::default(),
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
        judge(at(10, 15), &[None], &nothing),
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
        judge(at(12, 10), &two, &nobody),
        risk(&[Reason::Tight, Reason::NobodyHasIt])
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
    let soon = shop.local(DAY.at(10, 44, 0, 0));
    shop.has(promised(soon, order(1, &[Some(50)], &[KEISHA])));
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

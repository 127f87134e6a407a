use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;
use std::time::Duration;

use jiff::civil::Time;

use super::*;
use crate::repair_order::{
    AssignedTechnician, Change, Command, DisplayedStatus, Priority, RepairOrder, Status,
};

/// A Wednesday afternoon, 14:20 in Chicago.
fn now() -> Timestamp {
    "2026-11-18T20:20:00Z".parse().unwrap()
}

fn chicago() -> TimeZone {
    TimeZone::get("America/Chicago").unwrap()
}

fn shop(size: usize) -> SampleShop {
    SampleShop::in_zone(7, size, now(), chicago(), Scripts::All)
}

/// A shop large enough for shares to show, made once.
static LARGE: LazyLock<SampleShop> = LazyLock::new(|| shop(10_000));
static LARGE_CREATED: LazyLock<Vec<RepairOrder>> = LazyLock::new(|| created(&LARGE));

fn created(shop: &SampleShop) -> Vec<RepairOrder> {
    shop.orders
        .iter()
        .map(|(number, imported)| {
            let changes = RepairOrder::create(*number, imported, now());
            assert_eq!(changes.len(), 1, "an open order is created and not closed");
            RepairOrder::replay(&changes).unwrap()
        })
        .collect()
}

fn share(orders: &[RepairOrder], is: impl Fn(&RepairOrder) -> bool) -> f64 {
    orders.iter().filter(|order| is(order)).count() as f64 / orders.len() as f64
}

#[track_caller]
fn assert_near(share: f64, expected: f64) {
    assert!(
        (share - expected).abs() < 0.015,
        "{share} is not near {expected}"
    );
}

#[test]
fn the_same_seed_gives_the_same_shop() {
    assert_eq!(shop(420), shop(420));
    assert_ne!(
        shop(420),
        SampleShop::in_zone(8, 420, now(), chicago(), Scripts::All)
    );
}

#[test]
fn the_shop_has_its_people_and_skills() {
    let shop = shop(100);
    assert_eq!(shop.advisors.len(), 12);
    assert_eq!(shop.technicians.len(), 28);
    assert_eq!(shop.skills.len(), 14);
    let names: HashSet<_> = shop.skills.iter().map(|skill| &skill.name).collect();
    assert_eq!(names.len(), 14);
    let specialties: HashSet<_> = shop.technicians.iter().map(|t| &t.specialty).collect();
    assert_eq!(specialties.len(), 8);
    let ids: HashSet<_> = shop.technicians.iter().map(|t| t.id).collect();
    assert_eq!(ids.len(), 28);
}

#[test]
fn every_technician_has_one_highest_skill() {
    let shop = shop(100);
    let level = |(id, own): &(i64, Option<i32>)| {
        let skill = shop.skills.iter().find(|skill| skill.id == *id).unwrap();
        own.unwrap_or(skill.level)
    };
    for technician in &shop.technicians {
        let mut levels: Vec<i32> = technician.skills.iter().map(level).collect();
        levels.sort_unstable_by(|a, b| b.cmp(a));
        assert!(
            levels.len() == 1 || levels[0] > levels[1],
            "{}",
            technician.display_name
        );
    }
}

#[test]
fn opcode_rules_match_imported_opcodes_and_require_skills_that_a_technician_has() {
    let shop = &*LARGE;
    let jobs = shop.orders.iter().flat_map(|(_, order)| &order.jobs);
    let operations = jobs.flat_map(|job| job.operations.iter().flatten());
    let codes: HashSet<&str> = operations.map(|o| o.operation_code.as_str()).collect();
    let patterns: HashSet<_> = shop.rules.iter().map(|rule| &rule.pattern).collect();
    assert_eq!(patterns.len(), shop.rules.len());
    for rule in &shop.rules {
        let meets = |code: &&str| match rule.pattern.strip_suffix('*') {
            Some(beginning) => code.starts_with(beginning),
            None => *code == rule.pattern,
        };
        assert!(codes.iter().any(meets), "{rule:?}");
        let skill = shop.skills.iter().find(|skill| skill.id == rule.skill);
        let skill = skill.unwrap().level;
        let enough = |(id, own): &(i64, Option<i32>)| {
            *id == rule.skill && own.unwrap_or(skill) >= rule.level
        };
        let mut technicians = shop.technicians.iter();
        assert!(technicians.any(|t| t.skills.iter().any(enough)), "{rule:?}");
    }
}

#[test]
fn technicians_have_levels_from_lube_tech_to_foreman_and_most_work_eight_hours() {
    let shop = shop(100);
    let levels: HashSet<_> = shop.technicians.iter().map(|t| t.level).collect();
    assert_eq!(levels.len(), 6, "{levels:?}");
    let hours = |hours: u8| {
        shop.technicians
            .iter()
            .filter(|t| t.daily_hours == hours)
            .count()
    };
    assert_eq!((hours(6), hours(8), hours(10)), (3, 22, 3));
}

#[test]
fn numbers_are_unique_and_ascend_with_the_opening_times() {
    let shop = &*LARGE;
    assert_eq!(shop.orders.len(), 10_000);
    assert!((40_200..40_230).contains(&shop.orders[0].0.get()));
    for pair in shop.orders.windows(2) {
        assert!(pair[0].0 < pair[1].0);
        assert!(pair[0].1.opened_at <= pair[1].1.opened_at);
    }
}

#[test]
fn orders_are_opened_during_three_days_while_the_shop_is_open() {
    let shop = &*LARGE;
    let oldest = now() - jiff::SignedDuration::from_hours(72);
    for (number, order) in &shop.orders {
        let opened_at = order.opened_at.unwrap();
        assert!(
            oldest <= opened_at && opened_at <= now(),
            "{number} at {opened_at}"
        );
        let hour = chicago().to_datetime(opened_at).hour();
        assert!((7..18).contains(&hour), "{number} at {hour}");
    }
}

#[test]
fn a_shop_at_any_hour_has_all_its_orders_and_none_from_the_future() {
    for hour in 0..24 {
        let now = now() + jiff::SignedDuration::from_hours(hour);
        let shop = SampleShop::new(1, 100, now);
        assert_eq!(shop.orders.len(), 100);
        assert!(
            shop.orders
                .iter()
                .all(|(_, order)| order.opened_at <= Some(now))
        );
    }
}

#[test]
fn the_dealers_text_of_a_number_has_its_digits_and_a_few_have_more() {
    let shop = shop(420);
    let mut odd = 0;
    for (number, order) in &shop.orders {
        assert_eq!(order.dms_number.parse(), Ok(*number));
        odd += usize::from(order.dms_number != number.to_string());
    }
    assert!((4..20).contains(&odd), "{odd}");
}

/// One in six, and in the evening one in 24.
fn waiting_share(at: Timestamp, zone: &TimeZone) -> f64 {
    (1.0 - 0.75 * write_up::evening(zone.to_datetime(at).time())) / 6.0
}

#[test]
fn statuses_come_in_their_shares() {
    let orders = &*LARGE_CREATED;
    assert_near(
        share(orders, |o| o.displayed_status() == DisplayedStatus::Waiting),
        waiting_share(now(), &chicago()),
    );
    assert_near(
        share(orders, |o| o.displayed_status() == DisplayedStatus::Pdi),
        0.09,
    );
    assert_near(
        share(orders, |o| o.displayed_status() == DisplayedStatus::Used),
        0.11,
    );
    assert_near(
        share(orders, |o| o.customer_status.parse::<Status>().is_err()),
        0.095,
    );
    assert_near(share(orders, |o| o.app_customer_status.is_some()), 0.105);
    assert!(
        orders
            .iter()
            .any(|o| o.app_customer_status == Some(Status::Trans))
    );
}

#[test]
fn waiters_have_the_priority_of_waiters_and_some_drops_are_raised() {
    let orders = &*LARGE_CREATED;
    for order in orders {
        let waiting = order.displayed_status() == DisplayedStatus::Waiting;
        assert_eq!(
            order.priority == Priority::Waiting,
            waiting,
            "{}",
            order.number
        );
    }
    let drops: Vec<_> = orders
        .iter()
        .filter(|o| o.displayed_status() == DisplayedStatus::Drop)
        .cloned()
        .collect();
    assert_near(share(&drops, |o| o.priority == Priority::High), 0.12);
    assert_near(share(&drops, |o| o.priority == Priority::Medium), 0.18);
}

#[test]
fn one_in_five_is_unassigned_and_some_have_several_technicians() {
    let orders = &*LARGE_CREATED;
    assert_near(share(orders, |o| o.regular_technicians.is_empty()), 0.20);
    assert_near(share(orders, |o| o.regular_technicians.len() == 2), 0.104);
    assert_near(share(orders, |o| o.regular_technicians.len() == 3), 0.032);
    assert_near(share(orders, |o| !o.etl_technicians.is_empty()), 0.124);
}

#[test]
fn technicians_are_unique_within_their_source_and_known_to_the_shop() {
    let shop = &*LARGE;
    let technician_ids: HashSet<_> = shop.technicians.iter().map(|t| t.id).collect();
    for order in &*LARGE_CREATED {
        for source in [&order.regular_technicians, &order.etl_technicians] {
            let ids: HashSet<_> = source.iter().map(|t| t.technician).collect();
            assert_eq!(ids.len(), source.len(), "{}", order.number);
            assert!(ids.is_subset(&technician_ids));
        }
    }
}

#[test]
fn no_technician_of_a_usual_shop_is_idle_or_swamped() {
    let shop = shop(420);
    let mut loads: BTreeMap<TechnicianId, usize> =
        shop.technicians.iter().map(|t| (t.id, 0)).collect();
    for AssignedTechnician { technician, .. } in
        created(&shop).iter().flat_map(|o| &o.regular_technicians)
    {
        *loads.entry(*technician).or_default() += 1;
    }
    assert!(
        loads.values().all(|load| (2..40).contains(load)),
        "{loads:?}"
    );
}

/// The demo's shop, as it is every three hours of two days.
fn demo_shops() -> impl Iterator<Item = (Timestamp, SampleShop)> {
    (0..16).map(|step| {
        let at = now() + jiff::SignedDuration::from_hours(3 * step);
        let shop = SampleShop::in_zone(4389, 128, at, chicago(), Scripts::Shipped);
        (at, shop)
    })
}

/// Hundredths of an hour that are still to be done, as the workload of the server counts them.
fn hundredths_to_do(at: Timestamp, shop: &SampleShop) -> BTreeMap<TechnicianId, i64> {
    let clocks = shop.clocks(4389, at, &shop.past_orders(4389, at));
    let finished: HashSet<(RoNumber, i32)> = clocks
        .finished
        .iter()
        .map(|one| (one.number, one.job_number))
        .collect();
    let mut to_do = BTreeMap::new();
    for order in created(shop) {
        let both = order
            .regular_technicians
            .iter()
            .chain(&order.etl_technicians);
        let technicians: HashSet<TechnicianId> = both.map(|t| t.technician).collect();
        let jobs = order.jobs.iter();
        let open = jobs.filter(|job| !finished.contains(&(order.number, job.job_number)));
        let sold = open.filter_map(|job| job.sold_hours());
        let sold: i64 = sold.map(|hours| i64::from(hours.hundredths())).sum();
        for technician in &technicians {
            *to_do.entry(*technician).or_default() += sold / technicians.len() as i64;
        }
    }
    to_do
}

#[test]
fn in_the_demos_shop_a_few_technicians_have_more_than_a_days_work_and_most_have_enough_to_do() {
    for (at, shop) in demo_shops() {
        let to_do = hundredths_to_do(at, &shop);
        let of_day = |technician: &SampleTechnician| {
            let hundredths = to_do.get(&technician.id).copied().unwrap_or(0);
            hundredths as f64 / f64::from(technician.daily_hours) / 100.0
        };
        let days: Vec<f64> = shop.technicians.iter().map(of_day).collect();
        let over = days.iter().filter(|day| **day > 1.0).count();
        let busy = days.iter().filter(|day| **day > 0.25).count();
        assert!((1..=8).contains(&over), "{at}: {over} over: {days:.2?}");
        assert!(busy >= 20, "{at}: {busy} busy: {days:.2?}");
    }
}

#[test]
fn in_the_demos_shop_work_is_given_to_whoever_can_do_it() {
    for (at, shop) in demo_shops() {
        let assigned = shop.orders.iter().filter_map(|(_, order)| {
            let lead = order.regular_technicians.iter().flatten().next()?;
            let lead = shop.technicians.iter().find(|t| t.id == lead.technician)?;
            Some((order, lead))
        });
        let assigned: Vec<_> = assigned.collect();
        let can = assigned
            .iter()
            .filter(|(order, lead)| write_up::demand(order).is_met_by(lead))
            .count();
        assert!(
            can * 10 >= assigned.len() * 9,
            "{at}: {can} of {}",
            assigned.len()
        );
    }
}

#[test]
fn in_the_demos_shop_customers_wait_since_today_and_a_promise_is_late_here_and_there() {
    for (at, shop) in demo_shops() {
        let orders = created(&shop);
        let waits = |order: &&RepairOrder| order.displayed_status() == DisplayedStatus::Waiting;
        let late = |order: &&RepairOrder| order.promised_at.is_some_and(|promised| promised < at);
        let midnight = at.to_zoned(chicago()).start_of_day().unwrap().timestamp();
        assert!(
            orders
                .iter()
                .filter(waits)
                .all(|order| order.opened_at >= midnight),
            "{at}"
        );
        let waiting = orders.iter().filter(waits).count();
        let of_all = waiting_share(at, &chicago()) * orders.len() as f64;
        assert!(
            (waiting as f64 - of_all).abs() <= 4.0,
            "{at}: {waiting} wait"
        );
        let late_waiting = orders.iter().filter(waits).filter(late).count();
        let all_late = orders.iter().filter(late).count();
        println!("{at} {waiting} wait, {late_waiting} late; {all_late} late in all");
        assert!(
            late_waiting * 4 <= waiting,
            "{at}: {late_waiting} of {waiting} who wait are late"
        );
        assert!((2..=24).contains(&all_late), "{at}: {all_late} late");
    }
}

#[test]
fn the_fonts_of_the_page_have_every_letter_of_the_demos_names() {
    let is_drawn = |letter: char| matches!(letter, ' '..='\u{24F}' | '\u{370}'..='\u{52F}' | '\u{1E00}'..='\u{1EFF}' | '’');
    for (_, shop) in demo_shops() {
        let customers = shop
            .orders
            .iter()
            .filter_map(|(_, order)| order.header.customer.clone());
        let technicians = shop.technicians.iter().map(|t| t.display_name.clone());
        for name in customers.chain(technicians).chain(shop.advisors.clone()) {
            assert!(name.chars().all(is_drawn), "{name}");
        }
    }
    let (_, shop) = demo_shops().next().unwrap();
    let names: Vec<_> = shop
        .orders
        .iter()
        .filter_map(|(_, order)| order.header.customer.as_deref())
        .collect();
    let any = |is: fn(char) -> bool| names.iter().any(|name| name.chars().any(is));
    assert!(
        any(|c| ('А'..='я').contains(&c)) && any(|c| "áéíóúñ".contains(c)),
        "{names:?}"
    );
}

#[test]
fn jobs_are_numbered_from_one_and_those_with_etl_technicians_name_them() {
    let orders = &*LARGE_CREATED;
    for order in orders {
        assert!((1..=6).contains(&order.jobs.len()));
        for (job, number) in order.jobs.iter().zip(1..) {
            assert_eq!(job.job_number, number);
            assert!(!job.concern.is_empty() && !job.concern.contains(['{', '}']));
        }
        let named = order
            .jobs
            .iter()
            .flat_map(|job| &job.assignments)
            .filter(|a| a.source == DMS)
            .count();
        assert_eq!(named, order.etl_technicians.len(), "{}", order.number);
    }
    let jobs = || orders.iter().flat_map(|order| order.jobs.iter());
    assert!(jobs().any(|job| job.operations.is_empty()));
    assert!(jobs().any(|job| !job.cause.is_empty() && !job.brief_tech_notes.is_empty()));
    assert!(jobs().any(|job| !job.tech_story.is_empty()));
    assert!(jobs().any(|job| job.assignments.iter().any(|a| a.source == "APP")));
    let concerns: HashSet<_> = jobs().map(|job| &job.concern).collect();
    assert!(
        concerns.len() > 3_000,
        "{} different concerns",
        concerns.len()
    );
}

#[test]
fn an_order_without_technicians_has_no_cause_and_no_notes() {
    for order in LARGE_CREATED
        .iter()
        .filter(|o| o.regular_technicians.is_empty())
    {
        assert!(
            order
                .jobs
                .iter()
                .all(|job| job.cause.is_empty() && job.brief_tech_notes.is_empty())
        );
    }
}

#[test]
fn every_vin_is_valid_and_unique() {
    let orders = &*LARGE_CREATED;
    for order in orders {
        let vin = &order.header.vin;
        assert_eq!(vin.len(), 17);
        assert_eq!(vehicles::check_digit(vin), vin.chars().nth(8), "{vin}");
    }
    let vins: HashSet<_> = orders.iter().map(|order| &order.header.vin).collect();
    assert_eq!(vins.len(), orders.len());
}

#[test]
fn a_vehicle_begins_with_its_year_and_new_cars_are_new() {
    for order in &*LARGE_CREATED {
        let mut words = order.header.vehicle.split(' ');
        let year: i16 = words.next().unwrap().parse().unwrap();
        assert!((2003..=2027).contains(&year), "{}", order.header.vehicle);
        assert!(words.count() >= 2, "{}", order.header.vehicle);
        if order.displayed_status() == DisplayedStatus::Pdi {
            assert!(year >= 2026, "{}", order.header.vehicle);
        }
    }
}

#[test]
fn about_two_in_three_have_a_promised_time_after_their_opening() {
    let orders = &*LARGE_CREATED;
    let promised = share(orders, |o| o.promised_at.is_some());
    assert!((0.59..0.68).contains(&promised), "{promised}");
    assert!(
        orders
            .iter()
            .all(|o| o.promised_at.is_none_or(|at| at > o.opened_at))
    );
}

#[test]
fn names_come_in_many_forms() {
    let orders = created(&shop(420));
    let any = |is: &dyn Fn(&str) -> bool| orders.iter().any(|order| is(&order.header.customer));
    assert!(any(&|name| name.contains('\'')));
    assert!(any(
        &|name| name.contains('-') && name.chars().any(char::is_lowercase)
    ));
    assert!(any(&|name| name
        .chars()
        .any(|c| ('\u{4E00}'..='\u{9FFF}').contains(&c))));
    assert!(any(&|name| name.chars().any(|c| ('А'..='я').contains(&c))));
    assert!(any(&|name| name
        .chars()
        .any(|c| ('\u{600}'..='\u{6FF}').contains(&c))));
    assert!(any(
        &|name| name.contains(", ") && !name.chars().any(char::is_lowercase)
    ));
    assert_eq!(
        orders
            .iter()
            .filter(|order| order.header.customer == names::LONG_NAME)
            .count(),
        1
    );
}

/// What a database would hold: carries moves out and refuses what may not be.
struct Shelf {
    orders: BTreeMap<RoNumber, RepairOrder>,
}

impl Shelf {
    fn of(shop: &SampleShop) -> Self {
        Self {
            orders: created(shop)
                .into_iter()
                .map(|order| (order.number, order))
                .collect(),
        }
    }

    fn apply_step(
        &mut self,
        Move {
            number,
            command,
            by,
        }: &Move,
        now: Timestamp,
    ) -> Vec<Change> {
        let changes = match (self.orders.get(number), command) {
            (None, Command::Import(imported)) => RepairOrder::create(*number, imported, now),
            (None, _) => panic!("{by:?} asks {command:?} of {number}, which is not there"),
            (Some(order), command) => {
                assert!(order.closed_at.is_none(), "{number} is closed");
                order.apply(command).unwrap()
            }
        };
        assert!(
            !changes.is_empty(),
            "{by:?} asks {command:?} of {number}, which changes nothing"
        );
        if let Some(order) = self.orders.get_mut(number) {
            changes.iter().for_each(|change| order.evolve(change));
        } else {
            self.orders
                .insert(*number, RepairOrder::replay(&changes).unwrap());
        }
        changes
    }

    fn open(&self) -> Vec<RepairOrder> {
        self.orders
            .values()
            .filter(|order| order.closed_at.is_none())
            .cloned()
            .collect()
    }
}

#[test]
fn two_thousand_moves_are_accepted_and_the_shop_stays_as_full() {
    let shop = shop(420);
    let mut shelf = Shelf::of(&shop);
    let mut movement = Movement::new(3, &shop, shelf.open());
    let mut clock = now();
    let mut actions: BTreeMap<&str, usize> = BTreeMap::new();
    let mut moves = 0;
    while moves < 2_000 {
        clock += jiff::SignedDuration::from_secs(40);
        let happening = movement.next(clock);
        assert!((1..=2).contains(&happening.len()));
        moves += happening.len();
        for step in &happening {
            for change in shelf.apply_step(step, clock) {
                *actions.entry(change.action().name()).or_default() += 1;
            }
        }
        assert_eq!(
            shelf
                .orders
                .values()
                .filter(|o| o.closed_at.is_none())
                .count(),
            420
        );
    }
    for action in [
        "CREATED",
        "CLOSED",
        "STATUS_CHANGED",
        "PRIORITY_CHANGED",
        "TECH_ASSIGNED",
        "TECH_UNASSIGNED",
        "IMPORTED",
    ] {
        assert!(
            actions.get(action).is_some_and(|times| *times > 50),
            "{action}: {actions:?}"
        );
    }
}

#[test]
fn a_long_day_of_movement_leaves_the_shares_near_what_they_were() {
    let shop = shop(420);
    let mut shelf = Shelf::of(&shop);
    let mut movement = Movement::new(4, &shop, shelf.open());
    let mut clock = now();
    for _ in 0..10_000 {
        clock += jiff::SignedDuration::from_secs(40);
        for step in movement.next(clock) {
            shelf.apply_step(&step, clock);
        }
    }
    let open = shelf.open();
    let between = |low: f64, high: f64, is: &dyn Fn(&RepairOrder) -> bool| {
        let share = share(&open, is);
        assert!(
            (low..high).contains(&share),
            "{share} is not between {low} and {high}"
        );
    };
    between(0.10, 0.30, &|o| o.regular_technicians.is_empty());
    between(0.10, 0.25, &|o| {
        o.displayed_status() == DisplayedStatus::Waiting
    });
    between(0.05, 0.14, &|o| {
        o.displayed_status() == DisplayedStatus::Pdi
    });
    between(0.06, 0.17, &|o| {
        o.displayed_status() == DisplayedStatus::Used
    });
    between(0.02, 0.20, &|o| o.priority == Priority::High);
    between(0.02, 0.30, &|o| !o.etl_technicians.is_empty());
}

#[test]
fn after_hours_of_movement_most_who_wait_are_not_late() {
    let (mut clock, shop) = demo_shops().next().unwrap();
    let mut shelf = Shelf::of(&shop);
    let mut movement = Movement::new(4, &shop, shelf.open());
    // As it goes by day: a happening in three seconds.
    for _ in 0..3_600 {
        clock += jiff::SignedDuration::from_secs(3);
        for step in movement.next(clock) {
            shelf.apply_step(&step, clock);
        }
    }
    let open = shelf.open();
    let late = |order: &&RepairOrder| order.promised_at.is_some_and(|promised| promised < clock);
    let waits = |order: &&RepairOrder| order.displayed_status() == DisplayedStatus::Waiting;
    let waiting = open.iter().filter(waits).count();
    let late_waiting = open.iter().filter(waits).filter(late).count();
    assert!(waiting >= 8, "{waiting} wait");
    assert!(
        late_waiting * 3 <= waiting,
        "{late_waiting} of {waiting} who wait are late"
    );
    let all_late = open.iter().filter(late).count();
    assert!((1..=30).contains(&all_late), "{all_late} late");
}

#[test]
fn the_same_seed_moves_the_same_shop_the_same_way() {
    let shop = shop(100);
    let orders = created(&shop);
    let mut one = Movement::new(5, &shop, orders.clone());
    let mut other = Movement::new(5, &shop, orders);
    for _ in 0..200 {
        assert_eq!(one.next(now()), other.next(now()));
    }
}

#[test]
fn technicians_only_change_waiting_orders_to_drop() {
    let shop = shop(420);
    let mut movement = Movement::new(6, &shop, created(&shop));
    let mut theirs = 0;
    for step in (0..3_000).flat_map(|_| movement.next(now())) {
        if let Person::Technician { .. } = step.by {
            theirs += 1;
            assert!(matches!(step.command, Command::ChangeStatus(Status::Drop)));
        }
    }
    assert!(theirs > 20, "{theirs}");
}

#[test]
fn an_empty_shop_takes_its_first_order() {
    let mut movement = Movement::new(1, &shop(0), Vec::new());
    let moves = movement.next(now());
    assert!(matches!(
        moves.as_slice(),
        [Move {
            command: Command::Import(_),
            ..
        }]
    ));
}

#[test]
fn the_morning_rush_is_quicker_than_lunch_and_lunch_than_the_night() {
    let mut movement = Movement::new(1, &shop(100), Vec::new());
    let mut mean = |hour, minute| {
        let pauses: Vec<Duration> = (0..200)
            .map(|_| movement.pause(Time::constant(hour, minute, 0, 0)))
            .collect();
        assert!(
            pauses
                .iter()
                .all(|p| (1_000..=8_000).contains(&p.as_millis()))
        );
        pauses.iter().sum::<Duration>() / 200
    };
    let (rush, pickups, morning, lunch, night) = (
        mean(7, 30),
        mean(16, 10),
        mean(10, 0),
        mean(12, 30),
        mean(2, 0),
    );
    assert!(rush < morning && pickups < morning && morning < lunch && lunch < night);
}

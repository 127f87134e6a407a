use std::collections::HashSet;

use jiff::Zoned;
use jiff::tz::TimeZone;
use proptest::prelude::*;

use super::*;
use crate::figures::{Calendar, Closing, Figures, Lived};
use crate::repair_order::DisplayedStatus;
use crate::sample_shop::Scripts;

const OPEN: usize = 100;

fn local(text: &str) -> Zoned {
    format!("{text}[America/Chicago]").parse().unwrap()
}

fn shop(now: &Zoned) -> SampleShop {
    SampleShop::in_zone(
        7,
        OPEN,
        now.timestamp(),
        now.time_zone().clone(),
        Scripts::All,
    )
}

fn past_orders(now: &Zoned) -> Vec<PastOrder> {
    shop(now).past_orders(7, now.timestamp())
}

fn replayed(past_order: &PastOrder) -> RepairOrder {
    RepairOrder::replay(past_order.moves.iter().flat_map(|one| &one.changes)).unwrap()
}

fn life(past_order: &PastOrder) -> Vec<(Timestamp, Change)> {
    let moves = past_order.moves.iter();
    moves
        .flat_map(|one| one.changes.iter().map(|change| (one.at, change.clone())))
        .collect()
}

fn closings(now: &Zoned) -> Vec<Closing> {
    let past_orders = past_orders(now);
    let clocks = shop(now).clocks(7, now.timestamp(), &past_orders);
    let closing = |past_order: &PastOrder| {
        let order = replayed(past_order);
        let closed_at = order.closed_at.unwrap();
        let entries = clocks.entries.iter();
        let clocked: SignedDuration = entries
            .filter(|entry| {
                entry
                    .work
                    .is_some_and(|(number, _)| number == past_order.number)
            })
            .filter_map(|entry| Some(entry.ended_at?.duration_since(entry.started_at)))
            .sum();
        Closing {
            closed_at,
            status: order.displayed_status(),
            lived: Lived::of(&life(past_order), closed_at),
            clocked: clocked.is_positive().then_some(clocked),
        }
    };
    past_orders.iter().map(closing).collect()
}

fn figures(now: &Zoned) -> Figures {
    Figures::of(closings(now).iter(), &Calendar::at(now).unwrap())
}

#[test]
fn the_same_seed_gives_the_same_past_and_an_hour_later_a_little_more() {
    let noon = local("2026-11-18T12:00");
    assert_eq!(past_orders(&noon), past_orders(&noon));
    assert_ne!(
        past_orders(&noon),
        shop(&noon).past_orders(8, noon.timestamp())
    );
    let closed = |now: &Zoned| -> HashSet<Timestamp> {
        past_orders(now)
            .iter()
            .map(|past_order| replayed(past_order).closed_at.unwrap())
            .collect()
    };
    let (before, after) = (closed(&noon), closed(&local("2026-11-18T13:00")));
    assert!(before.is_subset(&after) && before.len() < after.len());
}

#[test]
fn soon_after_midnight_today_has_no_closed_orders_and_late_at_night_a_days_worth() {
    let completed = |now: &str| figures(&local(now)).completed_today.value.unwrap();
    assert_eq!(completed("2026-11-18T00:30"), 0);
    assert_eq!(completed("2026-11-18T07:30"), 0);
    let (noon, night) = (completed("2026-11-18T12:00"), completed("2026-11-18T23:00"));
    assert!((5..20).contains(&noon), "{noon}");
    assert!((27..=34).contains(&night), "{night}");
}

#[test]
fn the_desks_figures_are_believable_by_the_afternoon() {
    const HOUR: i64 = 3_600_000;
    let figures = figures(&local("2026-11-18T14:20"));
    let wait = figures.average_wait;
    for average in [wait.value.unwrap(), wait.yesterday.unwrap()] {
        assert!((HOUR..HOUR * 5 / 2).contains(&average), "{average}");
    }
    let used_cars = figures.used_cars;
    assert!((17..=36).contains(&used_cars.completed.value.unwrap()));
    assert!(used_cars.completed.yesterday.unwrap() < used_cars.completed.value.unwrap() + 1);
    for figure in [
        used_cars.average_before_service,
        used_cars.average_in_service,
    ] {
        let days = figure.value.unwrap() as f64 / (24 * HOUR) as f64;
        assert!((0.5..5.0).contains(&days), "{days}");
    }
    let hours = used_cars.average_with_technician.value.unwrap() as f64 / HOUR as f64;
    assert!((1.0..12.0).contains(&hours), "{hours} hours");
}

#[test]
fn on_the_first_of_the_month_only_todays_used_cars_count() {
    let used_cars = figures(&local("2026-12-01T20:00")).used_cars;
    assert!((1..=2).contains(&used_cars.completed.value.unwrap()));
    assert_eq!(used_cars.completed.yesterday, None);
    assert_eq!(used_cars.average_in_service.yesterday, None);
}

proptest! {
#![proptest_config(ProptestConfig::with_cases(60))]

#[test]
fn at_any_hour_past_orders_are_over_and_equal_their_events(
hours in 0i64..24 * 366,
seed in any::<u64>(),
zone in prop::sample::select(vec!["America/Chicago", "UTC", "Asia/Kolkata", "Europe/Berlin"]),
) {
let start: Timestamp = "2026-01-01T00:17:00Z".parse().unwrap();
let now = (start + SignedDuration::from_hours(hours)).to_zoned(TimeZone::get(zone).unwrap());
let shop = SampleShop::in_zone(seed, OPEN, now.timestamp(), now.time_zone().clone(), Scripts::All);
let past_orders = shop.past_orders(seed, now.timestamp());
prop_assert!(past_orders.len() <= 300, "{} orders", past_orders.len());
let numbers: Vec<RoNumber> = past_orders.iter().map(|past_order| past_order.number).collect();
prop_assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]));
prop_assert!(numbers.last() < shop.orders.first().map(|(first, _)| first));
for one in &past_orders {
let order = replayed(one);
prop_assert_eq!(order.number, one.number);
let closed_at = order.closed_at.unwrap();
prop_assert!(closed_at <= now.timestamp());
prop_assert_eq!(one.moves.last().map(|last| last.at), Some(closed_at));
prop_assert_eq!(one.moves[0].at, order.opened_at);
let times: Vec<Timestamp> = one.moves.iter().map(|one| one.at).collect();
prop_assert!(times.is_sorted(), "{:?}", times);
for moment in [order.opened_at, closed_at] {
let hour = now.time_zone().to_datetime(moment).hour();
prop_assert!((7..18).contains(&hour), "{} at {}", moment, hour);
}
let lived = Lived::of(&life(one), closed_at);
prop_assert!(lived.service.is_some());
if order.displayed_status() == DisplayedStatus::Waiting {
let minutes = lived.waited.unwrap().as_mins();
prop_assert!((28..=180).contains(&minutes), "{} minutes", minutes);
}
}
}
}

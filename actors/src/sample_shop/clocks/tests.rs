use std::collections::HashSet;

use jiff::Zoned;
use jiff::tz::TimeZone;
use proptest::prelude::*;

use super::*;
use crate::sample_shop::Scripts;

const SEED: u64 = 7;

fn shop_at(now: &Zoned) -> (SampleShop, Vec<PastOrder>, SampleClocks) {
    let (at, zone) = (now.timestamp(), now.time_zone().clone());
    let shop = SampleShop::in_zone(SEED, 300, at, zone, Scripts::All);
    let past_orders = shop.past_orders(SEED, at);
    let clocks = shop.clocks(SEED, at, &past_orders);
    (shop, past_orders, clocks)
}

fn local(text: &str) -> Zoned {
    format!("{text}[America/Chicago]").parse().unwrap()
}

fn on_the_clock(clocks: &SampleClocks) -> HashSet<TechnicianId> {
    let running = clocks
        .entries
        .iter()
        .filter(|entry| entry.ended_at.is_none());
    running.map(|entry| entry.technician).collect()
}

fn of(clocks: &SampleClocks, technician: TechnicianId) -> Vec<SampleEntry> {
    let entries = clocks.entries.iter();
    let own = entries.filter(|entry| entry.technician == technician);
    own.copied().collect()
}

#[test]
fn on_a_thursday_morning_most_technicians_are_clocked_in_and_many_work_on_a_job() {
    let now = local("2026-11-19T10:00");
    let (shop, _, clocks) = shop_at(&now);
    assert_eq!(clocks, shop_at(&now).2, "the same each time");
    let on = on_the_clock(&clocks);
    assert!(on.len() >= shop.technicians.len() * 8 / 10, "{on:?}");
    let running = clocks
        .entries
        .iter()
        .filter(|entry| entry.ended_at.is_none());
    let on_job = running.filter(|entry| entry.work.is_some()).count();
    assert!((10..on.len()).contains(&on_job), "{on_job} on a job");
    let today: Timestamp = now.start_of_day().unwrap().timestamp();
    let yesterdays: Vec<_> = clocks
        .entries
        .iter()
        .filter(|entry| entry.ended_at.is_none() && entry.started_at < today)
        .collect();
    assert_eq!(yesterdays.len(), 1, "one forgot to clock out");
    assert_eq!(yesterdays[0].technician, shop.technicians[FORGETFUL].id);
}

#[test]
fn on_any_day_a_technician_forgot_to_clock_out_the_day_before() {
    // A Monday, a first of the month, both, a new year, and a day after the clocks changed.
    for day in [
        "2026-11-16",
        "2026-12-01",
        "2026-06-01",
        "2027-01-01",
        "2026-11-02",
    ] {
        for time in ["00:00:01", "14:00", "23:59:59"] {
            let now = local(&format!("{day}T{time}"));
            let (shop, _, clocks) = shop_at(&now);
            let today = now.start_of_day().unwrap().timestamp();
            let running = |entry: &&SampleEntry| entry.ended_at.is_none();
            let forgotten: Vec<_> = clocks
                .entries
                .iter()
                .filter(running)
                .filter(|entry| entry.started_at < today)
                .map(|entry| entry.technician)
                .collect();
            assert_eq!(forgotten, [shop.technicians[FORGETFUL].id], "{now}");
        }
    }
}

#[test]
fn a_week_has_hours_and_finished_jobs_by_its_thursday() {
    let now = local("2026-11-19T15:00");
    let (shop, _, clocks) = shop_at(&now);
    let monday = local("2026-11-16T00:00").timestamp();
    for technician in &shop.technicians[..ALWAYS_THERE] {
        let own = of(&clocks, technician.id);
        let this_week = own.iter().filter(|entry| entry.started_at >= monday);
        let days: HashSet<_> = this_week
            .clone()
            .map(|entry| shop.zone.to_datetime(entry.started_at).date())
            .collect();
        assert_eq!(days.len(), 4, "{}", technician.display_name);
        let attended: SignedDuration = this_week
            .map(|entry| {
                entry
                    .ended_at
                    .unwrap_or(now.timestamp())
                    .duration_since(entry.started_at)
            })
            .sum();
        assert!((26..38).contains(&attended.as_hours()), "{attended:?}");
        let finished = clocks.finished.iter();
        let finished = finished.filter(|one| one.technician == technician.id && one.at >= monday);
        assert!(finished.count() >= 5, "{}", technician.display_name);
        assert!(own.last().unwrap().work.is_some(), "and is on a job");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn at_any_hour_clock_entries_are_gapless_and_name_existing_jobs(
        hours in 0i64..24 * 366,
        zone in prop::sample::select(vec!["America/Chicago", "UTC", "Asia/Kolkata", "Europe/Berlin"]),
    ) {
        let start: Timestamp = "2026-01-01T00:17:00Z".parse().unwrap();
        let zone = TimeZone::get(zone).unwrap();
        let now = (start + SignedDuration::from_hours(hours)).to_zoned(zone);
        let (shop, past_orders, clocks) = shop_at(&now);
        for technician in &shop.technicians {
            let own = of(&clocks, technician.id);
            for pair in own.windows(2) {
                prop_assert!(pair[0].ended_at.is_some_and(|to| to <= pair[1].started_at));
            }
            for entry in &own {
                prop_assert!(entry.started_at < entry.ended_at.unwrap_or(Timestamp::MAX));
                prop_assert!(entry.started_at < now.timestamp());
                prop_assert!(entry.ended_at.is_none_or(|to| to <= now.timestamp()));
            }
        }
        for technician in &shop.technicians[..ALWAYS_THERE] {
            prop_assert!(on_the_clock(&clocks).contains(&technician.id));
        }
        let mut jobs: HashSet<(RoNumber, i32)> = HashSet::new();
        for (number, order) in &shop.orders {
            jobs.extend(order.jobs.iter().map(|job| (*number, job.job_number)));
        }
        for one in &past_orders {
            let order = RepairOrder::replay(one.moves.iter().flat_map(|one| &one.changes)).unwrap();
            jobs.extend(order.jobs.iter().map(|job| (one.number, job.job_number)));
        }
        for work in clocks.entries.iter().filter_map(|entry| entry.work) {
            prop_assert!(jobs.contains(&work), "{:?}", work);
        }
        let finished: HashSet<_> = clocks
            .finished
            .iter()
            .map(|one| (one.number, one.job_number))
            .collect();
        prop_assert_eq!(finished.len(), clocks.finished.len(), "each once");
        let running = clocks.entries.iter().filter(|entry| entry.ended_at.is_none());
        for work in running.filter_map(|entry| entry.work) {
            prop_assert!(!finished.contains(&work), "what is done does not run");
        }
    }
}

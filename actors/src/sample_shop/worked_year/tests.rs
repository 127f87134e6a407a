use std::collections::HashMap;

use jiff::civil::date;

use super::*;
use crate::sample_shop::Scripts;

fn month() -> WorkedYear {
    let zone = jiff::tz::TimeZone::get("America/Chicago").unwrap();
    let now = "2026-01-05T12:00:00Z".parse().unwrap();
    let shop = SampleShop::in_zone(7, 100, now, zone, Scripts::Shipped);
    shop.worked_year(7, date(2026, 1, 5), 28)
}

#[test]
fn a_worked_year_is_the_same_for_one_seed_and_has_cars_in_time_and_late_ones() {
    let year = month();
    assert_eq!(year, month());
    let ready = year.orders.iter().filter(|one| one.ready_at.is_some());
    let promised = ready.filter_map(|one| Some((one.order.promised_at?, one.ready_at?)));
    let (late, in_time): (Vec<_>, Vec<_>) =
        promised.partition(|(promised, ready)| ready > promised);
    assert!(
        late.len() > 50 && in_time.len() > late.len(),
        "{} {}",
        late.len(),
        in_time.len()
    );
}

#[test]
fn nobody_works_on_two_jobs_at_once_or_while_they_are_away() {
    let year = month();
    let mut ended: HashMap<TechnicianId, Timestamp> = HashMap::new();
    for entry in &year.entries {
        let until = entry.ended_at.unwrap();
        let before = ended.insert(entry.technician, until);
        assert!(
            before.is_none_or(|before| before <= entry.started_at),
            "{entry:?}"
        );
        let there = year.attendance.iter().any(|(technician, from, to)| {
            *technician == entry.technician
                && *from <= entry.started_at
                && until <= *to + SignedDuration::from_mins(1)
        });
        assert!(there, "{entry:?}");
    }
    for one in &year.orders {
        assert!(
            one.ready_at
                .is_none_or(|at| one.finished.iter().all(|(_, done)| *done <= at))
        );
        assert_eq!(
            one.ready_at.is_some(),
            one.finished.len() == one.order.jobs.len()
        );
    }
}

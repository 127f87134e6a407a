use jiff::civil::date;
use jiff::tz::TimeZone;

use super::*;
use crate::repair_order::{
    AssignedTechnician, Command, Edit, ImportedFields, ImportedOrder, RoNumber, Status,
};

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// Chicago's clock.
fn chicago(local: jiff::civil::DateTime) -> Zoned {
    local
        .to_zoned(TimeZone::get("America/Chicago").unwrap())
        .unwrap()
}

fn hours(hours: i64) -> SignedDuration {
    SignedDuration::from_hours(hours)
}

const HOUR: i64 = 3_600_000;

fn closed(status: DisplayedStatus, closed_at: &str) -> Closing {
    Closing {
        closed_at: at(closed_at),
        status,
        lived: Lived::default(),
        clocked: None,
    }
}

fn waited(closed_at: &str, waited: i64) -> Closing {
    let mut closing = closed(DisplayedStatus::Waiting, closed_at);
    closing.lived.waited = Some(hours(waited));
    closing
}

fn used_car(closed_at: &str, before: i64, within: i64, clocked: i64) -> Closing {
    let mut closing = closed(DisplayedStatus::Used, closed_at);
    closing.lived.service = Some(Service {
        before: hours(before),
        within: hours(within),
    });
    closing.clocked = Some(hours(clocked));
    closing
}

fn figures(closings: &[Closing], now: &Zoned) -> Figures {
    Figures::of(closings.iter(), &Calendar::at(now).unwrap())
}

fn figure(value: impl Into<Option<i64>>, yesterday: impl Into<Option<i64>>) -> Figure {
    Figure {
        value: value.into(),
        yesterday: yesterday.into(),
    }
}

/// Wednesday 18 November 2026, 14:20 in Chicago, which is 20:20 in Greenwich.
fn wednesday() -> Zoned {
    chicago(date(2026, 11, 18).at(14, 20, 0, 0))
}

#[test]
fn an_empty_shop_has_no_closed_orders_and_no_averages() {
    let none = figure(None, None);
    let expected = Figures {
        completed_today: figure(0, 0),
        average_wait: none,
        used_cars: UsedFigures {
            completed: figure(0, 0),
            average_before_service: none,
            average_in_service: none,
            average_with_technician: none,
        },
    };
    assert_eq!(figures(&[], &wednesday()), expected);
}

#[test]
fn today_follows_the_shops_time_zone_and_is_compared_with_yesterday_up_to_the_same_time() {
    let closings = [
        // 00:00 today, and a second before.
        closed(DisplayedStatus::Drop, "2026-11-18T06:00:00Z"),
        closed(DisplayedStatus::Drop, "2026-11-18T05:59:59Z"),
        closed(DisplayedStatus::Pdi, "2026-11-18T20:20:00Z"),
        // Yesterday 14:20, and a second after.
        closed(DisplayedStatus::Drop, "2026-11-17T20:20:00Z"),
        closed(DisplayedStatus::Drop, "2026-11-17T20:20:01Z"),
        closed(DisplayedStatus::Drop, "2026-11-17T06:00:00Z"),
        closed(DisplayedStatus::Drop, "2026-11-17T05:59:59Z"),
    ];
    let today = figures(&closings, &wednesday()).completed_today;
    assert_eq!(today, figure(2, 2));
}

#[test]
fn a_closing_in_the_future_counts_when_its_time_has_come() {
    let closings = [closed(DisplayedStatus::Drop, "2026-11-18T20:21:00Z")];
    let completed = |now: &Zoned| figures(&closings, now).completed_today.value;
    assert_eq!(completed(&wednesday()), Some(0));
    let later = wednesday().checked_add(1.minute()).unwrap();
    assert_eq!(completed(&later), Some(1));
}

#[test]
fn days_are_as_long_as_the_clocks_of_the_zone_make_them() {
    // 8 March 2026 has 23 hours in Chicago: midnight is 06:00Z, the next one 05:00Z.
    let closings = [
        closed(DisplayedStatus::Drop, "2026-03-08T06:00:00Z"),
        closed(DisplayedStatus::Drop, "2026-03-09T04:59:59Z"),
        closed(DisplayedStatus::Drop, "2026-03-09T05:00:00Z"),
    ];
    let midnight = chicago(date(2026, 3, 8).at(23, 59, 59, 0));
    assert_eq!(figures(&closings, &midnight).completed_today.value, Some(2));
    // The Monday after at noon: yesterday's noon is 23 hours of the clock's day, not 24, behind.
    let noon = chicago(date(2026, 3, 9).at(12, 0, 0, 0));
    let of_yesterday = figures(&closings, &noon).completed_today;
    assert_eq!(of_yesterday, figure(1, 1));
    // 1 November 2026 has 25 hours, and belongs to November from its midnight on.
    let closings = [
        used_car("2026-11-01T05:00:00Z", 1, 1, 1),
        used_car("2026-11-02T05:59:59Z", 1, 1, 1),
    ];
    let night = chicago(date(2026, 11, 1).at(23, 59, 59, 0));
    let of_november = figures(&closings, &night).used_cars.completed;
    assert_eq!(of_november, figure(2, None));
    // A clock that shows 02:30 only the day after the one that leaves it out.
    let after_gap = chicago(date(2026, 3, 9).at(2, 30, 0, 0));
    assert_eq!(figures(&[], &after_gap).completed_today, figure(0, 0));
}

#[test]
fn waiting_is_averaged_over_today_and_the_whole_of_yesterday() {
    let closings = [
        waited("2026-11-18T15:00:00Z", 1),
        waited("2026-11-18T16:00:00Z", 2),
        // Nothing is known of this one's wait.
        closed(DisplayedStatus::Waiting, "2026-11-18T16:30:00Z"),
        closed(DisplayedStatus::Drop, "2026-11-18T16:40:00Z"),
        // Later in the day than it is now.
        waited("2026-11-17T23:00:00Z", 4),
        waited("2026-11-16T23:00:00Z", 9),
    ];
    let wait = figures(&closings, &wednesday()).average_wait;
    assert_eq!(wait, figure(HOUR * 3 / 2, HOUR * 4));
}

#[test]
fn used_cars_are_counted_by_the_month_beside_the_month_at_the_end_of_yesterday() {
    let closings = [
        // 31 October, 23:59:59.
        used_car("2026-11-01T04:59:59Z", 90, 90, 90),
        used_car("2026-11-01T05:00:00Z", 10, 20, 15),
        used_car("2026-11-18T05:59:59Z", 30, 40, 35),
        used_car("2026-11-18T06:00:00Z", 80, 60, 40),
        // Nobody ever had it.
        closed(DisplayedStatus::Used, "2026-11-18T16:00:00Z"),
        // Somebody had it, and no clock ran on it.
        Closing {
            clocked: None,
            ..used_car("2026-11-18T17:00:00Z", 40, 40, 0)
        },
    ];
    let used_cars = figures(&closings, &wednesday()).used_cars;
    let expected = UsedFigures {
        completed: figure(5, 2),
        average_before_service: figure(40 * HOUR, 20 * HOUR),
        average_in_service: figure(40 * HOUR, 30 * HOUR),
        average_with_technician: figure(30 * HOUR, 25 * HOUR),
    };
    assert_eq!(used_cars, expected);
}

#[test]
fn on_the_first_of_the_month_there_is_nothing_to_compare_with() {
    let closings = [
        used_car("2026-11-30T20:00:00Z", 10, 10, 10),
        used_car("2026-12-01T14:00:00Z", 20, 20, 20),
    ];
    let first = chicago(date(2026, 12, 1).at(9, 0, 0, 0));
    let figures = figures(&closings, &first);
    assert_eq!(figures.used_cars.completed, figure(1, None));
    assert_eq!(
        figures.used_cars.average_in_service,
        figure(20 * HOUR, None)
    );
    // Yesterday is another month's day and yesterday all the same.
    assert_eq!(figures.completed_today, figure(1, 0));
    let calendar = Calendar::at(&first).unwrap();
    assert_eq!(calendar.since(), at("2026-11-30T06:00:00Z"));
    assert!(!calendar.asks(DisplayedStatus::Used, at("2026-11-30T20:00:00Z")));
    assert!(calendar.asks(DisplayedStatus::Waiting, at("2026-11-30T20:00:00Z")));
}

/// An order's life, from its opening at 08:00.
struct Story {
    order: RepairOrder,
    life: Vec<(Timestamp, Change)>,
}

fn today(time: &str) -> Timestamp {
    at(&format!("2026-11-18T{time}:00Z"))
}

impl Story {
    fn of(status: &str, technicians: &[i64], heard_at: &str) -> Self {
        let imported = ImportedOrder {
            opened_at: Some(today("08:00")),
            customer_status: Some(status.to_owned()),
            regular_technicians: Some(technicians.iter().map(|id| technician(*id)).collect()),
            ..ImportedOrder::default()
        };
        let number = RoNumber::try_from(1).unwrap();
        let changes = RepairOrder::create(number, &imported, today(heard_at));
        Self {
            order: RepairOrder::replay(&changes).unwrap(),
            life: changes
                .into_iter()
                .map(|change| (today(heard_at), change))
                .collect(),
        }
    }

    fn then(mut self, time: &str, command: &Command) -> Self {
        for change in self.order.apply(command).unwrap() {
            self.order.evolve(&change);
            self.life.push((today(time), change));
        }
        self
    }

    fn closed(self, time: &str) -> Lived {
        let closed_at = today(time);
        let story = self.then(time, &Command::Close { at: closed_at });
        Lived::of(&story.life, closed_at)
    }
}

fn technician(technician: i64) -> AssignedTechnician {
    AssignedTechnician {
        technician,
        name: None,
    }
}

fn service(before: i64, within: i64) -> Option<Service> {
    let minutes = SignedDuration::from_mins;
    Some(Service {
        before: minutes(before),
        within: minutes(within),
    })
}

#[test]
fn an_order_opened_as_waiting_waits_from_its_opening() {
    let lived = Story::of("WAITING ", &[], "08:05").closed("09:30");
    assert_eq!(lived.waited, Some(SignedDuration::from_mins(90)));
    assert_eq!(lived.service, None);
}

#[test]
fn a_wait_counts_from_when_it_last_began() {
    let story = Story::of("Waiting", &[], "08:00")
        .then("08:30", &Command::ChangeStatus(Status::Drop))
        .then("09:00", &Command::ChangeStatus(Status::Waiting))
        .then("09:10", &Command::Assign(11));
    let lived = story.closed("10:00");
    assert_eq!(lived.waited, Some(hours(1)));
    let left =
        Story::of("Waiting", &[], "08:00").then("08:30", &Command::ChangeStatus(Status::Eng));
    assert_eq!(
        left.closed("10:00").waited,
        None,
        "it did not wait when it was closed"
    );
}

#[test]
fn service_is_from_the_first_technician_of_any_source_to_the_closing() {
    let story = Story::of("Used", &[], "08:00")
        .then("09:00", &Command::Assign(11))
        .then("09:30", &Command::Assign(12))
        .then("10:00", &Command::Unassign(11))
        .then("10:30", &Command::Unassign(12))
        .then("11:00", &etl(&[31]))
        .then("11:30", &etl(&[]));
    assert_eq!(story.closed("12:00").service, service(60, 180));
    let kept = Story::of("Used", &[], "08:00").then("09:00", &Command::Assign(11));
    assert_eq!(kept.closed("12:00").service, service(60, 180));
}

fn etl(technicians: &[i64]) -> Command {
    Command::Import(Box::new(ImportedOrder {
        etl_technicians: Some(technicians.iter().map(|id| technician(*id)).collect()),
        ..ImportedOrder::default()
    }))
}

#[test]
fn an_order_that_arrives_with_technicians_is_in_service_from_its_arrival() {
    let lived = Story::of("Used", &[11], "08:20").closed("10:00");
    assert_eq!(lived.service, service(20, 100));
}

#[test]
fn an_order_that_arrives_after_its_closing_has_no_service_time() {
    let story = Story::of("Waiting", &[11], "12:00");
    let lived = Lived::of(
        &story
            .then("12:00", &Command::Close { at: today("09:00") })
            .life,
        today("09:00"),
    );
    // The times of opening and closing are known; when the technician began is not.
    assert_eq!(lived.waited, Some(hours(1)));
    assert_eq!(lived.service, None);
}

#[test]
fn an_average_leaves_out_an_order_closed_before_it_was_opened() {
    let story = Story::of("Waiting", &[11], "08:00");
    let before = Command::Close { at: today("07:00") };
    let lived = Lived::of(&story.then("08:10", &before).life, today("07:00"));
    assert_eq!(lived, Lived::default());
}

#[test]
fn events_after_the_last_closing_do_not_count() {
    let story = Story::of("Used", &[], "08:00")
        .then("09:00", &Command::Assign(11))
        .then("10:00", &Command::Close { at: today("10:00") })
        .then("10:30", &Command::Reopen { at: today("10:30") })
        .then("11:00", &Command::Close { at: today("11:00") })
        .then("11:30", &etl(&[31]));
    let mut life = story.life;
    let fields = ImportedFields {
        customer_status: Some(Edit {
            from: "Used".to_owned(),
            to: "Waiting".to_owned(),
        }),
        ..ImportedFields::default()
    };
    let fields = Box::new(fields);
    life.push((today("11:40"), Change::Imported { fields }));
    let lived = Lived::of(&life, today("11:00"));
    assert_eq!(lived.service, service(60, 120));
    assert_eq!(lived.waited, None);
}

#[test]
fn a_history_without_its_beginning_gives_no_times() {
    assert_eq!(Lived::of(&[], today("11:00")), Lived::default());
}

//! Dates and times. Chicago is five hours behind UTC in July and six in January.

use super::*;

fn promised(text: &str) -> Option<Timestamp> {
    only(csv(&format!("ro,promisedDateTime\n1,\"{text}\"\n")))
        .order
        .promised_at
}

#[test]
fn iso_8601_is_read_with_and_without_an_offset() {
    for text in [
        "2026-07-14T15:30:00Z",
        "2026-07-14T10:30:00-05:00",
        "2026-07-14T17:30+02:00",
        "2026-07-14 10:30:00-05",
        "2026-07-14T10:30:00",
        "2026-07-14 10:30",
        "2026-07-14 10:30 AM",
        "20260714T103000",
    ] {
        assert_eq!(promised(text), at("2026-07-14T15:30:00Z"), "{text}");
    }
}

#[test]
fn a_date_alone_is_its_midnight_in_the_shops_zone() {
    for text in ["2026-01-14", "01/14/2026", "1/14/2026", "20260114"] {
        assert_eq!(promised(text), at("2026-01-14T06:00:00Z"), "{text}");
    }
}

#[test]
fn american_dates_are_read() {
    for text in [
        "07/14/2026 14:05",
        "07/14/2026 14:05:00",
        "7/14/2026 2:05 PM",
        "07/14/2026 02:05:00 pm",
        "07/14/2026 2:05PM",
        "7/14/2026, 2:05:00\u{202F}PM",
    ] {
        assert_eq!(promised(text), at("2026-07-14T19:05:00Z"), "{text}");
    }
    assert_eq!(promised("07/14/2026 12:05 AM"), at("2026-07-14T05:05:00Z"));
    assert_eq!(promised("07/14/2026 12:05 PM"), at("2026-07-14T17:05:00Z"));
}

#[test]
fn epochs_are_read_in_seconds_and_milliseconds() {
    for text in ["1784043000", "1784043000000", "1784043000.0"] {
        assert_eq!(promised(text), at("2026-07-14T15:30:00Z"), "{text}");
        let order = ro_1(&format!(r#""createDateTime": {text}"#)).order;
        assert_eq!(order.opened_at, at("2026-07-14T15:30:00Z"), "{text}");
    }
    assert_eq!(promised("1784043000.1299"), at("2026-07-14T15:30:00.129Z"));
    assert_eq!(promised("202607141030"), at("2026-07-14T15:30:00Z"));
    assert_eq!(promised("20260714103000"), at("2026-07-14T15:30:00Z"));
}

#[test]
fn times_are_cut_to_milliseconds() {
    assert_eq!(
        promised("2026-07-14T15:30:00.123999Z"),
        at("2026-07-14T15:30:00.123Z")
    );
    assert_eq!(
        promised("2026-07-14T10:30:00.1239"),
        at("2026-07-14T15:30:00.123Z")
    );
}

#[test]
fn a_malformed_time_is_refused_with_the_field_and_the_text() {
    for text in [
        "2026-02-30",
        "2026-07-14T25:00",
        "2026-07-14T10:61",
        "2026-13-01",
        "02/30/2026",
        "13/01/2026",
        "07/14/26",
        "07/14/2026 25:00",
        "07/14/2026 13:00 PM",
        "07/14/2026 0:30 AM",
        "2026-07-14T10:30+99:00",
        "tomorrow",
        "46217",
        "46217.4375",
        "0",
        "-1784043000",
        "1.784e9",
        "14.07.2026",
        "20260230",
        "/",
        "m",
        "07/14/2026 x",
    ] {
        let reject = refused(csv(&format!("ro,due date\n1,\"{text}\"\n")));
        assert_eq!(reject.field, "promisedDateTime", "{text}");
        assert!(
            reject
                .reason
                .starts_with(&format!("'{text}' is not a date that exists")),
            "{}",
            reject.reason
        );
    }
    assert_eq!(
        refused_1(r#""createDateTime": true"#).field,
        "createDateTime"
    );
    assert_eq!(
        refused_1(r#""closedDateTime": "no""#).field,
        "closedDateTime"
    );
}

#[test]
fn a_year_outside_1970_to_2200_is_refused() {
    for text in [
        "1969-12-31T23:59:59Z",
        "0001-01-01",
        "2201-01-01T00:00Z",
        "9999-12-31",
        "01/01/1900",
        "9999999999",
    ] {
        let reject = refused(csv(&format!("ro,createDateTime\n1,{text}\n")));
        assert_eq!(reject.field, "createDateTime", "{text}");
        assert_eq!(
            reject.reason,
            format!("'{text}' is not in the years 1970 to 2200: correct the year")
        );
    }
    assert_eq!(promised("1970-01-01T00:00:00Z"), at("1970-01-01T00:00:00Z"));
    assert_eq!(promised("2200-12-31T23:59:59Z"), at("2200-12-31T23:59:59Z"));
}

#[test]
fn a_date_and_a_time_may_have_a_column_each() {
    let header = "ro,openDate,openTime,promisedDate,promisedTime,closedDate,closedTime";
    let row = "1,2026-07-14,08:15:00,07/14/2026,4:00 PM,2026-07-14T00:00:00Z,17:45";
    let order = only(csv(&format!("{header}\n{row}\n"))).order;
    assert_eq!(order.opened_at, at("2026-07-14T13:15:00Z"));
    assert_eq!(order.promised_at, at("2026-07-14T21:00:00Z"));
    assert_eq!(order.closed_at, at("2026-07-14T22:45:00Z"));
}

#[test]
fn a_date_keeps_its_own_time_and_says_so() {
    let record = only(csv("ro,openDate,openTime\n1,2026-07-14T10:30Z,08:15\n"));
    assert_eq!(record.order.opened_at, at("2026-07-14T10:30:00Z"));
    assert_eq!(
        record.warnings,
        ["openTime '08:15' was left out: '2026-07-14T10:30Z' has a time of its own"]
    );
    let same = only(csv("ro,openDate,openTime\n1,2026-07-14T10:30,10:30\n"));
    assert_eq!(
        (same.order.opened_at, same.warnings),
        (at("2026-07-14T15:30:00Z"), vec![])
    );
}

#[test]
fn a_time_without_a_date_is_left_out_and_midnight_beside_none_is_nothing() {
    let record = only(csv("ro,closedDate,closedTime\n1,,17:45\n"));
    assert_eq!(record.order.closed_at, None);
    assert_eq!(
        record.warnings,
        ["closedTime '17:45' was left out: it has no date"]
    );
    assert_eq!(
        only(csv("ro,closedDate,closedTime\n1,,00:00:00\n")).warnings,
        [""; 0]
    );
    let reject = refused(csv("ro,closedDate,closedTime\n1,2026-07-14,25:00\n"));
    assert_eq!(
        (reject.field.as_str(), reject.reason.as_str()),
        (
            "closedTime",
            "'25:00' is not a time of day: write it like 14:30 or 2:30 PM"
        )
    );
}

#[test]
fn the_hour_that_summer_time_skips_or_repeats_is_still_a_time_and_is_reported() {
    for (text, moment, warning) in [
        (
            "2026-03-08T02:30",
            "2026-03-08T08:30:00Z",
            "promisedDateTime 2026-03-08T02:30:00 is skipped by the change to summer time: it was taken an hour later",
        ),
        (
            "2026-11-01T01:30",
            "2026-11-01T06:30:00Z",
            "promisedDateTime 2026-11-01T01:30:00 comes twice as summer time ends: the first was taken",
        ),
    ] {
        let record = only(csv(&format!("ro,promisedDateTime\n1,{text}\n")));
        assert_eq!(record.order.promised_at, at(moment));
        assert_eq!(record.warnings, [warning]);
    }
    let unambiguous = only(csv("ro,promisedDateTime\n1,2026-11-01T01:30-06:00\n"));
    assert_eq!(unambiguous.order.promised_at, at("2026-11-01T07:30:00Z"));
    assert_eq!(unambiguous.warnings, [""; 0]);
}

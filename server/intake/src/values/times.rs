//! Dates and times as dealer's systems write them.

use jiff::civil::{Date, DateTime, Time};
use jiff::fmt::temporal::Pieces;
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{SignedDuration, Timestamp};

use crate::fields::{Cells, Field, FieldError};
use crate::text::quoted;

const YEARS: std::ops::RangeInclusive<i16> = 1970..=2200;

/// What is written: a moment, or a date (and time) that means one only in a time zone.
#[derive(Clone, Copy, Debug, PartialEq)]
enum DateOrMoment {
    Moment(Timestamp, DateTime),
    Local(DateTime),
}

/// Reads a date, or date and time, from one cell or from a pair of them. Whole milliseconds, so
/// that it is still the same after a database column of milliseconds.
pub(crate) fn moment(
    cells: &Cells,
    date: Field,
    time_of_day: Field,
    zone: &TimeZone,
    warnings: &mut Vec<String>,
) -> Result<Option<Timestamp>, FieldError> {
    let error = |field: Field, reason| FieldError::new(field, reason);
    let time_text = cells.line(time_of_day)?;
    let time = match &time_text {
        Some(text) => {
            Some(parse_time_of_day(text).ok_or_else(|| error(time_of_day, no_such_time(text)))?)
        }
        None => None,
    };
    let left_out = |why: &str| {
        format!(
            "{} {} was left out: {why}",
            time_of_day.name(),
            quoted(time_text.as_deref().unwrap_or_default())
        )
    };
    let Some(text) = cells.line(date)? else {
        // Systems write 00:00 beside an empty date.
        if time.is_some_and(|time| time != Time::midnight()) {
            warnings.push(left_out("it has no date"));
        }
        return Ok(None);
    };
    let mut parsed = parse_date(&text).ok_or_else(|| error(date, no_such_date(&text)))?;
    if let Some(time) = time {
        let (DateOrMoment::Moment(_, local) | DateOrMoment::Local(local)) = parsed;
        if local.time() == Time::midnight() {
            // Also where midnight has an offset: a program added it to the bare date.
            parsed = DateOrMoment::Local(local.date().to_datetime(time));
        } else if local.time() != time {
            warnings.push(left_out(&format!(
                "{} has a time of its own",
                quoted(&text)
            )));
        }
    }
    let (moment, meant) = to_timestamp(parsed, zone);
    warnings.extend(meant.map(|meant| format!("{} {meant}", date.name())));
    moment.map(Some).ok_or_else(|| {
        let (first, last) = (YEARS.start(), YEARS.end());
        error(
            date,
            format!(
                "{} is not in the years {first} to {last}: correct the year",
                quoted(&text)
            ),
        )
    })
}

/// The moment in whole milliseconds, if it is in the years we take; and which one was meant, where the clocks of the
/// zone show this time twice or not at all.
fn to_timestamp(parsed: DateOrMoment, zone: &TimeZone) -> (Option<Timestamp>, Option<String>) {
    let (moment, meant) = match parsed {
        DateOrMoment::Moment(moment, _) => (Some(moment), None),
        DateOrMoment::Local(local) => {
            let ambiguous = zone.to_ambiguous_timestamp(local);
            let meant = match ambiguous.offset() {
                AmbiguousOffset::Unambiguous { .. } => None,
                AmbiguousOffset::Gap { .. } => Some(format!(
                    "{local} is skipped by the change to summer time: it was taken an hour later"
                )),
                AmbiguousOffset::Fold { .. } => Some(format!(
                    "{local} comes twice as summer time ends: the first was taken"
                )),
            };
            (ambiguous.compatible().ok(), meant)
        }
    };
    let whole = moment.and_then(|moment| Timestamp::from_millisecond(moment.as_millisecond()).ok());
    let year = |moment: &Timestamp| TimeZone::UTC.to_datetime(*moment).year();
    (whole.filter(|moment| YEARS.contains(&year(moment))), meant)
}

fn no_such_date(text: &str) -> String {
    format!(
        "{} is not a date that exists, or not in a form we know: write it like 2026-07-14T08:30 or 07/14/2026 8:30 AM",
        quoted(text)
    )
}

fn no_such_time(text: &str) -> String {
    format!(
        "{} is not a time of day: write it like 14:30 or 2:30 PM",
        quoted(text)
    )
}

fn parse_date(text: &str) -> Option<DateOrMoment> {
    if text.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
        return digits(text);
    }
    let (date, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let date = date.trim_end_matches(',');
    if date.contains('/') {
        return local(american_date(date)?, rest.trim());
    }
    if text.to_ascii_lowercase().ends_with('m') {
        return local(date.parse().ok()?, rest.trim());
    }
    iso(text)
}

fn local(date: Date, time: &str) -> Option<DateOrMoment> {
    let time = if time.is_empty() {
        Time::midnight()
    } else {
        parse_time_of_day(time)?
    };
    Some(DateOrMoment::Local(date.to_datetime(time)))
}

/// Seconds (9 or 10 digits, perhaps with a fraction) or milliseconds (13) since 1970, or a date
/// without its hyphens. Other lengths are refused, not guessed: a spreadsheet's day number 46217
/// would pass for a morning in 1970.
fn digits(text: &str) -> Option<DateOrMoment> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let number: i64 = whole.parse().ok()?;
    let moment = match whole.len() {
        9 | 10 => {
            let millisecond: String = fraction.chars().chain("000".chars()).take(3).collect();
            let after = SignedDuration::from_millis(millisecond.parse().ok()?);
            Timestamp::from_second(number)
                .ok()?
                .checked_add(after)
                .ok()?
        }
        13 => Timestamp::from_millisecond(number).ok()?,
        8 if fraction.is_empty() => return local(Date::strptime("%Y%m%d", text).ok()?, ""),
        12 if fraction.is_empty() => {
            return DateTime::strptime("%Y%m%d%H%M", text)
                .ok()
                .map(DateOrMoment::Local);
        }
        14 if fraction.is_empty() => {
            return DateTime::strptime("%Y%m%d%H%M%S", text)
                .ok()
                .map(DateOrMoment::Local);
        }
        _ => return None,
    };
    Some(DateOrMoment::Moment(
        moment,
        TimeZone::UTC.to_datetime(moment),
    ))
}

/// Month, day and a year of four digits.
fn american_date(text: &str) -> Option<Date> {
    let mut parts = text.split('/');
    let (month, day, year) = (parts.next()?, parts.next()?, parts.next()?);
    let digits = [month, day, year]
        .iter()
        .all(|part| part.bytes().all(|b| b.is_ascii_digit()));
    if !digits || year.len() != 4 || parts.next().is_some() {
        return None;
    }
    Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()
}

fn iso(text: &str) -> Option<DateOrMoment> {
    let pieces = Pieces::parse(text).ok()?;
    let local = pieces
        .date()
        .to_datetime(pieces.time().unwrap_or(Time::midnight()));
    if let Some(offset) = pieces.to_numeric_offset() {
        return Some(DateOrMoment::Moment(
            offset.to_timestamp(local).ok()?,
            local,
        ));
    }
    match pieces.to_time_zone().ok()? {
        Some(zone) => {
            let moment = zone.to_ambiguous_timestamp(local).compatible().ok()?;
            Some(DateOrMoment::Moment(moment, local))
        }
        None => Some(DateOrMoment::Local(local)),
    }
}

/// `14:30`, `14:30:15`, `2:30 PM`.
fn parse_time_of_day(text: &str) -> Option<Time> {
    let text = text.to_ascii_lowercase();
    let (clock, afternoon) = match (text.strip_suffix("am"), text.strip_suffix("pm")) {
        (Some(clock), _) => (clock, Some(false)),
        (_, Some(clock)) => (clock, Some(true)),
        _ => (text.as_str(), None),
    };
    let (hour, rest) = clock.trim().split_once(':')?;
    let digits = |text: &str| {
        text.bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b':' | b'.'))
    };
    if hour.len() > 2 || !digits(hour) || !digits(rest) {
        return None;
    }
    let time: Time = format!("{hour:0>2}:{rest}").parse().ok()?;
    let hour = match (afternoon, time.hour()) {
        (None, hour) => hour,
        (Some(_), 0 | 13..) => return None,
        (Some(false), 12) => 0,
        (Some(true), 12) => 12,
        (Some(afternoon), hour) => hour + if afternoon { 12 } else { 0 },
    };
    time.with().hour(hour).build().ok()
}

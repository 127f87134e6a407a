//! The rules of intake as sentences.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::{Format, Parsed, Reading, Record, Reject, Unreadable};

mod arbitrary;
mod cdk;
mod csv;
mod files;
mod jobs;
mod json;
mod merging;
mod pieces;
mod star;
mod times;
mod values;

/// Chicago's rules, spelled out so that no time-zone database is needed.
fn chicago() -> TimeZone {
    TimeZone::posix("CST6CDT,M3.2.0,M11.1.0").unwrap()
}

fn now() -> Timestamp {
    "2026-07-14T17:00:00Z".parse().unwrap()
}

fn at(text: &str) -> Option<Timestamp> {
    Some(text.parse().unwrap())
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn parse(
    file_name: &str,
    bytes: &[u8],
    format: Format,
    zone: &TimeZone,
    now: Timestamp,
) -> Result<Parsed, Unreadable> {
    in_pieces(file_name, [bytes], format, zone, now)
}

/// Reads a file that arrives in these pieces.
fn in_pieces<'a>(
    file_name: &str,
    pieces: impl IntoIterator<Item = &'a [u8]>,
    format: Format,
    zone: &TimeZone,
    now: Timestamp,
) -> Result<Parsed, Unreadable> {
    let mut parsed = Parsed::default();
    let mut reading = Reading::new(file_name, format, zone.clone(), now);
    for piece in pieces {
        reading.feed(piece, &mut parsed)?;
    }
    reading.finish(&mut parsed)?;
    Ok(parsed)
}

fn read(name: &str, text: &str) -> Result<Parsed, Unreadable> {
    parse(name, text.as_bytes(), Format::Auto, &chicago(), now())
}

fn json(text: &str) -> Parsed {
    read("orders.json", text).unwrap()
}

fn csv(text: &str) -> Parsed {
    read("orders.csv", text).unwrap()
}

/// The only order of a file in which nothing was refused.
fn only(parsed: Parsed) -> Record {
    assert_eq!(parsed.rejects, []);
    let [record] = <[Record; 1]>::try_from(parsed.records).unwrap();
    record
}

/// The only refused row of a file.
fn refused(parsed: Parsed) -> Reject {
    let [reject] = <[Reject; 1]>::try_from(parsed.rejects).unwrap();
    reject
}

/// The order of a list with one entry: RO 1 and `members`.
fn ro_1(members: &str) -> Record {
    only(json(&format!(r#"[{{"repairOrderNumber": 1, {members}}}]"#)))
}

/// Why a list's only entry, RO 1 and `members`, is refused.
fn refused_1(members: &str) -> Reject {
    let parsed = json(&format!(r#"[{{"repairOrderNumber": 1, {members}}}]"#));
    assert_eq!(parsed.records, []);
    refused(parsed)
}

fn numbers(parsed: &Parsed) -> Vec<i64> {
    parsed
        .records
        .iter()
        .map(|record| record.number.get())
        .collect()
}

fn places(parsed: &Parsed) -> Vec<&str> {
    parsed
        .rejects
        .iter()
        .map(|reject| reject.place.as_str())
        .collect()
}

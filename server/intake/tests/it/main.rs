//! The rules of intake as sentences.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

use jiff::Timestamp;
use jiff::tz::TimeZone;

use dispatch_intake::{FileReader, FormatChoice, ReadError, ReadOutput, Record, Reject};

mod arbitrary;
mod cdk;
mod csv;
mod files;
mod jobs;
mod json;
mod merging;
mod pieces;
mod stages;
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
    format: FormatChoice,
    zone: &TimeZone,
    now: Timestamp,
) -> Result<ReadOutput, ReadError> {
    in_pieces(file_name, [bytes], format, zone, now)
}

/// Reads a file that arrives in these pieces.
fn in_pieces<'a>(
    file_name: &str,
    pieces: impl IntoIterator<Item = &'a [u8]>,
    format: FormatChoice,
    zone: &TimeZone,
    now: Timestamp,
) -> Result<ReadOutput, ReadError> {
    let mut parsed = ReadOutput::default();
    let mut reader = FileReader::new(file_name, format, zone.clone(), now);
    for piece in pieces {
        reader.feed(piece, &mut parsed)?;
    }
    reader.finish(&mut parsed)?;
    Ok(parsed)
}

fn read(name: &str, text: &str) -> Result<ReadOutput, ReadError> {
    parse(name, text.as_bytes(), FormatChoice::Auto, &chicago(), now())
}

fn json(text: &str) -> ReadOutput {
    read("orders.json", text).unwrap()
}

fn csv(text: &str) -> ReadOutput {
    read("orders.csv", text).unwrap()
}

/// The only order of a file in which nothing was refused.
fn only(parsed: ReadOutput) -> Record {
    assert_eq!(parsed.rejects, []);
    let [record] = <[Record; 1]>::try_from(parsed.records).unwrap();
    record
}

/// The only refused row of a file.
fn refused(parsed: ReadOutput) -> Reject {
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

fn numbers(parsed: &ReadOutput) -> Vec<i64> {
    parsed
        .records
        .iter()
        .map(|record| record.number.get())
        .collect()
}

fn places(parsed: &ReadOutput) -> Vec<&str> {
    parsed
        .rejects
        .iter()
        .map(|reject| reject.place.as_str())
        .collect()
}

//! The file as a whole: encoding, format, samples, the rejects file.

use std::str::FromStr;

use super::*;
use dispatch_intake::{UnknownFormat, rejects_ndjson};

const OURS_JSON: &[u8] = include_bytes!("../samples/ours.json");
const OURS_CSV: &[u8] = include_bytes!("../samples/ours.csv");

fn parse_sample(name: &str, bytes: &[u8]) -> ReadOutput {
    parse(name, bytes, FormatChoice::Auto, &chicago(), now()).unwrap()
}

#[test]
fn the_json_sample_has_three_orders_with_jobs_and_technicians() {
    let parsed = parse_sample("ours.json", OURS_JSON);
    assert_eq!(parsed.rejects, []);
    assert_eq!(parsed.records.len(), 3);
    assert!(
        parsed
            .records
            .iter()
            .all(|record| record.order.jobs.len() >= 2)
    );
    assert!(
        parsed
            .records
            .iter()
            .all(|record| record.warnings.is_empty())
    );
}

#[test]
fn the_csv_sample_has_five_good_rows_and_two_refused_ones() {
    let parsed = parse_sample("ours.csv", OURS_CSV);
    assert_eq!(parsed.records.len(), 5);
    let rejects: Vec<_> = parsed
        .rejects
        .iter()
        .map(|r| (r.place.as_str(), r.field.as_str()))
        .collect();
    assert_eq!(
        rejects,
        [
            ("line 4", "repairOrderNumber"),
            ("line 6", "promisedDateTime")
        ]
    );
    assert!(parsed.rejects[1].reason.contains("'2026-02-30'"));
}

#[test]
fn formats_have_names_for_the_command_line() {
    assert_eq!(FormatChoice::from_str("auto"), Ok(FormatChoice::Auto));
    assert_eq!(FormatChoice::from_str(" JSON "), Ok(FormatChoice::Json));
    assert_eq!(FormatChoice::from_str("csv"), Ok(FormatChoice::Csv));
    assert_eq!(FormatChoice::from_str("cdk"), Ok(FormatChoice::Cdk));
    assert_eq!(FormatChoice::from_str("STAR"), Ok(FormatChoice::Star));
    let unknown: UnknownFormat = FormatChoice::from_str("xls").unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "'xls' is not a format: use auto, json, csv, cdk or star"
    );
}

#[test]
fn the_name_decides_the_format_and_else_the_first_character() {
    let json = r#"{"roNumber": 5}"#;
    assert_eq!(numbers(&read("a.NDJSON", json).unwrap()), [5]);
    assert_eq!(numbers(&read("-", json).unwrap()), [5]);
    assert_eq!(numbers(&read("export.txt", "RO Number\n5\n").unwrap()), [5]);
    assert_eq!(
        numbers(&read("-", "\u{FEFF}\n [{\"roNumber\": 5}]").unwrap()),
        [5]
    );
    assert!(matches!(
        read("a.csv", json),
        Err(ReadError::NoNumberColumn { .. })
    ));
}

#[test]
fn a_format_that_is_named_wins_over_the_file_name() {
    let parsed = parse(
        "a.csv",
        br#"[{"roNumber": 5}]"#,
        FormatChoice::Json,
        &chicago(),
        now(),
    )
    .unwrap();
    assert_eq!(numbers(&parsed), [5]);
    let parsed = parse("a.json", b"ro\n5", FormatChoice::Csv, &chicago(), now()).unwrap();
    assert_eq!(numbers(&parsed), [5]);
}

#[test]
fn a_file_that_is_not_utf_8_is_refused_with_the_position() {
    let unreadable = parse(
        "a.csv",
        b"ro,customer\n5,Jos\xE9",
        FormatChoice::Auto,
        &chicago(),
        now(),
    );
    assert_eq!(unreadable, Err(ReadError::NotUtf8 { line: 2, column: 6 }));
    let utf_16 = parse(
        "a.csv",
        b"\xFF\xFEr\0o\0",
        FormatChoice::Auto,
        &chicago(),
        now(),
    );
    assert_eq!(utf_16, Err(ReadError::Utf16));
}

#[test]
fn a_row_that_is_not_utf_8_among_others_is_refused_alone() {
    let bytes = b"ro,customer\n1,Jos\xE9\n2,Ann\n3,Ren\xE9e\n4,Bo\n";
    let parsed = parse("a.csv", bytes, FormatChoice::Auto, &chicago(), now()).unwrap();
    assert_eq!(numbers(&parsed), [2, 4]);
    assert_eq!(places(&parsed), ["line 2", "line 4"]);
    assert_eq!(parsed.rejects[1].raw, "3,Ren\u{FFFD}e");
    assert!(
        parsed.rejects[1]
            .reason
            .starts_with("Byte 6 of line 4 is no character of UTF-8"),
    );
    let bytes = b"[{\"ro\": 1}, {\"ro\": 2, \"vin\": \"\xFF\"}, {\"ro\": 3}]";
    let parsed = parse("a.json", bytes, FormatChoice::Auto, &chicago(), now()).unwrap();
    assert_eq!(numbers(&parsed), [1, 3]);
    assert_eq!(places(&parsed), ["entry 2"]);
}

#[test]
fn an_empty_file_is_unreadable() {
    assert_eq!(read("a.csv", ""), Err(ReadError::Empty));
    assert_eq!(read("a.json", "\u{FEFF} \r\n"), Err(ReadError::Empty));
}

#[test]
fn refused_rows_are_written_whole_one_a_line() {
    let parsed = csv("ro,customer\nnone,\"A \"\"B\"\"\nC\"\n,Joe\n");
    let written = rejects_ndjson("day.csv", &parsed.rejects);
    let lines: Vec<serde_json::Value> = written
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 2);
    assert!(written.ends_with('\n'));
    assert_eq!(
        lines[0],
        serde_json::json!({
            "file": "day.csv",
            "place": "line 2",
            "field": "repairOrderNumber",
            "reason": "'none' is not an RO number: it has no digits. Correct it",
            "row": "none,\"A \"\"B\"\"\nC\"",
        })
    );
    assert_eq!(lines[1]["place"], "line 4");
    assert_eq!(rejects_ndjson("day.csv", &[]), "");
}

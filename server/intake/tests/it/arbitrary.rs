//! Whatever a file holds, reading it ends, and no row is lost.

use proptest::prelude::*;
use serde_json::Value;

use super::*;

/// What the readers look for, in any order.
pub(super) fn scraps() -> impl Strategy<Value = String> {
    let scrap = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        "\"",
        "\"\"",
        ",",
        ":",
        ";",
        "\t",
        "\n",
        "\r",
        "\\",
        "\\u",
        "\\ud83d",
        "\0",
        " ",
        "é",
        "😀",
        "1",
        "-",
        ".",
        "e9",
        "/",
        "am",
        "2026-02-29",
        "07/04/2026",
        "T08:15Z",
        "null",
        "true",
        "\"roNumber\":1",
        "\"jobs\":",
        "\"data\":[",
        "\"createDateTime\":",
        "{\"roNumber\":2}",
        "\"operations\":[",
        "{\"line\":{\"lineCode\":\"A\"",
        "\"laborOperations\":[{\"technicianIds\":[\"MULT\"",
        "\"technicianPunchTimes\":",
        "\"customer\":{\"name1\":\"LEE,ANN",
        "\"Job\":[{\"ServiceTechnicianParty\":",
        "\"ServiceAdvisorParty\":{",
    ]);
    prop::collection::vec(scrap, 0..60).prop_map(|scraps| scraps.concat())
}

/// Any JSON at all, with the names that the readers look for.
fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        prop::sample::select(vec![
            "MULT",
            "A",
            "LEE,ANN",
            "2026-07-14",
            "WAITER",
            "7",
            "\0"
        ])
        .prop_map(Value::from),
    ];
    let name = prop::sample::select(vec![
        "roNumber",
        "RepairOrderNumber",
        "customer",
        "name1",
        "vehicle",
        "year",
        "vin",
        "operations",
        "line",
        "lineCode",
        "laborOperations",
        "opCode",
        "technicianIds",
        "technicianPunchTimes",
        "technicianId",
        "isCustomerWaiting",
        "priorityValue",
        "statusDesc",
        "voidedDate",
        "origPromisedDate",
        "Job",
        "jobs",
        "JobNumberString",
        "OperationID",
        "ServiceTechnicianParty",
        "ServiceAdvisorParty",
        "OwnerParty",
        "PartyID",
        "SpecifiedPerson",
        "GivenName",
        "CodesAndCommentsExpanded",
        "complaint",
        "correction",
        "data",
    ]);
    leaf.prop_recursive(6, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((name.clone(), inner), 0..8).prop_map(|members| {
                members
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), value))
                    .collect::<serde_json::Map<_, _>>()
                    .into()
            }),
        ]
    })
}

proptest! {
    #[test]
    fn an_entry_of_any_shape_is_taken_or_refused(members in prop::collection::vec(values(), 1..4)) {
        for format in [FormatChoice::Json, FormatChoice::Cdk, FormatChoice::Star] {
            for value in &members {
                let mut numbered = value.clone();
                if let Value::Object(object) = &mut numbered {
                    object.insert("roNumber".to_owned(), Value::from(1));
                }
                let text = Value::from(vec![value.clone(), numbered, Value::from(7)]).to_string();
                let parsed = parse("-", text.as_bytes(), format, &chicago(), now()).unwrap();
                let kept: usize = parsed.records.iter().map(|record| record.raw.len()).sum::<usize>()
                    + parsed.rejects.iter().map(|reject| reject.raw.len()).sum::<usize>();
                // Rows of one order are put below each other.
                prop_assert!(kept + "[,,]".len() >= text.len(), "{text} was kept as {parsed:?}");
            }
        }
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes: Vec<u8>) {
        for format in [FormatChoice::Auto, FormatChoice::Json, FormatChoice::Csv, FormatChoice::Cdk, FormatChoice::Star] {
            let _ = parse("-", &bytes, format, &chicago(), now());
        }
    }

    #[test]
    fn arbitrary_scraps_of_json_and_csv_never_panic(text in scraps()) {
        let headed = format!("ro,createDateTime,openTime,jobs,technicianId\n{text}");
        for (name, text) in [("a.json", text.as_str()), ("a.csv", text.as_str()), ("a.csv", &headed)] {
            let _ = read(name, text);
        }
        let _ = read("a.json", &format!("[{{\"roNumber\":1}},{text}"));
    }

    #[test]
    fn arbitrary_values_never_panic(value in ".*", number: f64) {
        for name in [
            "ro", "dmsNumber", "createDateTime", "openTime", "jobs", "jobNumber", "priority", "status", "appCustomerStatus",
            "waiting", "technicianId", "concern", "lineCode", "priorityValue", "statusDesc", "correction", "ServiceAdvisorParty",
        ] {
            for value in [serde_json::json!(value), serde_json::json!(number)] {
                let _ = read("a.json", &serde_json::json!([{"repairOrderNumber": 1, name: value}]).to_string());
            }
        }
    }

    #[test]
    fn every_line_of_csv_is_taken_or_refused(text in scraps()) {
        let parsed = read("a.csv", &format!("ro,customer\n{text}")).unwrap();
        let kept = parsed.records.iter().map(|record| &record.raw);
        let kept: Vec<&str> = kept.chain(parsed.rejects.iter().map(|reject| &reject.raw)).flat_map(|raw| raw.split(['\n', '\r'])).collect();
        let says_something = |line: &&str| line.chars().any(char::is_alphanumeric);
        for line in text.split(['\n', '\r']).filter(says_something) {
            prop_assert!(kept.contains(&line), "{line:?} is lost");
        }
    }

    #[test]
    fn every_entry_of_a_list_is_taken_or_refused(text in scraps()) {
        let whole = format!("[{{\"roNumber\":1}},{text}");
        let parsed = read("a.json", &whole).unwrap();
        let kept: usize = parsed.records.iter().map(|r| r.raw.len()).chain(parsed.rejects.iter().map(|r| r.raw.len())).sum();
        let marks = whole.chars().filter(|c| matches!(c, '[' | ']' | ',' | '\n' | '\t' | ' ' | '\r')).count();
        prop_assert!(kept + marks >= whole.len(), "{whole:?} was kept as {parsed:?}");
    }
}

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

/// The same by a whole reading.
fn read(packet: &str) -> Option<Modified> {
    let arguments: Value = serde_json::from_str(packet.strip_prefix("42")?).ok()?;
    let event = &arguments[1];
    let rows = event["rows"].as_array().cloned().unwrap_or_default();
    let rows = rows.iter().filter_map(|row| row["version"].as_i64()).max();
    Some(Modified {
        seq: event["seq"].as_i64()?,
        number: event["roNumber"].as_i64()?,
        version: rows.or(event["version"].as_i64())?,
        open: rows.is_some(),
        stamped: event["timestamp"]
            .as_str()
            .and_then(|text| text.parse::<Timestamp>().ok())
            .map(|at| at.as_microsecond()),
    })
}

fn modified(packet: &str) -> Option<Modified> {
    match skim(packet.as_bytes())? {
        Packet::Event(Event {
            kind: Kind::Modified(modified),
            ..
        }) => Some(modified),
        _ => None,
    }
}

/// Anything that may stand in a row.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        "[\\[\\]{}\",:\\\\ ]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z\"\\\\]{1,8}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn a_change_is_skimmed_as_it_is_read(
        seq in 1..i64::MAX,
        number in 1..10_000_000_i64,
        version in 1..1_000_i64,
        rows in prop::collection::vec((1..1_000_i64, any_json(), any_json()), 0..4),
        by in any_json(),
        at in 0..4_000_000_000_000_i64,
        spaced in any::<bool>(),
    ) {
        let rows: Vec<Value> = rows
            .into_iter()
            .map(|(version, jobs, vehicle)| json!({ "jobs": jobs, "vehicle": vehicle, "version": version }))
            .collect();
        let event = json!({
            "type": "RO_MODIFIED", "roNumber": number, "action": "STATUS_CHANGED", "by": by,
            "timestamp": Timestamp::from_millisecond(at).unwrap().to_string(),
            "version": version, "seq": seq, "rows": rows,
        });
        let arguments = json!(["RO_MODIFIED", event, seq.to_string()]);
        let packet = match spaced {
            true => format!("42{arguments:#}"),
            false => format!("42{arguments}"),
        };
        prop_assert_eq!(modified(&packet), read(&packet));
        let Some(Packet::Event(Event { offset, .. })) = skim(packet.as_bytes()) else {
            panic!("no event");
        };
        prop_assert_eq!(offset.map(str::to_owned), Some(seq.to_string()));
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        let _ = skim(&bytes);
        let _ = skim(&[b"42", bytes.as_slice()].concat());
    }

    #[test]
    fn a_cut_change_is_no_change(cut in 2..80_usize) {
        let packet = r#"42["RO_MODIFIED",{"seq":1,"roNumber":2,"version":3,"rows":[{"version":3}]},"1"]"#;
        prop_assume!(cut < packet.len());
        prop_assert_eq!(skim(&packet.as_bytes()[..cut]), None);
    }
}

#[test]
fn hello_and_tick_give_the_position_of_the_stream() {
    for (since, is_read) in [
        (r#""generation":"x""#, true),
        (r#""notReadSince":null"#, true),
        (r#""notSavingSince":"2026-11-21T04:59:00Z""#, true),
        (r#""notReadSince":"2026-11-21T04:59:00Z""#, false),
    ] {
        let progress = Progress { seq: 3, is_read };
        for (name, kind) in [
            ("hello", Kind::Hello(progress)),
            ("tick", Kind::Tick(progress)),
        ] {
            let packet =
                format!(r#"42["{name}",{{"now":"2026-11-21T05:00:00Z","seq":3,{since}}},"x.3"]"#);
            let offset = Some("x.3");
            assert_eq!(
                skim(packet.as_bytes()),
                Some(Packet::Event(Event { kind, offset })),
                "{packet}"
            );
        }
    }
}

#[test]
fn a_hint_and_other_events_are_no_changes() {
    for packet in [
        r#"42["RO_MODIFIED",{"roNumber":7,"action":"STATUS_CHANGED","seq":null}]"#,
        r#"42["RO_MODIFIED",{"roNumber":7}]"#,
        r#"42["RO_PRESENCE",{"roNumber":7,"people":[{"uid":"]}"}]}]"#,
    ] {
        let (kind, offset) = (Kind::Other, None);
        assert_eq!(
            skim(packet.as_bytes()),
            Some(Packet::Event(Event { kind, offset })),
            "{packet}"
        );
    }
}

#[test]
fn the_answer_to_connect_may_have_a_pid() {
    let with = skim(br#"40{"sid":"a","pid":"b"}"#);
    assert_eq!(with, Some(Packet::Connected { pid: Some("b") }));
    assert_eq!(
        skim(br#"40{"sid":"a"}"#),
        Some(Packet::Connected { pid: None })
    );
    assert_eq!(skim(b"40"), Some(Packet::Connected { pid: None }));
    assert_eq!(skim(b"41"), Some(Packet::Disconnected));
    assert_eq!(skim(b"44{}"), Some(Packet::Refused("{}")));
}

//! The shapes of our JSON.

use super::*;

const WHOLE: &str = r#"{
    "repairOrderNumber": 1042, "vehicleVIN": "1HGCM82633A004352", "vehicle": "2003 Honda Accord",
    "tagNumber": "T42", "customer": "O'Neill, Siobhán", "advisor": "Dana", "createDateTime": "2026-07-14T08:30:00-05:00",
    "promisedDateTime": "2026-07-14T16:00:00Z", "closedDateTime": null, "priorityName": "High",
    "customerStatus": "Drop", "appCustomerStatus": "PDI", "regularIdTechnician": 7,
    "regularTechFullName": "Ann Lee", "ETLIdTechnician": "9", "ETLTechFullName": "Bo Diaz", "source": "Regular",
    "jobs": [{"jobNumber": 1, "concern": "Squeaks", "cause": "Pads", "briefTechNotes": "Worn", "techStory": "Replaced.",
        "operations": [{"operationCode": "BRK", "operationDesciption": "Brakes"}],
        "assignments": [{"source": "ETL", "firstName": "Bo"}]}]
}"#;

#[test]
fn every_name_of_ours_is_read() {
    let record = only(json(&format!("[{WHOLE}]")));
    let order = &record.order;
    assert_eq!(
        (record.number.get(), order.dms_number.as_str()),
        (1042, "1042")
    );
    assert_eq!(order.header.vin, some("1HGCM82633A004352"));
    assert_eq!(order.header.vehicle, some("2003 Honda Accord"));
    assert_eq!(order.header.customer, some("O'Neill, Siobhán"));
    assert_eq!(order.header.tag_number, some("T42"));
    assert_eq!(order.header.advisor, some("Dana"));
    assert_eq!(order.opened_at, at("2026-07-14T13:30:00Z"));
    assert_eq!(order.promised_at, at("2026-07-14T16:00:00Z"));
    assert_eq!(order.closed_at, None);
    assert_eq!(order.customer_status, some("Drop"));
    assert_eq!(
        order.app_customer_status.map(|status| status.name()),
        Some("PDI")
    );
    assert_eq!(order.priority.map(|priority| priority.name()), Some("High"));
    let regular = order.regular_technicians.as_deref().unwrap();
    assert_eq!(
        (regular[0].technician, regular[0].name.as_deref()),
        (7, Some("Ann Lee"))
    );
    let etl = order.etl_technicians.as_deref().unwrap();
    assert_eq!(
        (etl[0].technician, etl[0].name.as_deref()),
        (9, Some("Bo Diaz"))
    );
    let [job] = order.jobs.as_slice() else {
        panic!("one job")
    };
    assert_eq!(
        (job.job_number, &job.concern, &job.cause),
        (1, &some("Squeaks"), &some("Pads"))
    );
    assert_eq!(
        (&job.brief_tech_notes, &job.tech_story),
        (&some("Worn"), &some("Replaced."))
    );
    let operation = &job.operations.as_ref().unwrap()[0];
    assert_eq!(
        (
            operation.operation_code.as_str(),
            operation.operation_description.as_str()
        ),
        ("BRK", "Brakes")
    );
    assert_eq!(job.assignments.as_ref().unwrap()[0].first_name, "Bo");
}

#[test]
fn a_list_may_stand_alone_or_under_data_or_result() {
    let list = format!("[{WHOLE}]");
    let alone = only(json(&list));
    assert_eq!(only(json(&format!(r#"{{"data": {list}}}"#))), alone);
    let answer = format!(r#"{{"ok": true, "seq": 5, "result": {list}, "more": {{"a": "]}}"}}}}"#);
    assert_eq!(only(json(&answer)), alone);
    assert_eq!(alone.place, "entry 1");
}

#[test]
fn one_object_may_stand_alone_or_under_result() {
    let alone = only(json(WHOLE));
    assert_eq!(
        (alone.place.as_str(), alone.raw.as_str()),
        ("entry 1", WHOLE)
    );
    assert_eq!(
        only(json(&format!(r#"{{"ok": true, "result": {WHOLE}}}"#))),
        alone
    );
}

#[test]
fn one_object_a_line_is_read_and_a_broken_line_is_refused_by_itself() {
    let parsed = json("{\"roNumber\": 1}\n\n{\"roNumber\": \r\n[7]\n  {\"roNumber\": 2}  \r\n");
    assert_eq!(numbers(&parsed), [1, 2]);
    assert_eq!(places(&parsed), ["line 3", "line 4"]);
    assert_eq!(parsed.records[1].place, "line 5");
    assert_eq!(parsed.records[1].raw, "{\"roNumber\": 2}");
    assert_eq!(parsed.rejects[0].field, "row");
    assert_eq!(parsed.rejects[0].raw, "{\"roNumber\":");
    assert!(parsed.rejects[1].reason.starts_with("This is no object"));
}

#[test]
fn a_broken_entry_of_a_list_is_refused_by_itself() {
    let parsed = json(r#"[{"roNumber": 1}, {"roNumber": oops}, 7, {"roNumber": 2}]"#);
    assert_eq!(numbers(&parsed), [1, 2]);
    assert_eq!(places(&parsed), ["entry 2", "entry 3"]);
    assert_eq!(parsed.rejects[0].raw, r#"{"roNumber": oops}"#);
    assert_eq!(parsed.records[1].place, "entry 4");
}

#[test]
fn a_truncated_list_keeps_its_whole_entries_and_refuses_the_rest() {
    let parsed = json(r#"{"data": [{"roNumber": 1}, {"roNumber": 2"#);
    assert_eq!(numbers(&parsed), [1]);
    let reject = refused(parsed);
    assert_eq!(
        (reject.place.as_str(), reject.raw.as_str()),
        ("entry 2", r#"{"roNumber": 2"#)
    );
    assert_eq!(places(&json(r#"[{"roNumber": 1},"#)), ["entry 2"]);
    assert_eq!(places(&json(r#"[{"roNumber": 1}"#)), ["entry 2"]);
}

#[test]
fn text_after_a_list_is_refused_not_dropped() {
    for (text, rest) in [
        (
            r#"[{"roNumber": 1}] [{"roNumber": 2}]"#,
            r#"[{"roNumber": 2}]"#,
        ),
        (
            r#"{"data": [{"roNumber": 1}]} {"data": []}"#,
            r#"} {"data": []}"#,
        ),
        (
            r#"[{"roNumber": 1} {"roNumber": 2}]"#,
            r#"{"roNumber": 2}]"#,
        ),
        (r#"[{"roNumber": 1},]"#, "]"),
    ] {
        let parsed = json(text);
        assert_eq!(numbers(&parsed), [1], "{text}");
        assert_eq!(refused(parsed).raw, rest, "{text}");
    }
}

#[test]
fn json_broken_before_any_order_is_unreadable() {
    for text in [
        "[",
        r#"[{"roNumber": 1"#,
        "[,]",
        "{",
        "hello",
        "5",
        r#"{"roNumber": 1"#,
        r#"{"data": [{"#,
    ] {
        assert!(
            matches!(
                read("a.json", text),
                Err(ReadError::BrokenJson { line: 1, .. })
            ),
            "{text}"
        );
    }
    let Err(ReadError::BrokenJson { line, .. }) = read("a.json", "\n\n[\n {\"roNumber\": 1\n")
    else {
        panic!("unreadable")
    };
    assert_eq!(line, 4);
}

#[test]
fn an_empty_list_is_a_file_without_orders() {
    assert_eq!(json("[]"), ReadOutput::default());
    assert_eq!(
        json(r#"{"ok": true, "result": [ ]}"#),
        ReadOutput::default()
    );
}

#[test]
fn half_a_character_is_refused_with_a_reason() {
    for text in [r"\ud83d", r"\ude00", r"\ud83d x", r"\ud83dA"] {
        let parsed = json(&format!(
            r#"[{{"roNumber": 1, "customer": "{text}"}}, {{"roNumber": 2}}]"#
        ));
        assert_eq!(numbers(&parsed), [2], "{text}");
        assert!(
            refused(parsed).reason.contains("half a character"),
            "{text}"
        );
    }
    assert_eq!(
        ro_1(r#""customer": "\ud83d\ude00""#).order.header.customer,
        some("😀")
    );
}

#[test]
fn json_nested_without_end_is_refused_not_followed() {
    let deep = format!(
        r#"[{{"roNumber": 1, "x": {}1{}}}]"#,
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert_eq!(refused(json(&deep)).place, "entry 1");
}

#[test]
fn names_are_known_in_any_case_and_ours_win_over_aliases() {
    let record = only(json(
        r#"[{"number": 9, "REPAIR_ORDER-NUMBER": 1, "Customer Name": "B", "customer": "A"}]"#,
    ));
    assert_eq!(
        (record.number.get(), record.order.header.customer),
        (1, some("A"))
    );
    let record = only(json(
        r#"[{"roNumber": "2", "repairOrderNumber": "", "unheard of": {"a": []}}]"#,
    ));
    assert_eq!(record.number.get(), 2);
}

#[test]
fn quotes_and_brackets_inside_texts_end_nothing() {
    let parsed = json(
        r#"{"a": "\"}", "data": [{"roNumber": 1, "customer": "A \"B\" }], \\"}, {"roNumber": 2}]}"#,
    );
    assert_eq!(numbers(&parsed), [1, 2]);
    assert_eq!(
        parsed.records[0].order.header.customer,
        some(r#"A "B" }], \"#)
    );
}

#[test]
fn malicious_entries_are_refused_and_the_rest_is_read() {
    let many = serde_json::Value::from((0..100_000).collect::<Vec<i32>>()).to_string();
    for (entry, field) in [
        (r#"{"ro": 2, "jobs": MANY}"#, "jobs"),
        (r#"{"ro": 2, "customer": MANY}"#, "customer"),
        (
            r#"{"ro": 2, "ServiceTechnicianParty": MANY}"#,
            "ETLIdTechnician",
        ),
        (
            r#"{"ro": 2, "Job": [{"ServiceTechnicianParty": MANY}]}"#,
            "ETLIdTechnician",
        ),
        (r#"{"ro": 2, "operations": MANY, "statusDesc": ""}"#, "jobs"),
        (r#"{"ro": 2, "customer": {"name1": "\ud800"}}"#, "row"),
        (r#"{"ro": MANY}"#, "repairOrderNumber"),
        ("MANY", "row"),
    ] {
        let entry = entry.replace("MANY", &many);
        let parsed = json(&format!(r#"[{{"ro": 1}}, {entry}, {{"ro": 3}}]"#));
        assert_eq!(numbers(&parsed), [1, 3], "{field}");
        assert_eq!(refused(parsed).field, field);
    }
    let nul = only(json(
        r#"[{"ro": 1, "customer": {"name1": "LEE\u0000,ANN\u0000"}}]"#,
    ));
    assert_eq!(nul.order.header.customer, some("Ann Lee"));
}

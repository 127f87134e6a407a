//! Single values: numbers, texts, statuses, technicians.

use super::*;
use dispatch_intake::{DmsTechnician, TechnicianSource};

#[test]
fn an_ro_number_is_its_digits_and_keeps_the_dealers_text() {
    for (written, number, text) in [
        ("42", 42, "42"),
        ("\" 42 \"", 42, "42"),
        ("\"A0042\"", 42, "A0042"),
        ("\"0042\"", 42, "0042"),
        ("\"12E5\"", 125, "12E5"),
        (
            "9007199254740991",
            9_007_199_254_740_991,
            "9007199254740991",
        ),
    ] {
        let record = only(json(&format!(r#"[{{"roNumber": {written}}}]"#)));
        assert_eq!(
            (record.number.get(), record.order.dms_number.as_str()),
            (number, text),
            "{written}"
        );
    }
}

#[test]
fn a_malformed_ro_number_is_refused() {
    for written in [
        "1.5",
        "42.0",
        "-3",
        "0",
        "9007199254740992",
        "18446744073709551615",
        "1e30",
        "true",
        "[]",
        "{}",
        "\"none\"",
        "\"-3\"",
        "\"1.00234E+11\"",
        "\"1,00234E+11\"",
        "\"100234.0\"",
        "\"9007199254740992\"",
        "\"A000\"",
    ] {
        let reject = refused(json(&format!(r#"[{{"roNumber": {written}}}]"#)));
        assert_eq!(reject.field, "repairOrderNumber", "{written}");
        assert!(reject.reason.contains(": "), "{written}: {}", reject.reason);
    }
    assert_eq!(
        refused(json(r#"[{"customer": "A"}]"#)).reason,
        "The RO number is missing: fill it in"
    );
    assert_eq!(
        refused(json(r#"[{"roNumber": null}]"#)).field,
        "repairOrderNumber"
    );
    let long = format!("1{}", "A".repeat(100));
    assert_eq!(
        refused(csv(&format!("ro\n{long}\n"))).field,
        "repairOrderNumber"
    );
}

#[test]
fn a_display_number_from_our_own_list_is_read() {
    let record = only(json(
        r#"[{"repairOrderNumber": 42, "displayNumber": "A0042"}]"#,
    ));
    assert_eq!(
        (record.number.get(), record.order.dms_number.as_str()),
        (42, "A0042")
    );
    assert_eq!(refused_1(r#""displayNumber": "A2""#).field, "displayNumber");
}

#[test]
fn an_empty_field_counts_as_absent() {
    let order = ro_1(
        r#""customer": "", "vehicle": null, "advisor": " \t", "vehicleVIN": "\u0000", "priorityName": "", "jobs": [],
           "promisedDateTime": "", "regularIdTechnician": null, "customerStatus": "", "appCustomerStatus": null"#,
    )
    .order;
    let nothing = dispatch_actors::repair_order::ImportedOrder {
        dms_number: "1".to_owned(),
        ..Default::default()
    };
    assert_eq!(order, nothing);
    assert_eq!(
        only(csv(
            "ro,customer,vehicle,jobs,regularIdTechnician,opened at,waiter\n1,,,,,,\n"
        ))
        .order,
        nothing
    );
}

#[test]
fn texts_are_trimmed_and_lose_control_characters() {
    let order = ro_1(
        r#""customer": " Li\u0000u\u0007,\r\n\tAnn\u009f ", "concern": " a\u0000\r\n\tb\rc ""#,
    )
    .order;
    assert_eq!(order.header.customer, some("Liu,  Ann"));
    assert_eq!(order.jobs[0].concern, some("a\n\tb\nc"));
    assert_eq!(
        only(csv("ro,customer\n1,A\0B\x08C\n"))
            .order
            .header
            .customer,
        some("ABC")
    );
}

#[test]
fn texts_that_are_too_long_are_refused_with_the_limit() {
    let heads = |length| format!(r#""customer": "{}""#, "é".repeat(length));
    assert_eq!(
        ro_1(&heads(500))
            .order
            .header
            .customer
            .unwrap()
            .chars()
            .count(),
        500
    );
    let reject = refused_1(&heads(501));
    assert_eq!(reject.field, "customer");
    assert_eq!(
        reject.reason,
        "This is 501 characters long: shorten it to 500"
    );
    let jobs = |length| format!(r#""jobs": [{{"techStory": "{}"}}]"#, "a".repeat(length));
    assert_eq!(ro_1(&jobs(20_000)).order.jobs.len(), 1);
    let reject = refused_1(&jobs(20_001));
    assert_eq!(reject.field, "techStory");
    assert!(
        reject
            .reason
            .starts_with("Job 1 of the list: This is 20001 characters long")
    );
}

#[test]
fn a_tag_number_is_a_text_of_20_characters_at_most() {
    for (written, tag_number) in [
        (r#""T118""#, some("T118")),
        ("118", some("118")),
        (r#"" Yellow\t0042\u0007\n""#, some("Yellow 0042")),
        (r#""""#, None),
    ] {
        let record = ro_1(&format!(r#""tagNumber": {written}"#));
        assert_eq!(record.order.header.tag_number, tag_number, "{written}");
    }
    let tag = |length| format!(r#""tagNumber": " {} ""#, "é".repeat(length));
    assert!(ro_1(&tag(20)).order.header.tag_number.is_some());
    let reject = refused_1(&tag(21));
    assert_eq!(reject.field, "tagNumber");
    assert_eq!(
        reject.reason,
        "This is 21 characters long: shorten it to 20"
    );
}

#[test]
fn numbers_are_taken_as_texts_but_lists_are_not() {
    assert_eq!(ro_1(r#""advisor": 12"#).order.header.advisor, some("12"));
    assert_eq!(refused_1(r#""vehicle": {"make": "Kia"}"#).field, "vehicle");
    assert_eq!(refused_1(r#""customer": true"#).field, "customer");
}

#[test]
fn the_desks_status_is_one_of_six_or_none() {
    for status in ["drop", "Waiting", "USED", "pdi", "eng", " Trans "] {
        assert!(
            ro_1(&format!(r#""appCustomerStatus": "{status}""#))
                .order
                .app_customer_status
                .is_some()
        );
    }
    assert_eq!(
        ro_1(r#""appCustomerStatus": "NONE""#)
            .order
            .app_customer_status,
        None
    );
    let reject = refused_1(r#""appCustomerStatus": "Parked""#);
    assert_eq!(reject.field, "appCustomerStatus");
    assert_eq!(
        reject.reason,
        "'Parked' is not a status: use one of Drop, Waiting, Used, PDI, ENG, Trans, or leave it empty"
    );
}

#[test]
fn a_priority_is_a_name_or_a_level() {
    for (written, name) in [
        ("\"high\"", "High"),
        ("\"Waiting\"", "Waiting"),
        ("\"1\"", "Low"),
        ("2", "Medium"),
        ("4", "Waiting"),
    ] {
        let order = ro_1(&format!(r#""priorityName": {written}"#)).order;
        assert_eq!(
            order.priority.map(|priority| priority.name()),
            Some(name),
            "{written}"
        );
    }
    assert_eq!(ro_1(r#""priorityName": "None""#).order.priority, None);
    for written in ["\"Urgent\"", "5", "0", "[]"] {
        assert_eq!(
            refused_1(&format!(r#""priorityName": {written}"#)).field,
            "priorityName",
            "{written}"
        );
    }
}

#[test]
fn a_waiting_flag_makes_the_status_waiting() {
    for name in ["isCustomerWaiting", "waiter", "waiting"] {
        for yes in ["true", "\"TRUE\"", "\"yes\"", "\"Y\"", "1", "\"x\""] {
            let order = ro_1(&format!(r#""customerStatus": "Drop", "{name}": {yes}"#)).order;
            assert_eq!(order.customer_status, some("Waiting"), "{name} {yes}");
        }
        for no in ["false", "\"no\"", "\"N\"", "0", "\"\"", "null"] {
            let order = ro_1(&format!(r#""customerStatus": "Drop", "{name}": {no}"#)).order;
            assert_eq!(order.customer_status, some("Drop"), "{name} {no}");
        }
    }
    assert_eq!(
        refused_1(r#""waiter": "perhaps""#).field,
        "isCustomerWaiting"
    );
}

#[test]
fn the_dealers_status_is_kept_as_it_came() {
    assert_eq!(
        ro_1(r#""customerStatus": " Loaner car ""#)
            .order
            .customer_status,
        some("Loaner car")
    );
    assert_eq!(
        ro_1(r#""status": "Used""#).order.customer_status,
        some("Used")
    );
}

#[test]
fn a_closed_status_or_a_closing_time_means_closed() {
    assert_eq!(
        ro_1(r#""closedDateTime": "2026-07-13T10:00Z""#)
            .order
            .closed_at,
        at("2026-07-13T10:00:00Z")
    );
    for fields in [r#""customerStatus": "CLOSED""#, r#""status": " closed ""#] {
        let order = ro_1(fields).order;
        assert_eq!(
            (order.closed_at, order.customer_status),
            (Some(now()), None),
            "{fields}"
        );
        let order = ro_1(&format!(
            r#"{fields}, "closedDateTime": "2026-07-13T10:00Z""#
        ))
        .order;
        assert_eq!(order.closed_at, at("2026-07-13T10:00:00Z"), "{fields}");
    }
    let order = ro_1(r#""customerStatus": "Drop", "status": "Closed""#).order;
    assert_eq!(
        (order.closed_at, order.customer_status),
        (Some(now()), some("Drop"))
    );
    assert_eq!(ro_1(r#""status": "Open""#).order.closed_at, None);
}

#[test]
fn a_technicians_number_is_a_whole_number_from_1() {
    assert_eq!(
        ro_1(r#""regularIdTechnician": " 007 ""#)
            .order
            .regular_technicians
            .unwrap()[0]
            .technician,
        7
    );
    for written in ["true", "[]", "{}"] {
        let reject = refused_1(&format!(r#""ETLIdTechnician": {written}"#));
        assert_eq!(reject.field, "ETLIdTechnician", "{written}");
    }
}

#[test]
fn a_technician_with_an_invalid_number_is_listed_apart_and_the_order_is_imported() {
    for text in ["0", "-1", "1.5", "Joe", "12;15", "9007199254740992", "T9"] {
        let record = ro_1(&format!(
            r#""ETLIdTechnician": "{text}", "ETLTechFullName": "Bo", "customer": "A""#
        ));
        assert_eq!(record.order.header.customer, some("A"), "{text}");
        assert_eq!(record.order.etl_technicians, None, "{text}");
        let technician = DmsTechnician {
            id: text.to_owned(),
            name: some("Bo"),
            source: TechnicianSource::Etl,
        };
        assert_eq!(record.technicians_without_number, [technician]);
        assert_eq!(
            record.warnings,
            [format!(
                "Technician '{text}' is no whole number: assigned where the shop has matched it, else listed as unmatched"
            )]
        );
    }
    let record = only(csv("ro,regularIdTechnician,technicianId\n1,T9,5\n1,T9,X\n"));
    let names: Vec<_> = record
        .technicians_without_number
        .iter()
        .map(|technician| (technician.id.as_str(), technician.source))
        .collect();
    assert_eq!(
        names,
        [
            ("T9", TechnicianSource::Regular),
            ("X", TechnicianSource::Etl)
        ]
    );
    assert_eq!(record.order.etl_technicians.unwrap()[0].technician, 5);
}

#[test]
fn a_technician_without_a_number_is_left_out_with_a_warning() {
    let record = ro_1(r#""regularTechFullName": "Joe", "customer": "A""#);
    assert_eq!(
        record.warnings,
        ["Technician 'Joe' has no number and was left out"]
    );
    assert_eq!(
        (
            record.order.regular_technicians,
            record.order.header.customer
        ),
        (None, some("A"))
    );
}

#[test]
fn a_technician_of_a_labour_line_is_the_dealers_unless_the_source_is_regular() {
    for source in ["", "ETL", "other"] {
        let order = ro_1(&format!(
            r#""technicianId": 5, "technicianName": "Bo", "source": "{source}""#
        ))
        .order;
        assert_eq!(
            order.etl_technicians.unwrap()[0].name,
            some("Bo"),
            "{source}"
        );
        assert_eq!(order.regular_technicians, None, "{source}");
    }
    let order = ro_1(r#""technicianId": 5, "source": "regular""#).order;
    assert_eq!(
        (
            order.regular_technicians.unwrap()[0].technician,
            order.etl_technicians
        ),
        (5, None)
    );
    // Named twice in one row, still one technician.
    assert_eq!(
        ro_1(r#""technicianId": 5, "ETLIdTechnician": 5"#)
            .order
            .etl_technicians
            .unwrap()
            .len(),
        1
    );
}

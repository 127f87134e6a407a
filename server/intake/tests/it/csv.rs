//! The shapes of our CSV.

use super::*;

#[test]
fn the_delimiter_is_found_in_the_header() {
    for delimiter in [",", ";", "\t"] {
        let text = ["RO Number", "VIN", "customer"].join(delimiter)
            + "\n"
            + &["12", "V1", "\"Lee, A; \"\"Bo\"\"\tX\""].join(delimiter);
        let order = only(csv(&text)).order;
        assert_eq!(order.header.vin, some("V1"), "{delimiter:?}");
        assert_eq!(
            order.header.customer,
            some("Lee, A; \"Bo\" X"),
            "{delimiter:?}"
        );
    }
    assert_eq!(numbers(&csv("RONumber\n12\n")), [12]);
    // More of the other mark than of the delimiter.
    assert_eq!(numbers(&csv("ro;\"a,b,c,d\";vin\n12;x;y\n")), [12]);
}

#[test]
fn headers_are_known_in_any_case_with_spaces_underscores_and_hyphens() {
    for name in [
        "RepairOrderNumber",
        "repair_order_number",
        " RO-Number ",
        "\"RO NUMBER\"",
        "number",
        "RO#",
    ] {
        assert_eq!(
            numbers(&csv(&format!("{name},unheard of\n12,x\n"))),
            [12],
            "{name}"
        );
    }
}

#[test]
fn every_alias_means_its_field() {
    let header =
        "RONumber,VIN,ServiceWriterID,due_out_at,TechnicianID,LaborOpCode,linServiceRequest";
    let order = only(csv(&format!(
        "{header}\n12,V1,44,2026-07-14T16:00Z,9,LOF,Oil\n"
    )))
    .order;
    assert_eq!(
        (order.header.vin, order.header.advisor),
        (some("V1"), some("44"))
    );
    assert_eq!(order.promised_at, at("2026-07-14T16:00:00Z"));
    assert_eq!(order.etl_technicians.unwrap()[0].technician, 9);
    assert_eq!(
        order.jobs[0].operations.as_ref().unwrap()[0].operation_code,
        "LOF"
    );
    assert_eq!(order.jobs[0].concern, some("Oil"));
    for alias in ["serviceWriterId", "advisor_id", "advisor"] {
        let order = only(csv(&format!("ro,{alias}\n12,44\n"))).order;
        assert_eq!(order.header.advisor, some("44"), "{alias}");
    }
    for alias in ["Tag Number", "TagNo", "keytag", "VehicleHatNumber"] {
        let order = only(csv(&format!("ro,{alias}\n12,T118\n"))).order;
        assert_eq!(order.header.tag_number, some("T118"), "{alias}");
    }
    for alias in ["dueDate", "due_out_at", "PromisedDateTime", "promisedDate"] {
        let order = only(csv(&format!("ro,{alias}\n12,2026-07-14T16:00Z\n"))).order;
        assert_eq!(order.promised_at, at("2026-07-14T16:00:00Z"), "{alias}");
    }
    for alias in ["technician_id", "lbrTechNo", "ETLIdTechnician"] {
        let order = only(csv(&format!("ro,{alias}\n12,9\n"))).order;
        assert_eq!(order.etl_technicians.unwrap()[0].technician, 9, "{alias}");
    }
    for alias in ["opCode", "operationCode", "lbrOpCode"] {
        let order = only(csv(&format!("ro,{alias}\n12,LOF\n"))).order;
        assert_eq!(
            order.jobs[0].operations.as_ref().unwrap()[0].operation_code,
            "LOF",
            "{alias}"
        );
    }
    for alias in ["concern", "complaint"] {
        assert_eq!(
            only(csv(&format!("ro,{alias}\n12,Oil\n"))).order.jobs[0].concern,
            some("Oil"),
            "{alias}"
        );
    }
}

#[test]
fn a_byte_order_mark_and_every_kind_of_line_end_are_tolerated() {
    for end in ["\n", "\r\n", "\r"] {
        let parsed = csv(&format!("\u{FEFF}ro,customer{end}1,A{end}{end}2,B"));
        assert_eq!(numbers(&parsed), [1, 2], "{end:?}");
        assert_eq!(parsed.records[1].place, "line 4", "{end:?}");
        assert_eq!(parsed.records[1].raw, "2,B", "{end:?}");
    }
}

#[test]
fn a_cell_in_quotes_may_have_several_lines() {
    let parsed = csv("ro,concern,customer\r\n1,\"Squeaks,\r\nthen stops\" ,Lee\r\n2,x,Bo\r\n");
    assert_eq!(
        parsed.records[0].order.jobs[0].concern,
        some("Squeaks,\nthen stops")
    );
    assert_eq!(parsed.records[0].order.header.customer, some("Lee"));
    assert_eq!(parsed.records[0].raw, "1,\"Squeaks,\r\nthen stops\" ,Lee");
    assert_eq!(parsed.records[1].place, "line 4");
}

#[test]
fn a_header_without_an_ro_number_is_unreadable_and_names_what_is_accepted() {
    let unreadable = read("a.csv", "customer,vin\nA,B\n").unwrap_err();
    let sentence = unreadable.to_string();
    assert!(
        sentence.contains("repairOrderNumber, roNumber"),
        "{sentence}"
    );
    assert!(matches!(
        read("a.csv", "\"ro,vin\n1,2\n"),
        Err(ReadError::BrokenHeader(_))
    ));
}

#[test]
fn a_row_with_too_many_or_too_few_cells_is_refused_with_its_line() {
    let parsed = csv("ro,customer\n1,A\n2,Lee, Ann\n3\n4,B\n");
    assert_eq!(numbers(&parsed), [1, 4]);
    assert_eq!(places(&parsed), ["line 3", "line 4"]);
    assert_eq!(parsed.rejects[0].field, "row");
    assert_eq!(parsed.rejects[0].raw, "2,Lee, Ann");
    assert!(
        parsed.rejects[0]
            .reason
            .starts_with("The row has 3 cells and the header 2")
    );
}

#[test]
fn broken_quotes_cost_their_own_line_only() {
    let parsed = csv("ro,customer\n1,\"A\n2,B\n3,\"C\" D\n4,E\n5,\"F\"\n6,\"G\n");
    assert_eq!(numbers(&parsed), [2, 4, 5]);
    assert_eq!(places(&parsed), ["line 2", "line 4", "line 7"]);
    assert_eq!(parsed.rejects[0].raw, "1,\"A");
    assert!(parsed.rejects[2].reason.contains("never closed"));
}

#[test]
fn a_quote_inside_a_bare_cell_is_text() {
    assert_eq!(
        only(csv("ro,customer\n1,19\" rims\n"))
            .order
            .header
            .customer,
        some("19\" rims")
    );
}

#[test]
fn empty_spreadsheet_rows_are_skipped() {
    let parsed = csv("ro,customer\n\n1,A\n,\n , \n");
    assert_eq!((numbers(&parsed), parsed.rejects), (vec![1], vec![]));
}

#[test]
fn a_row_without_an_ro_number_is_refused() {
    let reject = refused(csv("ro,customer\n,A\n"));
    assert_eq!(
        (reject.place.as_str(), reject.field.as_str()),
        ("line 2", "repairOrderNumber")
    );
    assert_eq!(reject.reason, "The RO number is missing: fill it in");
    assert_eq!(reject.raw, ",A");
}

#[test]
fn jobs_may_be_json_in_a_cell() {
    let order = only(csv(
        "ro,jobs\n1,\"[{\"\"jobNumber\"\": 3, \"\"concern\"\": \"\"Oil\"\"}]\"\n",
    ))
    .order;
    assert_eq!(
        (order.jobs[0].job_number, &order.jobs[0].concern),
        (3, &some("Oil"))
    );
}

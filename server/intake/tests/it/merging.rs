//! Several rows of one repair order.

use super::*;

fn ids(list: &Option<Vec<dispatch_actors::repair_order::AssignedTechnician>>) -> Vec<i64> {
    list.iter()
        .flatten()
        .map(|technician| technician.technician)
        .collect()
}

#[test]
fn a_lists_rows_are_one_order_with_all_its_technicians_in_their_order() {
    let row = |members: &str| {
        format!(
            r#"{{"repairOrderNumber": 7, "jobs": [{{"jobNumber": 1, "concern": "a"}}], {members}}}"#
        )
    };
    let rows = [
        row(r#""regularIdTechnician": 9, "regularTechFullName": null, "source": "Regular""#),
        row(r#""regularIdTechnician": 3, "source": "Regular""#),
        row(r#""ETLIdTechnician": 4, "ETLTechFullName": "Bo", "source": "ETL""#),
        row(r#""regularIdTechnician": 9, "regularTechFullName": "Ann", "source": "Regular""#),
    ];
    let record = only(json(&format!("[{}]", rows.join(","))));
    assert_eq!(ids(&record.order.regular_technicians), [9, 3]);
    assert_eq!(ids(&record.order.etl_technicians), [4]);
    assert_eq!(
        record.order.regular_technicians.unwrap()[0].name,
        some("Ann")
    );
    assert_eq!(record.order.jobs.len(), 1);
    assert_eq!(record.place, "entry 1");
    assert_eq!(record.raw, rows.join("\n"));
}

#[test]
fn orders_come_in_the_order_of_their_first_rows() {
    let parsed = csv("ro,customer\n3,A\n1,B\n3,C\n2,D\n");
    assert_eq!(numbers(&parsed), [3, 1, 2]);
}

#[test]
fn the_last_header_that_is_not_empty_wins() {
    let record = only(csv(
        "ro,customer,advisor,customerStatus\n1,A,X,Waiting\n1,B,,Closed\n",
    ));
    assert_eq!(
        (record.order.header.customer, record.order.header.advisor),
        (some("B"), some("X"))
    );
    assert_eq!(
        (record.order.customer_status, record.order.closed_at),
        (some("Waiting"), Some(now()))
    );
    assert!(record.order.closing_is_undated);
    let dated = only(csv("ro,status,closedDate\n1,Closed,\n1,,2026-07-13\n"));
    assert_eq!(dated.order.closed_at, at("2026-07-13T05:00:00Z"));
    assert!(!dated.order.closing_is_undated);
}

#[test]
fn jobs_are_merged_by_their_number() {
    let record = only(csv(
        "ro,jobNumber,concern,cause,opcode\n1,2,b,,X\n1,1,a,,Y\n1,2,,why,Z\n1,2,,,X\n",
    ));
    let [first, second] = record.order.jobs.as_slice() else {
        panic!("two jobs")
    };
    assert_eq!((first.job_number, &first.concern), (1, &some("a")));
    assert_eq!((&second.concern, &second.cause), (&some("b"), &some("why")));
    let codes: Vec<_> = second
        .operations
        .iter()
        .flatten()
        .map(|o| o.operation_code.as_str())
        .collect();
    assert_eq!(codes, ["X", "Z"]);
}

#[test]
fn the_same_digits_under_another_text_are_a_collision() {
    let parsed = csv("ro,customer\nA12,A\nB12,B\n12,C\nA12,D\n");
    assert_eq!(numbers(&parsed), [12]);
    assert_eq!(parsed.records[0].order.header.customer, some("D"));
    assert_eq!(places(&parsed), ["line 3", "line 4"]);
    let reject = &parsed.rejects[0];
    assert_eq!(
        (reject.field.as_str(), reject.raw.as_str()),
        ("repairOrderNumber", "B12,B")
    );
    assert_eq!(
        reject.reason,
        "RO number 'B12' has the same digits as 'A12' (line 2), which is another repair order: give it other digits"
    );
}

#[test]
fn a_refused_row_leaves_nothing_behind_and_keeps_no_number() {
    let parsed = csv("ro,customer,dueDate\nA12,A,2026-02-30\nB12,B,\nB12,C,soon\n");
    assert_eq!(numbers(&parsed), [12]);
    assert_eq!(parsed.records[0].order.dms_number, "B12");
    assert_eq!(parsed.records[0].order.header.customer, some("B"));
    assert_eq!(parsed.records[0].raw, "B12,B,");
    assert_eq!(places(&parsed), ["line 2", "line 4"]);
}

#[test]
fn an_order_has_at_most_20_technicians_of_each_source() {
    let rows: String = (1..=21).map(|n| format!("1,{n},{n}\n")).collect();
    let parsed = csv(&format!(
        "ro,regularIdTechnician,ETLIdTechnician\n{rows}1,1,20\n"
    ));
    assert_eq!(ids(&parsed.records[0].order.regular_technicians).len(), 20);
    let reject = refused(parsed);
    assert_eq!(
        (reject.place.as_str(), reject.field.as_str()),
        ("line 22", "regularIdTechnician")
    );
    assert_eq!(
        reject.reason,
        "The repair order would have 21 technicians: at most 20 are taken"
    );
}

#[test]
fn a_warning_is_given_once() {
    let record = only(csv("ro,technicianName,concern\n1,Joe,a\n1,Joe,b\n"));
    assert_eq!(record.warnings.len(), 1);
}

#[test]
fn a_first_row_that_does_not_fit_leaves_no_order() {
    let list = vec![r#"{"concern": "a"}"#; 100].join(",");
    let reject = refused_1(&format!(r#""jobs": [{list}], "opCode": "LOF""#));
    assert_eq!(
        reject.reason,
        "The repair order would have 101 jobs: at most 100 are taken"
    );
}

#[test]
fn a_technicians_column_that_all_rows_leave_empty_means_no_technician() {
    let etl = |text: &str| only(csv(text)).order.etl_technicians;
    for column in ["ETLIdTechnician", "lbrTechNo"] {
        let header = format!("ro,concern,{column}\n");
        assert_eq!(etl(&format!("{header}1,a,\n1,b,\n")), Some(vec![]));
        let one = etl(&format!("{header}1,a,\n1,b,4\n1,c,\n"));
        assert_eq!(ids(&one), [4]);
        // Somebody works on it who has no number.
        assert_eq!(etl(&format!("{header}1,a,T9\n")), None);
    }
    assert_eq!(etl("ro,concern\n1,a\n"), None);
    assert_eq!(etl("ro,ETLIdTechnician,ETLTechFullName\n1,,Bo\n"), None);
    assert_eq!(etl("ro,technicianId,source\n1,,Regular\n"), None);
    assert_eq!(
        only(csv("ro,regularIdTechnician\n1,\n"))
            .order
            .regular_technicians,
        None
    );

    let rows = |rows: &str| only(json(rows)).order.etl_technicians;
    let (silent, none) = (r#"{"ro": 1}"#, r#"{"ro": 1, "ETLIdTechnician": null}"#);
    assert_eq!(rows(&format!("[{none}, {none}]")), Some(vec![]));
    for mixed in [[silent, none], [none, silent], [silent, silent]] {
        assert_eq!(rows(&format!("[{}]", mixed.join(","))), None);
    }
}

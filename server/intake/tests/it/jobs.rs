//! Jobs: a list, a list as text, flat columns; and how they are numbered.

use dispatch_actors::repair_order::SoldHours;

use super::*;

fn jobs(record: &Record) -> Vec<(i32, &str)> {
    record
        .order
        .jobs
        .iter()
        .map(|job| (job.job_number, job.concern.as_deref().unwrap_or("-")))
        .collect()
}

#[test]
fn jobs_may_be_a_list_or_the_list_as_text() {
    let list =
        ro_1(r#""jobs": [{"jobNumber": 2, "concern": "b"}, {"jobNumber": "1", "concern": "a"}]"#);
    assert_eq!(jobs(&list), [(1, "a"), (2, "b")]);
    let text = ro_1(
        r#""jobs": "[{\"jobNumber\": 2, \"concern\": \"b\"}, {\"jobNumber\": 1, \"concern\": \"a\"}]""#,
    );
    assert_eq!(text.order, list.order);
    assert_eq!(ro_1(r#""jobs": "null""#).order.jobs, []);
}

#[test]
fn jobs_that_are_no_list_are_refused() {
    for written in ["5", "\"[{\"", "\"LOF\"", "[5]", "{}", "true", "\"{}\""] {
        assert_eq!(
            refused_1(&format!(r#""jobs": {written}"#)).field,
            "jobs",
            "{written}"
        );
    }
    assert_eq!(
        refused_1(r#""jobs": [{"operations": "LOF"}]"#).field,
        "operations"
    );
    assert_eq!(
        refused_1(r#""jobs": [{"assignments": [1]}]"#).field,
        "assignments"
    );
}

#[test]
fn jobs_of_a_list_without_numbers_are_numbered_behind_those_with() {
    assert_eq!(
        jobs(&ro_1(r#""jobs": [{"concern": "a"}, {"concern": "b"}]"#)),
        [(1, "a"), (2, "b")]
    );
    let mixed = r#""jobs": [{"concern": "a"}, {"jobNumber": 4, "concern": "b"}, {"concern": "c"}]"#;
    assert_eq!(jobs(&ro_1(mixed)), [(4, "b"), (5, "a"), (6, "c")]);
}

#[test]
fn a_job_number_is_a_whole_number_from_1() {
    for written in ["0", "-1", "\"A\"", "1.5", "1000000000"] {
        let reject = refused_1(&format!(r#""jobs": [{{"jobNumber": {written}}}]"#));
        assert_eq!(reject.field, "jobNumber", "{written}");
        assert!(
            reject.reason.starts_with("Job 1 of the list: "),
            "{written}"
        );
    }
    assert_eq!(refused(csv("ro,jobNumber\n1,A\n")).field, "jobNumber");
}

#[test]
fn an_operation_may_be_spelled_rightly_and_an_empty_one_is_none() {
    let record = ro_1(
        r#""jobs": [{"operations": [{"operationCode": "LOF", "operationDescription": "Oil"}, {}]}]"#,
    );
    let operations = record.order.jobs[0].operations.as_ref().unwrap();
    assert_eq!(
        (
            operations.len(),
            operations[0].operation_description.as_str()
        ),
        (1, "Oil")
    );
}

#[test]
fn an_operation_says_for_how_many_hours_it_is_sold() {
    for (written, hundredths) in [
        (r#""soldHours": "0.3""#, Some(30)),
        (r#""soldHours": 1.256"#, Some(126)),
        (r#""LaborAllowanceHoursNumeric": 2"#, Some(200)),
        (r#""soldHours": " ""#, None),
        (r#""soldHours": null"#, None),
    ] {
        let record = ro_1(&format!(
            r#""jobs": [{{"operations": [{{"operationCode": "LOF", {written}}}]}}]"#
        ));
        let operations = record.order.jobs[0].operations.as_ref().unwrap();
        let sold = operations[0].sold_hours.map(SoldHours::hundredths);
        assert_eq!(sold, hundredths, "{written}");
    }
    for written in ["\"1,5\"", "\"an hour\"", "-1", "10000", "\"inf\"", "true"] {
        let reject = refused_1(&format!(r#""jobs": [{{"soldHours": {written}}}]"#));
        assert_eq!(reject.field, "soldHours", "{written}");
    }
    let record = only(csv("ro,opcode,sold hours\n1,LOF,0.5\n"));
    let operations = record.order.jobs[0].operations.as_ref().unwrap();
    assert_eq!(
        operations[0].sold_hours.map(SoldHours::hundredths),
        Some(50)
    );
}

#[test]
fn flat_columns_make_one_job_a_row() {
    let header = "ro,opcode,operation description,complaint,cause,notes,tech story";
    let record = only(csv(&format!(
        "{header}\n1,LOF,Oil change,Light on,Old oil,Changed,Done.\n1,ROT,,Worn,,,\n"
    )));
    assert_eq!(jobs(&record), [(1, "Light on"), (2, "Worn")]);
    let job = &record.order.jobs[0];
    let operation = &job.operations.as_ref().unwrap()[0];
    assert_eq!(
        (
            operation.operation_code.as_str(),
            operation.operation_description.as_str()
        ),
        ("LOF", "Oil change")
    );
    assert_eq!(
        (&job.cause, &job.brief_tech_notes, &job.tech_story),
        (&some("Old oil"), &some("Changed"), &some("Done."))
    );
    assert_eq!(record.order.jobs[1].cause, None);
}

#[test]
fn a_row_without_job_cells_has_no_job_but_a_number_alone_is_one() {
    assert_eq!(only(csv("ro,jobNumber,opcode\n1,,\n")).order.jobs, []);
    assert_eq!(jobs(&only(csv("ro,jobNumber,opcode\n1,3,\n"))), [(3, "-")]);
}

#[test]
fn flat_jobs_without_numbers_come_behind_numbered_ones() {
    let record = only(csv("ro,jobNumber,concern\n1,,a\n1,5,b\n1,,c\n"));
    assert_eq!(jobs(&record), [(5, "b"), (6, "a"), (7, "c")]);
}

#[test]
fn a_flat_job_repeated_for_another_technician_is_the_same_job() {
    let record = only(csv("ro,concern,technicianId\n1,a,5\n1,a,6\n1,b,5\n"));
    assert_eq!(jobs(&record), [(1, "a"), (2, "b")]);
    assert_eq!(record.order.etl_technicians.unwrap().len(), 2);
}

#[test]
fn an_order_has_at_most_100_jobs() {
    let list = |count: usize| {
        format!(
            r#""jobs": [{}]"#,
            vec![r#"{"concern": "a"}"#; count].join(",")
        )
    };
    assert_eq!(ro_1(&list(100)).order.jobs.len(), 100);
    let reject = refused_1(&list(101));
    assert_eq!(reject.field, "jobs");
    assert_eq!(
        reject.reason,
        "The list has 101 entries: at most 100 are taken"
    );
    let rows: String = (1..=102).map(|n| format!("1,concern {n}\n")).collect();
    let parsed = csv(&format!("ro,concern\n{rows}"));
    assert_eq!(parsed.records[0].order.jobs.len(), 100);
    assert_eq!(places(&parsed), ["line 102", "line 103"]);
    assert_eq!(
        parsed.rejects[0].reason,
        "The repair order would have 101 jobs: at most 100 are taken"
    );
}

#[test]
fn a_job_has_at_most_100_operations() {
    let rows: String = (1..=101).map(|n| format!("1,1,OP{n}\n")).collect();
    let parsed = csv(&format!("ro,jobNumber,opcode\n{rows}"));
    assert_eq!(
        parsed.records[0].order.jobs[0]
            .operations
            .as_ref()
            .unwrap()
            .len(),
        100
    );
    assert_eq!(refused(parsed).field, "operations");
}

#[test]
fn an_empty_list_in_a_job_means_that_there_are_none() {
    let job = |members: &str| {
        let record = ro_1(&format!(r#""jobs": [{{"jobNumber": 1, {members}}}]"#));
        let job = record.order.jobs.into_iter().next().unwrap();
        (job.operations, job.assignments)
    };
    let nothing = (Some(vec![]), Some(vec![]));
    assert_eq!(job(r#""operations": [], "assignments": []"#), nothing);
    for silent in [
        r#""concern": "a""#,
        r#""operations": null, "assignments": null"#,
        r#""operations": [{}], "assignments": [{}]"#,
    ] {
        assert_eq!(job(silent), (None, None), "{silent}");
    }
    let (operations, _) = job(r#""operations": [], "opCode": "LOF""#);
    assert_eq!(operations.unwrap().len(), 1);
    // Rows that repeat a job add to it.
    let rows = |lists: [&str; 2]| {
        let row = |list: &str| {
            format!(r#"{{"ro": 1, "jobs": [{{"jobNumber": 1, "concern": "a"{list}}}]}}"#)
        };
        let record = only(json(&format!("[{}, {}]", row(lists[0]), row(lists[1]))));
        record.order.jobs[0].operations.clone()
    };
    let (none, lof) = (
        r#", "operations": []"#,
        r#", "operations": [{"opCode": "LOF"}]"#,
    );
    assert_eq!(rows([none, ""]), Some(vec![]));
    assert_eq!(rows([none, lof]).unwrap().len(), 1);
    assert_eq!(rows([lof, none]).unwrap().len(), 1);
}

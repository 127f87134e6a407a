//! CDK Drive's service repair orders.

use dispatch_actors::repair_order::SoldHours;
use serde_json::{Value, json};

use super::*;
use dispatch_intake::customer_name::display_name;

const SAMPLE: &[u8] = include_bytes!("../samples/cdk.json");

fn sample() -> Vec<Record> {
    let parsed = parse("cdk.json", SAMPLE, FormatChoice::Auto, &chicago(), now()).unwrap();
    assert_eq!(parsed.rejects, []);
    parsed.records
}

fn etl(record: &Record) -> Vec<i64> {
    let list = record.order.etl_technicians.iter().flatten();
    list.map(|technician| technician.technician).collect()
}

/// RO 1 with `members`, as CDK's.
fn cdk_1(members: &Value) -> ReadOutput {
    let mut order = members.clone();
    order["roNumber"] = json!("1");
    let text = json!({ "data": [order] }).to_string();
    parse("-", text.as_bytes(), FormatChoice::Cdk, &chicago(), now()).unwrap()
}

#[test]
fn every_name_of_cdks_is_read() {
    let [first, ..] = <[Record; 4]>::try_from(sample()).unwrap();
    let order = &first.order;
    assert_eq!(
        (first.number.get(), first.place.as_str()),
        (204_501, "entry 1")
    );
    assert_eq!(order.header.tag_number, some("T118"));
    assert_eq!(order.header.advisor, some("512"));
    assert_eq!(order.header.customer, some("Siobhan M O'Neill"));
    assert_eq!(order.header.vehicle, some("2003 HONDA ACCORD EX"));
    assert_eq!(order.header.vin, some("1HGCM82633A004352"));
    assert_eq!(order.opened_at, at("2026-07-14T12:35:00Z"));
    assert_eq!(order.promised_at, at("2026-07-14T15:30:00Z"));
    assert_eq!((order.closed_at, order.priority), (None, None));
    assert_eq!(order.customer_status, some("Waiting"));
    assert_eq!(order.regular_technicians, None);
    assert_eq!(etl(&first), [31, 44]);
    let [brakes, oil] = order.jobs.as_slice() else {
        panic!("two jobs")
    };
    assert_eq!((brakes.job_number, oil.job_number), (1, 2));
    assert_eq!(brakes.concern, some("BRAKES SQUEAK WHEN COLD"));
    assert_eq!(brakes.cause, some("FRONT PADS AT 2 MM"));
    assert_eq!(
        brakes.tech_story,
        some("REPLACED FRONT PADS, MACHINED ROTORS")
    );
    let operations: Vec<_> = oil
        .operations
        .iter()
        .flatten()
        .map(|operation| {
            (
                operation.operation_code.as_str(),
                operation.operation_description.as_str(),
                operation.sold_hours.map(SoldHours::hundredths),
            )
        })
        .collect();
    assert_eq!(
        operations,
        [
            ("LOF", "LUBE OIL FILTER", Some(30)),
            ("ROT", "ROTATE TIRES", Some(20))
        ]
    );
    let assigned: Vec<_> = oil
        .assignments
        .iter()
        .flatten()
        .map(|assignment| (assignment.source.as_str(), assignment.first_name.as_str()))
        .collect();
    assert_eq!(assigned, [("DMS", "31"), ("DMS", "44")]);
}

#[test]
fn a_company_a_promise_kept_elsewhere_and_a_closed_order_are_read() {
    let [_, company, closed, lettered] = <[Record; 4]>::try_from(sample()).unwrap();
    assert_eq!(
        company.order.header.customer,
        some("LAKESIDE FLEET SERVICES LLC")
    );
    assert_eq!(company.order.header.advisor, some("498"));
    assert_eq!(company.order.promised_at, at("2026-07-15T21:00:00Z"));
    assert_eq!(company.order.customer_status, some("Drop"));
    assert_eq!(
        company.order.priority.map(|priority| priority.name()),
        Some("High")
    );
    assert_eq!(closed.order.header.customer, some("Pat Smith-Jones"));
    assert_eq!(closed.order.promised_at, at("2026-07-14T17:00:00Z"));
    assert_eq!(closed.order.closed_at, at("2026-07-14T16:45:00Z"));
    assert_eq!(lettered.order.header.customer, some("James McDonald Jr"));
    assert_eq!(lettered.order.jobs[0].job_number, 27);
    assert_eq!(lettered.technicians_without_number[0].id, "T9");
}

#[test]
fn customers_are_called_by_their_first_names() {
    for (written, expected) in [
        ("LEE,ANN", "Ann Lee"),
        ("  LEE , ANN  B ", "Ann B Lee"),
        ("O'NEILL-BYRNE,SIOBHÁN", "Siobhán O'Neill-Byrne"),
        ("McDonald,James", "James McDonald"),
        ("MCDONALD,MACK", "Mack McDonald"),
        ("VAN DER BERG,JAN", "Jan Van Der Berg"),
        ("KING III,JOHN", "John King III"),
        ("ÅBERG,ÖRJAN", "Örjan Åberg"),
        ("ACME TOWING", "ACME TOWING"),
        ("ACME TOWING, INC.", "ACME TOWING, INC."),
        ("SMITH, LEE, AND SONS", "SMITH, LEE, AND SONS"),
        ("李,明", "明 李"),
        (",", ""),
        ("LEE,", "Lee"),
    ] {
        assert_eq!(display_name(written), expected, "{written}");
    }
}

#[test]
fn a_voided_order_and_an_order_with_a_closed_status_are_closed() {
    for (members, when) in [
        (
            json!({ "voidedDate": "2026-07-13" }),
            at("2026-07-13T05:00:00Z"),
        ),
        (
            json!({ "closedDate": "", "voidedDate": "2026-07-13", "voidedTime": "10:00" }),
            at("2026-07-13T15:00:00Z"),
        ),
        (json!({ "statusDesc": "Voided" }), Some(now())),
        (
            json!({ "statusDesc": "", "statusCode": "closed" }),
            Some(now()),
        ),
        (json!({ "statusDesc": "PRE-CLOSED" }), None),
    ] {
        assert_eq!(only(cdk_1(&members)).order.closed_at, when, "{members}");
    }
}

#[test]
fn several_technicians_are_those_who_punched_on_the_line() {
    let line =
        json!({ "line": { "lineCode": "b", "laborOperations": [{ "technicianIds": ["MULT"] }] } });
    let punch = |id: &str, line: &str| json!({ "technicianId": id, "lineCode": line });
    let order = json!({
    "operations": [line],
    "technicianPunchTimes": [punch("7", "B"), punch("8", "A"), punch("9", "B"), punch("7", "B")],
    });
    assert_eq!(etl(&only(cdk_1(&order))), [7, 9]);
    let nobody = only(cdk_1(
        &json!({ "operations": [line], "technicianPunchTimes": null }),
    ));
    assert_eq!(etl(&nobody), [0; 0]);
    assert_eq!(
        nobody.warnings,
        ["Line 'b' has several technicians, and no punch time says who"]
    );
}

#[test]
fn lines_without_a_letter_get_the_numbers_after_the_others() {
    let line = |code: Value| json!({ "line": { "lineCode": code, "serviceRequest": "x" } });
    let order = json!({ "operations": [line(json!("?")), line(json!("Z")), line(json!("3")), line(json!(4)), line(json!(null))] });
    let jobs = only(cdk_1(&order)).order.jobs;
    let numbers: Vec<i32> = jobs.iter().map(|job| job.job_number).collect();
    assert_eq!(numbers, [3, 4, 26, 27, 28]);
}

#[test]
fn a_malformed_value_is_refused_with_its_field() {
    for (members, field) in [
        (json!({ "customer": [] }), "customer"),
        (json!({ "customer": { "name1": ["LEE"] } }), "customer"),
        (json!({ "vehicle": { "year": {} } }), "vehicle"),
        (json!({ "vehicle": { "vin": true } }), "vehicleVIN"),
        (json!({ "operations": {} }), "jobs"),
        (json!({ "operations": [[]] }), "jobs"),
        (json!({ "operations": [{ "line": 5 }] }), "jobs"),
        (json!({ "operations": vec![0; 100_000] }), "jobs"),
        (
            json!({ "operations": [{ "line": { "laborOperations": "LOF" } }] }),
            "operations",
        ),
        (
            json!({ "operations": [{ "line": { "laborOperations": [{ "technicianIds": [{}] }] } }] }),
            "ETLIdTechnician",
        ),
        (
            json!({ "operations": [{ "line": { "laborOperations": [{ "technicianIds": (0..100_000).collect::<Vec<_>>() }] } }] }),
            "ETLIdTechnician",
        ),
        (
            json!({ "isCustomerWaiting": "perhaps" }),
            "isCustomerWaiting",
        ),
        (json!({ "origPromisedDate": "soon" }), "promisedDateTime"),
        (json!({ "voidedDate": [] }), "closedDateTime"),
    ] {
        assert_eq!(refused(cdk_1(&members)).field, field, "{field}");
    }
}

#[test]
fn labour_without_technicians_removes_the_technicians() {
    let technicians_of = |labour: Value| {
        let lines = json!([
        { "line": { "lineCode": "A", "laborOperations": [{ "opCode": "LOF", "technicianIds": [] }] } },
        { "line": { "lineCode": "B", "laborOperations": labour } },
        ]);
        let order = only(cdk_1(&json!({ "operations": lines }))).order;
        (order.etl_technicians, order.jobs[1].assignments.clone())
    };
    assert_eq!(
        technicians_of(json!([{ "technicianIds": [] }])),
        (Some(vec![]), Some(vec![]))
    );
    for silent in [
        json!([]),
        json!([{ "opCode": "LOF" }]),
        json!([{ "technicianIds": null }]),
        json!([{ "technicianIds": ["MULT"] }]),
    ] {
        assert_eq!(technicians_of(silent.clone()), (None, None), "{silent}");
    }
    let (etl, assignments) = technicians_of(json!([{ "technicianIds": ["31"] }]));
    assert_eq!((etl.unwrap().len(), assignments.unwrap().len()), (1, 1));
}

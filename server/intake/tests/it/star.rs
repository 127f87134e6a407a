//! STAR 5's names, nested in JSON and flat in CSV.

use serde_json::{Value, json};

use super::*;

const NESTED: &[u8] = include_bytes!("../samples/star.json");
const FLAT: &[u8] = include_bytes!("../samples/star.csv");
const ALIASES: &[u8] = include_bytes!("../samples/aliases.csv");

fn sample(name: &str, bytes: &[u8]) -> [Record; 3] {
    let parsed = parse(name, bytes, FormatChoice::Auto, &chicago(), now()).unwrap();
    assert_eq!(parsed.rejects, []);
    for record in &parsed.records {
        assert_eq!(record.warnings, [""; 0], "{name}");
    }
    <[Record; 3]>::try_from(parsed.records).unwrap()
}

fn etl(record: &Record) -> Vec<(i64, Option<&str>)> {
    let list = record.order.etl_technicians.iter().flatten();
    list.map(|technician| (technician.technician, technician.name.as_deref()))
        .collect()
}

fn star_1(members: &Value) -> ReadOutput {
    let mut order = members.clone();
    order["RepairOrderNumber"] = json!("1");
    let text = order.to_string();
    parse("-", text.as_bytes(), FormatChoice::Star, &chicago(), now()).unwrap()
}

#[test]
fn nested_jobs_and_parties_are_read() {
    let [waiter, company, closed] = sample("star.json", NESTED);
    let order = &waiter.order;
    assert_eq!(order.opened_at, at("2026-07-14T12:41:00Z"));
    assert_eq!(order.promised_at, at("2026-07-14T16:00:00Z"));
    assert_eq!(order.header.tag_number, some("T305"));
    assert_eq!(order.header.advisor, some("Dana Whitfield"));
    assert_eq!(order.header.customer, some("Siobhán O'Neill"));
    assert_eq!(order.header.vin, some("1HGCM82633A004352"));
    assert_eq!(order.customer_status, some("Waiting"));
    assert_eq!(
        etl(&waiter),
        [(31, Some("Marcus Bell")), (44, Some("Nora Lind"))]
    );
    let job = &order.jobs[0];
    assert_eq!(
        (job.job_number, &job.concern),
        (1, &some("Brakes squeak when cold"))
    );
    assert_eq!(job.cause, some("Front pads at 2 mm"));
    assert_eq!(job.tech_story, some("Replaced front pads, machined rotors"));
    assert_eq!(job.operations.as_ref().unwrap()[0].operation_code, "BRKF");
    assert_eq!(job.assignments.as_ref().unwrap()[0].first_name, "Marcus");
    assert_eq!(order.jobs[1].concern, some("Oil change due"));

    assert_eq!(
        company.order.header.customer,
        some("Müller & Sons Plumbing")
    );
    assert_eq!(company.order.header.advisor, some("Luis Ortega"));
    assert_eq!(
        company.order.customer_status, None,
        "how far the work is is no status of ours"
    );
    assert_eq!(
        company.order.priority.map(|priority| priority.name()),
        Some("High")
    );
    assert_eq!(
        company.order.jobs.len(),
        1,
        "a job may stand without its list"
    );
    assert_eq!(
        (closed.order.closed_at, closed.order.header.advisor),
        (Some(now()), some("14"))
    );
}

#[test]
fn the_same_names_are_aliases_in_csv() {
    let [waiter, company, closed] = sample("star.csv", FLAT);
    assert_eq!(waiter.order.customer_status, some("Waiting"));
    assert_eq!(etl(&waiter), [(31, None), (44, None)]);
    assert_eq!(waiter.order.jobs.len(), 2);
    assert_eq!(waiter.order.jobs[0].cause, some("Front pads at 2 mm"));
    assert_eq!(
        waiter.order.jobs[0].tech_story,
        some("Replaced front pads, machined rotors")
    );
    assert_eq!(
        company.order.header.customer,
        some("Müller & Sons Plumbing")
    );
    assert_eq!(closed.order.closed_at, Some(now()));
}

#[test]
fn the_aliases_of_other_systems_are_read() {
    let [waiter, company, closed] = sample("aliases.csv", ALIASES);
    assert_eq!(waiter.order.customer_status, some("Waiting"));
    assert_eq!(waiter.order.opened_at, at("2026-07-14T12:41:00Z"));
    assert_eq!(waiter.order.promised_at, at("2026-07-14T16:00:00Z"));
    assert_eq!(waiter.order.header.tag_number, some("T118"));
    assert_eq!(waiter.order.header.advisor, some("512"));
    assert_eq!(etl(&waiter), [(31, None), (44, None)]);
    assert_eq!(waiter.order.jobs[1].concern, some("Oil change due"));
    assert_eq!(
        company.order.header.customer,
        some("Lakeside Fleet Services LLC")
    );
    assert_eq!(closed.order.closed_at, at("2026-07-14T16:45:00Z"));
}

#[test]
fn a_nested_vehicle_is_put_into_words() {
    let vehicle = json!({ "VehicleID": "1HGCM82633A004352", "ModelYear": 2003, "MakeString": "Honda", "Model": "Accord" });
    let order = only(star_1(
        &json!({ "RepairOrderStatus": "Open", "Vehicle": vehicle }),
    ))
    .order;
    assert_eq!(
        (order.header.vehicle, order.header.vin),
        (some("2003 Honda Accord"), some("1HGCM82633A004352"))
    );
}

#[test]
fn a_story_comes_before_a_correction() {
    let job = json!({ "storyText": "Told", "CodesAndCommentsExpanded": { "CorrectionDescription": "Done" } });
    let order = only(star_1(&json!({ "Job": [job] }))).order;
    assert_eq!(order.jobs[0].tech_story, some("Told"));
}

#[test]
fn a_technician_with_a_name_alone_is_listed_apart() {
    let record = only(star_1(
        &json!({ "Job": [{ "ServiceTechnicianParty": { "name": "Bo Diaz" } }] }),
    ));
    assert_eq!(record.order.etl_technicians, None);
    assert_eq!(record.technicians_without_number[0].id, "Bo Diaz");
}

#[test]
fn a_malformed_value_is_refused_with_its_field() {
    for (members, field) in [
        (json!({ "Job": 5 }), "jobs"),
        (json!({ "Job": [[]] }), "jobs"),
        (json!({ "Job": vec![0; 100_000] }), "jobs"),
        (
            json!({ "Job": [{ "ServiceTechnicianParty": true }] }),
            "ETLIdTechnician",
        ),
        (json!({ "ServiceAdvisorParty": { "name": {} } }), "advisor"),
        (json!({ "ServiceAdvisorParty": false }), "advisor"),
        (
            json!({ "RepairOrderPriorityCode": [] }),
            "repairOrderPriorityCode",
        ),
        (
            json!({ "Job": [{ "CodesAndCommentsExpanded": { "cause": [] } }] }),
            "cause",
        ),
    ] {
        assert_eq!(refused(star_1(&members)).field, field, "{members:.80}");
    }
}

#[test]
fn an_empty_party_means_that_no_technician_is_assigned() {
    let etl = |members: Value| only(star_1(&members)).order.etl_technicians;
    let (nobody, silent) = (
        json!({ "ServiceTechnicianParty": [] }),
        json!({ "JobNumber": 1 }),
    );
    assert_eq!(etl(nobody.clone()), Some(vec![]));
    assert_eq!(etl(json!({ "Job": [nobody] })), Some(vec![]));
    for members in [
        json!({ "Job": [nobody, silent] }),
        json!({ "Job": [silent] }),
        json!({ "ServiceTechnicianParty": null }),
    ] {
        assert_eq!(etl(members.clone()), None, "{members}");
    }
}

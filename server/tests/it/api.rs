//! What the repair-order calls answer, to the letter.

use serde_json::{Value, json};

use crate::fixture::{Desk, Server};

/// Three orders, five rows: see the file.
const SAMPLE: &str = include_str!("../samples/ours.json");

/// The sample in a shop whose technician 14 has an account and whose 22 goes by a shorter name.
async fn sample_shop() -> (Server, Desk) {
    let (server, owner) = Server::with_owner().await;
    let add = [
        "user",
        "add",
        "jl@example.com",
        "--name",
        "Jean-Luc F.",
        "--role",
        "Technician",
    ];
    let link = ["--technician", "14", "--password-stdin"];
    server
        .shop
        .run_with(&[&add[..], &link].concat(), "a long password")
        .await
        .good();
    server
        .shop
        .import(&serde_json::from_str(SAMPLE).unwrap())
        .await;
    (server, owner)
}

/// A row of order 104217 as the import left it, without technician.
fn accord() -> Value {
    json!({
        "repairOrderNumber": 104217,
        "vehicleVIN": "1HGCM82633A004352",
        "vehicle": "2003 Honda Accord EX",
        "customer": "O'Neill, Siobhán",
        "advisor": "Dana Whitfield",
        "createDateTime": "2026-07-14T12:42:00Z",
        "promisedDateTime": "2026-07-14T16:00:00Z",
        "priorityName": "Waiting",
        "customerStatus": "Waiting",
        "appCustomerStatus": null,
        "jobs": [
            {
                "jobNumber": 1,
                "concern": "Brakes squeak when cold, worse in the morning",
                "operations": [
                    { "operationCode": "BRKF", "operationDesciption": "Front brake pads and rotors" }
                ],
            },
            {
                "jobNumber": 2,
                "concern": "Oil change due",
                "operations": [
                    { "operationCode": "LOF", "operationDesciption": "Lube, oil and filter" },
                    { "operationCode": "ROT", "operationDesciption": "Rotate tires" },
                ],
            },
        ],
        "regularIdTechnician": null,
        "regularTechFullName": null,
        "ETLIdTechnician": null,
        "ETLTechFullName": null,
        "source": "Regular",
        "version": 1,
    })
}

/// `row` with some fields as in `other`.
fn with(row: &Value, other: Value) -> Value {
    let mut row = row.clone();
    for (name, value) in other.as_object().unwrap() {
        row[name] = value.clone();
    }
    row
}

fn regular(id: i64, name: &str) -> Value {
    json!({ "regularIdTechnician": id, "regularTechFullName": name })
}

fn etl(id: i64, name: &str) -> Value {
    json!({ "ETLIdTechnician": id, "ETLTechFullName": name, "source": "ETL" })
}

fn accord_rows() -> Value {
    let accord = accord();
    // The shop's list does not know 31: they are called as the order says.
    json!([
        with(&accord, regular(11, "Ann Kowalczyk")),
        with(&accord, etl(31, "Marcus Bell"))
    ])
}

/// The accord's rows once they have these fields.
fn accord_rows_with(fields: &Value) -> Value {
    let rows = accord_rows();
    rows.as_array()
        .unwrap()
        .iter()
        .map(|row| with(row, fields.clone()))
        .collect()
}

fn sample_rows() -> Value {
    let job = |number: i32, concern: &str, operations: &[(&str, &str)]| {
        let operations: Value = operations
            .iter()
            .map(|(code, text)| json!({ "operationCode": code, "operationDesciption": text }))
            .collect();
        json!({ "jobNumber": number, "concern": concern, "operations": operations })
    };
    let pickup = with(
        &accord(),
        json!({
            "repairOrderNumber": 104218,
            "displayNumber": "A0104218",
            "vehicleVIN": "1FTFW1E56LFA12349",
            "vehicle": "2020 Ford F-150 Lariat",
            "customer": "Müller & Sons Plumbing",
            "advisor": "Luis Ortega",
            "createDateTime": "2026-07-14T13:05:00Z",
            "promisedDateTime": "2026-07-15T21:00:00Z",
            "priorityName": "High",
            "customerStatus": "Drop",
            "appCustomerStatus": "Drop",
            "jobs": [
                job(1, "Check engine light on, runs rough at idle", &[("DIAG", "Diagnose engine fault")]),
                job(2, "A/C blows warm on the passenger side", &[("ACINSP", "Inspect A/C system")]),
                job(3, "Recall 20S15, front seat belt", &[]),
            ],
        }),
    );
    let tesla = with(
        &accord(),
        json!({
            "repairOrderNumber": 104219,
            "vehicleVIN": "5YJ3E1EA2KF317000",
            "vehicle": "2019 Tesla Model 3",
            "customer": "Nguyễn, Thị Hạnh",
            "createDateTime": "2026-07-14T13:20:00Z",
            "promisedDateTime": null,
            "priorityName": "Low",
            "customerStatus": "Used",
            "jobs": [
                job(1, "Used-car inspection", &[("UCI", "Used-car inspection, 120 points")]),
                job(2, "Detail before the lot", &[("DTL", "Full detail")]),
            ],
        }),
    );
    let mut rows = accord_rows();
    rows.as_array_mut().unwrap().extend([
        // Their account's name comes before the shop's list, and that before the order.
        with(&pickup, regular(14, "Jean-Luc F.")),
        with(&tesla, regular(11, "Ann Kowalczyk")),
        with(&tesla, regular(22, "Deepa R.")),
    ]);
    rows
}

#[tokio::test]
async fn the_list_has_a_row_per_technician_and_the_number_it_is_true_for() {
    let (_server, owner) = sample_shop().await;
    assert_eq!(
        owner.list().await,
        json!({ "ok": true, "result": sample_rows(), "seq": 3 })
    );
}

#[tokio::test]
async fn an_empty_shop_has_an_empty_list() {
    let (_server, owner) = Server::with_owner().await;
    assert_eq!(
        owner.list().await,
        json!({ "ok": true, "result": [], "seq": 0 })
    );
}

#[tokio::test]
async fn one_order_is_found_under_its_number_and_under_the_dealers_text_for_it() {
    let (_server, owner) = sample_shop().await;
    let accord = owner.get("/api/repair-orders/specific/104217").await.good();
    assert_eq!(
        accord,
        json!({ "ok": true, "result": accord_rows(), "seq": 3 })
    );
    for text in ["104218", "A0104218"] {
        let pickup = owner
            .get(&format!("/api/repair-orders/specific/{text}"))
            .await
            .result();
        assert_eq!(pickup, json!([sample_rows()[2]]), "{text}");
    }
}

#[tokio::test]
async fn details_have_the_jobs_whole() {
    let (_server, owner) = sample_shop().await;
    let answer = owner.get("/api/repair-orders/104217").await.good();
    assert_eq!(
        answer,
        json!({ "ok": true, "result": {
            "repairOrderNumber": 104217,
            "vehicleVIN": "1HGCM82633A004352",
            "vehicle": "2003 Honda Accord EX",
            "customer": "O'Neill, Siobhán",
            "advisor": "Dana Whitfield",
            "createDateTime": "2026-07-14T12:42:00Z",
            "promisedDateTime": "2026-07-14T16:00:00Z",
            "closedDateTime": null,
            "priorityName": "Waiting",
            "customerStatus": "Waiting",
            "appCustomerStatus": null,
            "version": 1,
            "jobs": [
                {
                    "jobNumber": 1,
                    "concern": "Brakes squeak when cold, worse in the morning",
                    "cause": "Front pads at 2 mm, rotors scored",
                    "briefTechNotes": "Replaced front pads and rotors",
                    "techStory": "",
                    "operations": [
                        { "operationCode": "BRKF", "operationDesciption": "Front brake pads and rotors" },
                    ],
                    "assignments": [{ "source": "ETL", "firstName": "Marcus" }],
                },
                {
                    "jobNumber": 2,
                    "concern": "Oil change due",
                    "cause": "",
                    "briefTechNotes": "",
                    "techStory": "",
                    "operations": [
                        { "operationCode": "LOF", "operationDesciption": "Lube, oil and filter" },
                        { "operationCode": "ROT", "operationDesciption": "Rotate tires" },
                    ],
                    "assignments": [],
                },
            ],
        } })
    );
    let pickup = owner.get("/api/repair-orders/104218").await.result();
    assert_eq!(pickup["displayNumber"], "A0104218");
}

#[tokio::test]
async fn technicians_come_by_name_with_their_highest_skill() {
    let (_server, owner) = sample_shop().await;
    let technician = |id: i64, name: &str, specialty: &str, skill: Option<&str>| json!({ "idTechnician": id, "displayName": name, "specialty": specialty, "maxSkillName": skill });
    assert_eq!(
        owner.get("/api/repair-orders/technicians").await.good(),
        json!({ "ok": true, "result": [
            technician(11, "Ann Kowalczyk", "Brakes", Some("Brakes")),
            technician(22, "Deepa R.", "Electrical", None),
            technician(14, "Jean-Luc F.", "Engine", Some("Hybrid")),
            technician(23, "Zoë Quist", "PDI", None),
        ] })
    );
}

#[tokio::test]
async fn a_status_change_sets_the_priority_with_it_as_a_second_event() {
    let (_server, owner) = sample_shop().await;
    let rows = accord_rows_with(
        &json!({ "appCustomerStatus": "Used", "priorityName": "Low", "version": 3 }),
    );
    let changed = json!({ "roNumber": 104217, "ok": true, "version": 3, "seq": 5, "rows": rows });
    let answer = owner.change_status(104217, 12).await.good();
    assert_eq!(answer, json!({ "ok": true, "result": [changed] }));
    let list = owner.list().await;
    assert_eq!((&list["seq"], &list["result"][0]), (&json!(5), &rows[0]));

    // From Used to PDI the priority stays Low: one event.
    let pdi = owner.change_status(104217, 13).await.result();
    assert_eq!((&pdi[0]["version"], &pdi[0]["seq"]), (&json!(4), &json!(6)));
    let waiting = owner.change_status(104217, 11).await.result();
    assert_eq!(
        (&waiting[0]["version"], &waiting[0]["seq"]),
        (&json!(6), &json!(8))
    );
    assert_eq!(waiting[0]["rows"][0]["priorityName"], "Waiting");
}

#[tokio::test]
async fn every_status_has_its_id() {
    let (_server, owner) = sample_shop().await;
    for (id, name) in [
        (11, "Waiting"),
        (10, "Drop"),
        (12, "Used"),
        (13, "PDI"),
        (14, "ENG"),
        (15, "Trans"),
    ] {
        let changed = owner.change_status(104219, id).await.result();
        assert_eq!(changed[0]["rows"][0]["appCustomerStatus"], name);
    }
}

#[tokio::test]
async fn a_priority_change_is_one_event_and_leaves_the_status() {
    let (_server, owner) = sample_shop().await;
    for (level, name, seq) in [
        (3, "High", 4),
        (2, "Medium", 5),
        (1, "Low", 6),
        (4, "Waiting", 7),
    ] {
        let rows = accord_rows_with(&json!({ "priorityName": name, "version": seq - 2 }));
        assert_eq!(
            owner.change_priority(104217, level).await.good(),
            json!({ "ok": true, "result": [
                { "roNumber": 104217, "ok": true, "version": seq - 2, "seq": seq, "rows": rows }
            ] })
        );
    }
}

#[tokio::test]
async fn what_is_so_already_is_answered_well_and_makes_no_event() {
    let (_server, owner) = sample_shop().await;
    owner.change_status(104217, 12).await.good();
    let rows = owner.list().await["result"][0].clone();
    for answer in [
        owner.change_status(104217, 12).await,
        owner.change_priority(104217, 1).await,
    ] {
        let result = answer.result();
        assert_eq!(
            (&result[0]["version"], &result[0]["seq"]),
            (&json!(3), &Value::Null)
        );
        assert_eq!(result[0]["rows"][0], rows);
    }
    for answer in [
        owner.assign(104217, 11).await,
        owner.unassign(104217, 23).await,
    ] {
        let result = answer.result();
        assert_eq!(
            (&result["version"], &result["seq"]),
            (&json!(3), &Value::Null)
        );
    }
    assert_eq!(owner.seq().await, 5);
}

#[tokio::test]
async fn a_technician_is_assigned_added_and_unassigned() {
    let (_server, owner) = sample_shop().await;
    let accord = with(&accord(), json!({ "version": 2 }));
    let rows = json!([
        with(&accord, regular(11, "Ann Kowalczyk")),
        with(&accord, regular(23, "Zoë Quist")),
        with(&accord, etl(31, "Marcus Bell")),
    ]);
    assert_eq!(
        owner.assign(104217, 23).await.good(),
        json!({ "ok": true, "result": { "roNumber": 104217, "ok": true, "version": 2, "seq": 4, "rows": rows } })
    );
    assert_eq!(
        owner.unassign(104217, 11).await.result()["rows"]
            .as_array()
            .unwrap()
            .len(),
        2
    );

    // The last technician leaves a row of nulls.
    let unassigned = with(&sample_rows()[2], regular(14, "nobody"));
    let unassigned = with(
        &unassigned,
        json!({ "regularIdTechnician": null, "regularTechFullName": null, "version": 2 }),
    );
    assert_eq!(
        owner.unassign(104218, 14).await.good(),
        json!({ "ok": true, "result": { "roNumber": 104218, "ok": true, "version": 2, "seq": 6, "rows": [unassigned] } })
    );
}

#[tokio::test]
async fn numbers_may_be_text_or_numbers() {
    let (_server, owner) = sample_shop().await;
    let text = json!({ "data": [{ "repairOrderNumber": "A0104218", "idStatus": "12" }] });
    let number = json!({ "data": [{ "repairOrderNumber": 104218, "idStatus": 13 }] });
    for (body, status) in [(text, "Used"), (number, "PDI")] {
        let changed = owner
            .post("/api/repair-orders/update-status", body)
            .await
            .result();
        assert_eq!(changed[0]["rows"][0]["appCustomerStatus"], status);
    }
    let text = json!({ "data": [{ "roNumber": "104218", "priorityLevel": 3 }] });
    assert!(
        owner
            .post("/api/repair-orders/update-priority", text)
            .await
            .result()[0]["seq"]
            .is_number()
    );
    let text = json!({ "repairOrderNumber": "104218", "idTechnician": "23" });
    assert!(
        owner
            .post("/api/repair-orders/technicians/assign", text)
            .await
            .result()["seq"]
            .is_number()
    );
}

#[tokio::test]
async fn several_entries_are_answered_one_by_one() {
    let (_server, owner) = sample_shop().await;
    let stale_rows = sample_rows()[2].clone();
    let answer = owner
        .post(
            "/api/repair-orders/update-status",
            json!({ "data": [
                { "repairOrderNumber": "104217", "idStatus": "12" },
                { "repairOrderNumber": "104217", "idStatus": "99" },
                { "repairOrderNumber": "7", "idStatus": "12" },
                { "repairOrderNumber": "A0104218", "idStatus": "12", "expectedVersion": 7 },
                { "repairOrderNumber": "none", "idStatus": "12" },
                { "repairOrderNumber": 104219, "idStatus": 12 },
            ] }),
        )
        .await;
    assert_eq!(answer.status, 200);
    let mut body = answer.body;
    let changed_at = body["result"][3]["current"]["changedAt"].take();
    assert!(changed_at.as_str().unwrap().ends_with('Z'), "{changed_at}");
    let tesla = |row: usize| {
        with(
            &sample_rows()[row],
            json!({ "appCustomerStatus": "Used", "version": 2 }),
        )
    };
    assert_eq!(
        body,
        json!({
            "ok": false,
            "error": "4 of 6 entries were refused",
            "code": "some-refused",
            "result": [
                { "roNumber": 104217, "ok": true, "version": 3, "seq": 5, "rows": accord_rows_with(
                    &json!({ "appCustomerStatus": "Used", "priorityName": "Low", "version": 3 })
                ) },
                { "roNumber": 104217, "ok": false, "error": "Invalid status: 99", "code": "invalid-status" },
                { "roNumber": 7, "ok": false, "error": "Repair order 7 is not known", "code": "unknown-repair-order" },
                {
                    "roNumber": 104218,
                    "ok": false,
                    "error": "Repair order 104218 has changed since you saw it",
                    "code": "stale-version",
                    "current": {
                        "rows": [stale_rows],
                        "version": 1,
                        "changedBy": { "uid": "import", "name": "Import" },
                        "changedAt": null,
                    },
                },
                {
                    "roNumber": null,
                    "ok": false,
                    "error": "'none' is not an RO number: it has no digits",
                    "code": "invalid-ro-number",
                },
                { "roNumber": 104219, "ok": true, "version": 2, "seq": 6, "rows": [tesla(3), tesla(4)] },
            ],
        })
    );

    let both = json!({ "data": [
        { "roNumber": 104217, "priorityLevel": "3" },
        { "roNumber": 104218, "priorityLevel": "2" },
    ] });
    let answer = owner
        .post("/api/repair-orders/update-priority", both)
        .await
        .good();
    let fields: Vec<&String> = answer.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["ok", "result"], "nothing was refused: {answer}");
    assert_eq!(answer["result"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_version_that_is_no_longer_the_newest_is_refused_with_the_order_as_it_is() {
    let (server, owner) = sample_shop().await;
    let ada = server.hire("ada@example.com", "Admin").await;
    ada.change_status(104217, 12).await.good();
    let rows = accord_rows_with(
        &json!({ "appCustomerStatus": "Used", "priorityName": "Low", "version": 3 }),
    );
    let status = json!({ "data": [{ "repairOrderNumber": "104217", "idStatus": "13", "expectedVersion": 1 }] });
    let priority =
        json!({ "data": [{ "roNumber": 104217, "priorityLevel": "3", "expectedVersion": 2 }] });
    let assignment =
        json!({ "repairOrderNumber": 104217, "idTechnician": 23, "expectedVersion": 4 });
    for (path, body) in [
        ("update-status", status),
        ("update-priority", priority),
        ("technicians/assign", assignment.clone()),
        ("technicians/unassign", assignment),
    ] {
        let mut refused = owner
            .post(&format!("/api/repair-orders/{path}"), body)
            .await;
        let changed_at = refused.body["current"]["changedAt"].take();
        assert!(changed_at.as_str().unwrap().ends_with('Z'), "{changed_at}");
        assert_eq!(
            (refused.status, refused.body),
            (
                409,
                json!({
                    "ok": false,
                    "error": "Repair order 104217 has changed since you saw it",
                    "code": "stale-version",
                    "current": {
                        "rows": rows,
                        "version": 3,
                        "changedBy": { "uid": ada.uid, "name": "ada" },
                        "changedAt": null,
                    },
                })
            ),
            "{path}"
        );
    }
    assert_eq!(owner.seq().await, 5, "nothing changed");

    let newest = json!({ "data": [{ "repairOrderNumber": "104217", "idStatus": "13", "expectedVersion": 3 }] });
    assert_eq!(
        owner
            .post("/api/repair-orders/update-status", newest)
            .await
            .result()[0]["version"],
        4
    );
}

#[tokio::test]
async fn the_automatic_priority_that_some_clients_send_is_no_refusal() {
    let (server, owner) = sample_shop().await;
    for role in ["Technician", "Service_Manager", "Used"] {
        let desk = server.hire(&format!("{role}@example.com"), role).await;
        for (status, automatic, others) in [(11, 4, [1, 2, 3]), (10, 1, [4, 2, 3])] {
            let version = desk.change_status(104217, status).await.result()[0]["version"].clone();
            let (seq, rows) = (owner.seq().await, owner.list().await["result"].clone());
            let follow_up = desk.change_priority(104217, automatic).await.good();
            assert_eq!(
                follow_up,
                json!({ "ok": true, "result": [
                    { "roNumber": 104217, "ok": true, "version": version, "seq": null, "rows": [rows[0], rows[1]] }
                ] })
            );
            for other in others {
                let refused = desk.change_priority(104217, other).await;
                let sentence = refused.refused(403, "forbidden");
                assert_eq!(
                    sentence,
                    "Changing the priority needs one of the roles Owner, Admin, Advisor"
                );
            }
            assert_eq!(owner.seq().await, seq, "neither changed anything");
        }
    }

    // Somebody's High stays: the late follow-up is not the order's priority any more.
    let used = server.hire("late@example.com", "Used").await;
    used.change_status(104217, 12).await.good();
    owner.change_priority(104217, 3).await.good();
    used.change_priority(104217, 1)
        .await
        .refused(403, "forbidden");
    let accord = owner.get("/api/repair-orders/104217").await.result();
    assert_eq!(accord["priorityName"], "High");
}

#[tokio::test]
async fn a_closed_order_is_on_no_list_and_stays_as_it_was() {
    let (server, owner) = sample_shop().await;
    let closed =
        json!([{ "repairOrderNumber": 104217, "closedDateTime": "2026-07-15T17:00:00-05:00" }]);
    server.shop.import(&closed).await;
    let list = owner.list().await;
    assert_eq!(
        (&list["seq"], &list["result"][0]["repairOrderNumber"]),
        (&json!(4), &json!(104218))
    );
    let specific = owner.get("/api/repair-orders/specific/104217").await.good();
    assert_eq!(specific, json!({ "ok": true, "result": [], "seq": 4 }));
    let details = owner.get("/api/repair-orders/104217").await.result();
    assert_eq!(details["closedDateTime"], "2026-07-15T22:00:00Z");
    for answer in [
        owner.change_status(104217, 12).await,
        owner.change_priority(104217, 2).await,
        owner.assign(104217, 23).await,
        owner.unassign(104217, 11).await,
    ] {
        assert_eq!(
            answer.refused(409, "repair-order-closed"),
            "Repair order 104217 is closed"
        );
    }
    assert_eq!(owner.seq().await, 4);
}

#[tokio::test]
async fn a_session_is_refreshed_by_its_cookie_and_ended_by_it() {
    let (server, owner) = Server::with_owner().await;
    let refresh = || {
        let request = server.request(reqwest::Method::POST, "/api/auth/refresh");
        crate::fixture::answer(request.header("Cookie", &owner.cookie))
    };
    let refreshed = refresh().await.result();
    assert_eq!(refreshed["user"]["uid"], owner.uid);
    assert_eq!(
        owner.sign_out().await.good(),
        json!({ "ok": true, "result": null })
    );
    refresh().await.refused(401, "unauthorized");
    owner
        .get("/api/repair-orders")
        .await
        .refused(401, "unauthorized");
}

#[tokio::test]
async fn whoever_watches_the_server_is_told_that_it_is_well() {
    let server = Server::start().await;
    assert_eq!(
        server.get("/healthz").await.good(),
        json!({ "ok": true, "result": "alive" })
    );
    assert_eq!(
        server.get("/readyz").await.good(),
        json!({ "ok": true, "result": "ready" })
    );
}

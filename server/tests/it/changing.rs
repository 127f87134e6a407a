//! What the desk's changes answer, to the letter.

use serde_json::{Value, json};

use crate::fixture::without_generation;
use crate::sample::{accord, accord_rows_with, etl, regular, sample_rows, sample_shop, with};

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
async fn a_change_to_the_present_value_succeeds_and_makes_no_event() {
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
        { "roNumber": 104217, "ok": false, "error": "Invalid status: 99. Use 10 Drop, 11 Waiting, 12 Used, 13 PDI, 14 ENG or 15 Trans", "code": "invalid-status" },
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
async fn the_automatic_priority_that_some_clients_send_is_accepted() {
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

    // The High that a user set stays: the late follow-up no longer sets the order's priority.
    let used_desk = server.hire("late@example.com", "Used").await;
    used_desk.change_status(104217, 12).await.good();
    owner.change_priority(104217, 3).await.good();
    used_desk
        .change_priority(104217, 1)
        .await
        .refused(403, "forbidden");
    let accord = owner.get("/api/repair-orders/104217").await.result();
    assert_eq!(accord["priorityName"], "High");
}

#[tokio::test]
async fn a_closed_order_is_on_no_list_and_stays_unchanged() {
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
    let specific = without_generation(specific);
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
async fn a_technician_is_replaced_by_another_in_one_change() {
    let (_server, owner) = sample_shop().await;
    let path = "/api/repair-orders/technicians/reassign";
    let body =
        json!({ "repairOrderNumber": 104217, "fromIdTechnician": 11, "toIdTechnician": "23" });
    let changed = owner.post(path, body.clone()).await.result();
    assert_eq!(
        (&changed["version"], &changed["seq"]),
        (&json!(3), &json!(5))
    );
    assert_eq!(changed["rows"][0]["regularTechFullName"], "Zoë Quist");
    // Sent again it changes nothing.
    assert_eq!(owner.post(path, body).await.result()["seq"], Value::Null);
    let refused = |from: i64, to: i64| {
        owner.post(
            path,
            json!({ "repairOrderNumber": 104217, "fromIdTechnician": from, "toIdTechnician": to }),
        )
    };
    let sentence = refused(22, 11).await.refused(409, "not-assigned");
    assert_eq!(
        sentence,
        "Technician 22 is not assigned to repair order 104217"
    );
    refused(31, 11).await.refused(409, "etl-technician");
    refused(23, 999).await.refused(404, "unknown-technician");
}

#[tokio::test]
async fn an_order_is_closed_and_opened_again() {
    let (_server, owner) = sample_shop().await;
    let close = "/api/repair-orders/104217/close";
    let closed = owner
        .post(close, json!({ "expectedVersion": 1 }))
        .await
        .good();
    assert_eq!(
        closed,
        json!({ "ok": true, "result": { "roNumber": 104217, "ok": true, "version": 2, "seq": 4, "rows": [] } })
    );
    assert_eq!(
        owner.post(close, json!({})).await.result()["seq"],
        Value::Null,
        "closed already"
    );
    assert_eq!(owner.list().await["result"].as_array().unwrap().len(), 3);
    let details = owner.get("/api/repair-orders/104217").await.result();
    assert!(details["closedDateTime"].is_string());
    owner
        .change_status(104217, 12)
        .await
        .refused(409, "repair-order-closed");
    let reopened = owner
        .post("/api/repair-orders/104217/reopen", json!({}))
        .await
        .result();
    assert_eq!(reopened["rows"], accord_rows_with(&json!({ "version": 3 })));
    assert_eq!(owner.list().await["result"].as_array().unwrap().len(), 5);
    owner
        .post("/api/repair-orders/7/close", json!({}))
        .await
        .refused(404, "unknown-repair-order");
    let stale = owner.post(close, json!({ "expectedVersion": 1 })).await;
    assert_eq!(
        (stale.status, &stale.body["code"]),
        (409, &json!("stale-version"))
    );
}

#[tokio::test]
async fn a_jobs_cause_notes_and_story_are_saved() {
    let (_server, owner) = sample_shop().await;
    let path = "/api/repair-orders/104217/jobs/2";
    let story = "Verified.\r\n\tReplaced <b>filter</b>'; DROP TABLE jobs;--\u{0}";
    let saved = owner
        .patch(path, json!({ "cause": " Old oil ", "techStory": story }))
        .await
        .result();
    assert_eq!((&saved["version"], &saved["seq"]), (&json!(2), &json!(4)));
    let details = owner.get("/api/repair-orders/104217").await.result();
    assert_eq!(details["jobs"][1]["cause"], "Old oil");
    assert_eq!(
        details["jobs"][1]["techStory"],
        "Verified.\n\tReplaced <b>filter</b>'; DROP TABLE jobs;--"
    );
    let again = owner
        .patch(path, json!({ "cause": "Old oil" }))
        .await
        .result();
    assert_eq!(again["seq"], Value::Null);
    let long = owner
        .patch(path, json!({ "briefTechNotes": "x".repeat(20_001) }))
        .await;
    assert_eq!(
        long.refused(400, "invalid-request"),
        "briefTechNotes has 20001 characters: at most 20000 are kept"
    );
    owner
        .patch("/api/repair-orders/104217/jobs/9", json!({}))
        .await
        .refused(404, "unknown-job");
    owner
        .patch("/api/repair-orders/104217/jobs/one", json!({}))
        .await
        .refused(400, "invalid-request");
    owner
        .patch("/api/repair-orders/7/jobs/1", json!({}))
        .await
        .refused(404, "unknown-repair-order");
}

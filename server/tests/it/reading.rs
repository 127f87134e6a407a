//! What reading answers, to the letter.

use std::io::Read;

use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use tokio::time::{Duration, sleep, timeout};

use crate::fixture::{Desk, Server, Shop, WAIT_TIMEOUT, answer, without_generation};
use crate::sample::{accord_rows, sample_rows, sample_shop};

#[tokio::test]
async fn the_list_has_a_row_per_technician_and_its_event_number() {
    let (_server, owner) = sample_shop().await;
    assert_eq!(
        without_generation(owner.list().await),
        json!({ "ok": true, "result": sample_rows(), "seq": 3 })
    );
}

#[tokio::test]
async fn an_empty_shop_has_an_empty_list() {
    let (_server, owner) = Server::with_owner().await;
    assert_eq!(
        without_generation(owner.list().await),
        json!({ "ok": true, "result": [], "seq": 0 })
    );
}

#[tokio::test]
async fn one_order_is_found_under_its_number_and_under_the_dealers_text_for_it() {
    let (_server, owner) = sample_shop().await;
    let accord = owner.get("/api/repair-orders/specific/104217").await.good();
    assert_eq!(
        without_generation(accord),
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
                        { "operationCode": "BRKF", "operationDesciption": "Front brake pads and rotors", "soldHours": null },
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
                        { "operationCode": "LOF", "operationDesciption": "Lube, oil and filter", "soldHours": 0.3 },
                        { "operationCode": "ROT", "operationDesciption": "Rotate tires", "soldHours": null },
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
    let answer = owner.get("/api/repair-orders/technicians").await.good();
    let technicians = answer["result"].as_array().unwrap();
    let field = |technician: &Value, name: &str| technician[name].clone();
    let names: Vec<_> = technicians
        .iter()
        .map(|one| {
            ["idTechnician", "displayName", "specialty", "maxSkillName"]
                .map(|name| field(one, name))
        })
        .collect();
    assert_eq!(
        json!(names),
        json!([
            [11, "Ann Kowalczyk", "Brakes", "Brakes"],
            [22, "Deepa R.", "Electrical", null],
            [14, "Jean-Luc F.", "Engine", "Hybrid"],
            [23, "Zoë Quist", "PDI", null],
        ])
    );
}

#[tokio::test]
async fn the_health_call_answers_a_monitor() {
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

#[tokio::test]
async fn a_session_is_refreshed_by_its_cookie_and_ended_by_it() {
    let (server, owner) = Server::with_owner().await;
    let refresh = || {
        let request = server.request(reqwest::Method::POST, "/api/auth/refresh");
        answer(request.header("Cookie", &owner.cookie))
    };
    let refreshed = refresh().await.result();
    assert_eq!(refreshed["user"]["uid"], owner.uid);
    assert_eq!(
        owner.sign_out().await.good(),
        json!({ "ok": true, "result": null })
    );
    refresh().await.ended("signed-out");
    owner
        .get("/api/repair-orders")
        .await
        .refused(401, "unauthorized");
}

#[tokio::test]
async fn an_unchanged_list_is_not_sent_again() {
    let (server, owner) = sample_shop().await;
    let list = |etag: &str| {
        let request = owner.request(Method::GET, "/api/repair-orders");
        let request = request.header("If-None-Match", etag.to_owned());
        async move { request.send().await.unwrap() }
    };
    let tag = |answer: &reqwest::Response| answer.headers()["etag"].to_str().unwrap().to_owned();
    let first = list("\"another\"").await;
    assert_eq!(first.status(), 200);
    let etag = tag(&first);
    let again = list(&format!("\"other\", {etag}")).await;
    assert_eq!((again.status().as_u16(), tag(&again)), (304, etag.clone()));
    assert_eq!(again.text().await.unwrap(), "");

    owner.change_status(104217, 12).await.good();
    let changed = list(&etag).await;
    assert_eq!(changed.status(), 200);
    // What technicians are called is part of the list.
    let etag = tag(&changed);
    server
        .shop
        .run(&["user", "remove", "jl@example.com"])
        .await
        .good();
    assert_eq!(list(&etag).await.status(), 200);
}

#[tokio::test]
async fn the_compressed_list_is_the_list() {
    let (_server, owner) = sample_shop().await;
    for _ in 0..2 {
        let request = owner.request(Method::GET, "/api/repair-orders");
        let answer = request
            .header("Accept-Encoding", "br, gzip;q=0.8")
            .send()
            .await
            .unwrap();
        assert_eq!(answer.headers()["content-encoding"], "gzip");
        let bytes = answer.bytes().await.unwrap();
        let mut text = String::new();
        flate2::read::GzDecoder::new(&bytes[..])
            .read_to_string(&mut text)
            .unwrap();
        let list: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(list, owner.list().await);
        owner.change_status(104219, 13).await.good();
    }
    let request = owner.request(Method::GET, "/api/repair-orders");
    let plain = request
        .header("Accept-Encoding", "gzip;q=0")
        .send()
        .await
        .unwrap();
    assert_ne!(
        plain
            .headers()
            .get("content-encoding")
            .map(|coding| coding.as_bytes()),
        Some(&b"gzip"[..])
    );
}

#[tokio::test]
async fn the_next_batch_begins_after_the_last_number() {
    let (_server, owner) = sample_shop().await;
    let from = async |number: &str| {
        owner
            .get(&format!("/api/repair-orders/next-batch/{number}"))
            .await
            .good()
    };
    assert_eq!(
        without_generation(from("1").await),
        json!({ "ok": true, "result": sample_rows(), "seq": 3 })
    );
    assert_eq!(
        from("104218").await["result"],
        json!(sample_rows().as_array().unwrap()[2..])
    );
    assert_eq!(from("104220").await["result"], json!([]));
    owner
        .get("/api/repair-orders/next-batch/none")
        .await
        .refused(400, "invalid-ro-number");
    owner
        .get("/api/repair-orders/next-batch/0")
        .await
        .refused(400, "invalid-ro-number");
}

#[tokio::test]
async fn activity_counts_events_and_the_orders_they_were_on() {
    let (_server, owner) = sample_shop().await;
    let metrics = async || {
        owner
            .get("/api/repair-orders/activity-metrics")
            .await
            .good()
    };
    assert_eq!(
        metrics().await,
        json!({ "ok": true, "result": { "totalUpdates": 3, "uniqueROsUpdated": 3 } })
    );
    owner.change_status(104217, 12).await.good();
    assert_eq!(
        metrics().await["result"],
        json!({ "totalUpdates": 5, "uniqueROsUpdated": 3 })
    );
}

#[tokio::test]
async fn a_list_with_added_and_removed_orders_has_neither_too_many_nor_too_few() {
    let (server, owner) = Server::with_owner().await;
    let order = |number: i64, status: &str| json!({ "repairOrderNumber": number, "customer": "Ann", "status": status });
    let numbers = async || {
        let list = owner.list().await["result"].take();
        let rows = list.as_array().unwrap().clone();
        let number = |row: &serde_json::Value| row["repairOrderNumber"].as_i64().unwrap();
        rows.iter().map(number).collect::<Vec<_>>()
    };
    server
        .shop
        .import(&json!([order(500, "Drop"), order(700, "Drop")]))
        .await;
    assert_eq!(numbers().await, [500, 700]);
    server
        .shop
        .import(&json!([order(500, "Closed"), order(900, "Drop")]))
        .await;
    assert_eq!(numbers().await, [700, 900]);
    owner
        .post("/api/repair-orders/700/close", json!({}))
        .await
        .good();
    owner
        .post("/api/repair-orders/500/reopen", json!({}))
        .await
        .good();
    assert_eq!(numbers().await, [500, 900]);
}

#[tokio::test]
async fn a_script_comes_as_the_build_of_the_page_compressed_it() {
    let (_server, owner) = sample_shop().await;
    let page = owner.request(Method::GET, "/").send().await.unwrap();
    let page = page.text().await.unwrap();
    let scripts: Vec<String> = page
        .split("src=\"/assets/")
        .skip(1)
        .map(|rest| format!("/assets/{}", rest.split('"').next().unwrap()))
        .collect();
    let get = async |script: &str, accepted: &str| {
        let request = owner.request(Method::GET, script);
        let answer = request.header("Accept-Encoding", accepted).send().await;
        let answer = answer.unwrap();
        let coding = answer.headers().get("content-encoding").cloned();
        let coding = coding.map(|coding| coding.to_str().unwrap().to_owned());
        (coding, answer.bytes().await.unwrap())
    };
    // The largest one: a script of a few lines is hardly smaller compressed.
    let (mut script, mut plain) = ("", bytes::Bytes::new());
    for candidate in &scripts {
        let (coding, content) = get(candidate, "identity").await;
        assert_eq!(coding, None, "{candidate}");
        if content.len() > plain.len() {
            (script, plain) = (candidate, content);
        }
    }
    for (accepted, wanted) in [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, br;q=0", "gzip"),
        ("gzip", "gzip"),
    ] {
        let (coding, packed) = get(script, accepted).await;
        assert_eq!(coding.as_deref(), Some(wanted), "{accepted}");
        assert!(packed.len() * 2 < plain.len(), "{accepted}");
        if wanted == "gzip" {
            let mut unpacked = Vec::new();
            flate2::read::GzDecoder::new(&packed[..])
                .read_to_end(&mut unpacked)
                .unwrap();
            assert_eq!(unpacked, plain);
        }
    }
}

/// As a restore does it: the log has another name, whatever its place.
async fn restore(shop: &Shop, change: &str) {
    let store = shop.store().await;
    for statement in [
        change,
        "UPDATE event_log SET generation = '00112233445566778899aabbccddeeff'",
    ] {
        store.writer().execute_unprepared(statement).await.unwrap();
    }
}

/// Waits for a list of which this holds.
async fn list_where(owner: &Desk, holds: impl Fn(&Value) -> bool) -> Value {
    let comes = async {
        loop {
            let list = owner.list().await;
            if holds(&list) {
                return list;
            }
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(WAIT_TIMEOUT, comes)
        .await
        .expect("such a list comes")
}

#[tokio::test]
async fn a_list_that_was_encoded_already_is_encoded_again_for_a_log_of_another_name() {
    let (server, owner) = sample_shop().await;
    let before = owner.list().await;
    restore(&server.shop, "UPDATE technicians SET id = id").await;
    let list = list_where(&owner, |list| list["generation"] != before["generation"]).await;
    assert_eq!(list["seq"], before["seq"]);
    assert_eq!(list["result"], before["result"]);
}

#[tokio::test]
async fn technicians_are_called_as_a_restored_database_has_them() {
    let (server, owner) = sample_shop().await;
    let change = "UPDATE technicians SET display_name = 'Somebody Restored' WHERE id = 22";
    restore(&server.shop, change).await;
    list_where(&owner, |list| {
        list.to_string().contains("Somebody Restored")
    })
    .await;
}

#[tokio::test]
async fn a_user_without_a_role_in_a_restored_database_is_signed_out() {
    let (server, _owner) = sample_shop().await;
    let advisor = server.hire("advisor@example.com", "Advisor").await;
    advisor.list().await;
    restore(
        &server.shop,
        "DELETE FROM staff_documents WHERE email = 'advisor@example.com'",
    )
    .await;
    let signed_out = async {
        while advisor.get("/api/repair-orders").await.status != 401 {
            sleep(Duration::from_millis(50)).await;
        }
    };
    let signed_out = timeout(WAIT_TIMEOUT, signed_out).await;
    signed_out.expect("the session ends");
}

//! What reading answers, to the letter.

use serde_json::json;

use crate::fixture::{Server, answer};
use crate::sample::{accord_rows, sample_rows, sample_shop};

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
    refresh().await.refused(401, "unauthorized");
    owner
        .get("/api/repair-orders")
        .await
        .refused(401, "unauthorized");
}

//! Refused changes: how the refusal is reported, and that nothing was changed or announced.

use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};

use crate::fixture::{PASSWORD, answer};
use crate::watched::{Watched, changes, raw};

#[tokio::test]
async fn an_entry_that_makes_no_sense_is_refused_and_says_why() {
    let mut shop = Watched::shop().await;
    let status = |number: Value, id: Value| {
        (
            "update-status",
            json!({ "data": [{ "repairOrderNumber": number, "idStatus": id }] }),
        )
    };
    let priority = |number: Value, level: Value| {
        (
            "update-priority",
            json!({ "data": [{ "roNumber": number, "priorityLevel": level }] }),
        )
    };
    let assign = |number: Value, technician: Value| {
        (
            "technicians/assign",
            json!({ "repairOrderNumber": number, "idTechnician": technician }),
        )
    };
    let unassign = |number: Value, technician: Value| {
        (
            "technicians/unassign",
            json!({ "repairOrderNumber": number, "idTechnician": technician }),
        )
    };
    let too_large = json!(9_007_199_254_740_992_i64);
    for ((path, body), status, code, sentence) in [
        (
            status(json!("1"), json!("16")),
            400,
            "invalid-status",
            "Invalid status: 16. Use 10 Drop, 11 Waiting, 12 Used, 13 PDI, 14 ENG or 15 Trans",
        ),
        (
            status(json!("1"), json!("Used")),
            400,
            "invalid-status",
            "Invalid status: Used. Use 10 Drop, 11 Waiting, 12 Used, 13 PDI, 14 ENG or 15 Trans",
        ),
        (
            status(json!("1"), json!("")),
            400,
            "invalid-status",
            "Invalid status: . Use 10 Drop, 11 Waiting, 12 Used, 13 PDI, 14 ENG or 15 Trans",
        ),
        (
            status(json!("4"), json!("12")),
            404,
            "unknown-repair-order",
            "Repair order 4 is not known",
        ),
        (
            status(json!(""), json!("12")),
            400,
            "invalid-ro-number",
            "The RO number is missing",
        ),
        (
            status(json!("RO"), json!("12")),
            400,
            "invalid-ro-number",
            "'RO' is not an RO number: it has no digits",
        ),
        (
            status(json!(0), json!("12")),
            400,
            "invalid-ro-number",
            "RO number '0' is out of range: 1 to 9007199254740991",
        ),
        // Their digits alone would be another order's number.
        (
            status(json!(-5), json!("12")),
            400,
            "invalid-ro-number",
            "RO number '-5' is not a whole number",
        ),
        (
            status(json!("1002.5"), json!("12")),
            400,
            "invalid-ro-number",
            "RO number '1002.5' is not a whole number",
        ),
        (
            status(too_large, json!("12")),
            400,
            "invalid-ro-number",
            "RO number '9007199254740992' is out of range: 1 to 9007199254740991",
        ),
        (
            priority(json!(1), json!("5")),
            400,
            "invalid-priority",
            "Invalid priority level: 5. Use 4 Waiting, 3 High, 2 Medium or 1 Low",
        ),
        (
            priority(json!(4), json!("3")),
            404,
            "unknown-repair-order",
            "Repair order 4 is not known",
        ),
        (
            assign(json!(4), json!(23)),
            404,
            "unknown-repair-order",
            "Repair order 4 is not known",
        ),
        (
            assign(json!(1), json!(99)),
            404,
            "unknown-technician",
            "Technician 99 is not known",
        ),
        (
            assign(json!(1), json!("Ann")),
            400,
            "invalid-request",
            "'Ann' is not a technician's number",
        ),
        (
            unassign(json!(4), json!(23)),
            404,
            "unknown-repair-order",
            "Repair order 4 is not known",
        ),
        (
            unassign(json!(1), json!("")),
            400,
            "invalid-request",
            "'' is not a technician's number",
        ),
    ] {
        let refused = shop
            .owner
            .post(&format!("/api/repair-orders/{path}"), body.clone())
            .await;
        assert_eq!(refused.refused(status, code), sentence, "{path} {body}");
    }
    shop.nothing_happened("entries without sense").await;
}

#[tokio::test]
async fn the_desk_cannot_remove_a_technician_of_the_dealers_system() {
    let mut shop = Watched::shop().await;
    let order = json!([{ "repairOrderNumber": 5, "ETLIdTechnician": 31, "ETLTechFullName": "Marcus Bell" }]);
    shop.server.shop.import(&order).await;
    assert_eq!(shop.socket.modified().await["action"], "CREATED");
    shop.list = shop.owner.list().await;
    assert_eq!(
        shop.owner
            .unassign(5, 31)
            .await
            .refused(409, "etl-technician"),
        "Technician 31 came with the dealer system's file and can only be removed there"
    );
    shop.nothing_happened("an ETL technician").await;
}

#[tokio::test]
async fn a_body_that_cannot_be_read_is_refused() {
    let mut shop = Watched::shop().await;
    let entry = json!({ "repairOrderNumber": "1", "idStatus": "12" });
    for (path, good) in changes() {
        let good = good.to_string();
        let bodies = [
            (String::new(), "application/json"),
            (good[..good.len() - 1].to_owned(), "application/json"),
            (good.replace(':', "="), "application/json"),
            ("[]".to_owned(), "application/json"),
            ("{}".to_owned(), "application/json"),
            ("null".to_owned(), "application/json"),
            (json!({ "data": "all" }).to_string(), "application/json"),
            (json!({ "data": [] }).to_string(), "application/json"),
            (json!({ "data": [null] }).to_string(), "application/json"),
            (json!({ "data": [{}] }).to_string(), "application/json"),
            (json!({ "data": [[entry]] }).to_string(), "application/json"),
            (good.replace("\"12\"", "{}"), "application/json"),
            (good.replace("\"1\"", "1.5"), "application/json"),
            (
                good.replacen('}', ",\"expectedVersion\":\"1\"}", 1),
                "application/json",
            ),
            (
                format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000)),
                "application/json",
            ),
            (good.clone(), "text/plain"),
            (good.clone(), "application/x-www-form-urlencoded"),
            (good.clone(), "nonsense"),
        ];
        for (body, kind) in bodies {
            if body == good && kind == "application/json" {
                continue;
            }
            let request = shop
                .owner
                .request(Method::POST, path)
                .header(CONTENT_TYPE, kind);
            let refused = answer(request.body(body.clone())).await;
            let sentence = refused.refused(400, "invalid-request");
            assert!(
                sentence.starts_with(|c: char| c.is_uppercase()) || sentence.starts_with("data "),
                "{sentence}"
            );
        }
        let untyped = shop
            .owner
            .request(Method::POST, path)
            .body(good.into_bytes());
        answer(untyped).await.refused(400, "invalid-request");
    }
    shop.nothing_happened("bodies that cannot be read").await;
}

#[tokio::test]
async fn too_much_at_once_is_refused_whole() {
    let mut shop = Watched::shop().await;
    let entries = |count: usize| -> Value {
        let entry = json!({ "repairOrderNumber": "1", "idStatus": "12" });
        json!({ "data": vec![entry; count] })
    };
    let status = "/api/repair-orders/update-status";
    let refused = shop.owner.post(status, entries(501)).await;
    assert_eq!(
        refused.refused(400, "invalid-request"),
        "data has 501 entries; send at most 500 at once"
    );
    let padding = "x".repeat(300 * 1024);
    for (path, body) in changes() {
        let mut body = body;
        body["padding"] = json!(padding);
        let sentence = shop
            .owner
            .post(path, body.clone())
            .await
            .refused(413, "too-large");
        assert_eq!(
            sentence,
            "The request is too large: send at most 256 KB at once"
        );
        // The same without saying how much comes.
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
            shop.owner.token
        );
        let body = body.to_string();
        let chunked = format!("{head}{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
        raw(&shop.server, &chunked).await.refused(413, "too-large");
    }
    shop.nothing_happened("too much").await;
    assert_eq!(
        shop.owner.post(status, entries(500)).await.status,
        200,
        "500 are taken"
    );
}

#[tokio::test]
async fn a_refusal_names_the_roles_that_may() {
    let mut shop = Watched::shop().await;
    let technician = shop.server.hire("tech@example.com", "Technician").await;
    let advisor = shop.server.hire("advisor@example.com", "Advisor").await;
    shop.server
        .shop
        .run(&["user", "role", "advisor@example.com", "--role", "Used"])
        .await
        .good();
    advisor
        .get("/api/repair-orders")
        .await
        .refused(401, "unauthorized");
    let nobody = shop.server.hire("nobody@example.com", "Used").await;
    shop.server
        .shop
        .run(&["user", "role", "nobody@example.com"])
        .await
        .good();
    nobody
        .get("/api/repair-orders")
        .await
        .refused(401, "unauthorized");
    let person = json!({ "email": "nobody@example.com", "password": PASSWORD });
    let signed_in = shop.server.post("/api/auth/sign-in", person).await;
    signed_in.refused(403, "no-role");

    let sentence = technician.assign(1, 23).await.refused(403, "forbidden");
    assert_eq!(
        sentence,
        "Dispatching technicians needs one of the roles Owner, Admin"
    );
    technician.unassign(1, 23).await.refused(403, "forbidden");
    technician
        .change_priority(1, 3)
        .await
        .refused(403, "forbidden");
    shop.nothing_happened("roles that may not").await;
}

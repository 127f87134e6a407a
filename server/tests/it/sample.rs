//! The orders of `samples/ours.json` in a shop, and the rows that the API must give for them.

use serde_json::{Value, json};

use crate::fixture::{AROUND_THE_CLOCK, Desk, Server, Shop};

/// Three orders, five rows: see the file.
pub const SAMPLE: &str = include_str!("../../intake/tests/samples/ours.json");

/// The sample in a shop whose technician 14 has an account and whose 22 goes by a shorter name.
pub async fn sample_shop() -> (Server, Desk) {
    sample_shop_in(Shop::new(), &[]).await
}

/// What is left of its technicians' days does not change.
pub async fn sample_shop_at_noon() -> (Server, Desk) {
    sample_shop_in(Shop::new().at_noon(), &AROUND_THE_CLOCK).await
}

pub async fn sample_shop_in(shop: Shop, options: &[&str]) -> (Server, Desk) {
    shop.hire_technicians().await;
    // With every call of the document.
    let server = Server::start_in(shop, &[&["--test-page"], options].concat()).await;
    let owner = server.hire("owner@example.com", "Owner").await;
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
pub fn accord() -> Value {
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
                    { "operationCode": "BRKF", "operationDesciption": "Front brake pads and rotors", "soldHours": null }
                ],
            },
            {
                "jobNumber": 2,
                "concern": "Oil change due",
                "operations": [
                    { "operationCode": "LOF", "operationDesciption": "Lube, oil and filter", "soldHours": 0.3 },
                    { "operationCode": "ROT", "operationDesciption": "Rotate tires", "soldHours": null },
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
pub fn with(row: &Value, other: Value) -> Value {
    let mut row = row.clone();
    for (name, value) in other.as_object().unwrap() {
        row[name] = value.clone();
    }
    row
}

pub fn regular(id: i64, name: &str) -> Value {
    json!({ "regularIdTechnician": id, "regularTechFullName": name })
}

pub fn etl(id: i64, name: &str) -> Value {
    json!({ "ETLIdTechnician": id, "ETLTechFullName": name, "source": "ETL" })
}

pub fn accord_rows() -> Value {
    let accord = accord();
    // The shop's list does not know 31: they are called as the order says.
    json!([
        with(&accord, regular(11, "Ann Kowalczyk")),
        with(&accord, etl(31, "Marcus Bell"))
    ])
}

/// The accord's rows once they have these fields.
pub fn accord_rows_with(fields: &Value) -> Value {
    let rows = accord_rows();
    rows.as_array()
        .unwrap()
        .iter()
        .map(|row| with(row, fields.clone()))
        .collect()
}

pub fn sample_rows() -> Value {
    let job = |number: i32, concern: &str, operations: &[(&str, &str)]| {
        let operations: Value = operations
            .iter()
            .map(|(code, text)| json!({ "operationCode": code, "operationDesciption": text, "soldHours": null }))
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

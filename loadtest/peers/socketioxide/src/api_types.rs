//! The API's rows, live message and answers, field for field as Dispatch has them.

use serde::{Deserialize, Serialize};

/// One technician of one repair order; an order without any has one row of nulls.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    pub repair_order_number: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    display_number: Option<String>,
    #[serde(rename = "vehicleVIN")]
    vehicle_vin: String,
    vehicle: String,
    customer: String,
    advisor: String,
    create_date_time: String,
    promised_date_time: Option<String>,
    pub priority_name: String,
    customer_status: String,
    pub app_customer_status: Option<String>,
    jobs: Vec<Job>,
    regular_id_technician: Option<i64>,
    regular_tech_full_name: Option<String>,
    #[serde(rename = "ETLIdTechnician")]
    etl_id_technician: Option<i64>,
    #[serde(rename = "ETLTechFullName")]
    etl_tech_full_name: Option<String>,
    source: String,
    pub version: i64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Job {
    job_number: i64,
    concern: String,
    operations: Vec<Operation>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Operation {
    operation_code: String,
    #[serde(rename = "operationDesciption")]
    operation_description: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct List {
    pub ok: bool,
    pub result: Vec<Row>,
    pub seq: i64,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct By {
    pub uid: &'static str,
    pub name: &'static str,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RoModified {
    pub r#type: &'static str,
    pub ro_number: i64,
    pub action: &'static str,
    pub timestamp: String,
    pub version: i64,
    pub seq: i64,
    pub by: By,
    pub rows: Vec<Row>,
}

/// How far the stream is: `hello` and `tick`.
#[derive(Clone, Debug, Serialize)]
pub struct Progress {
    pub seq: i64,
    pub now: String,
}

#[derive(Debug, Deserialize)]
pub struct Entries<T> {
    pub data: Vec<T>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StatusEntry {
    pub repair_order_number: i64,
    pub id_status: u8,
    pub expected_version: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PriorityEntry {
    pub ro_number: i64,
    pub priority_level: u8,
    pub expected_version: Option<i64>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum EntryResult {
    Changed(Changed),
    Refused(Refused),
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Changed {
    pub ro_number: i64,
    pub ok: bool,
    pub version: i64,
    /// None when there was nothing to change.
    pub seq: Option<i64>,
    pub rows: Vec<Row>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Refused {
    /// Not with the only entry of a request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ro_number: Option<i64>,
    pub ok: bool,
    pub error: String,
    pub code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<Box<Current>>,
    #[serde(skip)]
    pub status: u16,
}

/// The order as it is, for a caller who had an older one in mind.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Current {
    pub rows: Vec<Row>,
    pub version: i64,
    pub changed_by: Option<By>,
    pub changed_at: Option<String>,
}

impl Refused {
    pub fn new(status: u16, code: &'static str, error: impl Into<String>) -> Self {
        Self {
            ro_number: None,
            ok: false,
            error: error.into(),
            code,
            current: None,
            status,
        }
    }
}

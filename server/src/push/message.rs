//! The message to a browser, as JSON that only that browser can read. Small: push services take four
//! kilobytes.

use serde::Serialize;
use utoipa::ToSchema;

use dispatch_actors::repair_order::{DisplayedStatus, Priority};

/// A push: news of one order or, where several came within a moment, of all of them.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "type")]
pub enum PushMessage {
    /// The technician was given orders.
    #[serde(rename = "TECH_ASSIGNED")]
    Assigned(PushAssigned),
    /// The orders are the technician's no more.
    #[serde(rename = "TECH_UNASSIGNED")]
    Unassigned(PushUnassigned),
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PushAssigned {
    pub technician_id: i64,
    /// The only one or, of several, the last.
    pub ro_number: i64,
    /// As the dealer writes it.
    pub display_number: String,
    pub vehicle: String,
    pub status: DisplayedStatus,
    pub priority: Priority,
    /// How many orders this is about.
    pub count: usize,
    /// All of them, 100 at most.
    pub ro_numbers: Vec<i64>,
    /// The page to open.
    pub url: String,
    /// For `POST /api/push/delivered`.
    pub receipt: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PushUnassigned {
    pub technician_id: i64,
    pub ro_number: i64,
    pub count: usize,
    pub ro_numbers: Vec<i64>,
}

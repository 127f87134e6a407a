//! What a client sends to change an order, and how that is refused.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{Content, Ref, RefOr, Response};
use utoipa::{IntoResponses, ToSchema};

use super::rows::Current;
use crate::change_request::versioned_entries_schema;
use crate::ids::{ExpectedVersion, PriorityInBody, RoNumberInBody, StatusInBody};

#[derive(Deserialize, ToSchema)]
pub struct UpdateStatus {
    #[schema(schema_with = status_entries)]
    pub data: Vec<StatusEntry>,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatusEntry {
    pub repair_order_number: RoNumberInBody,
    /// 10 Drop, 11 Waiting, 12 Used, 13 PDI, 14 ENG, 15 Trans.
    pub id_status: StatusInBody,
    /// The version the change was decided on; a newer one refuses it.
    #[serde(default)]
    #[schema(required = false)]
    pub expected_version: ExpectedVersion,
}

#[derive(Deserialize, ToSchema)]
pub struct UpdatePriority {
    #[schema(schema_with = priority_entries)]
    pub data: Vec<PriorityEntry>,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PriorityEntry {
    pub ro_number: RoNumberInBody,
    /// 4 Waiting, 3 High, 2 Medium, 1 Low.
    pub priority_level: PriorityInBody,
    #[serde(default)]
    #[schema(required = false)]
    pub expected_version: ExpectedVersion,
}

fn status_entries() -> Schema {
    versioned_entries_schema("StatusEntry", ["repairOrderNumber", "idStatus"])
}

fn priority_entries() -> Schema {
    versioned_entries_schema("PriorityEntry", ["roNumber", "priorityLevel"])
}

/// For changes that need nothing said but the version, if at all.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfVersion {
    /// The version the change was decided on; a newer one refuses it.
    #[serde(default)]
    #[schema(required = false)]
    pub expected_version: ExpectedVersion,
}

/// The texts of a job to save; what is left out stays as it is.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobEdit {
    #[serde(default)]
    #[schema(nullable = false, max_length = 20000)]
    pub cause: Option<String>,
    #[serde(default)]
    #[schema(nullable = false, max_length = 20000)]
    pub brief_tech_notes: Option<String>,
    /// Held against the order, the job and the story before it, as that of an interview is.
    #[serde(default)]
    #[schema(nullable = false, max_length = 20000)]
    pub tech_story: Option<String>,
    /// The text of each doubt of the story that the caller has found to be right.
    #[serde(default)]
    #[schema(max_items = 500, required = false)]
    pub confirmed: Vec<String>,
    #[serde(default)]
    #[schema(required = false)]
    pub expected_version: ExpectedVersion,
}

/// A change that does not fit the order as it is; the newest state is beside a version that is no
/// longer it.
#[derive(Serialize, ToSchema)]
pub struct ConflictBody {
    /// Always false.
    pub ok: bool,
    pub error: String,
    /// `stale-version`, and others.
    pub code: String,
    /// With `stale-version`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub current: Option<Current>,
}

/// How a change can be refused, for the document.
pub struct Refusals;

impl IntoResponses for Refusals {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let refusal = |body: &str, what: &str| {
            let schema = Ref::from_schema_name(body);
            ResponseBuilder::new()
                .description(what)
                .content("application/json", Content::new(Some(schema)))
                .build()
                .into()
        };
        [
            (
                "403",
                refusal("Error", "The caller's roles do not permit it"),
            ),
            (
                "404",
                refusal("Error", "There is no such repair order or technician"),
            ),
            (
                "409",
                refusal(
                    "ConflictBody",
                    "The order has changed, is closed, or came otherwise; or the idempotency key \
                     was used for another request",
                ),
            ),
        ]
        .map(|(status, refusal)| (status.to_owned(), refusal))
        .into()
    }
}

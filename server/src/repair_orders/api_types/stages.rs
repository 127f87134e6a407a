//! What clients send about an order's stage, holds and calls to its customer, and where its hours went.

use dispatch_actors::repair_order::{CallReason, HoldActor, HoldReason, StageSpan};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::change_request::double_option;
use crate::ids::{ExpectedVersion, JobNumberInBody};
use crate::moments::MomentInBody;

/// Characters of a hold's note.
pub const MAX_NOTE_CHARS: usize = 500;

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetStage {
    /// The stage's id.
    #[schema(pattern = "^[a-z0-9-]{1,60}$")]
    pub stage: String,
    /// Whether the holds of the order end with it. Without that, an order that a hold keeps in its stage stays.
    #[serde(default)]
    #[schema(required = false)]
    pub end_holds: bool,
    /// The version the change was decided on; a newer one refuses it.
    #[serde(default)]
    #[schema(required = false)]
    pub expected_version: ExpectedVersion,
}

/// What an order, or one of its jobs, begins to wait for. Where it waits for the same already, what is said here is
/// changed of that hold, and what is left out stays as it is.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StartHold {
    pub reason: HoldReason,
    /// The job that waits; the whole order where it is left out.
    #[serde(default)]
    #[schema(required = false, nullable = false)]
    pub job_number: Option<JobNumberInBody>,
    /// Until when it is expected to wait. Null takes away until when it was expected to.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false)]
    pub expected_until: Option<Option<MomentInBody>>,
    /// Who must act for it to end. Usually `parts` where it waits for parts, `sublet` where another shop has it, else
    /// `advisor`.
    #[serde(default)]
    #[schema(required = false, nullable = false)]
    pub who_acts: Option<HoldActor>,
    #[serde(default)]
    #[schema(required = false, nullable = false, max_length = 500)]
    pub note: Option<String>,
    /// The version the change was decided on; a newer one refuses it.
    #[serde(default)]
    #[schema(required = false)]
    pub expected_version: ExpectedVersion,
}

/// That the customer was called.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordCall {
    /// About what, as far as it is so of the order: 409 `nothing-to-call-about` where it is not.
    #[schema(min_items = 1, max_items = 4)]
    pub about: Vec<CallReason>,
    /// The version the call was decided on; a newer one refuses it.
    #[serde(default)]
    #[schema(required = false)]
    pub expected_version: ExpectedVersion,
}

/// Where an order's hours went: the spans follow each other without gaps, and add up to the time between `from` and
/// `to`.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StageStrip)]
pub struct Strip {
    /// When the order was opened.
    pub from: Timestamp,
    /// When it was closed; now, where it is open.
    pub to: Timestamp,
    /// Oldest first.
    pub spans: Vec<Span>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StageSpan)]
pub struct Span {
    /// The stage's id; null before anything was known.
    #[schema(required)]
    pub stage: Option<String>,
    pub from: Timestamp,
    pub to: Timestamp,
}

impl From<StageSpan> for Span {
    fn from(span: StageSpan) -> Self {
        Self {
            stage: span.stage.map(|stage| stage.as_str().to_owned()),
            from: span.from,
            to: span.to,
        }
    }
}

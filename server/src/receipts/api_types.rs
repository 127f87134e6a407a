//! Receipts as clients see them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::repair_orders::api_types::By;
use crate::text::ReadableText;

/// How far the news of an assignment has come: what is null has not happened (yet).
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AssignmentReceipt)]
pub struct Receipt {
    pub ro_number: i64,
    pub technician_id: i64,
    /// Whether an account is linked to the technician: without one they cannot accept.
    pub portal_enabled: bool,
    pub assigned_at: Timestamp,
    pub assigned_by: By,
    /// The event's number; the same technician's next assignment to this order has a higher one.
    pub seq: i64,
    /// When it was handed to an open screen of the technician, or a push service took it.
    #[schema(required)]
    pub sent_at: Option<Timestamp>,
    /// When a screen or a browser of the technician had it.
    #[schema(required)]
    pub delivered_at: Option<Timestamp>,
    /// When it was on a screen that somebody looked at.
    #[schema(required)]
    pub seen_at: Option<Timestamp>,
    #[schema(required)]
    pub accepted_at: Option<Timestamp>,
    /// When the technician gave the order back.
    #[schema(required)]
    pub handed_back_at: Option<Timestamp>,
    /// Why.
    #[schema(required)]
    pub reason: Option<String>,
}

/// Sent as `ASSIGNMENT_RECEIPT`, without an offset, whenever a receipt begins or changes. One ends
/// without it: with the `RO_MODIFIED` that takes the order from the technician or, once it was handed
/// back, gives it to anybody.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = AssignmentReceiptNews)]
pub struct ReceiptNews {
    /// Always `ASSIGNMENT_RECEIPT`.
    r#type: &'static str,
    receipt: Receipt,
    timestamp: Timestamp,
}

impl ReceiptNews {
    pub const NAME: &'static str = "ASSIGNMENT_RECEIPT";

    pub fn new(receipt: Receipt) -> Self {
        Self {
            r#type: Self::NAME,
            receipt,
            timestamp: Timestamp::now(),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct Assignments {
    pub now: Timestamp,
    /// Of everybody who is on an open order by the desk's word, and of who handed one back that
    /// nobody was given since; by order and technician.
    pub receipts: Vec<Receipt>,
}

/// What a technician's screen can say of an assignment; each implies those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    Delivered,
    Seen,
    Accepted,
}

#[derive(Deserialize, ToSchema)]
#[schema(as = AssignmentStage)]
pub struct StageReached {
    pub stage: Stage,
}

#[derive(Deserialize, ToSchema)]
pub struct HandBack {
    /// Why, for the desk: 1 to 500 characters.
    pub reason: Reason,
}

/// Characters.
pub const MAX_REASON_CHARS: usize = 500;

type Reason = ReadableText<MAX_REASON_CHARS>;

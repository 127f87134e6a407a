//! The refusal of a story that states what nobody has entered.

use dispatch_stories::UnsupportedFact;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ErrorCode;

/// 422 `unconfirmed`: what has to be confirmed, or edited away, before the story can be saved.
#[derive(Serialize, ToSchema)]
pub struct Unconfirmed {
    /// Always false.
    pub ok: bool,
    pub error: String,
    /// `unconfirmed`.
    pub code: ErrorCode,
    pub doubts: Vec<UnsupportedFact>,
}

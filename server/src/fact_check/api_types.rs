//! Unsupported facts as clients see them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::ErrorCode;

/// A fact of a story that stands in none of the story's inputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Doubt)]
pub struct UnsupportedFact {
    pub kind: FactKind,
    pub text: String,
    /// Where it stands in the story, in UTF-16 units.
    pub start: usize,
    pub end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = DoubtKind)]
pub enum FactKind {
    Number,
    PartNumber,
    Code,
    Mileage,
    Date,
}

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

//! The fields of a warranty claim beside its story.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a claim's form has fields for, as it was entered. An empty one is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct StoryClaim {
    pub operation_code: String,
    pub operation_description: String,
    /// What the part is called that failed.
    pub causal_part: String,
    pub part_numbers: Vec<String>,
    pub trouble_codes: Vec<String>,
    /// Each with its unit, in the words in which it was told.
    pub measurements: Vec<String>,
    /// The number of the bulletin that applies.
    pub bulletin: String,
    /// With its unit where one was told.
    pub mileage: String,
}

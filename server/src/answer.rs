//! The answer to a call that succeeded.

use serde::Serialize;
use utoipa::ToSchema;

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Answer<T> {
    /// Always true.
    ok: bool,
    result: T,
}

impl<T> Answer<T> {
    pub fn new(result: T) -> Self {
        Self { ok: true, result }
    }
}

/// What became of each entry of a batch, in their order.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BatchAnswer<T> {
    /// False when an entry of several was refused.
    pub ok: bool,
    pub result: Vec<T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub code: Option<&'static str>,
}

/// The answer to a call that has nothing to say but that it is done.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Done {
    /// Always true.
    ok: bool,
    /// Always null.
    #[schema(value_type = Option<bool>, required)]
    result: (),
}

pub const DONE: Done = Done {
    ok: true,
    result: (),
};

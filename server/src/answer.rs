//! The answer to a call that succeeded.

use serde::Serialize;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

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

/// To a call that has nothing to say but that it is done.
pub type Done = Answer<Nothing>;

pub const DONE: Done = Answer {
    ok: true,
    result: Nothing,
};

/// `null`.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Nothing;

impl PartialSchema for Nothing {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Null).into()
    }
}

impl ToSchema for Nothing {}

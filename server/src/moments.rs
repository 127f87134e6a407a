//! Moments: of bodies, and the server's clock.

use std::borrow::Cow;

use jiff::Timestamp;
use serde::Deserialize;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, Schema, SchemaFormat, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::error::ApiError;

/// A moment of a body, as it was sent: RFC 3339, such as `2026-07-14T12:42:00Z`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct MomentInBody(String);

impl MomentInBody {
    /// To the millisecond. 400 `invalid-request` with the name of the `field`.
    pub fn parse(&self, field: &str) -> Result<Timestamp, ApiError> {
        let moment: Result<Timestamp, _> = self.0.trim().parse();
        moment.map(in_milliseconds).map_err(|_| {
            ApiError::invalid(format!(
                "{field} is not a moment, such as 2026-07-14T12:42:00Z"
            ))
        })
    }
}

impl PartialSchema for MomentInBody {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .into()
    }
}

impl ToSchema for MomentInBody {
    fn name() -> Cow<'static, str> {
        "Moment".into()
    }
}

/// As the database keeps moments.
pub fn in_milliseconds(at: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(at.as_millisecond()).unwrap_or(at)
}

/// The server's clock, as the database keeps moments.
pub fn now() -> Timestamp {
    in_milliseconds(Timestamp::now())
}

/// The same in the milliseconds that are in its columns.
pub fn now_ms() -> i64 {
    Timestamp::now().as_millisecond()
}

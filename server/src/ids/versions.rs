//! Versions of orders and numbers of events, in bodies.

use dispatch_actors::repair_order::{RoNumber, Version};
use dispatch_actors::store::Seq;
use serde::Deserialize;
use serde::de::{Deserializer, Error};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::typed_params::whole_number;

/// The version that a change was decided on, 0 to 2^53 - 1; none where it is left out or null. The
/// server refuses the change where the order has a newer one. To JSON 5.0 is the same number as 5.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExpectedVersion(pub Option<Version>);

impl PartialSchema for ExpectedVersion {
    fn schema() -> RefOr<Schema> {
        whole_number_or_null("The version the change was decided on; a newer one refuses it")
    }
}

impl ToSchema for ExpectedVersion {}

impl<'de> Deserialize<'de> for ExpectedVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        version(deserializer).map(Self)
    }
}

/// The event that is to be undone; none where it is left out or null.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UndoneEvent(pub Option<Seq>);

impl PartialSchema for UndoneEvent {
    fn schema() -> RefOr<Schema> {
        whole_number_or_null(
            "The event to take back, with whatever else its request did; without it, the last \
             change of this order by the caller, for Owner and Admin by anybody",
        )
    }
}

impl ToSchema for UndoneEvent {}

impl<'de> Deserialize<'de> for UndoneEvent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        version(deserializer).map(Self)
    }
}

fn whole_number_or_null(description: &str) -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::Integer, Type::Null]))
        .description(Some(description))
        .minimum(Some(0))
        .maximum(Some(RoNumber::MAX))
        .into()
}

fn version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let number = Option::<f64>::deserialize(deserializer)?;
    let version = |number: f64| {
        let why = || D::Error::custom(format!("{number} is not a version: 0 to {}", RoNumber::MAX));
        whole_number(number)
            .filter(|version| *version >= 0)
            .ok_or_else(why)
    };
    number.map(version).transpose()
}

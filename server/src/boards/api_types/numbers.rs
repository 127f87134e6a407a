//! How numbers and objects of bodies are read.

use dispatch_actors::repair_order::RoNumber;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error};
use serde_json::{Map, Value};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::typed_params::whole_number;

/// A whole number; to JSON 5.0 is the same as 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WholeNumber(pub i64);

impl PartialSchema for WholeNumber {
    fn schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Integer);
        number.minimum(Some(0)).maximum(Some(RoNumber::MAX)).into()
    }
}

impl ToSchema for WholeNumber {}

impl<'de> Deserialize<'de> for WholeNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        whole_number(number)
            .map(Self)
            .ok_or_else(|| D::Error::custom(format!("{number} is not a whole number")))
    }
}

pub(in crate::boards) fn integer<'de, D: Deserializer<'de>, T: TryFrom<i64>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let WholeNumber(number) = WholeNumber::deserialize(deserializer)?;
    T::try_from(number).map_err(|_| D::Error::custom(format!("{number} is too large")))
}

/// An object; of a struct serde would take a list of its values, too.
pub(in crate::boards) fn object<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<T, D::Error> {
    let object = Map::<String, Value>::deserialize(deserializer)?;
    serde_json::from_value(Value::Object(object)).map_err(D::Error::custom)
}

pub(in crate::boards) fn optional_object<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    object(deserializer).map(Some)
}

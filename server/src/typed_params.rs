//! Parameters of calls as types of their own: `identity::Path` reads them from an address, and
//! [`NumberOrString`] from a body. [`ParseText`] says once for each type how it is read, what is
//! answered to a text that is none, and what the OpenAPI document says of it. The types are in
//! [`crate::ids`].

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use dispatch_actors::repair_order::RoNumber;
use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{AnyOfBuilder, ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::error::ApiError;

/// A type that clients send as text.
pub trait ParseText: Sized {
    /// Refuses a text that is none of these with a sentence that quotes it.
    fn parse_text(text: &str) -> Result<Self, ApiError>;

    /// Which texts are valid, for the document: a pattern or a format, and an example.
    fn describe_text(text: ObjectBuilder) -> ObjectBuilder;
}

/// A type that clients send as text or, in a body, as a number.
pub trait ParseNumber: ParseText {
    /// Its name among the document's schemas.
    const SCHEMA_NAME: &'static str;

    /// Which numbers are valid, for the document: the smallest and the largest.
    fn describe_number(number: ObjectBuilder) -> ObjectBuilder;
}

/// The text of a `T` in an address, for the document.
pub struct PathText<T>(PhantomData<T>);

impl<T: ParseText> PartialSchema for PathText<T> {
    fn schema() -> RefOr<Schema> {
        text_schema::<T>().into()
    }
}

impl<T: ParseText> ToSchema for PathText<T> {}

/// A `T` in a body, as it was sent: as text or as a number. It is parsed by [`Self::parse`], so that
/// one wrong entry of a batch does not refuse the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberOrString<T> {
    text: String,
    of: PhantomData<T>,
}

impl<T: ParseText> NumberOrString<T> {
    pub fn parse(&self) -> Result<T, ApiError> {
        T::parse_text(&self.text)
    }

    /// As it was sent.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl<T: ParseNumber> PartialSchema for NumberOrString<T> {
    fn schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Integer);
        AnyOfBuilder::new()
            .item(text_schema::<T>())
            .item(T::describe_number(number))
            .into()
    }
}

impl<T: ParseNumber> ToSchema for NumberOrString<T> {
    fn name() -> Cow<'static, str> {
        T::SCHEMA_NAME.into()
    }
}

fn text_schema<T: ParseText>() -> ObjectBuilder {
    T::describe_text(ObjectBuilder::new().schema_type(Type::String))
}

impl<'de, T> Deserialize<'de> for NumberOrString<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = deserializer.deserialize_any(TextVisitor)?;
        Ok(Self {
            text,
            of: PhantomData,
        })
    }
}

struct TextVisitor;

impl Visitor<'_> for TextVisitor {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number, as text or as a number")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<String, E> {
        Ok(number.to_string())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<String, E> {
        Ok(number.to_string())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<String, E> {
        match whole_number(number) {
            Some(whole) => Ok(whole.to_string()),
            // Too large for any number of ours, which whoever parses it says.
            None if number.fract() == 0.0 => Ok(number.to_string()),
            None => Err(E::custom(format!("{number} is not a whole number"))),
        }
    }
}

/// To JSON 5.0 is the same number as 5, up to 2^53 - 1 in either direction. What a parser made of
/// the text of a large whole number may be off in its last bit.
pub fn whole_number(number: f64) -> Option<i64> {
    let whole = number.round();
    let is_whole = (number - whole).abs() <= number.abs() * f64::EPSILON;
    let most = RoNumber::MAX as f64;
    (is_whole && whole.abs() <= most).then_some(whole as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_is_one_however_json_writes_it() {
        for (number, whole) in [
            (5.0, Some(5)),
            (-3.0, Some(-3)),
            (0.0, Some(0)),
            (1_830_126_475_797_159.2, Some(1_830_126_475_797_159)),
            (RoNumber::MAX as f64, Some(RoNumber::MAX)),
            (1e18, None),
            (0.5, None),
            (5.000_000_1, None),
            (f64::NAN, None),
            (f64::INFINITY, None),
        ] {
            assert_eq!(whole_number(number), whole, "{number}");
        }
    }
}

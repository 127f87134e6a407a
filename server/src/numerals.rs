//! Numbers as clients send them, as text or as a number, and how the document describes them: what
//! a schema lets through, the server takes.
//!
//! On a field: `#[schema(schema_with = numerals::ro_number_schema)]`. In a path:
//! `params(("roNumber" = RoNumberText, Path))`.

use std::fmt;

use dispatch_actors::repair_order::{Priority, RoNumber, Status, Version};
use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};
use utoipa::openapi::schema::{
    AnyOfBuilder, ArrayBuilder, ObjectBuilder, Schema, SchemaType, Type,
};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

/// A whole number, sent as text or as a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numeral(String);

impl PartialSchema for Numeral {
    fn schema() -> RefOr<Schema> {
        either(ObjectBuilder::new(), ObjectBuilder::new()).into()
    }
}

impl ToSchema for Numeral {}

impl Numeral {
    pub fn text(&self) -> String {
        self.0.clone()
    }
}

impl<'de> Deserialize<'de> for Numeral {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyNumeral)
    }
}

struct AnyNumeral;

impl Visitor<'_> for AnyNumeral {
    type Value = Numeral;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number, as text or as a number")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Numeral, E> {
        Ok(Numeral(text.to_owned()))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Numeral, E> {
        Ok(Numeral(number.to_string()))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Numeral, E> {
        Ok(Numeral(number.to_string()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Numeral, E> {
        if number.fract() != 0.0 {
            return Err(E::custom(format!("{number} is not a whole number")));
        }
        Ok(Numeral(number.to_string()))
    }
}

/// A version that may be left out, 0 to 2^53 - 1; to JSON 5.0 is the same number as 5. With
/// `#[serde(default, deserialize_with = "numerals::optional_version")]`.
pub fn optional_version<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Version>, D::Error> {
    // Every whole number up to there is a float of its own.
    let number = Option::<f64>::deserialize(deserializer)?;
    let version = |number: f64| {
        let whole = number.fract() == 0.0 && (0.0..=RoNumber::MAX as f64).contains(&number);
        let why = || D::Error::custom(format!("{number} is not a version: 0 to {}", RoNumber::MAX));
        whole.then_some(number as Version).ok_or_else(why)
    };
    number.map(version).transpose()
}

/// As dealers write them: digits, with letters and zeros around them at most.
const RO_NUMBER: &str = "^[A-Za-z]{0,8}0{0,8}[1-9][0-9]{0,14}[A-Za-z]{0,8}$";

/// Whether a call names an order by this, which `RO_NUMBER` says to its callers; a number has a digit more.
/// A file may bring anything around the digits; a change must not go to the order that is left of an
/// accident.
pub fn names_an_order(text: &str) -> bool {
    let letter = |character: char| character.is_ascii_alphabetic();
    let rest = text.trim_start_matches(letter);
    let digits = rest.trim_end_matches(letter);
    let value = digits.trim_start_matches('0');
    text.len() - rest.len() <= 8
        && rest.len() - digits.len() <= 8
        && digits.len() - value.len() <= 8
        && (1..=16).contains(&value.len())
        && value.bytes().all(|byte| byte.is_ascii_digit())
}

/// An RO number in a path.
pub struct RoNumberText;

impl PartialSchema for RoNumberText {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String);
        let text = text.description(Some("An RO number, as the dealer writes it"));
        let text = text.pattern(Some(RO_NUMBER)).examples(["104217"]);
        text.into()
    }
}

impl ToSchema for RoNumberText {}

pub fn ro_number_schema() -> Schema {
    let text = ObjectBuilder::new().pattern(Some(RO_NUMBER));
    let number = ObjectBuilder::new().minimum(Some(1));
    either(text, number.maximum(Some(RoNumber::MAX)))
        .examples([104_217])
        .into()
}

pub fn technician_schema() -> Schema {
    let text = ObjectBuilder::new().pattern(Some("^[0-9]{1,15}$"));
    let number = ObjectBuilder::new().minimum(Some(0));
    either(text, number.maximum(Some(RoNumber::MAX)))
        .examples([11])
        .into()
}

/// Of somebody who is new.
pub fn new_technician_schema() -> Schema {
    let text = ObjectBuilder::new().pattern(Some("^[1-9][0-9]{0,14}$"));
    let number = ObjectBuilder::new().minimum(Some(1));
    either(text, number.maximum(Some(RoNumber::MAX)))
        .examples([11])
        .into()
}

/// A technician's number in a path.
pub struct TechnicianText;

impl PartialSchema for TechnicianText {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String);
        let text = text.description(Some("A technician's number"));
        text.pattern(Some("^[0-9]{1,15}$")).examples(["11"]).into()
    }
}

impl ToSchema for TechnicianText {}

pub fn status_schema() -> Schema {
    one_of(Status::ALL.map(|status| i64::from(status.id())))
}

pub fn priority_schema() -> Schema {
    one_of(Priority::ALL.map(|priority| i64::from(priority.level())))
}

/// A text on one line, without space around it: up to 100 characters and no control characters.
pub const LINE: &str =
    r"^[^\s\x00-\x1f\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]{0,98}[^\s\x00-\x1f\x7f-\x9f])?$";

pub fn line_schema() -> Schema {
    let text = ObjectBuilder::new().schema_type(Type::String);
    text.pattern(Some(LINE)).into()
}

/// The same, or nothing.
pub fn line_or_nothing_schema() -> Schema {
    let text = ObjectBuilder::new().schema_type(Type::String);
    let nothing = LINE.trim_start_matches('^').trim_end_matches('$');
    text.pattern(Some(format!("^({nothing})?$"))).into()
}

/// An id in a path.
pub struct IdText;

impl PartialSchema for IdText {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String);
        text.pattern(Some("^[0-9]{1,9}$")).examples(["1"]).into()
    }
}

impl ToSchema for IdText {}

/// An id in a body.
pub fn id_schema() -> Schema {
    either(ids_as_text(), ids_as_numbers()).into()
}

pub fn id_or_null_schema() -> Schema {
    either(ids_as_text(), ids_as_numbers())
        .item(ObjectBuilder::new().schema_type(Type::Null))
        .into()
}

fn ids_as_text() -> ObjectBuilder {
    ObjectBuilder::new().pattern(Some("^[0-9]{1,9}$"))
}

fn ids_as_numbers() -> ObjectBuilder {
    let number = ObjectBuilder::new().minimum(Some(0));
    number.maximum(Some(999_999_999))
}

/// An opcode, or the beginning of some with a star behind it.
pub fn opcode_pattern_schema() -> Schema {
    let text = ObjectBuilder::new().schema_type(Type::String);
    let one = r"[^*\s\x00-\x1f\x7f-\x9f]";
    let any = r"[^*\x00-\x1f\x7f-\x9f]";
    let pattern = format!(r"^(\*|{one}({any}{{0,48}}{one})?\*?)$");
    text.pattern(Some(pattern)).examples(["BRK*"]).into()
}

/// A place in a list, from 1.
pub fn position_schema() -> Schema {
    let text = ObjectBuilder::new().pattern(Some("^[1-9][0-9]{0,5}$"));
    let number = ObjectBuilder::new().minimum(Some(1));
    either(text, number.maximum(Some(1_000_000))).into()
}

pub fn skill_level_schema() -> Schema {
    let text = ObjectBuilder::new().pattern(Some("^[0-9]{1,6}$"));
    let number = ObjectBuilder::new().minimum(Some(0));
    either(text, number.maximum(Some(1_000_000))).into()
}

/// Entries of a `data` that are numerals, each with a version. See [`entries_of`].
pub fn entries_schema<const N: usize>(entry: &str, numerals: [&str; N], most: usize) -> Schema {
    let versioned = ObjectBuilder::new().property("expectedVersion", version_schema());
    entries_of(entry, with_numerals(versioned, &numerals), most)
}

/// An object of which it is only known that these are numerals.
pub fn with_numerals(object: ObjectBuilder, numerals: &[&str]) -> ObjectBuilder {
    numerals.iter().fold(object, |object, name| {
        let numeral = either(ObjectBuilder::new(), ObjectBuilder::new());
        object.property(*name, numeral).required(*name)
    })
}

/// Entries of a `data`. One alone is answered with its own status, so it must be right; of several
/// each is answered for itself, so it need only be readable. `entry` is the component of a right
/// one, which is to be named in the document's components.
pub fn entries_of(entry: &str, readable: ObjectBuilder, most: usize) -> Schema {
    let one = ArrayBuilder::new()
        .items(Ref::from_schema_name(entry))
        .min_items(Some(1))
        .max_items(Some(1));
    let several = ArrayBuilder::new()
        .items(readable)
        .min_items(Some(2))
        .max_items(Some(most));
    AnyOfBuilder::new().item(one).item(several).into()
}

pub fn version_schema() -> Schema {
    optional("The version the change was decided on; a newer one refuses it")
}

pub fn event_schema() -> Schema {
    optional(
        "The event to take back, with whatever else its request did; without it, the last change \
         of this order by the caller, for Owner and Admin by anybody",
    )
}

fn optional(description: &str) -> Schema {
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::Integer, Type::Null]))
        .description(Some(description))
        .minimum(Some(0))
        .maximum(Some(RoNumber::MAX))
        .into()
}

fn one_of<const N: usize>(numbers: [i64; N]) -> Schema {
    either(
        ObjectBuilder::new().enum_values(Some(numbers.map(|number| number.to_string()))),
        ObjectBuilder::new().enum_values(Some(numbers)),
    )
    .into()
}

fn either(text: ObjectBuilder, number: ObjectBuilder) -> AnyOfBuilder {
    AnyOfBuilder::new()
        .item(text.schema_type(Type::String))
        .item(number.schema_type(Type::Integer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    struct Entry {
        number: Numeral,
        #[serde(default, deserialize_with = "optional_version")]
        version: Option<i64>,
    }

    fn entry(json: &str) -> Result<(String, Option<i64>), String> {
        let entry: Entry = serde_json::from_str(json).map_err(|why| why.to_string())?;
        Ok((entry.number.text(), entry.version))
    }

    #[test]
    fn text_and_number_are_the_same() {
        for json in [r#""104217""#, "104217", "104217.0", "1.04217e5"] {
            let (text, version) =
                entry(&format!(r#"{{"number": {json}, "version": 3.0}}"#)).unwrap();
            assert_eq!((text.as_str(), version), ("104217", Some(3)), "{json}");
        }
        assert_eq!(
            entry(r#"{"number": "", "version": null}"#),
            Ok((String::new(), None))
        );
    }

    #[test]
    fn what_is_no_whole_number_is_refused() {
        for json in ["1.5", "1e400", "null", "true", "[]", "{}"] {
            assert!(
                entry(&format!(r#"{{"number": {json}}}"#)).is_err(),
                "{json}"
            );
        }
        for json in ["1.5", "1e300", "true", r#""1""#, "99999999999999999999"] {
            let whole = entry(&format!(r#"{{"number": 1, "version": {json}}}"#));
            assert!(whole.is_err(), "{json}");
        }
    }

    #[test]
    fn an_ro_number_of_the_document_is_one() {
        for text in ["1", "A0104218", "000000001", "999999999999999X", "e5", "5e"] {
            assert!(text.parse::<RoNumber>().is_ok(), "{text}");
            assert!(names_an_order(text), "{text}");
        }
        assert!(names_an_order(&RoNumber::MAX.to_string()));
        for text in [
            "",
            "X",
            "0",
            "1x2",
            "O'Neill 8",
            "8\u{b2}",
            " 8",
            "ABCDEFGHI8",
        ] {
            assert!(!names_an_order(text), "{text}");
        }
    }
}

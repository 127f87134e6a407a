//! How the OpenAPI document describes the entries of a batch.

use utoipa::PartialSchema;
use utoipa::openapi::Ref;
use utoipa::openapi::schema::{AnyOfBuilder, ArrayBuilder, ObjectBuilder, Schema, Type};

use super::MAX_ENTRIES;
use crate::ids::ExpectedVersion;

/// Entries of a `data` with these numbers, which may be sent as text, each with the version that its
/// change was decided on. See [`entries_schema`].
pub fn versioned_entries_schema<const N: usize>(entry: &str, numbers: [&str; N]) -> Schema {
    let versioned = ObjectBuilder::new().property("expectedVersion", ExpectedVersion::schema());
    entries_schema(entry, with_numbers(versioned, &numbers))
}

/// An object of which it is only known that it has these numbers.
pub fn with_numbers(object: ObjectBuilder, numbers: &[&str]) -> ObjectBuilder {
    numbers.iter().fold(object, |object, name| {
        let number_or_text = AnyOfBuilder::new()
            .item(ObjectBuilder::new().schema_type(Type::String))
            .item(ObjectBuilder::new().schema_type(Type::Integer));
        object.property(*name, number_or_text).required(*name)
    })
}

/// Entries of a `data`. One alone is answered with its own status, so it must be valid; of several
/// each is answered for itself, so it need only be `readable`. `entry` is the component of a valid
/// one, which is to be named in the document's components.
pub fn entries_schema(entry: &str, readable: ObjectBuilder) -> Schema {
    let one = ArrayBuilder::new()
        .items(Ref::from_schema_name(entry))
        .min_items(Some(1))
        .max_items(Some(1));
    let several = ArrayBuilder::new()
        .items(readable)
        .min_items(Some(2))
        .max_items(Some(MAX_ENTRIES));
    AnyOfBuilder::new().item(one).item(several).into()
}

//! A staff document as Firestore keeps it. What other programs wrote is read with good will; what
//! cannot be read permits nothing.

use std::collections::HashMap;

use firestore::gcloud_sdk::google::firestore::v1::value::ValueType;
use firestore::gcloud_sdk::google::firestore::v1::{ArrayValue, Document, Value};
use jiff::Timestamp;

use super::id_of;
use crate::staff::Role;
use crate::staff::collection::{StaffDocument, StaffPatch};

pub(super) fn read(document: &Document) -> StaffDocument {
    let id = id_of(&document.name);
    let field = |name: &str| {
        document
            .fields
            .get(name)
            .and_then(|value| value.value_type.as_ref())
            .filter(|value| !matches!(value, ValueType::NullValue(_)))
    };
    StaffDocument {
        id: id.to_owned(),
        email: field("email").and_then(text).unwrap_or_default(),
        name: field("name").and_then(text).unwrap_or_default(),
        roles: field("roles").map(|value| roles(id, value)),
        skill: field("skill").and_then(text),
        technician_id: field("technicianId").and_then(number),
        invited: matches!(field("invited"), Some(ValueType::BooleanValue(true))),
        invited_at: field("invitedAt").and_then(time),
        role: field("role").and_then(text),
        created_at: field("createdAt").and_then(time),
    }
}

/// Every field that the patch names, null where it takes something away.
pub(super) fn of_patch(patch: StaffPatch) -> HashMap<String, Value> {
    let StaffPatch {
        email,
        name,
        roles,
        skill,
        technician_id,
        invited,
        invited_at,
        role,
        created_at,
    } = patch;
    let or_null = |value: Option<ValueType>| value.unwrap_or(ValueType::NullValue(0));
    let string = ValueType::StringValue;
    let optional = |value: Option<Option<String>>| value.map(|value| or_null(value.map(string)));
    let at = |value: Option<Option<Timestamp>>| {
        value.map(|value| or_null(value.map(|at| string(at.to_string()))))
    };
    let fields = [
        ("email", email.map(string)),
        ("name", name.map(string)),
        ("roles", roles.map(|roles| list(&roles))),
        ("skill", optional(skill)),
        (
            "technicianId",
            technician_id.map(|id| or_null(id.map(ValueType::IntegerValue))),
        ),
        ("invited", invited.map(ValueType::BooleanValue)),
        ("invitedAt", at(invited_at)),
        ("role", optional(role)),
        ("createdAt", at(created_at)),
    ];
    fields
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), of_type(value?))))
        .collect()
}

fn of_type(value: ValueType) -> Value {
    Value {
        value_type: Some(value),
    }
}

fn list(roles: &[Role]) -> ValueType {
    let name = |role: &Role| of_type(ValueType::StringValue(role.name().to_owned()));
    ValueType::ArrayValue(ArrayValue {
        values: roles.iter().map(name).collect(),
    })
}

fn roles(id: &str, value: &ValueType) -> Vec<Role> {
    let ValueType::ArrayValue(list) = value else {
        tracing::warn!(document = id, "the roles of a staff document are no list");
        return Vec::new();
    };
    let mut roles = Vec::with_capacity(list.values.len());
    for value in &list.values {
        match &value.value_type {
            Some(ValueType::StringValue(name)) => match name.parse() {
                Ok(role) => roles.push(role),
                Err(error) => {
                    tracing::warn!(document = id, %error, "a staff document has an unknown role");
                }
            },
            _ => tracing::warn!(document = id, "a role of a staff document is no text"),
        }
    }
    roles
}

fn text(value: &ValueType) -> Option<String> {
    match value {
        ValueType::StringValue(text) => Some(text.clone()),
        ValueType::IntegerValue(number) => Some(number.to_string()),
        _ => None,
    }
}

/// JavaScript may write a number as any of these.
fn number(value: &ValueType) -> Option<i64> {
    match value {
        ValueType::IntegerValue(number) => Some(*number),
        // Exact below 2^53, which technicians' numbers are.
        ValueType::DoubleValue(number) if number.fract() == 0.0 => Some(*number as i64),
        ValueType::StringValue(text) => text.trim().parse().ok(),
        _ => None,
    }
}

fn time(value: &ValueType) -> Option<Timestamp> {
    match value {
        ValueType::StringValue(text) => text.parse().ok(),
        ValueType::TimestampValue(time) => Timestamp::new(time.seconds, time.nanos).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use firestore::gcloud_sdk::prost_types;

    use super::*;

    fn document(fields: impl IntoIterator<Item = (&'static str, ValueType)>) -> Document {
        Document {
            name: "projects/p/databases/(default)/documents/users/ann@example.com".to_owned(),
            fields: fields
                .into_iter()
                .map(|(name, value)| (name.to_owned(), of_type(value)))
                .collect(),
            ..Document::default()
        }
    }

    fn string(text: &str) -> ValueType {
        ValueType::StringValue(text.to_owned())
    }

    fn texts(texts: &[&str]) -> ValueType {
        ValueType::ArrayValue(ArrayValue {
            values: texts.iter().map(|text| of_type(string(text))).collect(),
        })
    }

    #[test]
    fn a_patch_is_read_as_it_was_written() {
        let at: Timestamp = "2026-03-01T10:00:00.123Z".parse().unwrap();
        let patch = StaffPatch {
            email: Some("ann@example.com".to_owned()),
            name: Some("Ann".to_owned()),
            roles: Some(vec![Role::ServiceManager, Role::Owner]),
            skill: Some(Some("Master".to_owned())),
            technician_id: Some(Some(7)),
            invited: Some(true),
            invited_at: Some(Some(at)),
            role: Some(Some("owner".to_owned())),
            created_at: Some(None),
        };
        let mut expected = StaffDocument {
            id: "ann@example.com".to_owned(),
            ..StaffDocument::default()
        };
        patch.clone().apply(&mut expected);
        let written = Document {
            fields: of_patch(patch),
            ..document([])
        };
        assert_eq!(read(&written), expected);
        assert!(of_patch(StaffPatch::default()).is_empty());
    }

    #[test]
    fn what_other_programs_write_is_read_with_good_will() {
        let read = read(&document([
            ("technicianId", string(" 1104 ")),
            ("skill", ValueType::IntegerValue(3)),
            ("roles", texts(&["owner", "Boss", "service manager"])),
            ("invited", string("yes")),
            (
                "createdAt",
                ValueType::TimestampValue(prost_types::Timestamp {
                    seconds: 1_700_000_000,
                    nanos: 5_000_000,
                }),
            ),
            ("shoeSize", ValueType::DoubleValue(42.5)),
        ]));
        assert_eq!(read.technician_id, Some(1_104));
        assert_eq!(read.skill.as_deref(), Some("3"));
        assert_eq!(read.roles(), [Role::Owner, Role::ServiceManager]);
        assert!(!read.invited);
        assert_eq!(read.created_at.unwrap().as_millisecond(), 1_700_000_000_005);
    }

    #[test]
    fn roles_that_cannot_be_read_permit_nothing() {
        for unreadable in [
            string("Owner"),
            ValueType::BooleanValue(true),
            texts(&["Boss"]),
            ValueType::ArrayValue(ArrayValue {
                values: vec![of_type(ValueType::IntegerValue(1)), Value::default()],
            }),
        ] {
            let read = read(&document([("roles", unreadable)]));
            assert_eq!(read.roles, Some(Vec::new()));
        }
        assert_eq!(
            read(&document([("roles", ValueType::NullValue(0))])).roles,
            None
        );
        assert_eq!(read(&document([])).roles, None);
    }
}

//! The fields of a staff document in Firestore. What other programs write is read leniently; roles that
//! cannot be read permit nothing.

use dispatch_hosted::{Document, FieldValue, Fields};
use jiff::Timestamp;

use crate::staff::{Role, StaffDocument, StaffPatch};

pub(super) fn from_document(document: Document) -> StaffDocument {
    let Document { id, fields } = document;
    let field = |name: &str| {
        let value = fields.get(name);
        value.filter(|value| !matches!(value, FieldValue::Null))
    };
    StaffDocument {
        email: field("email").and_then(text).unwrap_or_default(),
        name: field("name").and_then(text).unwrap_or_default(),
        roles: field("roles").map(|value| roles(&id, value)),
        skill: field("skill").and_then(text),
        technician_id: field("technicianId").and_then(number),
        invited: matches!(field("invited"), Some(FieldValue::Boolean(true))),
        invited_at: field("invitedAt").and_then(time),
        role: field("role").and_then(text),
        created_at: field("createdAt").and_then(time),
        id,
    }
}

/// Every field that the patch names, null where it takes something away.
pub(super) fn to_fields(patch: StaffPatch) -> Fields {
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
    let or_null = |value: Option<FieldValue>| value.unwrap_or(FieldValue::Null);
    let text = FieldValue::Text;
    let optional_text = |value: Option<Option<String>>| value.map(|value| or_null(value.map(text)));
    let optional_time = |value: Option<Option<Timestamp>>| {
        value.map(|value| or_null(value.map(|time| text(time.to_string()))))
    };
    let fields = [
        ("email", email.map(text)),
        ("name", name.map(text)),
        ("roles", roles.map(|roles| role_names(&roles))),
        ("skill", optional_text(skill)),
        (
            "technicianId",
            technician_id.map(|id| or_null(id.map(FieldValue::Integer))),
        ),
        ("invited", invited.map(FieldValue::Boolean)),
        ("invitedAt", optional_time(invited_at)),
        ("role", optional_text(role)),
        ("createdAt", optional_time(created_at)),
    ];
    fields
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .collect()
}

fn role_names(roles: &[Role]) -> FieldValue {
    let name = |role: &Role| FieldValue::Text(role.name().to_owned());
    FieldValue::Array(roles.iter().map(name).collect())
}

fn roles(id: &str, value: &FieldValue) -> Vec<Role> {
    let FieldValue::Array(values) = value else {
        tracing::warn!(document = id, "the roles of a staff document are no list");
        return Vec::new();
    };
    let mut roles = Vec::with_capacity(values.len());
    for value in values {
        match value {
            FieldValue::Text(name) => match name.parse() {
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

fn text(value: &FieldValue) -> Option<String> {
    match value {
        FieldValue::Text(text) => Some(text.clone()),
        FieldValue::Integer(number) => Some(number.to_string()),
        _ => None,
    }
}

/// JavaScript may write a number as any of these.
fn number(value: &FieldValue) -> Option<i64> {
    match value {
        FieldValue::Integer(number) => Some(*number),
        // Exact below 2^53, which technicians' numbers are.
        FieldValue::Double(number) if number.fract() == 0.0 => Some(*number as i64),
        FieldValue::Text(text) => text.trim().parse().ok(),
        _ => None,
    }
}

fn time(value: &FieldValue) -> Option<Timestamp> {
    match value {
        FieldValue::Text(text) => text.parse().ok(),
        FieldValue::Timestamp(time) => Some(*time),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(fields: impl IntoIterator<Item = (&'static str, FieldValue)>) -> Document {
        let fields = fields.into_iter();
        Document {
            id: "ann@example.com".to_owned(),
            fields: fields
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        }
    }

    fn string(text: &str) -> FieldValue {
        FieldValue::Text(text.to_owned())
    }

    fn texts(texts: &[&str]) -> FieldValue {
        FieldValue::Array(texts.iter().map(|text| string(text)).collect())
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
            fields: to_fields(patch),
            ..document([])
        };
        assert_eq!(from_document(written), expected);
        assert!(to_fields(StaffPatch::default()).is_empty());
    }

    #[test]
    fn fields_of_other_programs_are_read_leniently() {
        let read = from_document(document([
            ("technicianId", string(" 1104 ")),
            ("skill", FieldValue::Integer(3)),
            ("roles", texts(&["owner", "Boss", "service manager"])),
            ("invited", string("yes")),
            (
                "createdAt",
                FieldValue::Timestamp(Timestamp::from_millisecond(1_700_000_000_005).unwrap()),
            ),
            ("shoeSize", FieldValue::Double(42.5)),
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
            FieldValue::Boolean(true),
            texts(&["Boss"]),
            FieldValue::Array(vec![FieldValue::Integer(1), FieldValue::Null]),
        ] {
            let read = from_document(document([("roles", unreadable)]));
            assert_eq!(read.roles, Some(Vec::new()));
        }
        assert_eq!(
            from_document(document([("roles", FieldValue::Null)])).roles,
            None
        );
        assert_eq!(from_document(document([])).roles, None);
    }
}

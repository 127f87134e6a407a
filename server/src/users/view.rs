//! Staff records as clients see and write them.

use dispatch_actors::repair_order::{RoNumber, TechnicianId};
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};

use crate::change_request::{self, double_option};
use crate::error::ApiError;
use crate::identity::{MailState, MailStatus};
use crate::limits;
use crate::staff::{Role, StaffDocument, StaffPatch};
use crate::text::{ONE_LINE, OneLine};
use crate::typed_params::whole_number;

/// A staff record.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StaffView {
    /// An email in lower case, or a user id.
    pub id: String,
    pub email: String,
    pub name: String,
    pub roles: Vec<Role>,
    #[schema(required)]
    pub skill: Option<String>,
    /// The technician this person is, if any.
    #[schema(required)]
    pub technician_id: Option<TechnicianId>,
    /// Invited, and not signed in yet.
    pub invited: bool,
    #[schema(format = DateTime, required)]
    pub invited_at: Option<String>,
    /// What became of the newest mail; null for who is not invited, where a hosted provider sends
    /// its own, and 30 days after it was sent.
    #[schema(required)]
    pub invitation_mail: Option<InvitationMail>,
    /// What the debug page writes; it grants nothing.
    #[schema(required)]
    pub role: Option<String>,
    #[schema(format = DateTime, required)]
    pub created_at: Option<String>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvitationMail {
    pub state: MailState,
    /// When it was queued or, once it was tried, when it was tried last.
    #[schema(format = DateTime)]
    pub at: String,
    /// Why it was not sent the last time, in the mail server's words.
    #[schema(required)]
    pub failure: Option<String>,
    /// While it is `retrying`.
    #[schema(format = DateTime, required)]
    pub next_attempt_at: Option<String>,
}

impl From<MailStatus> for InvitationMail {
    fn from(status: MailStatus) -> Self {
        Self {
            state: status.state,
            at: status.at.to_string(),
            failure: status.failure,
            next_attempt_at: status.next_attempt_at.map(|at| at.to_string()),
        }
    }
}

impl StaffView {
    pub fn new(document: StaffDocument, mail: Option<MailStatus>) -> Self {
        let mail = mail.filter(|_| document.invited);
        Self {
            invitation_mail: mail.map(InvitationMail::from),
            id: document.id,
            email: document.email,
            name: document.name,
            roles: document.roles.unwrap_or_default(),
            skill: document.skill,
            technician_id: document.technician_id,
            invited: document.invited,
            invited_at: document.invited_at.map(|at| at.to_string()),
            role: document.role,
            created_at: document.created_at.map(|at| at.to_string()),
        }
    }
}

/// What is not sent stays as it is.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StaffFields {
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    name: Option<OneLine>,
    #[serde(default, deserialize_with = "double_option")]
    #[schema(nullable = false)]
    roles: Option<Vec<Role>>,
    /// Null takes it away.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(schema_with = line_or_null, required = false)]
    skill: Option<Option<String>>,
    /// Null takes it away.
    #[serde(default, deserialize_with = "given_technician")]
    #[schema(schema_with = technician_or_null, required = false)]
    technician_id: Option<Option<TechnicianId>>,
}

impl StaffFields {
    /// Of a JSON object; a list of the fields' values would do for serde. 400 `invalid-request`.
    pub(super) fn of(object: Map<String, Value>) -> Result<Self, ApiError> {
        change_request::fields(object)
    }

    /// 400 `invalid-request`.
    pub(super) fn read(self) -> Result<StaffPatch, ApiError> {
        let name = self.name.map(|name| limits::short_text("The name", &name));
        Ok(StaffPatch {
            name: name.transpose()?,
            roles: self.roles.as_deref().map(Role::distinct),
            skill: self.skill.map(skill).transpose()?,
            technician_id: self.technician_id,
            ..StaffPatch::default()
        })
    }
}

/// A skill's name, if there is one.
pub(super) fn skill(text: Option<String>) -> Result<Option<String>, ApiError> {
    let text = text.filter(|text| !text.trim().is_empty());
    text.map(|text| limits::short_text("The skill", &text))
        .transpose()
}

fn given_technician<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<TechnicianId>>, D::Error> {
    technician(deserializer).map(Some)
}

/// A technician's number, a whole one from 1, or null.
pub(super) fn technician<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<TechnicianId>, D::Error> {
    let number = Option::<f64>::deserialize(deserializer)?;
    let read = |number: f64| {
        let why = || {
            D::Error::custom(format!(
                "{number} is not a technician's number: 1 or higher"
            ))
        };
        whole_number(number).filter(|id| *id >= 1).ok_or_else(why)
    };
    number.map(read).transpose()
}

fn line_or_null() -> Schema {
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
        .pattern(Some(ONE_LINE))
        .into()
}

pub(super) fn technician_or_null() -> Schema {
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::Integer, Type::Null]))
        .minimum(Some(1))
        .maximum(Some(RoNumber::MAX))
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<StaffPatch, String> {
        let fields: StaffFields = serde_json::from_str(json).map_err(|why| why.to_string())?;
        fields.read().map_err(|refused| refused.error)
    }

    #[test]
    fn a_missing_field_is_not_written_and_null_clears_it() {
        assert_eq!(read("{}"), Ok(StaffPatch::default()));
        let patch = read(r#"{"skill": null, "technicianId": null, "roles": ["Used", "Used"]}"#);
        let expected = StaffPatch {
            skill: Some(None),
            technician_id: Some(None),
            roles: Some(vec![Role::Used]),
            ..StaffPatch::default()
        };
        assert_eq!(patch, Ok(expected));
        let patch = read(r#"{"name": " Ann ", "skill": " ", "technicianId": 7.0}"#).unwrap();
        assert_eq!(patch.name.as_deref(), Some("Ann"));
        assert_eq!(
            (patch.skill, patch.technician_id),
            (Some(None), Some(Some(7)))
        );
    }

    #[test]
    fn a_value_that_cannot_be_stored_is_refused() {
        for json in [
            r#"{"name": null}"#,
            r#"{"name": " "}"#,
            r#"{"name": "a\nb"}"#,
            r#"{"roles": null}"#,
            r#"{"roles": ["Boss"]}"#,
            r#"{"technicianId": 0}"#,
            r#"{"technicianId": 1.5}"#,
            r#"{"technicianId": "7"}"#,
            r#"{"technicianId": 9007199254740992}"#,
            r#"{"skill": 7}"#,
        ] {
            assert!(read(json).is_err(), "{json}");
        }
    }
}

//! Skills as clients send them, and what became of each entry.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::openapi::schema::{ObjectBuilder, Schema};
use utoipa::{IntoParams, ToSchema};

use super::store::SkillDraft;
use super::{Skill, SkillKind, SkillLevel, SkillLevelInBody, SkillName};
use crate::change_request::{double_option, entries_schema, with_numbers};
use crate::error::{ApiError, ErrorCode};
use crate::ids::{SkillIdInBody, TechnicianIdInBody};
use crate::text::{OneLine, OneLineOrEmpty};

#[derive(Deserialize, ToSchema)]
pub struct AddSkills {
    #[schema(schema_with = skill_entries)]
    pub(super) data: Vec<SkillEntry>,
}

fn skill_entries() -> Schema {
    entries_schema("SkillEntry", ObjectBuilder::new())
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", from = "Map<String, Value>")]
pub struct SkillEntry {
    /// 1 to 100 characters, not counting spaces around it; no other skill's, also not in another
    /// case.
    #[schema(value_type = OneLine, required)]
    pub(super) skill_name: Option<Value>,
    /// A whole number from 0 to 1,000,000.
    pub(super) skill_level: SkillLevelInBody,
    /// What it is a skill in, up to 100 characters; none of any where it is empty.
    #[schema(value_type = OneLineOrEmpty, required = false)]
    pub(super) skill_kind: Option<Value>,
}

/// A field that is not sent stays unchanged.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangeSkill {
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    pub(super) skill_name: Option<OneLine>,
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    pub(super) skill_level: Option<SkillLevelInBody>,
    /// Empty: it is of no kind any more.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    pub(super) skill_kind: Option<OneLineOrEmpty>,
}

#[derive(Deserialize, ToSchema)]
pub struct GiveSkills {
    #[schema(schema_with = skill_gifts)]
    pub(super) data: Vec<SkillGift>,
}

fn skill_gifts() -> Schema {
    let readable = with_numbers(ObjectBuilder::new(), &["idTechnician", "idSkill"]);
    entries_schema("SkillGift", readable)
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillGift {
    pub(super) id_technician: TechnicianIdInBody,
    pub(super) id_skill: SkillIdInBody,
}

/// An entry that was carried out.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillDone {
    /// Always true.
    pub(super) ok: bool,
    /// The technician who has it now; only where skills are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) id_technician: Option<i64>,
    #[serde(flatten)]
    pub(super) skill: Skill,
}

impl SkillDone {
    pub(super) fn new(id_technician: Option<i64>, skill: Skill) -> Self {
        Self {
            ok: true,
            id_technician,
            skill,
        }
    }
}

/// An entry that changed nothing, why, and which one it was.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillRefused {
    /// Always false.
    pub(super) ok: bool,
    pub(super) error: String,
    pub(super) code: ErrorCode,
    /// As it was sent; only where skills are added.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) skill_name: Option<String>,
    /// Only where skills are given, and if it could be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) id_technician: Option<i64>,
}

#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum SkillResult {
    Done(SkillDone),
    Refused(SkillRefused),
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct DeleteOptions {
    /// Technicians who have it have it no more then, and rules that ask for it are gone.
    #[serde(default)]
    #[param(required = false)]
    pub(super) even_if_used: bool,
}

/// Each is read for itself, whatever is in it.
impl From<Map<String, Value>> for SkillEntry {
    fn from(mut entry: Map<String, Value>) -> Self {
        Self {
            skill_name: entry.remove("skillName"),
            skill_level: SkillLevelInBody(entry.remove("skillLevel").unwrap_or_default()),
            skill_kind: entry.remove("skillKind"),
        }
    }
}

impl SkillEntry {
    pub(super) fn name(&self) -> Option<&str> {
        self.skill_name.as_ref().and_then(Value::as_str)
    }

    pub(super) fn read(&self) -> Result<SkillDraft, ApiError> {
        let is_missing = |value: &Value| match value {
            Value::Null => true,
            Value::String(text) => text.trim().is_empty(),
            _ => false,
        };
        let name = self.skill_name.as_ref().unwrap_or(&Value::Null);
        if is_missing(name) || is_missing(&self.skill_level.0) {
            return Err(ApiError::new(
                ErrorCode::IncompleteSkill,
                "Please fill in both skill name and level",
            ));
        }
        let kind = match &self.skill_kind {
            None => "",
            Some(kind) => kind
                .as_str()
                .ok_or_else(|| ApiError::invalid("skillKind is a text, such as Engine"))?,
        };
        Ok(SkillDraft {
            name: SkillName::parse(name.as_str().unwrap_or_default())?,
            level: SkillLevel::parse(&self.skill_level)?,
            kind: SkillKind::parse(kind)?,
        })
    }
}

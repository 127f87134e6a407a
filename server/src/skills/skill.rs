//! A skill: its name, and the level by which skills are ranked.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{AnyOfBuilder, ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::error::{ApiError, ErrorCode};
use crate::text::folded;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Skill {
    pub id_skill: i64,
    pub skill_name: String,
    /// 0 to 1,000,000; the higher one is the higher skill.
    pub skill_level: i32,
    /// What it is a skill in, such as Engine. Of one kind a skill includes those of its level and below.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub skill_kind: Option<String>,
}

impl Skill {
    /// Whether who has this one has the other, too.
    pub fn includes(&self, other: &Self) -> bool {
        if self.id_skill == other.id_skill {
            return true;
        }
        let are_of_a_kind = match (&self.skill_kind, &other.skill_kind) {
            (Some(kind), Some(others)) => folded(kind) == folded(others),
            _ => false,
        };
        are_of_a_kind && self.skill_level >= other.skill_level
    }
}

/// A skill, and what would miss it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedSkill {
    #[serde(flatten)]
    pub skill: Skill,
    pub used_by: SkillUse,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct SkillUse {
    /// Technicians who have it.
    pub technicians: u64,
    /// Opcode rules that ask for it.
    pub rules: u64,
}

/// A name as it may be stored: trimmed, 1 to 100 characters, none of them a control character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillName(String);

impl SkillName {
    const MAX_CHARS: usize = 100;

    /// 400 `invalid-skill-name`.
    pub fn parse(text: &str) -> Result<Self, ApiError> {
        Self::named("skill name", text)
    }

    /// `what` says in a refusal what the name is of.
    fn named(what: &str, text: &str) -> Result<Self, ApiError> {
        let refused = |sentence: String| Err(ApiError::new(ErrorCode::InvalidSkillName, sentence));
        let name = text.trim();
        let length = name.chars().count();
        if name.is_empty() {
            refused(format!("The {what} is empty"))
        } else if length > Self::MAX_CHARS {
            refused(format!(
                "The {what} has {length} characters; use at most {}",
                Self::MAX_CHARS
            ))
        } else if name.chars().any(char::is_control) {
            refused(format!(
                "The {what} has a line break or another control character; take it out"
            ))
        } else {
            Ok(Self(name.to_owned()))
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn is_called(&self, other: &str) -> bool {
        folded(&self.0) == folded(other)
    }
}

/// The kind of a skill as it may be stored, like a name; none where the text is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillKind(Option<SkillName>);

impl SkillKind {
    /// 400 `invalid-skill-name`.
    pub fn parse(text: &str) -> Result<Self, ApiError> {
        match text.trim() {
            "" => Ok(Self(None)),
            kind => SkillName::named("skill's kind", kind).map(|kind| Self(Some(kind))),
        }
    }

    pub fn into_text(self) -> Option<String> {
        self.0.map(|SkillName(kind)| kind)
    }
}

/// A level of a body, as it was sent: a whole number from 0 to 1,000,000, or the text of one.
/// [`SkillLevel::parse`] says whether it is one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct SkillLevelInBody(pub(super) Value);

impl PartialSchema for SkillLevelInBody {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String);
        let number = ObjectBuilder::new().schema_type(Type::Integer);
        AnyOfBuilder::new()
            .item(text.pattern(Some("^[0-9]{1,6}$")))
            .item(
                number
                    .minimum(Some(0))
                    .maximum(Some(SkillLevel::HIGHEST as usize)),
            )
            .into()
    }
}

impl ToSchema for SkillLevelInBody {
    fn name() -> Cow<'static, str> {
        "SkillLevel".into()
    }
}

/// 0 to 1,000,000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkillLevel(i32);

impl SkillLevel {
    const HIGHEST: i32 = 1_000_000;

    /// A whole number, or the text of one; 400 `invalid-skill-level`.
    pub fn parse(SkillLevelInBody(value): &SkillLevelInBody) -> Result<Self, ApiError> {
        let level = match value {
            Value::String(text) => text.trim().parse().ok(),
            // Some programs write 3 as 3.0.
            Value::Number(number) => number.as_i64().or_else(|| {
                let whole = number.as_f64().filter(|number| number.fract() == 0.0)?;
                Some(whole as i64)
            }),
            _ => None,
        };
        level
            .and_then(|level| i32::try_from(level).ok())
            .filter(|level| (0..=Self::HIGHEST).contains(level))
            .map(Self)
            .ok_or_else(|| {
                ApiError::new(
                    ErrorCode::InvalidSkillLevel,
                    format!(
                        "The skill level must be a whole number from 0 to {}",
                        Self::HIGHEST
                    ),
                )
            })
    }

    pub fn get(self) -> i32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_name_is_trimmed_and_otherwise_kept_as_it_is() {
        for (text, kept) in [
            ("  Brakes\t\n", "Brakes"),
            ("'); DROP TABLE skills;--", "'); DROP TABLE skills;--"),
            ("<script>alert(1)</script>", "<script>alert(1)</script>"),
            ("👩‍🔧 Elektrik – Größe 2", "👩‍🔧 Elektrik – Größe 2"),
        ] {
            assert_eq!(SkillName::parse(text).unwrap().as_str(), kept);
        }
        let longest = "ß".repeat(100);
        assert_eq!(SkillName::parse(&longest).unwrap().as_str(), longest);
    }

    #[test]
    fn a_name_is_the_same_in_any_case() {
        let name = SkillName::parse("Größe").unwrap();
        for same in ["größe", "GRÖSSE", "Grösse", "GRÖßE"] {
            assert!(name.is_called(same), "{same}");
        }
        for other in ["Grosse", "Größen", "Grö ße"] {
            assert!(!name.is_called(other), "{other}");
        }
    }

    #[test]
    fn a_name_that_cannot_be_shown_is_refused() {
        for text in [
            "",
            "   ",
            "Bra\0kes",
            "Bra\nkes",
            "\u{1b}[31m",
            &"a".repeat(101),
        ] {
            let refused = SkillName::parse(text).unwrap_err();
            assert_eq!(
                (refused.status.as_u16(), refused.code.as_str()),
                (400, "invalid-skill-name"),
                "{text:?}"
            );
        }
    }

    #[test]
    fn a_skill_includes_those_of_its_kind_that_are_no_higher() {
        let skill = |id_skill, skill_level, kind: Option<&str>| Skill {
            id_skill,
            skill_name: format!("Skill {id_skill}"),
            skill_level,
            skill_kind: kind.map(str::to_owned),
        };
        let master = skill(1, 5, Some("Engine"));
        for (other, included) in [
            (skill(1, 9, None), true),
            (skill(2, 4, Some("engine")), true),
            (skill(3, 5, Some("Engine")), true),
            (skill(4, 6, Some("Engine")), false),
            (skill(5, 1, Some("Electrical")), false),
            (skill(6, 1, None), false),
        ] {
            assert_eq!(master.includes(&other), included, "{other:?}");
        }
        let plain = skill(7, 5, None);
        assert!(!plain.includes(&skill(8, 1, None)));
    }

    #[test]
    fn an_empty_kind_is_none() {
        assert_eq!(SkillKind::parse("  ").unwrap().into_text(), None);
        let kind = SkillKind::parse(" Engine ").unwrap();
        assert_eq!(kind.into_text().as_deref(), Some("Engine"));
        assert!(SkillKind::parse(&"a".repeat(101)).is_err());
    }

    #[test]
    fn a_level_is_a_whole_number_or_the_text_of_one() {
        for (value, level) in [
            (json!(0), 0),
            (json!("7"), 7),
            (json!(" 12 "), 12),
            (json!(3.0), 3),
            (json!(1_000_000), 1_000_000),
        ] {
            assert_eq!(
                SkillLevel::parse(&SkillLevelInBody(value.clone()))
                    .unwrap()
                    .get(),
                level
            );
        }
        for value in [
            json!(-1),
            json!(1_000_001),
            json!(2.5),
            json!("2.5"),
            json!("three"),
            json!(""),
            json!(null),
            json!(true),
            json!([3]),
            json!(1e300),
            json!(u64::MAX),
            json!("99999999999999999999"),
        ] {
            let refused = SkillLevel::parse(&SkillLevelInBody(value.clone())).unwrap_err();
            assert_eq!(
                (refused.status.as_u16(), refused.code.as_str()),
                (400, "invalid-skill-level"),
                "{value}"
            );
        }
    }
}

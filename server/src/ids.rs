//! What the calls name things by: ids, numbers of the dealer's, and codes. Each type says here, and
//! nowhere else, how it is read and documented; see [`crate::typed_params`].

use std::fmt;

use dispatch_actors::repair_order::{Priority, RoNumber, Status, TechnicianId, Version};
use dispatch_actors::store::Seq;
use dispatch_actors::text::quotable;
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{RefOr, SchemaFormat};
use utoipa::{PartialSchema, ToSchema};

use crate::error::{ApiError, ErrorCode};
use crate::typed_params::{NumberOrString, ParseNumber, ParseText, PathText, whole_number};

/// An id that the database gives, from 1.
macro_rules! row_id {
    ($(#[$doc:meta])* $name:ident($integer:ty), $called:literal, $description:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub $integer);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl ParseText for $name {
            fn parse_text(text: &str) -> Result<Self, ApiError> {
                text.trim().parse().map(Self).map_err(|_| is_not(text, $called))
            }

            fn describe_text(text: ObjectBuilder) -> ObjectBuilder {
                text.pattern(Some("^[0-9]{1,9}$"))
                    .description(Some($description))
                    .examples(["1"])
            }
        }

        impl ParseNumber for $name {
            const SCHEMA_NAME: &'static str = stringify!($name);

            fn describe_number(number: ObjectBuilder) -> ObjectBuilder {
                number.minimum(Some(0)).maximum(Some(999_999_999))
            }
        }
    };
}

row_id!(
    /// A skill.
    SkillId(i64),
    "a skill's number",
    "A skill's number"
);
row_id!(
    /// A level of the organisation.
    LevelId(i64),
    "a level's number",
    "A level's number"
);
row_id!(
    /// A rule that says which skill an operation code asks for.
    OpcodeRuleId(i64),
    "a rule's number",
    "A rule's number"
);
row_id!(
    /// An entry of a technician's clock.
    ClockEntryId(i64),
    "a clock entry's number",
    "A clock entry's number"
);
row_id!(
    /// A job's number within its order, from 1.
    JobNumber(i32),
    "a job number",
    "A job number, from 1"
);

/// A text that names something. Whether there is such a thing is found out by looking for it.
macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident, $text:ident => $description:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                Self::describe_text(ObjectBuilder::new().schema_type(Type::String)).into()
            }
        }

        impl ToSchema for $name {}

        impl ParseText for $name {
            fn parse_text(text: &str) -> Result<Self, ApiError> {
                Ok(Self(text.to_owned()))
            }

            fn describe_text($text: ObjectBuilder) -> ObjectBuilder {
                $description
            }
        }
    };
}

text_id!(
    /// A board, by its UUID.
    BoardId,
    text => uuid(text, "The board's id")
);
text_id!(
    /// Somebody on the staff: the email of their record, or their account's id.
    UserKey,
    text => text.description(Some("An email in lower case, or a user id"))
);
text_id!(
    /// A sign-in session.
    SessionId,
    text => text.description(Some("Of the list of sessions"))
);
text_id!(
    /// An interview, by its UUID.
    ConversationId,
    text => text
        .pattern(Some("^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"))
        .examples(["0f8b3c1e-5a52-4d0f-9b59-2d1c7f1d6a10"])
);
text_id!(
    /// An intake key, by its UUID; not its secret.
    IntakeKeyId,
    text => uuid(text, "The key's id, not its secret")
);
text_id!(
    /// The number by which the dealer's system calls a technician or an advisor.
    DealerNumber,
    text => text
        .pattern(Some("^[A-Za-z]{0,8}[0-9]{1,15}$"))
        .description(Some("The dealer system's number"))
);
text_id!(
    /// The event that made a story what it was then.
    StoryEventId,
    text => text.pattern(Some("^[0-9]{1,9}$")).description(Some("Of the version")).examples(["1"])
);
text_id!(
    /// A file of the page that shows the OpenAPI document.
    DocsFileName,
    text => text
);

fn uuid(text: ObjectBuilder, description: &str) -> ObjectBuilder {
    text.format(Some(SchemaFormat::Custom("uuid".to_owned())))
        .description(Some(description))
}

impl ParseText for TechnicianId {
    fn parse_text(text: &str) -> Result<Self, ApiError> {
        text.trim()
            .parse()
            .map_err(|_| is_not(text, "a technician's number"))
    }

    fn describe_text(text: ObjectBuilder) -> ObjectBuilder {
        text.pattern(Some("^[0-9]{1,15}$"))
            .description(Some("A technician's number"))
            .examples(["11"])
    }
}

impl ParseNumber for TechnicianId {
    const SCHEMA_NAME: &'static str = "TechnicianId";

    fn describe_number(number: ObjectBuilder) -> ObjectBuilder {
        number.minimum(Some(0)).maximum(Some(RoNumber::MAX))
    }
}

/// The number of a technician who is put on the shop's list: one from 1 that the dealer's system
/// has for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewTechnicianId(pub TechnicianId);

impl ParseText for NewTechnicianId {
    fn parse_text(text: &str) -> Result<Self, ApiError> {
        let id = TechnicianId::parse_text(text)?;
        if (1..=RoNumber::MAX).contains(&id) {
            Ok(Self(id))
        } else {
            let sentence = format!("{id} is not a technician's number: 1 or higher");
            Err(ApiError::invalid(sentence))
        }
    }

    fn describe_text(text: ObjectBuilder) -> ObjectBuilder {
        text.pattern(Some("^[1-9][0-9]{0,14}$")).examples(["11"])
    }
}

impl ParseNumber for NewTechnicianId {
    const SCHEMA_NAME: &'static str = "NewTechnicianId";

    fn describe_number(number: ObjectBuilder) -> ObjectBuilder {
        number.minimum(Some(1)).maximum(Some(RoNumber::MAX))
    }
}

/// As dealers write them: digits, with letters and zeros around them at most.
const RO_NUMBER: &str = "^[A-Za-z]{0,8}0{0,8}[1-9][0-9]{0,14}[A-Za-z]{0,8}$";

impl ParseText for RoNumber {
    /// A file may bring anything around the digits. A call may not: its change must not go to the
    /// order that is left of an accident.
    fn parse_text(text: &str) -> Result<Self, ApiError> {
        let quoted = quotable(text);
        let refused = |why: String| ApiError::new(ErrorCode::InvalidRoNumber, capitalised(&why));
        let number = quoted
            .parse::<RoNumber>()
            .map_err(|why| refused(why.to_string()))?;
        if is_plain_ro_number(text) {
            Ok(number)
        } else {
            Err(refused(format!(
                "'{quoted}' is not an RO number: digits, with letters before or after them at most"
            )))
        }
    }

    fn describe_text(text: ObjectBuilder) -> ObjectBuilder {
        text.pattern(Some(RO_NUMBER))
            .description(Some("An RO number, as the dealer writes it"))
            .examples(["104217"])
    }
}

impl ParseNumber for RoNumber {
    const SCHEMA_NAME: &'static str = "RoNumber";

    fn describe_number(number: ObjectBuilder) -> ObjectBuilder {
        number.minimum(Some(1)).maximum(Some(RoNumber::MAX))
    }
}

/// Whether [`RO_NUMBER`] lets this through; a number may have one digit more.
fn is_plain_ro_number(text: &str) -> bool {
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

fn capitalised(sentence: &str) -> String {
    let mut characters = sentence.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
}

impl ParseText for Status {
    fn parse_text(text: &str) -> Result<Self, ApiError> {
        Status::from_id(text).ok_or_else(|| {
            let sentence = format!("Invalid status: {}", quotable(text));
            ApiError::new(ErrorCode::InvalidStatus, sentence)
        })
    }

    fn describe_text(text: ObjectBuilder) -> ObjectBuilder {
        text.enum_values(Some(Status::ALL.map(|status| status.id().to_string())))
    }
}

impl ParseNumber for Status {
    const SCHEMA_NAME: &'static str = "StatusId";

    fn describe_number(number: ObjectBuilder) -> ObjectBuilder {
        number.enum_values(Some(Status::ALL.map(|status| i64::from(status.id()))))
    }
}

impl ParseText for Priority {
    fn parse_text(text: &str) -> Result<Self, ApiError> {
        Priority::from_level(text).ok_or_else(|| {
            ApiError::new(
                ErrorCode::InvalidPriority,
                format!(
                    "Invalid priority level: {}. Use 4 Waiting, 3 High, 2 Medium or 1 Low",
                    quotable(text)
                ),
            )
        })
    }

    fn describe_text(text: ObjectBuilder) -> ObjectBuilder {
        text.enum_values(Some(
            Priority::ALL.map(|priority| priority.level().to_string()),
        ))
    }
}

impl ParseNumber for Priority {
    const SCHEMA_NAME: &'static str = "PriorityLevel";

    fn describe_number(number: ObjectBuilder) -> ObjectBuilder {
        number.enum_values(Some(
            Priority::ALL.map(|priority| i64::from(priority.level())),
        ))
    }
}

/// The place of a level among the others, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelPosition(pub i32);

impl ParseText for LevelPosition {
    fn parse_text(text: &str) -> Result<Self, ApiError> {
        let position = text.trim().parse().ok().filter(|position| *position >= 1);
        position.map(Self).ok_or_else(|| {
            ApiError::invalid(format!(
                "'{}' is not a position: 1 is the first",
                quotable(text)
            ))
        })
    }

    fn describe_text(text: ObjectBuilder) -> ObjectBuilder {
        text.pattern(Some("^[1-9][0-9]{0,5}$"))
    }
}

impl ParseNumber for LevelPosition {
    const SCHEMA_NAME: &'static str = "LevelPosition";

    fn describe_number(number: ObjectBuilder) -> ObjectBuilder {
        number.minimum(Some(1)).maximum(Some(1_000_000))
    }
}

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

fn is_not(text: &str, called: &str) -> ApiError {
    ApiError::invalid(format!("'{}' is not {called}", quotable(text)))
}

// The document's macros want these without type parameters.
pub type RoNumberInPath = PathText<RoNumber>;
pub type JobNumberInPath = PathText<JobNumber>;
pub type TechnicianIdInPath = PathText<TechnicianId>;
pub type SkillIdInPath = PathText<SkillId>;
pub type LevelIdInPath = PathText<LevelId>;
pub type OpcodeRuleIdInPath = PathText<OpcodeRuleId>;
pub type ClockEntryIdInPath = PathText<ClockEntryId>;
pub type RoNumberInBody = NumberOrString<RoNumber>;
pub type JobNumberInBody = NumberOrString<JobNumber>;
pub type TechnicianIdInBody = NumberOrString<TechnicianId>;
pub type NewTechnicianIdInBody = NumberOrString<NewTechnicianId>;
pub type SkillIdInBody = NumberOrString<SkillId>;
pub type LevelIdInBody = NumberOrString<LevelId>;
pub type LevelPositionInBody = NumberOrString<LevelPosition>;
pub type StatusInBody = NumberOrString<Status>;
pub type PriorityInBody = NumberOrString<Priority>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_admits_only_ro_numbers_that_can_be_parsed() {
        for text in ["1", "A0104218", "000000001", "999999999999999X", "e5", "5e"] {
            assert!(RoNumber::parse_text(text).is_ok(), "{text}");
        }
        assert!(RoNumber::parse_text(&RoNumber::MAX.to_string()).is_ok());
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
            assert!(RoNumber::parse_text(text).is_err(), "{text}");
        }
    }
}

//! What the calls name things by: ids, numbers of the dealer's, and codes. Each type says here, and
//! nowhere else, how it is read and documented; see [`crate::typed_params`].

mod ro_number;
mod status_and_priority;
mod technician_id;
mod versions;

use std::fmt;

use dispatch_actors::repair_order::{Priority, RoNumber, Status, TechnicianId};
use dispatch_actors::text::quotable;
use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::{RefOr, SchemaFormat};
use utoipa::{PartialSchema, ToSchema};

use crate::error::ApiError;
use crate::typed_params::{NumberOrString, ParseNumber, ParseText, PathText};

pub use technician_id::NewTechnicianId;
pub use versions::{ExpectedVersion, UndoneEvent};

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
    /// A hold's number within its order, from 1.
    HoldNumber(i32),
    "a hold's number",
    "A hold's number within its order, from 1"
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
    /// A stage of work.
    StageKey,
    text => text
        .pattern(Some("^[a-z0-9-]{1,60}$"))
        .description(Some("The stage's id"))
        .examples(["ready"])
);
text_id!(
    /// A named view, by its UUID.
    ViewId,
    text => uuid(text, "The view's id")
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

fn is_not(text: &str, called: &str) -> ApiError {
    ApiError::invalid(format!("'{}' is not {called}", quotable(text)))
}

// The document's macros want these without type parameters.
pub type RoNumberInPath = PathText<RoNumber>;
pub type JobNumberInPath = PathText<JobNumber>;
pub type HoldNumberInPath = PathText<HoldNumber>;
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

//! The ids of statuses and the levels of priorities. Every call that takes one reads it here.

use dispatch_actors::repair_order::{Priority, Status};
use dispatch_actors::text::quotable;
use utoipa::openapi::schema::ObjectBuilder;

use crate::error::{ApiError, ErrorCode};
use crate::typed_params::{ParseNumber, ParseText};

/// `10 Drop, 11 Waiting or 12 Used`
fn alternatives<const COUNT: usize>(values: [(u8, &str); COUNT]) -> String {
    let named = values.map(|(number, name)| format!("{number} {name}"));
    match &named[..] {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        alone => alone.concat(),
    }
}

impl ParseText for Status {
    fn parse_text(text: &str) -> Result<Self, ApiError> {
        Status::from_id(text).ok_or_else(|| {
            let allowed = alternatives(Status::ALL.map(|status| (status.id(), status.name())));
            let sentence = format!("Invalid status: {}. Use {allowed}", quotable(text));
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
            let mut levels = Priority::ALL.map(|priority| (priority.level(), priority.name()));
            levels.reverse();
            let allowed = alternatives(levels);
            let sentence = format!("Invalid priority level: {}. Use {allowed}", quotable(text));
            ApiError::new(ErrorCode::InvalidPriority, sentence)
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

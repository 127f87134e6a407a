//! The ids of statuses and the levels of priorities.

use dispatch_actors::repair_order::{Priority, Status};
use dispatch_actors::text::quotable;
use utoipa::openapi::schema::ObjectBuilder;

use crate::error::{ApiError, ErrorCode};
use crate::typed_params::{ParseNumber, ParseText};

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

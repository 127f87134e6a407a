//! The number of a technician.

use dispatch_actors::repair_order::{RoNumber, TechnicianId};
use utoipa::openapi::schema::ObjectBuilder;

use super::is_not;
use crate::error::ApiError;
use crate::typed_params::{ParseNumber, ParseText};

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

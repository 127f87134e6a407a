//! Shapes of the calls about numbers.

use serde::{Deserialize, Serialize};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::dms_number::NumberKind;
use crate::error::ApiError;
use crate::ids::{StageKey, TechnicianIdInBody};
use crate::text::OneLine;
use crate::typed_params::ParseText;

/// A number that came in a file and that means nobody here, or the name of a stage that the shop does not have.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnmatchedNumber {
    pub(super) kind: NumberKind,
    /// A stage's name in small letters.
    pub(super) number: String,
    /// As it came with the number, if it did.
    #[schema(required)]
    pub(super) name: Option<String>,
    /// Repair orders it came with.
    pub(super) count: usize,
    /// The newest of them, 20 at most.
    pub(super) repair_orders: Vec<i64>,
    #[schema(format = DateTime)]
    pub(super) last_seen: String,
}

/// Who a number means, or which stage a name.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NumberMatch {
    pub(super) kind: NumberKind,
    pub(super) number: String,
    /// The technician; null for an advisor and a stage.
    #[schema(required)]
    pub(super) id_technician: Option<i64>,
    /// What the advisor or the technician is called; of a stage its id.
    pub(super) name: String,
}

/// A technician's number with an `idTechnician`, an advisor's with a name, or a name of a stage with the stage's id.
#[derive(Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "lowercase",
    rename_all_fields = "camelCase"
)]
pub enum NewMatch {
    Technician {
        number: String,
        id_technician: TechnicianIdInBody,
    },
    Advisor {
        number: String,
        name: String,
    },
    Stage {
        number: String,
        stage: StageKey,
    },
}

impl PartialSchema for NewMatch {
    fn schema() -> RefOr<Schema> {
        let of = |kind: NumberKind, number: RefOr<Schema>, field: &str, meaning: RefOr<Schema>| {
            let kind = ObjectBuilder::new()
                .schema_type(Type::String)
                .enum_values(Some([kind.name()]));
            ObjectBuilder::new()
                .property("kind", kind)
                .required("kind")
                .property("number", number)
                .required("number")
                .property(field, meaning)
                .required(field)
        };
        let advisors = ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some("^[A-Za-z]{0,8}[0-9]{1,15}[A-Za-z]{0,8}$"));
        OneOfBuilder::new()
            .item(of(
                NumberKind::Technician,
                OneLine::schema(),
                "idTechnician",
                TechnicianIdInBody::schema(),
            ))
            .item(of(
                NumberKind::Advisor,
                advisors.into(),
                "name",
                OneLine::schema(),
            ))
            .item(of(
                NumberKind::Stage,
                OneLine::schema(),
                "stage",
                StageKey::schema(),
            ))
            .into()
    }
}

impl ToSchema for NewMatch {}

impl ParseText for NumberKind {
    fn parse_text(text: &str) -> Result<Self, ApiError> {
        Self::from_name(text).ok_or_else(|| {
            ApiError::invalid("A number is a technician's or an advisor's, or a name is a stage's")
        })
    }

    fn describe_text(text: ObjectBuilder) -> ObjectBuilder {
        text
    }
}

#[derive(Serialize, ToSchema)]
pub struct Matched {
    pub(super) kind: NumberKind,
    pub(super) number: String,
    /// Open repair orders that were corrected.
    pub(super) changed: usize,
}

//! Stages as clients send them.

use dispatch_actors::repair_order::StageKind;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::stage::{Stage, StageColour, StageNames};
use crate::change_request::double_option;
use crate::error::ApiError;
use crate::limits;
use crate::text::OneLine;
use crate::typed_params::whole_number;

/// A year, in minutes.
const MAX_MINUTES: i32 = 525_600;
/// Cars in one stage; more is no limit.
const MAX_LIMIT: i32 = 999;

/// The shop's stages, and whether it uses them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShopStages {
    /// Where it is false, no answer says where an order stands, and none moves.
    pub enabled: bool,
    /// Whether a file of the dealer system that names an order's stage moves the order there. Where it is false, what files
    /// say of it is left out.
    pub file_owns_stage: bool,
    /// In the shop's order.
    pub stages: Vec<Stage>,
}

/// A field that is not sent stays unchanged.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShopStagesFields {
    /// Whether the shop uses stages. Turned on, each open order gets the one that is known of it.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    pub(super) enabled: Option<bool>,
    /// Whether files of the dealer system say where orders stand.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    pub(super) file_owns_stage: Option<bool>,
    /// The ids of stages in their new order, deleted ones among them or not; those that are left out follow as they stood.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false, max_items = 1000)]
    pub(super) order: Option<Vec<String>>,
}

/// What a stage is called in each language, 1 to 100 characters.
#[derive(Deserialize, ToSchema)]
pub struct StageNamesToSet {
    en: OneLine,
    es: OneLine,
    de: OneLine,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewStage {
    name: StageNamesToSet,
    kind: StageKind,
    colour: StageColour,
    /// After how many minutes an order has been in it for too long; never, where it is left out.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, value_type = Option<i32>, minimum = 1, maximum = 525600)]
    too_long_minutes: Option<Option<f64>>,
    /// How many cars it is to have at most; as many as there are, where it is left out.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, value_type = Option<i32>, minimum = 1, maximum = 999)]
    limit: Option<Option<f64>>,
}

/// A field that is not sent stays unchanged.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StageFields {
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    name: Option<StageNamesToSet>,
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    kind: Option<StageKind>,
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    colour: Option<StageColour>,
    /// Null: never.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, value_type = Option<i32>, minimum = 1, maximum = 525600)]
    too_long_minutes: Option<Option<f64>>,
    /// Null: none.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, value_type = Option<i32>, minimum = 1, maximum = 999)]
    limit: Option<Option<f64>>,
    /// False brings a deleted stage back.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    deleted: Option<bool>,
}

/// A stage that is to be added.
pub(super) struct StageDraft {
    pub name: StageNames,
    pub kind: StageKind,
    pub colour: StageColour,
    pub too_long_minutes: Option<i32>,
    pub limit: Option<i32>,
}

pub(super) struct StagePatch {
    pub name: Option<StageNames>,
    pub kind: Option<StageKind>,
    pub colour: Option<StageColour>,
    pub too_long_minutes: Option<Option<i32>>,
    pub limit: Option<Option<i32>>,
    pub deleted: Option<bool>,
}

impl NewStage {
    pub(super) fn read(self) -> Result<StageDraft, ApiError> {
        Ok(StageDraft {
            name: self.name.read()?,
            kind: self.kind,
            colour: self.colour,
            too_long_minutes: minutes(self.too_long_minutes)?.flatten(),
            limit: cars(self.limit)?.flatten(),
        })
    }
}

impl StageFields {
    pub(super) fn read(self) -> Result<StagePatch, ApiError> {
        Ok(StagePatch {
            name: self.name.map(StageNamesToSet::read).transpose()?,
            kind: self.kind,
            colour: self.colour,
            too_long_minutes: minutes(self.too_long_minutes)?,
            limit: cars(self.limit)?,
            deleted: self.deleted,
        })
    }
}

impl StageNamesToSet {
    fn read(self) -> Result<StageNames, ApiError> {
        Ok(StageNames {
            en: limits::short_text("The stage's English name", &self.en)?,
            es: limits::short_text("The stage's Spanish name", &self.es)?,
            de: limits::short_text("The stage's German name", &self.de)?,
        })
    }
}

fn minutes(given: Option<Option<f64>>) -> Result<Option<Option<i32>>, ApiError> {
    whole_up_to("tooLongMinutes", MAX_MINUTES, given)
}

fn cars(given: Option<Option<f64>>) -> Result<Option<Option<i32>>, ApiError> {
    whole_up_to("limit", MAX_LIMIT, given)
}

/// 1 to `most`.
fn whole_up_to(
    field: &str,
    most: i32,
    given: Option<Option<f64>>,
) -> Result<Option<Option<i32>>, ApiError> {
    let whole = |number: f64| {
        let whole = whole_number(number).and_then(|whole| i32::try_from(whole).ok());
        let whole = whole.filter(|whole| (1..=most).contains(whole));
        whole.ok_or_else(|| {
            ApiError::invalid(format!("{field} must be a whole number, 1 to {most}"))
        })
    };
    given.map(|given| given.map(whole).transpose()).transpose()
}

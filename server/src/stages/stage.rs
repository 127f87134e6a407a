//! A stage of work as the shop's list has it.

use dispatch_actors::repair_order::{StageId, StageKind, StageRule};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The house's colours; red is for what is late or broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum StageColour {
    Grey,
    Teal,
    Amber,
    Blue,
    Violet,
    Green,
}

/// What a stage is called in each language of the screens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct StageNames {
    pub en: String,
    pub es: String,
    pub de: String,
}

/// A stage of work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WorkStage)]
pub struct Stage {
    /// By which repair orders name it. Those of the shipped stages are words that stay, whatever the stages are called.
    pub id: String,
    pub name: StageNames,
    pub kind: StageKind,
    pub colour: StageColour,
    /// After how many minutes an order has been in it for too long; null where that is never.
    #[schema(required)]
    pub too_long_minutes: Option<i32>,
    /// How many cars it is to have at most. Nothing is refused over it: screens mark it. Left out where there is no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub limit: Option<i32>,
    /// True for a stage that orders cannot be moved to any more; histories name it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub deleted: bool,
}

impl Stage {
    pub(super) fn rule(&self) -> StageRule {
        StageRule {
            id: StageId::from(&*self.id),
            kind: self.kind,
            is_deleted: self.deleted,
        }
    }
}

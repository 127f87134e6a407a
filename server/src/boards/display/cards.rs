//! Cards: what a layout shows of an order, and no more than that.

use dispatch_actors::repair_order::{DisplayedStatus, Priority, TechnicianId};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::stages::StageNames;

/// A card as its layout has it. Its fields are in this order: the checksum is made of them as they are written.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = BoardCardFields)]
pub enum Card {
    ShopFloor(ShopFloorCard),
    Queue(QueueCard),
    UsedPdi(UsedPdiCard),
    Lounge(LoungeCard),
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShopFloorCard {
    /// The card's id; it reveals nothing of the order.
    pub key: String,
    /// As the dealer writes it.
    pub ro_number: String,
    /// The family name, or a company's.
    pub customer: String,
    pub vehicle: String,
    /// Of the hat or key tag; empty where the car has none.
    pub tag_number: String,
    pub status: DisplayedStatus,
    pub priority: Priority,
    /// In the order they were assigned; at least one.
    pub technician_ids: Vec<TechnicianId>,
    #[schema(required)]
    pub promised: Option<Timestamp>,
    pub opened: Timestamp,
    /// How many there are.
    pub jobs: i64,
    /// How many of them are finished.
    pub done: i64,
    /// Absent in a shop without stages of work.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub stage: Option<Stage>,
    /// Of its stage of work, or that it is on hold where the stage does not say so. Absent where there is none, or where it
    /// says no more than the layout.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub stage_name: Option<StageNames>,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QueueCard {
    pub key: String,
    pub ro_number: String,
    /// The family name, or a company's.
    pub customer: String,
    pub vehicle: String,
    pub status: DisplayedStatus,
    pub priority: Priority,
    #[schema(required)]
    pub promised: Option<Timestamp>,
    pub opened: Timestamp,
    pub advisor: String,
    /// The first one's name; null where nobody is on it.
    #[schema(required)]
    pub technician: Option<String>,
    /// Of its stage of work, or that it is on hold where the stage does not say so. Absent where there is none, or where it
    /// says no more than the layout.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub stage_name: Option<StageNames>,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsedPdiCard {
    pub key: String,
    pub ro_number: String,
    pub vehicle: String,
    pub status: DisplayedStatus,
    pub opened: Timestamp,
    /// The first one's name; null where nobody is on it.
    #[schema(required)]
    pub technician: Option<String>,
    pub stage: Stage,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoungeCard {
    pub key: String,
    /// First name and initial: Joe W.
    pub who: String,
    pub stage: Stage,
    #[schema(required)]
    pub promised: Option<Timestamp>,
}

/// How far a car is, for the one who waits for it or sells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = BoardStage)]
pub enum Stage {
    /// Nobody is on it yet.
    CheckedIn,
    /// A technician has it.
    InLine,
    /// Work has begun.
    InWork,
    /// One job is left of several.
    AlmostDone,
    /// Every job is finished.
    Ready,
}

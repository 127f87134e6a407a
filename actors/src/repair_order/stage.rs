//! Stages of work: what the shop's list says of them, as far as the rules of a repair order need it.

use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The ids of the shipped stages by which orders move by themselves, whatever the shop calls them.
pub mod shipped {
    pub const TO_BE_DISPATCHED: &str = "to-be-dispatched";
    pub const DISPATCHED: &str = "dispatched";
    pub const IN_WORK: &str = "in-work";
    pub const WAITING_FOR_APPROVAL: &str = "waiting-for-approval";
    pub const WAITING_FOR_PARTS: &str = "waiting-for-parts";
    pub const SUBLET: &str = "sublet";
    pub const QUALITY_CHECK: &str = "quality-check";
    pub const WITH_THE_CUSTOMER: &str = "with-the-customer";
}

/// Of the shipped stages a word, which stays whatever they are called.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StageId(Arc<str>);

impl StageId {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for StageId {
    fn from(id: &str) -> Self {
        Self(id.into())
    }
}

impl fmt::Display for StageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a car does in a stage: it waits for somebody of the shop, is worked on, waits for somebody else, or
/// the work is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum StageKind {
    Queue,
    Active,
    Hold,
    Done,
}

/// What the rules need to know of one stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageRule {
    pub id: StageId,
    pub kind: StageKind,
    /// Orders may still stand in it; none moves there.
    pub is_deleted: bool,
}

/// What the rules need to know of the shop's stages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StageRules {
    /// Off: orders have no stage to anybody, and none moves.
    pub is_on: bool,
    /// In the shop's order, deleted ones included.
    pub stages: Vec<StageRule>,
}

impl StageRules {
    fn place(&self, id: &str) -> Option<usize> {
        self.stages.iter().position(|rule| rule.id.as_str() == id)
    }

    fn rule(&self, id: &str) -> Option<&StageRule> {
        self.place(id).map(|place| &self.stages[place])
    }

    /// The stage, if orders may move there.
    pub fn available(&self, id: &str) -> Option<StageId> {
        let rule = self.rule(id).filter(|rule| !rule.is_deleted)?;
        Some(rule.id.clone())
    }

    pub fn kind(&self, id: &StageId) -> Option<StageKind> {
        self.rule(id.as_str()).map(|rule| rule.kind)
    }

    /// Whether one stage comes before another in the shop's order.
    pub(super) fn is_before(&self, id: &StageId, other: &str) -> bool {
        match (self.place(id.as_str()), self.place(other)) {
            (Some(place), Some(other)) => place < other,
            _ => false,
        }
    }
}

/// Where an order stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Placement {
    /// None where nothing is known of it yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<StageId>,
    /// Where it goes on once no hold keeps it in `stage`; none where none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resumes_at: Option<StageId>,
    /// Where it stood before it moved by itself: the opposite of what moved it takes it back there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub came_from: Option<StageId>,
}

impl Placement {
    /// Where the order stands, holds left aside.
    pub fn base(&self) -> Option<&StageId> {
        self.resumes_at.as_ref().or(self.stage.as_ref())
    }
}

/// What moved an order to another stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum StageCause {
    /// Somebody said so.
    Person,
    /// It had no stage before: stages were turned on, or the order is new.
    FirstStage,
    Assigned,
    Unassigned,
    /// The first clock that ran on it, and its undoing.
    ClockStarted,
    ClockUndone,
    JobsFinished,
    JobReopened,
    Closed,
    Reopened,
    HoldStarted,
    HoldEnded,
    /// What it had followed from was undone.
    Undone,
    /// A file of the dealer system said so.
    Imported,
}

/// How long an order stood in a stage without a break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageSpan {
    /// None: before anything was known.
    pub stage: Option<StageId>,
    pub from: Timestamp,
    pub to: Timestamp,
}

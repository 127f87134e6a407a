//! Holds: what an order, or one of its jobs, waits for.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::stage::{StageId, shipped};

/// Numbers the holds of one order, from 1.
pub type HoldId = i32;

/// In the order in which they matter: a call to the customer is made by the shop, the rest comes from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum HoldReason {
    Approval,
    Parts,
    Sublet,
    Other,
}

impl HoldReason {
    /// As it is written on the wire.
    pub fn name(self) -> &'static str {
        match self {
            HoldReason::Approval => "approval",
            HoldReason::Parts => "parts",
            HoldReason::Sublet => "sublet",
            HoldReason::Other => "other",
        }
    }

    /// The stage in which it keeps an order; another reason has none of its own.
    pub(super) fn stage(self) -> Option<&'static str> {
        match self {
            HoldReason::Approval => Some(shipped::WAITING_FOR_APPROVAL),
            HoldReason::Parts => Some(shipped::WAITING_FOR_PARTS),
            HoldReason::Sublet => Some(shipped::SUBLET),
            HoldReason::Other => None,
        }
    }

    /// Of the hold that keeps an order in this stage of holds.
    pub(super) fn of_stage(stage: &StageId) -> Self {
        [HoldReason::Approval, HoldReason::Parts, HoldReason::Sublet]
            .into_iter()
            .find(|reason| reason.stage() == Some(stage.as_str()))
            .unwrap_or(HoldReason::Other)
    }

    /// Who usually ends such a hold.
    pub fn usual_actor(self) -> HoldActor {
        match self {
            HoldReason::Parts => HoldActor::Parts,
            HoldReason::Sublet => HoldActor::Sublet,
            HoldReason::Approval | HoldReason::Other => HoldActor::Advisor,
        }
    }
}

/// Who must act for a hold to end: the parts counter, the advisor, the shop that the work was given to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum HoldActor {
    Parts,
    Advisor,
    Sublet,
}

/// A hold that has not ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RepairOrderHold)]
pub struct Hold {
    /// Its number within the order, from 1.
    pub id: HoldId,
    /// The job that waits; absent where the whole order does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub job_number: Option<i32>,
    pub reason: HoldReason,
    pub since: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub expected_until: Option<Timestamp>,
    pub who_acts: HoldActor,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    pub note: String,
    /// True where a file of the dealer system began it; a file that names another stage ends it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub from_file: bool,
}

/// A hold that is to begin. Where one of the same job for the same reason has begun, what is said here is changed
/// of it, and what is none stays as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewHold {
    pub job_number: Option<i32>,
    pub reason: HoldReason,
    /// `Some(None)` takes an expected end away: nobody knows any more.
    pub expected_until: Option<Option<Timestamp>>,
    pub who_acts: Option<HoldActor>,
    pub note: Option<String>,
}

impl Hold {
    pub(super) fn new(id: HoldId, new: &NewHold, since: Timestamp) -> Self {
        Self {
            id,
            job_number: new.job_number,
            reason: new.reason,
            since,
            expected_until: new.expected_until.flatten(),
            who_acts: new.who_acts.unwrap_or(new.reason.usual_actor()),
            note: new.note.clone().unwrap_or_default(),
            from_file: false,
        }
    }

    pub(super) fn is_same(&self, new: &NewHold) -> bool {
        self.job_number == new.job_number && self.reason == new.reason
    }

    pub(super) fn with(&self, new: &NewHold) -> Self {
        Self {
            expected_until: new.expected_until.unwrap_or(self.expected_until),
            who_acts: new.who_acts.unwrap_or(self.who_acts),
            note: new.note.clone().unwrap_or_else(|| self.note.clone()),
            ..self.clone()
        }
    }
}

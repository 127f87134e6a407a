//! Statuses and priorities, with the ids and levels by which clients name them.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A status the desk can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub enum Status {
    Drop,
    Waiting,
    Used,
    #[serde(rename = "PDI")]
    Pdi,
    #[serde(rename = "ENG")]
    Eng,
    Trans,
}

impl Status {
    pub const ALL: [Status; 6] = [
        Status::Drop,
        Status::Waiting,
        Status::Used,
        Status::Pdi,
        Status::Eng,
        Status::Trans,
    ];

    /// The id by which clients name a status.
    pub fn id(self) -> u8 {
        match self {
            Status::Drop => 10,
            Status::Waiting => 11,
            Status::Used => 12,
            Status::Pdi => 13,
            Status::Eng => 14,
            Status::Trans => 15,
        }
    }

    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|status| status.id().to_string() == id.trim())
    }

    /// What screens show: the desk's status, else the dealer system's; one of the four with a tab,
    /// and Drop for everything else.
    pub fn displayed(desk: Option<Status>, dealer_system: &str) -> Self {
        match desk.or_else(|| dealer_system.parse().ok()) {
            Some(status @ (Status::Waiting | Status::Pdi | Status::Used)) => status,
            _ => Status::Drop,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Status::Drop => "Drop",
            Status::Waiting => "Waiting",
            Status::Used => "Used",
            Status::Pdi => "PDI",
            Status::Eng => "ENG",
            Status::Trans => "Trans",
        }
    }

    /// The priority that a change to this status sets with it.
    pub fn automatic_priority(self) -> Priority {
        match self {
            Status::Waiting => Priority::Waiting,
            _ => Priority::Low,
        }
    }
}

impl FromStr for Status {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let text = text.trim();
        Self::ALL
            .into_iter()
            .find(|status| status.name().eq_ignore_ascii_case(text))
            .ok_or(())
    }
}

#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
pub enum Priority {
    Low,
    Medium,
    High,
    Waiting,
}

impl Priority {
    pub const ALL: [Priority; 4] = [
        Priority::Low,
        Priority::Medium,
        Priority::High,
        Priority::Waiting,
    ];

    /// 1 (Low) to 4 (Waiting).
    pub fn level(self) -> u8 {
        match self {
            Priority::Low => 1,
            Priority::Medium => 2,
            Priority::High => 3,
            Priority::Waiting => 4,
        }
    }

    pub fn from_level(level: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|priority| priority.level().to_string() == level.trim())
    }

    pub fn name(self) -> &'static str {
        match self {
            Priority::Low => "Low",
            Priority::Medium => "Medium",
            Priority::High => "High",
            Priority::Waiting => "Waiting",
        }
    }
}

impl FromStr for Priority {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let text = text.trim();
        Self::ALL
            .into_iter()
            .find(|priority| priority.name().eq_ignore_ascii_case(text))
            .ok_or(())
    }
}

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

    pub fn displayed(self) -> DisplayedStatus {
        match self {
            Status::Drop | Status::Eng | Status::Trans => DisplayedStatus::Drop,
            Status::Waiting => DisplayedStatus::Waiting,
            Status::Used => DisplayedStatus::Used,
            Status::Pdi => DisplayedStatus::Pdi,
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
}

impl From<DisplayedStatus> for Status {
    fn from(displayed: DisplayedStatus) -> Self {
        match displayed {
            DisplayedStatus::Drop => Status::Drop,
            DisplayedStatus::Waiting => Status::Waiting,
            DisplayedStatus::Used => Status::Used,
            DisplayedStatus::Pdi => Status::Pdi,
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

/// A status that screens show: tabs, boards and figures know no other.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
pub enum DisplayedStatus {
    Drop,
    Waiting,
    Used,
    #[serde(rename = "PDI")]
    Pdi,
}

impl DisplayedStatus {
    pub const ALL: [DisplayedStatus; 4] = [
        DisplayedStatus::Drop,
        DisplayedStatus::Waiting,
        DisplayedStatus::Used,
        DisplayedStatus::Pdi,
    ];

    /// As the desk's tabs and pickers have them.
    pub const IN_TAB_ORDER: [DisplayedStatus; 4] = [
        DisplayedStatus::Waiting,
        DisplayedStatus::Drop,
        DisplayedStatus::Pdi,
        DisplayedStatus::Used,
    ];

    /// Of an order that has no status of the desk, and none of ours from the dealer system.
    pub const DEFAULT: DisplayedStatus = DisplayedStatus::Drop;

    /// The desk's status, else the dealer system's. The page does the same with the statuses of `x-rules`; both are
    /// held against `displayed_statuses.json`.
    pub fn of(desk: Option<Status>, dealer_system: &str) -> Self {
        desk.or_else(|| dealer_system.parse().ok())
            .map_or(Self::DEFAULT, Status::displayed)
    }

    /// The priority that a change to this status sets with it.
    pub fn automatic_priority(self) -> Priority {
        match self {
            DisplayedStatus::Waiting => Priority::Waiting,
            DisplayedStatus::Drop | DisplayedStatus::Used | DisplayedStatus::Pdi => Priority::Low,
        }
    }

    /// Where a technician's orders of this status and priority stand: the lowest comes first. Only
    /// drop-offs are ranked by priority; the priority Waiting is the most urgent there, too.
    pub fn urgency(self, priority: Priority) -> u8 {
        match (self, priority) {
            (DisplayedStatus::Waiting, _) => 0,
            (DisplayedStatus::Drop, Priority::Waiting) => 1,
            (DisplayedStatus::Drop, Priority::High) => 2,
            (DisplayedStatus::Drop, Priority::Medium) => 3,
            (DisplayedStatus::Drop, Priority::Low) => 4,
            (DisplayedStatus::Used, _) => 5,
            (DisplayedStatus::Pdi, _) => 6,
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displayed_statuses_equal_the_test_vectors() {
        type Vector = (Option<Status>, String, DisplayedStatus);
        let vectors = include_str!("displayed_statuses.json");
        let vectors: Vec<Vector> = serde_json::from_str(vectors).unwrap();
        for (desk, dealer_system, displayed) in &vectors {
            let of = DisplayedStatus::of(*desk, dealer_system);
            assert_eq!(of, *displayed, "{desk:?}, {dealer_system:?}");
        }
        for status in Status::ALL {
            let of_desk = |(desk, ..): &Vector| *desk == Some(status);
            let of_dealer_system =
                |(desk, text, _): &Vector| desk.is_none() && text == status.name();
            assert!(vectors.iter().any(of_desk), "{status:?}");
            assert!(vectors.iter().any(of_dealer_system), "{status:?}");
        }
    }
}

//! The number of a technician or an advisor in the dealer's system, and the person it stands for; or its name of a stage of
//! work, and the stage.

use dispatch_actors::repair_order::{StageId, TechnicianId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::limits::SHORT_TEXT;
use crate::stages::folded_name;

/// Whose number it is, or that it is a name of a stage.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "kebab-case")]
#[schema(as = MatchKind)]
pub enum NumberKind {
    Technician,
    Advisor,
    Stage,
}

impl NumberKind {
    pub fn name(self) -> &'static str {
        match self {
            NumberKind::Technician => "technician",
            NumberKind::Advisor => "advisor",
            NumberKind::Stage => "stage",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        [
            NumberKind::Technician,
            NumberKind::Advisor,
            NumberKind::Stage,
        ]
        .into_iter()
        .find(|kind| kind.name() == name)
    }
}

/// A person's number in the dealer's system, where letters are allowed; or its name of a stage, in small letters.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DmsNumber {
    pub kind: NumberKind,
    pub text: String,
}

impl DmsNumber {
    /// None for a text without a visible character.
    pub fn new(kind: NumberKind, text: &str) -> Option<Self> {
        let text: String = text.chars().filter(|c| !c.is_control()).collect();
        let text: String = text.trim().chars().take(SHORT_TEXT).collect();
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        let text = match (kind, text.parse::<TechnicianId>()) {
            // As orders have it: 007 is 7.
            (NumberKind::Technician, Ok(id)) if digits => id.to_string(),
            (NumberKind::Stage, _) => folded_name(&text),
            _ => text,
        };
        (!text.is_empty()).then_some(Self { kind, text })
    }

    /// The field has an advisor's name or number. A number is digits, or letters and digits.
    pub(super) fn from_advisor_text(text: &str) -> Option<Self> {
        let number = text.bytes().all(|b| b.is_ascii_alphanumeric())
            && text.bytes().any(|b| b.is_ascii_digit());
        Self::new(NumberKind::Advisor, text).filter(|_| number)
    }

    /// The technician that an order would have for it.
    pub(super) fn technician_id(&self) -> Option<TechnicianId> {
        self.text
            .parse()
            .ok()
            .filter(|_| self.kind == NumberKind::Technician)
    }
}

/// What a number stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NumberMeaning {
    Technician(TechnicianId),
    /// By name.
    Advisor(String),
    Stage(StageId),
}

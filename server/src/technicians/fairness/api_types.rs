//! The week's ledger as clients get it.

use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::ledger::{Amount, GivenWork, WorkKind};

/// What each technician on the shop's list was given since its Monday began.
///
/// An order counts for those who are on it now and came on it since then, however, with all its jobs as they are now, done
/// or not. Who handed it back, or was taken off it, was not given it. Several technicians on an order have equal parts of
/// its hours.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FairnessLedger {
    /// The shop's midnight with which its Monday began.
    pub(super) since: Timestamp,
    /// Technicians who came on the clock since then.
    pub(super) on_clock: u32,
    /// Hours of each of these on average, to the hundredth; null where nobody came.
    #[schema(required)]
    pub(super) average_hours: Option<f64>,
    /// Jobs of these of which no sold hours are known; they are not in the average.
    pub(super) jobs_without_hours: u32,
    /// By name.
    pub(super) technicians: Vec<TechnicianWeek>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TechnicianWeek {
    pub(super) id_technician: i64,
    pub(super) display_name: String,
    /// Came on the clock in it, and so is a part of the average.
    pub(super) on_clock: bool,
    #[serde(flatten)]
    pub(super) given: Given,
}

/// What somebody was given.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = GivenWork)]
pub struct Given {
    /// Sold hours, to the hundredth.
    pub hours: f64,
    pub jobs: u32,
    /// Of these, those of which no sold hours are known; they are not in the hours.
    pub jobs_without_hours: u32,
    /// What of it was of which kind. A job may be of several, so that these do not add up; of most nothing is known.
    pub kinds: Vec<GivenKind>,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GivenKind {
    pub kind: WorkKind,
    pub hours: f64,
    pub jobs: u32,
    pub jobs_without_hours: u32,
}

impl From<&GivenWork> for Given {
    fn from(given: &GivenWork) -> Self {
        let kind = |(kind, amount): (&WorkKind, &Amount)| GivenKind {
            kind: *kind,
            hours: amount.hours(),
            jobs: amount.jobs,
            jobs_without_hours: amount.jobs_without_hours,
        };
        Self {
            hours: given.total.hours(),
            jobs: given.total.jobs,
            jobs_without_hours: given.total.jobs_without_hours,
            kinds: given.kinds.iter().map(kind).collect(),
        }
    }
}

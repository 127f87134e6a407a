//! Time in stages as clients get it.

use std::collections::BTreeMap;

use dispatch_actors::repair_order::{StageId, TechnicianId};
use dispatch_actors::stage_totals::{GroupTotal, StageTotal, percentile};
use jiff::Timestamp;
use jiff::civil::Date;
use serde::Serialize;
use utoipa::ToSchema;

/// So few stays have no 90th percentile: it would be the longest of them.
const MIN_STAYS_FOR_P90: usize = 10;

/// Where the shop's cars waited, on some days of its calendar. An order counts while it is open; what its stages add up to
/// is the time that it was open on these days.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TimeInStages {
    /// In order.
    #[schema(value_type = Vec<String>)]
    pub days: Vec<Date>,
    /// The first day of which everything is kept. What was before is not counted, since orders of it or their events were
    /// deleted. Null where everything of these days is kept.
    #[schema(required, value_type = Option<String>, format = Date)]
    pub known_from: Option<Date>,
    /// Up to when it is counted: the end of the last day, or now.
    pub until: Timestamp,
    /// Orders that were open at some time.
    pub cars: u32,
    /// In the shop's order, those alone in which an order stood; what is not known comes last.
    pub stages: Vec<StageTime>,
    /// By name, nobody last. Each has the time in which an order was theirs. Of an order that two have each has all of
    /// the time, so that technicians may add up to more than the stages.
    pub technicians: Vec<TechnicianTime>,
    /// By name, nobody last: as orders name their advisor now. They add up to what the stages do.
    pub advisors: Vec<AdvisorTime>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StageTime {
    /// The stage's id. Null: nothing was known of where the order stood.
    #[schema(required)]
    stage: Option<String>,
    /// Milliseconds.
    total_ms: i64,
    /// Milliseconds of each of `days`.
    by_day_ms: Vec<i64>,
    /// Orders that stood in it.
    cars: u32,
    stays: StayFigures,
}

/// Each time that an order stood in a stage without a break is a stay.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StayFigures {
    /// Stays that ended on these days.
    ended: usize,
    /// Stays that went on when these days ended, or go on now.
    going_on: u32,
    /// Stays that were longer than what the shop says now is too long, up to where they ended or these days did.
    too_long: u32,
    /// Of those that ended, from their beginning on, which may be before these days; milliseconds. Null where none ended,
    /// and where it is not known where the orders stood.
    #[schema(required)]
    median_ms: Option<i64>,
    /// The same: nine of ten were no longer. Null where fewer than ten ended.
    #[schema(required)]
    p90_ms: Option<i64>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TechnicianTime {
    /// Null: time in which nobody had the order.
    #[schema(required)]
    technician_id: Option<TechnicianId>,
    #[schema(required)]
    name: Option<String>,
    #[serde(flatten)]
    total: GroupTime,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdvisorTime {
    /// Null: orders that name nobody.
    #[schema(required)]
    name: Option<String>,
    #[serde(flatten)]
    total: GroupTime,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupTime {
    /// Milliseconds.
    total_ms: i64,
    /// Orders.
    cars: u32,
    /// As `stages` are ordered.
    stages: Vec<GroupStageTime>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupStageTime {
    /// Null: nothing was known of where the order stood.
    #[schema(required)]
    stage: Option<String>,
    /// Milliseconds.
    total_ms: i64,
}

/// The places of stages in the shop's order.
pub(super) struct StagePlaces(BTreeMap<String, usize>);

impl StagePlaces {
    pub(super) fn new<'a>(ids: impl Iterator<Item = &'a String>) -> Self {
        Self(ids.cloned().zip(0..).collect())
    }

    /// A stage that is not in the list comes behind the others, and what is not known last.
    pub(super) fn of(&self, stage: Option<&str>) -> (bool, usize) {
        let place = stage.and_then(|stage| self.0.get(stage));
        (stage.is_none(), place.copied().unwrap_or(usize::MAX))
    }
}

impl StageTime {
    pub(super) fn new(stage: Option<StageId>, total: StageTotal) -> Self {
        let StageTotal {
            by_day,
            cars,
            ended,
            going_on,
            too_long,
        } = total;
        let known = stage.is_some();
        let has_p90 = known && ended.len() >= MIN_STAYS_FOR_P90;
        Self {
            stage: stage.map(|stage| stage.to_string()),
            total_ms: by_day.iter().sum(),
            by_day_ms: by_day,
            cars,
            stays: StayFigures {
                median_ms: percentile(&ended, 50).filter(|_| known),
                p90_ms: percentile(&ended, 90).filter(|_| has_p90),
                ended: ended.len(),
                going_on,
                too_long,
            },
        }
    }

    pub(super) fn stage(&self) -> Option<&str> {
        self.stage.as_deref()
    }
}

impl GroupTime {
    fn new(total: GroupTotal, places: &StagePlaces) -> Self {
        let stage = |(stage, total_ms): (Option<StageId>, i64)| GroupStageTime {
            stage: stage.map(|stage| stage.to_string()),
            total_ms,
        };
        let total_ms = total.by_stage.values().sum();
        let mut stages: Vec<_> = total.by_stage.into_iter().map(stage).collect();
        stages.sort_by_key(|one| places.of(one.stage.as_deref()));
        Self {
            total_ms,
            cars: total.cars,
            stages,
        }
    }
}

impl TechnicianTime {
    pub(super) fn new(
        technician: Option<(TechnicianId, String)>,
        total: GroupTotal,
        places: &StagePlaces,
    ) -> Self {
        let (technician_id, name) = technician.unzip();
        Self {
            technician_id,
            name,
            total: GroupTime::new(total, places),
        }
    }

    /// By name, nobody last.
    pub(super) fn place(&self) -> (bool, Option<String>, Option<TechnicianId>) {
        let name = self.name.as_ref().map(|name| name.to_lowercase());
        (name.is_none(), name, self.technician_id)
    }
}

impl AdvisorTime {
    pub(super) fn new(name: String, total: GroupTotal, places: &StagePlaces) -> Self {
        Self {
            name: Some(name).filter(|name| !name.is_empty()),
            total: GroupTime::new(total, places),
        }
    }

    pub(super) fn is_nobody(&self) -> bool {
        self.name.is_none()
    }
}

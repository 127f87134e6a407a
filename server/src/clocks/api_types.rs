//! The job clock as clients see it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::change_request::double_option;
use crate::ids::{JobNumberInBody, RoNumberInBody};
use crate::moments::MomentInBody;
use crate::repair_orders::api_types::By;

/// An entry that runs. Without a job the technician is on the clock and works on none.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunningClock {
    pub entry_id: i64,
    pub since: Timestamp,
    #[schema(required)]
    pub ro_number: Option<i64>,
    /// The dealer system's text for the number, where it is not just its digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub display_number: Option<String>,
    #[schema(required)]
    pub job_number: Option<i32>,
    /// It has run for more than 12 hours or past the shop's midnight, and nobody has corrected it.
    pub forgotten: bool,
}

/// A technician who is on the clock.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClockOn {
    pub technician_id: i64,
    pub running: RunningClock,
}

/// Everybody who is on the clock, by technician.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Clocks)]
pub struct ClocksNow {
    pub now: Timestamp,
    pub clocks: Vec<ClockOn>,
}

/// What a day or a week adds up to, up to now.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClockedTime {
    /// Milliseconds on jobs.
    #[schema(minimum = 0)]
    pub jobs_ms: i64,
    /// Milliseconds on the clock, with a job or without.
    #[schema(minimum = 0)]
    pub attended_ms: i64,
    /// Sold hours of the jobs that were finished in this time, as far as they are known: the technician's part by
    /// clocked time. To a hundredth.
    pub sold_hours: f64,
}

/// Sold hours over clocked hours of the jobs that were finished this week and that this technician clocked time on. The
/// sold hours of a job are shared by clocked time among those who worked on it; where nobody clocked any, they are the
/// finisher's. Jobs without sold hours have no part in either.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Efficiency {
    /// To a tenth; null when nothing was clocked on them.
    #[schema(required)]
    pub percent: Option<f64>,
    /// To a hundredth.
    pub sold_hours: f64,
    /// The technician's own on these jobs, whenever they were clocked; to a hundredth.
    pub clocked_hours: f64,
    /// Of these jobs, those of which no sold hours are known.
    pub jobs_without_hours: u32,
}

/// A job that is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FinishedJob {
    pub ro_number: i64,
    pub job_number: i32,
    pub finished_at: Timestamp,
    /// Who finished it.
    pub technician_id: i64,
}

/// How long somebody worked on a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClockedJob {
    pub ro_number: i64,
    pub job_number: i32,
    /// Milliseconds.
    #[schema(minimum = 0)]
    pub clocked_ms: i64,
}

/// A clock that the server stopped, because the order was closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoppedByClosing {
    pub entry_id: i64,
    pub ro_number: i64,
    /// The dealer system's text for the number, where it is not just its digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub display_number: Option<String>,
    pub job_number: i32,
    pub stopped_at: Timestamp,
}

/// A technician's clock, and what it adds up to in the days and the week (from Monday) of the
/// shop's time zone.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TechnicianClock {
    pub technician_id: i64,
    pub now: Timestamp,
    /// Null: off the clock.
    #[schema(required)]
    pub running: Option<RunningClock>,
    pub today: ClockedTime,
    pub week: ClockedTime,
    pub efficiency: Efficiency,
    /// Jobs that this technician finished.
    pub completed_today: u32,
    pub completed_week: u32,
    /// Finished jobs of the open orders this technician is on, also those that others finished.
    pub finished_jobs: Vec<FinishedJob>,
    /// The technician's own time on jobs of these orders, up to now.
    pub clocked_jobs: Vec<ClockedJob>,
    /// The order was closed while the technician's clock ran on it, today; since then they have begun no other job, and
    /// nobody has said that this one is done.
    #[schema(required)]
    pub stopped_by_closing: Option<StoppedByClosing>,
    /// Entries of this week that were forgotten and that nobody has corrected.
    pub flagged: u32,
}

/// What is done to a clock. `at`: when it was tapped, for what was tapped without a connection; not
/// after now, at most 24 hours ago, and not before the last entry.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = ClockTap)]
// `rename_all_fields` is nothing that utoipa knows: the document would have other names.
#[serde(tag = "action", rename_all = "kebab-case")]
pub enum Tap {
    /// On the clock, where nobody is already.
    ClockIn {
        #[schema(nullable = false)]
        at: Option<MomentInBody>,
    },
    /// Works on this job from then on, and no longer on another. A job that is started again is not
    /// done any more.
    #[serde(rename_all = "camelCase")]
    Start {
        ro_number: RoNumberInBody,
        job_number: JobNumberInBody,
        #[schema(nullable = false)]
        at: Option<MomentInBody>,
    },
    /// On the clock without a job. With a job: only if it is the one that is worked on.
    #[serde(rename_all = "camelCase")]
    Stop {
        #[schema(nullable = false)]
        ro_number: Option<RoNumberInBody>,
        #[schema(nullable = false)]
        job_number: Option<JobNumberInBody>,
        #[schema(nullable = false)]
        at: Option<MomentInBody>,
    },
    /// Is done with this job.
    #[serde(rename_all = "camelCase")]
    Finish {
        ro_number: RoNumberInBody,
        job_number: JobNumberInBody,
        #[schema(nullable = false)]
        at: Option<MomentInBody>,
    },
    /// Takes it back that this job is done.
    #[serde(rename_all = "camelCase")]
    Reopen {
        ro_number: RoNumberInBody,
        job_number: JobNumberInBody,
        #[schema(nullable = false)]
        at: Option<MomentInBody>,
    },
    /// Off the clock.
    ClockOut {
        #[schema(nullable = false)]
        at: Option<MomentInBody>,
    },
    /// Everything is as before the technician's last tap, which arrived within the last minute.
    Undo {},
}

/// A stretch on the clock, with everything that was corrected in it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClockEntry {
    pub entry_id: i64,
    pub started_at: Timestamp,
    /// Null: it runs.
    #[schema(required)]
    pub ended_at: Option<Timestamp>,
    /// Null: on the clock without a job.
    #[schema(required)]
    pub ro_number: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub display_number: Option<String>,
    #[schema(required)]
    pub job_number: Option<i32>,
    /// It ran for more than 12 hours or past the shop's midnight, and nobody has corrected it.
    pub forgotten: bool,
    /// It counts no more; its trail stays.
    pub deleted: bool,
    /// The oldest first.
    pub corrections: Vec<ClockCorrection>,
    /// How its technician says that it was; null where they say nothing, or somebody has decided.
    #[schema(required)]
    pub proposal: Option<ClockProposal>,
}

/// A correction that a technician proposes, and an Owner or Admin accepts or declines.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ClockProposal {
    pub at: Timestamp,
    pub by: By,
    pub reason: String,
    pub times: ClockTimes,
}

/// An entry with a proposed correction.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProposedEntry {
    pub technician_id: i64,
    pub entry: ClockEntry,
}

/// What becomes of a proposed correction.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "decision", rename_all = "kebab-case")]
pub enum ProposalDecision {
    /// The entry is corrected as it was proposed.
    Accept {},
    /// The entry stays as it is.
    Decline {
        #[schema(min_length = 1, max_length = 500)]
        reason: String,
    },
}

/// Who made what of an entry, and why.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ClockCorrection {
    pub at: Timestamp,
    pub by: By,
    pub reason: String,
    /// Null where the entry was added.
    #[schema(required)]
    pub before: Option<ClockTimes>,
    /// Null where the entry was deleted.
    #[schema(required)]
    pub after: Option<ClockTimes>,
}

/// What can be corrected in an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClockTimes {
    pub started_at: Timestamp,
    #[schema(required)]
    pub ended_at: Option<Timestamp>,
    #[schema(required)]
    pub ro_number: Option<i64>,
    #[schema(required)]
    pub job_number: Option<i32>,
}

/// Days of the shop's time zone, 100 at most.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Days {
    /// The first day; the Monday of this week unless said.
    #[param(format = Date, nullable = false)]
    pub from: Option<String>,
    /// The last day; today unless said.
    #[param(format = Date, nullable = false)]
    pub to: Option<String>,
}

/// An entry that is missing. Order and job go together.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewClockEntry {
    pub started_at: MomentInBody,
    pub ended_at: MomentInBody,
    #[serde(default)]
    pub ro_number: Option<RoNumberInBody>,
    #[serde(default)]
    pub job_number: Option<JobNumberInBody>,
    /// Why, in the corrector's words.
    #[schema(min_length = 1, max_length = 500)]
    pub reason: String,
}

/// A field that is not sent stays unchanged; null removes order and job.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangeClockEntry {
    #[serde(default)]
    #[schema(nullable = false)]
    pub started_at: Option<MomentInBody>,
    /// An entry that runs ends with it.
    #[serde(default)]
    #[schema(nullable = false)]
    pub ended_at: Option<MomentInBody>,
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false)]
    pub ro_number: Option<Option<RoNumberInBody>>,
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false)]
    pub job_number: Option<Option<JobNumberInBody>>,
    #[schema(min_length = 1, max_length = 500)]
    pub reason: String,
}

#[derive(Deserialize, ToSchema)]
pub struct DeleteClockEntry {
    #[schema(min_length = 1, max_length = 500)]
    pub reason: String,
}

/// Sent as `CLOCK_CHANGED`, without an offset, whenever a technician's clock changed: to every
/// session that receives all events, and to those that receive that technician's.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ClockChanged)]
pub struct ClockChangedEvent {
    /// Always `CLOCK_CHANGED`.
    pub r#type: &'static str,
    pub technician_id: i64,
    /// Null: off the clock.
    #[schema(required)]
    pub running: Option<RunningClock>,
    pub timestamp: Timestamp,
}

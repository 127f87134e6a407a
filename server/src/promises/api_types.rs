//! Promises as clients see them.

use std::sync::Arc;

use dispatch_actors::promise::{Figures, PromiseRisk, Reason, Risk};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::identity::Visibility;
use crate::technician_names::TechnicianNames;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PromisesAnswer)]
pub struct PromisesAnswer {
    /// Always true.
    pub(super) ok: bool,
    /// By RO number.
    pub(super) result: Vec<Promise>,
    /// The moment for which it is true.
    pub(super) now: Timestamp,
    /// The hours of the shop with which it was reckoned, such as `Mon-Fri 07:00-18:00, Sat 08:00-16:00`.
    pub(super) shop_hours: String,
    /// The number of the newest event that is in it.
    pub(super) seq: i64,
    /// The log that has this event, as in `hello` and `tick`.
    #[schema(value_type = String)]
    pub(super) generation: Arc<str>,
}

/// Whether a promise will be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PromiseState {
    /// All that is left is known, somebody has it, and it is done in time with something to spare; or it was.
    OnTime,
    /// Nothing speaks against it, and something that would have to be known is not: see the reasons.
    Unknown,
    /// What is known does not fit, or only just; or there is no time left to learn what is not known: see the reasons.
    AtRisk,
    /// The promised time is over; of an order whose jobs are all finished, it was when the last one was.
    Late,
}

/// The promise of an open order, whether it will be kept, and what that is reckoned from. Hours are sold hours, to the
/// hundredth, less what was clocked.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Promise {
    pub(super) ro_number: i64,
    pub(super) promised_date_time: Timestamp,
    pub(super) state: PromiseState,
    /// Why it is at risk or unknown, what decided first; never empty there, and empty otherwise.
    pub(super) reasons: Vec<Reason>,
    /// Milliseconds for which it is late, up to now or up to when the last job was finished; null when it is not late.
    #[schema(required, minimum = 0)]
    late_ms: Option<i64>,
    /// Of the jobs that are not finished, as far as their hours are known.
    hours_left: f64,
    jobs_left: u32,
    /// Of these, those whose hours are not known; 1 where the order has no job.
    jobs_without_hours: u32,
    /// Of these, those on which all hours that were sold have been clocked.
    jobs_over_hours: u32,
    /// How many technicians have it, the work in equal parts; 0 where nobody does.
    technicians: u32,
    /// Of these, the one who is ready last. Null where nobody has it, and for a technician who sees only their own work
    /// where it is another; then the next three are null, too.
    #[schema(required)]
    pub(super) technician_id: Option<i64>,
    #[schema(required)]
    pub(super) technician_name: Option<String>,
    /// What that technician does before it, as far as it is known.
    #[schema(required)]
    pub(super) hours_before: Option<f64>,
    /// Of so many orders.
    #[schema(required)]
    pub(super) orders_before: Option<u32>,
    /// When that technician could begin it or go on with it.
    #[schema(required)]
    pub(super) free_at: Option<Timestamp>,
    /// When it would be ready by what is known; where nobody has it, if somebody began now. Null when that is more than
    /// sixty days ahead.
    #[schema(required)]
    ready_about: Option<Timestamp>,
    /// When its own work must begin at the latest, by the shop's hours; null where it is too late for that.
    #[schema(required)]
    begin_by: Option<Timestamp>,
    /// When the last of its holds is expected to end.
    #[schema(required)]
    hold_until: Option<Timestamp>,
    /// When the shop's day of work ends, today's or the next one's.
    #[schema(required)]
    closes_at: Option<Timestamp>,
    /// When the last job was finished, where all are.
    #[schema(required)]
    finished_at: Option<Timestamp>,
}

impl Promise {
    fn new(judged: PromiseRisk, names: &TechnicianNames) -> Self {
        let (state, reasons, late) = match judged.risk {
            Risk::OnTime => (PromiseState::OnTime, vec![], None),
            Risk::Unknown { why } => (PromiseState::Unknown, why, None),
            Risk::AtRisk { why } => (PromiseState::AtRisk, why, None),
            Risk::Late { by } => (PromiseState::Late, vec![], Some(by)),
        };
        let Figures {
            remaining,
            jobs_left,
            jobs_without_hours,
            jobs_over_hours,
            technicians,
            technician,
            before,
            orders_before,
            free_at,
            ready_about,
            begin_by,
            hold_until,
            closes_at,
            finished_at,
        } = judged.figures;
        Self {
            ro_number: judged.order.get(),
            promised_date_time: judged.promised_at,
            state,
            reasons,
            late_ms: late.map(|by| i64::try_from(by.as_millis()).unwrap_or(i64::MAX)),
            hours_left: hours(remaining),
            jobs_left,
            jobs_without_hours,
            jobs_over_hours,
            technicians,
            technician_id: technician,
            technician_name: technician.map(|technician| names.of(technician, None)),
            hours_before: technician.map(|_| hours(before)),
            orders_before: technician.map(|_| orders_before),
            free_at,
            ready_about,
            begin_by,
            hold_until,
            closes_at,
            finished_at,
        }
    }

    /// As this much of the shop shows it.
    pub(super) fn visible(
        judged: PromiseRisk,
        visibility: Visibility,
        names: &TechnicianNames,
    ) -> Self {
        let technician = judged.figures.technician;
        let promise = Self::new(judged, names);
        match technician {
            Some(technician) if !visibility.shows_technician(technician) => {
                promise.without_technician()
            }
            _ => promise,
        }
    }

    /// For somebody who does not see that technician's work.
    fn without_technician(self) -> Self {
        Self {
            technician_id: None,
            technician_name: None,
            hours_before: None,
            orders_before: None,
            free_at: None,
            ..self
        }
    }
}

/// To the hundredth.
fn hours(time: SignedDuration) -> f64 {
    (time.as_secs_f64() / 36.0).round() / 100.0
}

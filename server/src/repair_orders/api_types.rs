//! Repair orders as clients see them: the API's rows, one per technician, and the live message.

use std::sync::Arc;

use dispatch_actors::broadcaster::{Announcement, Hint};
use dispatch_actors::presence::Person;
use dispatch_actors::repair_order::{
    Action, AssignedTechnician, Job, JobAssignment, Operation, Priority, RepairOrder, RoNumber,
    Status,
};
use dispatch_actors::store::Event;
use dispatch_actors::supervisor::Stale;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::identity::Visibility;
use crate::technician_names::TechnicianNames;

/// Where a technician on an order comes from: the desk, or the dealer's system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum Source {
    Regular,
    #[serde(rename = "ETL")]
    Etl,
}

/// One technician of one repair order; an order without any has one row of nulls.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RepairOrderRow)]
pub struct Row {
    pub repair_order_number: i64,
    /// The dealer system's text for the number, where it is not just its digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub display_number: Option<String>,
    #[serde(rename = "vehicleVIN")]
    pub vehicle_vin: String,
    pub vehicle: String,
    /// Of the hat or key tag, by which the car is found on the lot; absent where it has none.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    pub tag_number: String,
    pub customer: String,
    pub advisor: String,
    /// ISO 8601, UTC.
    #[schema(format = DateTime)]
    pub create_date_time: String,
    #[schema(format = DateTime, required)]
    pub promised_date_time: Option<String>,
    pub priority_name: Priority,
    /// The dealer system's status, as it came.
    pub customer_status: String,
    /// The desk's status; where it is null, the dealer system's counts.
    #[schema(required)]
    pub app_customer_status: Option<Status>,
    pub jobs: Vec<JobLine>,
    #[schema(required)]
    pub regular_id_technician: Option<i64>,
    #[schema(required)]
    pub regular_tech_full_name: Option<String>,
    #[serde(rename = "ETLIdTechnician")]
    #[schema(required)]
    pub etl_id_technician: Option<i64>,
    #[serde(rename = "ETLTechFullName")]
    #[schema(required)]
    pub etl_tech_full_name: Option<String>,
    pub source: Source,
    /// Of the repair order; the higher one is the newer one.
    pub version: i64,
}

/// A job as a list shows it; the whole job is in the order's details.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobLine {
    pub job_number: i32,
    pub concern: String,
    pub operations: Vec<Operation>,
}

/// One repair order with its jobs whole.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RepairOrderDetails)]
pub struct Details {
    pub repair_order_number: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub display_number: Option<String>,
    #[serde(rename = "vehicleVIN")]
    pub vehicle_vin: String,
    pub vehicle: String,
    /// Of the hat or key tag, by which the car is found on the lot; absent where it has none.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    pub tag_number: String,
    pub customer: String,
    pub advisor: String,
    #[schema(format = DateTime)]
    pub create_date_time: String,
    #[schema(format = DateTime, required)]
    pub promised_date_time: Option<String>,
    #[schema(format = DateTime, required)]
    pub closed_date_time: Option<String>,
    pub priority_name: Priority,
    pub customer_status: String,
    #[schema(required)]
    pub app_customer_status: Option<Status>,
    pub version: i64,
    /// True where the stories of its jobs are not shown to the caller, who is a technician and not on
    /// this order: each `techStory` is empty then, whatever there is.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub stories_withheld: bool,
    pub jobs: Vec<JobDetails>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobDetails {
    pub job_number: i32,
    pub concern: String,
    pub cause: String,
    pub brief_tech_notes: String,
    pub tech_story: String,
    pub operations: Vec<Operation>,
    pub assignments: Vec<JobAssignment>,
}

/// Who did it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct By {
    pub uid: String,
    pub name: String,
}

/// The live message: a change of one repair order that is committed.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoModified {
    /// Always `RO_MODIFIED`.
    pub r#type: &'static str,
    pub ro_number: i64,
    pub action: Action,
    /// The technician that was assigned or unassigned.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub tech_id: Option<i64>,
    #[schema(format = DateTime)]
    pub timestamp: String,
    /// The order's version after this change; its rows may be newer.
    pub version: i64,
    /// The event's number: dense, in the order of commits.
    pub seq: i64,
    pub by: By,
    /// The order's rows as they are now; empty when it is closed and on no list any more.
    pub rows: Vec<Row>,
}

/// What a client may send as `RO_MODIFIED` after a change it made: it reaches the others without
/// rows, unless the change itself has reached them already. Acknowledged with `{ok: true}` or
/// with `{message, data: {code}}`: `invalid-request`, `forbidden` (who may not make that change does
/// not say that they made it), `unknown-repair-order`, or `too-many-requests` (more than 10 a
/// second).
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoNotice {
    pub ro_number: i64,
    pub action: Action,
    /// The technician it is about.
    pub tech_id: Option<i64>,
}

/// A client's notice as the others hear it, as `RO_MODIFIED` without rows, number or offset.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoModifiedHint {
    /// Always `RO_MODIFIED`.
    pub r#type: &'static str,
    pub ro_number: i64,
    pub action: Action,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub tech_id: Option<i64>,
    #[schema(format = DateTime)]
    pub timestamp: String,
    /// Who sent it.
    pub by: By,
}

/// How far the stream is: `hello`, the first message of a session (every later event has a number above
/// `seq`), and `tick`, every five seconds (every event up to `seq` has been sent) and whenever an outage
/// begins or ends.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StreamState<'a> {
    pub seq: i64,
    #[schema(format = DateTime)]
    pub now: String,
    /// The server's build: a board that runs another one reloads.
    #[schema(required = false)]
    pub version: &'a str,
    /// Which log the numbers are of. Another one means that the database went back, by a restored
    /// backup, say: nothing that was loaded before holds any more.
    #[schema(value_type = String, required = false)]
    pub generation: Arc<str>,
    /// Changes cannot be saved since then, and are refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub not_saving_since: Option<String>,
    /// The database cannot be read since then: what others changed may be missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub not_read_since: Option<String>,
}

/// Who has an order open: sent as `RO_PRESENCE` whenever that changes.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoPresence {
    pub ro_number: i64,
    pub people: Vec<By>,
}

/// Who has which order open: sent as `RO_PRESENCES` once, after a new session's `hello`, if anybody
/// has; until then the session knows of nobody.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RoPresences {
    pub orders: Vec<RoPresence>,
}

/// What a client sends as `RO_OPEN` when somebody opens an order, and as `RO_LEAVE` when they close
/// it; a session that ends has left all. Acknowledged with `{ok: true}` once it counts, or
/// with `{message, data: {code}}`: `invalid-request`, `unknown-repair-order`, or
/// `too-many-requests` (a session may open 10 at once and 5 a second). Of more than 8 orders open
/// on a session, or 256 on all sessions of a person, the oldest is left.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoOpen {
    pub ro_number: i64,
}

/// The order as it is, for a caller who had an older one in mind.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CurrentRepairOrder)]
pub struct Current {
    pub rows: Vec<Row>,
    pub version: i64,
    #[schema(required)]
    pub changed_by: Option<By>,
    #[schema(format = DateTime, required)]
    pub changed_at: Option<String>,
}

/// The rows of one order; none once it is closed.
pub fn rows(order: &RepairOrder, names: &TechnicianNames) -> Vec<Row> {
    if order.closed_at.is_some() {
        return Vec::new();
    }
    let regular = order.regular_technicians.len();
    let count = regular + order.etl_technicians.len();
    let mut rows = vec![blank_row(order); count.max(1)];
    let (regular, etl) = rows.split_at_mut(regular);
    let name = |t: &AssignedTechnician| Some(names.of(t.technician, t.name.as_deref()));
    for (row, t) in regular.iter_mut().zip(&order.regular_technicians) {
        row.regular_id_technician = Some(t.technician);
        row.regular_tech_full_name = name(t);
    }
    for (row, t) in etl.iter_mut().zip(&order.etl_technicians) {
        row.etl_id_technician = Some(t.technician);
        row.etl_tech_full_name = name(t);
        row.source = Source::Etl;
    }
    rows
}

fn blank_row(order: &RepairOrder) -> Row {
    Row {
        repair_order_number: order.number.get(),
        display_number: order.dms_number.clone(),
        vehicle_vin: order.header.vin.clone(),
        vehicle: order.header.vehicle.clone(),
        tag_number: order.header.tag_number.clone(),
        customer: order.header.customer.clone(),
        advisor: order.header.advisor.clone(),
        create_date_time: order.opened_at.to_string(),
        promised_date_time: order.promised_at.map(|at| at.to_string()),
        priority_name: order.priority,
        customer_status: order.customer_status.clone(),
        app_customer_status: order.app_customer_status,
        jobs: order.jobs.iter().map(JobLine::from).collect(),
        regular_id_technician: None,
        regular_tech_full_name: None,
        etl_id_technician: None,
        etl_tech_full_name: None,
        source: Source::Regular,
        version: order.version,
    }
}

impl From<&Job> for JobLine {
    fn from(job: &Job) -> Self {
        Self {
            job_number: job.job_number,
            concern: job.concern.clone(),
            operations: job.operations.clone(),
        }
    }
}

impl From<Job> for JobDetails {
    fn from(job: Job) -> Self {
        Self {
            job_number: job.job_number,
            concern: job.concern,
            cause: job.cause,
            brief_tech_notes: job.brief_tech_notes,
            tech_story: job.tech_story,
            operations: job.operations,
            assignments: job.assignments,
        }
    }
}

impl Details {
    /// As this much of the shop shows it.
    pub fn new(order: RepairOrder, visibility: Visibility) -> Self {
        let stories_withheld = !visibility.shows_stories_of(&order);
        let mut jobs: Vec<JobDetails> = Arc::unwrap_or_clone(order.jobs)
            .into_iter()
            .map(JobDetails::from)
            .collect();
        if stories_withheld {
            jobs.iter_mut().for_each(|job| job.tech_story.clear());
        }
        Self {
            repair_order_number: order.number.get(),
            display_number: order.dms_number,
            vehicle_vin: order.header.vin,
            vehicle: order.header.vehicle,
            tag_number: order.header.tag_number,
            customer: order.header.customer,
            advisor: order.header.advisor,
            create_date_time: order.opened_at.to_string(),
            promised_date_time: order.promised_at.map(|at| at.to_string()),
            closed_date_time: order.closed_at.map(|at| at.to_string()),
            priority_name: order.priority,
            customer_status: order.customer_status,
            app_customer_status: order.app_customer_status,
            version: order.version,
            stories_withheld,
            jobs,
        }
    }
}

impl RoPresence {
    pub fn new(number: RoNumber, people: &[Person]) -> Self {
        let people = people.iter().map(|person| By {
            uid: person.uid.clone(),
            name: person.name.clone(),
        });
        Self {
            ro_number: number.get(),
            people: people.collect(),
        }
    }
}

impl From<&Event> for By {
    fn from(event: &Event) -> Self {
        Self {
            uid: event.by.uid.clone(),
            name: event.by.name.clone(),
        }
    }
}

impl RoModified {
    pub fn new(announcement: &Announcement, names: &TechnicianNames) -> Self {
        let event = &announcement.event;
        Self {
            r#type: "RO_MODIFIED",
            ro_number: event.number.get(),
            action: event.action(),
            tech_id: event.change.technician(),
            timestamp: event.at.to_string(),
            version: event.version,
            seq: event.seq,
            by: By::from(event),
            rows: rows(&announcement.order, names),
        }
    }
}

impl RoModifiedHint {
    pub fn new(hint: &Hint, timestamp: String) -> Self {
        Self {
            r#type: "RO_MODIFIED",
            ro_number: hint.number.get(),
            action: hint.action,
            tech_id: hint.technician,
            timestamp,
            by: By {
                uid: hint.by.uid.clone(),
                name: hint.by.name.clone(),
            },
        }
    }
}

impl Current {
    pub fn new(stale: &Stale, names: &TechnicianNames) -> Self {
        Self {
            rows: rows(&stale.order, names),
            version: stale.order.version,
            changed_by: stale.last.as_ref().map(By::from),
            changed_at: stale.last.as_ref().map(|event| event.at.to_string()),
        }
    }
}

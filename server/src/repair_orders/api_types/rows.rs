//! The rows of a repair order, one per technician, and its details.

use std::sync::Arc;

use dispatch_actors::repair_order::{
    AssignedTechnician, Hold, Job, JobAssignment, Operation, OrderProgress, Priority, RepairOrder,
    StageId, StageRules, Status,
};
use dispatch_actors::store::Event;
use dispatch_actors::supervisor::Stale;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::identity::{Caller, Visibility};
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
    pub create_date_time: Timestamp,
    #[schema(required)]
    pub promised_date_time: Option<Timestamp>,
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
    /// The stage of work it is in, by its id; absent in a shop without stages.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<String>)]
    pub stage: Option<StageId>,
    /// Since when it has been in this stage.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub stage_since: Option<Timestamp>,
    /// What it, or a job of it, waits for; absent where that is nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub holds: Vec<Hold>,
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
    pub create_date_time: Timestamp,
    #[schema(required)]
    pub promised_date_time: Option<Timestamp>,
    #[schema(required)]
    pub closed_date_time: Option<Timestamp>,
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
    /// The stage of work it is in, by its id; absent in a shop without stages.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<String>)]
    pub stage: Option<StageId>,
    /// Since when it has been in this stage.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub stage_since: Option<Timestamp>,
    /// What it, or a job of it, waits for; absent where that is nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub holds: Vec<Hold>,
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

/// The order as it is, for a caller who had an older one in mind.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CurrentRepairOrder)]
pub struct Current {
    pub rows: Vec<Row>,
    pub version: i64,
    #[schema(required)]
    pub changed_by: Option<By>,
    #[schema(required)]
    pub changed_at: Option<Timestamp>,
}

/// The rows of one order; none once it is closed. Without its stage while stages are off.
pub fn rows(order: &RepairOrder, names: &TechnicianNames, stages: &StageRules) -> Vec<Row> {
    if order.closed_at.is_some() {
        return Vec::new();
    }
    let regular = order.regular_technicians.len();
    let count = regular + order.etl_technicians.len();
    let mut rows = vec![blank_row(order, stages); count.max(1)];
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

fn blank_row(order: &RepairOrder, stages: &StageRules) -> Row {
    let progress = Some(&order.progress).filter(|_| stages.is_on);
    Row {
        repair_order_number: order.number.get(),
        display_number: order.dms_number.clone(),
        vehicle_vin: order.header.vin.clone(),
        vehicle: order.header.vehicle.clone(),
        tag_number: order.header.tag_number.clone(),
        customer: order.header.customer.clone(),
        advisor: order.header.advisor.clone(),
        create_date_time: order.opened_at,
        promised_date_time: order.promised_at,
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
        stage: progress.and_then(|progress| progress.placement.stage.clone()),
        stage_since: progress.and_then(|progress| progress.since),
        holds: progress.map_or_else(Vec::new, |progress| progress.holds.clone()),
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
    pub fn new(order: RepairOrder, visibility: Visibility, stages: &StageRules) -> Self {
        let stories_withheld = !visibility.shows_stories_of(&order);
        let progress = if stages.is_on {
            order.progress
        } else {
            OrderProgress::default()
        };
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
            create_date_time: order.opened_at,
            promised_date_time: order.promised_at,
            closed_date_time: order.closed_at,
            priority_name: order.priority,
            customer_status: order.customer_status,
            app_customer_status: order.app_customer_status,
            version: order.version,
            stories_withheld,
            jobs,
            stage: progress.placement.stage,
            stage_since: progress.since,
            holds: progress.holds,
        }
    }
}

impl From<Caller> for By {
    fn from(Caller { uid, name, .. }: Caller) -> Self {
        Self { uid, name }
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

impl Current {
    pub fn new(stale: &Stale, names: &TechnicianNames, stages: &StageRules) -> Self {
        Self {
            rows: rows(&stale.order, names, stages),
            version: stale.order.version,
            changed_by: stale.last.as_ref().map(By::from),
            changed_at: stale.last.as_ref().map(|event| event.at),
        }
    }
}

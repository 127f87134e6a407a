//! The tables as sea-orm entities. Private to the store: everybody else sees domain types. The order's own
//! row is converted here, so that a column is named in one file.

use std::sync::Arc;

use super::StoreError;
use super::read::time;
use crate::repair_order::{OrderProgress, RepairOrder, RoHeader, RoNumber};

macro_rules! table {
    ($module:ident, $name:literal, { $($(#[$attribute:meta])* $field:ident: $type:ty,)* }) => {
        pub(super) mod $module {
            use sea_orm::entity::prelude::*;

            #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
            #[sea_orm(table_name = $name)]
            pub struct Model {
                $($(#[$attribute])* pub $field: $type,)*
            }

            #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
            pub enum Relation {}

            impl ActiveModelBehavior for ActiveModel {}
        }
    };
}

table!(repair_orders, "repair_orders", {
    #[sea_orm(primary_key, auto_increment = false)]
    number: i64,
    version: i64,
    #[sea_orm(column_type = "Text", nullable)]
    dms_number: Option<String>,
    #[sea_orm(column_type = "Text")]
    vin: String,
    #[sea_orm(column_type = "Text")]
    vehicle: String,
    #[sea_orm(column_type = "Text")]
    customer: String,
    #[sea_orm(column_type = "Text")]
    advisor: String,
    #[sea_orm(column_type = "Text")]
    tag_number: String,
    opened_at: i64,
    promised_at: Option<i64>,
    closed_at: Option<i64>,
    reopened_at: Option<i64>,
    erased_at: Option<i64>,
    #[sea_orm(column_type = "Text")]
    customer_status: String,
    #[sea_orm(column_type = "Text", nullable)]
    app_customer_status: Option<String>,
    #[sea_orm(column_type = "Text")]
    priority: String,
    /// JSON; null where nothing is known of it.
    #[sea_orm(column_type = "Text", nullable)]
    progress: Option<String>,
});

impl From<&RepairOrder> for repair_orders::Model {
    fn from(order: &RepairOrder) -> Self {
        let RoHeader {
            vin,
            vehicle,
            customer,
            advisor,
            tag_number,
        } = order.header.clone();
        Self {
            number: order.number.get(),
            version: order.version,
            dms_number: order.dms_number.clone(),
            vin,
            vehicle,
            customer,
            advisor,
            tag_number,
            opened_at: order.opened_at.as_millisecond(),
            promised_at: order.promised_at.map(|at| at.as_millisecond()),
            closed_at: order.closed_at.map(|at| at.as_millisecond()),
            reopened_at: order.reopened_at.map(|at| at.as_millisecond()),
            erased_at: order.erased_at.map(|at| at.as_millisecond()),
            customer_status: order.customer_status.clone(),
            app_customer_status: order
                .app_customer_status
                .map(|status| status.name().to_owned()),
            priority: order.priority.name().to_owned(),
            progress: progress_text(&order.progress),
        }
    }
}

pub(super) fn progress_text(progress: &OrderProgress) -> Option<String> {
    if progress.is_empty() {
        return None;
    }
    // Its keys are words, so that it always serialises.
    serde_json::to_string(progress).ok()
}

/// Without its jobs and technicians, which are rows of their own.
impl TryFrom<repair_orders::Model> for RepairOrder {
    type Error = StoreError;

    fn try_from(row: repair_orders::Model) -> Result<Self, StoreError> {
        let damaged = |what: &str| StoreError::Damaged {
            number: row.number,
            what: what.to_owned(),
        };
        let status = match &row.app_customer_status {
            Some(status) => Some(status.parse().map_err(|()| damaged("its status"))?),
            None => None,
        };
        let progress = match &row.progress {
            Some(text) => serde_json::from_str(text).map_err(|_| damaged("its progress"))?,
            None => OrderProgress::default(),
        };
        Ok(Self {
            number: RoNumber::try_from(row.number).map_err(|_| damaged("its number"))?,
            version: row.version,
            opened_at: time(row.opened_at).ok_or_else(|| damaged("when it was opened"))?,
            promised_at: row.promised_at.and_then(time),
            closed_at: row.closed_at.and_then(time),
            reopened_at: row.reopened_at.and_then(time),
            erased_at: row.erased_at.and_then(time),
            priority: row.priority.parse().map_err(|()| damaged("its priority"))?,
            app_customer_status: status,
            dms_number: row.dms_number,
            header: RoHeader {
                vin: row.vin,
                vehicle: row.vehicle,
                customer: row.customer,
                advisor: row.advisor,
                tag_number: row.tag_number,
            },
            customer_status: row.customer_status,
            regular_technicians: Vec::new(),
            etl_technicians: Vec::new(),
            jobs: Arc::default(),
            progress,
        })
    }
}

table!(order_search, "order_search", {
    #[sea_orm(primary_key, auto_increment = false)]
    opened_at: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    ro_number: i64,
    #[sea_orm(column_type = "Text")]
    texts: String,
});

table!(jobs, "jobs", {
    #[sea_orm(primary_key, auto_increment = false)]
    ro_number: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    job_number: i32,
    #[sea_orm(column_type = "Text")]
    concern: String,
    #[sea_orm(column_type = "Text")]
    cause: String,
    #[sea_orm(column_type = "Text")]
    brief_tech_notes: String,
    #[sea_orm(column_type = "Text")]
    tech_story: String,
});

table!(operations, "operations", {
    #[sea_orm(primary_key, auto_increment = false)]
    ro_number: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    job_number: i32,
    #[sea_orm(primary_key, auto_increment = false)]
    position: i32,
    #[sea_orm(column_type = "Text")]
    code: String,
    #[sea_orm(column_type = "Text")]
    description: String,
    sold_hundredths: Option<i32>,
});

table!(job_assignments, "job_assignments", {
    #[sea_orm(primary_key, auto_increment = false)]
    ro_number: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    job_number: i32,
    #[sea_orm(primary_key, auto_increment = false)]
    position: i32,
    #[sea_orm(column_type = "Text")]
    source: String,
    #[sea_orm(column_type = "Text")]
    first_name: String,
});

table!(technician_assignments, "technician_assignments", {
    #[sea_orm(primary_key, auto_increment = false)]
    ro_number: i64,
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    source: String,
    #[sea_orm(primary_key, auto_increment = false)]
    position: i32,
    technician: i64,
    #[sea_orm(column_type = "Text", nullable)]
    name: Option<String>,
});

table!(events, "events", {
    #[sea_orm(primary_key, auto_increment = false)]
    seq: i64,
    ro_number: i64,
    version: i64,
    #[sea_orm(column_type = "Text")]
    action: String,
    technician: Option<i64>,
    at: i64,
    #[sea_orm(column_type = "Text")]
    by_uid: String,
    #[sea_orm(column_type = "Text")]
    by_name: String,
    #[sea_orm(column_type = "Text")]
    channel: String,
    #[sea_orm(column_type = "Text", nullable)]
    request: Option<String>,
    #[sea_orm(column_type = "Text")]
    change: String,
});

table!(event_log, "event_log", {
    #[sea_orm(primary_key, auto_increment = false)]
    id: i32,
    top: i64,
    #[sea_orm(column_type = "Text")]
    generation: String,
    pruned_to: i64,
});

table!(idempotency_records, "receipts", {
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    uid: String,
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    key: String,
    #[sea_orm(primary_key, auto_increment = false)]
    entry: i32,
    #[sea_orm(column_type = "Text")]
    request_hash: String,
    #[sea_orm(column_type = "Text")]
    answer: String,
    created_at: i64,
});

table!(pending_erasures, "pending_erasures", {
    #[sea_orm(primary_key, auto_increment = false)]
    ro_number: i64,
});

//! The tables as sea-orm entities. Private to the store: everybody else sees domain types.

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
    opened_at: i64,
    promised_at: Option<i64>,
    closed_at: Option<i64>,
    reopened_at: Option<i64>,
    #[sea_orm(column_type = "Text")]
    customer_status: String,
    #[sea_orm(column_type = "Text", nullable)]
    app_customer_status: Option<String>,
    #[sea_orm(column_type = "Text")]
    priority: String,
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
});

table!(receipts, "receipts", {
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

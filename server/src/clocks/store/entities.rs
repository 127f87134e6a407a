//! The tables of the job clock: entries, their corrections, finished jobs, last taps, and proposed
//! corrections.

use dispatch_actors::repair_order::RoNumber;
use jiff::Timestamp;

use crate::clocks::arithmetic::{Entry, Work};

/// An IN list stays well below what the databases accept.
pub(super) const BATCH_SIZE: usize = 1_000;

pub mod entry {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "clock_entries")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub technician: i64,
        pub started_at: i64,
        pub ended_at: Option<i64>,
        pub ro_number: Option<i64>,
        pub job_number: Option<i32>,
        pub corrected_at: Option<i64>,
        pub deleted_at: Option<i64>,
        pub ended_by_closing: bool,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub mod correction {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "clock_corrections")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub entry: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub place: i32,
        pub at: i64,
        #[sea_orm(column_type = "Text")]
        pub by_uid: String,
        #[sea_orm(column_type = "Text")]
        pub by_name: String,
        #[sea_orm(column_type = "Text")]
        pub reason: String,
        #[sea_orm(column_type = "Text", nullable)]
        pub before: Option<String>,
        #[sea_orm(column_type = "Text", nullable)]
        pub after: Option<String>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub mod finished {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "finished_jobs")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub ro_number: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub job_number: i32,
        pub technician: i64,
        pub finished_at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub mod last_tap {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "clock_last_taps")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub technician: i64,
        pub tapped_at: i64,
        pub kept_at: i64,
        pub ended_entry: Option<i64>,
        pub begun_entry: Option<i64>,
        pub ro_number: Option<i64>,
        pub job_number: Option<i32>,
        pub finisher_before: Option<i64>,
        pub finished_at_before: Option<i64>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub mod proposal {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "clock_proposals")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub entry: i64,
        pub technician: i64,
        pub proposed_at: i64,
        #[sea_orm(column_type = "Text")]
        pub by_uid: String,
        #[sea_orm(column_type = "Text")]
        pub by_name: String,
        #[sea_orm(column_type = "Text")]
        pub reason: String,
        pub started_at: i64,
        pub ended_at: i64,
        pub ro_number: Option<i64>,
        pub job_number: Option<i32>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

impl From<&entry::Model> for Entry {
    fn from(row: &entry::Model) -> Self {
        let order = row.ro_number.map(RoNumber::try_from);
        let work = order.zip(row.job_number).and_then(|(order, job)| {
            let order = order.ok()?;
            Some(Work { order, job })
        });
        Self {
            id: row.id,
            started_at: time(row.started_at),
            ended_at: row.ended_at.map(time),
            work,
            corrected: row.corrected_at.is_some(),
        }
    }
}

impl From<entry::Model> for Entry {
    fn from(row: entry::Model) -> Self {
        Self::from(&row)
    }
}

/// The database keeps milliseconds. No entry was written with an impossible moment.
pub(super) fn time(milliseconds: i64) -> Timestamp {
    Timestamp::from_millisecond(milliseconds).unwrap_or_default()
}

//! What deleted rows added up to, by the shop's days: kept for good, and without anybody's customers.

use std::collections::BTreeMap;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{ConnectionTrait, DbErr, EntityTrait, ExprTrait, IntoActiveModel};

use row::{Column, Entity, Model};

mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "daily_totals")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub day: String,
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub kind: String,
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub subject: String,
        pub total: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// What is added up. The subject of the first is a status, of the others a technician's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TotalKind {
    OrdersClosed,
    JobsFinished,
    /// Hundredths of an hour, of finished jobs.
    HoursSold,
    /// Milliseconds, with a job or without.
    Attended,
    /// Milliseconds.
    OnJobs,
}

impl TotalKind {
    fn name(self) -> &'static str {
        match self {
            Self::OrdersClosed => "orders-closed",
            Self::JobsFinished => "jobs-finished",
            Self::HoursSold => "sold-hundredths",
            Self::Attended => "attended-ms",
            Self::OnJobs => "on-jobs-ms",
        }
    }
}

/// What one step adds.
pub(super) struct DailyTotals {
    zone: TimeZone,
    totals: BTreeMap<(Date, TotalKind, String), i64>,
}

impl DailyTotals {
    pub(super) fn new(zone: TimeZone) -> Self {
        Self {
            zone,
            totals: BTreeMap::new(),
        }
    }

    pub(super) fn add(&mut self, at: Timestamp, kind: TotalKind, subject: &str, amount: i64) {
        let day = at.to_zoned(self.zone.clone()).date();
        *self
            .totals
            .entry((day, kind, subject.to_owned()))
            .or_default() += amount;
    }

    /// Divides the time at the shop's midnights.
    pub(super) fn add_time(
        &mut self,
        (from, to): (Timestamp, Timestamp),
        kind: TotalKind,
        subject: &str,
    ) {
        let mut begins = from;
        while begins < to {
            let midnight = begins
                .to_zoned(self.zone.clone())
                .tomorrow()
                .and_then(|tomorrow| tomorrow.start_of_day());
            let ends = midnight.map_or(to, |midnight| midnight.timestamp().min(to));
            let took: SignedDuration = ends.duration_since(begins);
            let milliseconds = i64::try_from(took.as_millis()).unwrap_or(i64::MAX);
            self.add(begins, kind, subject, milliseconds);
            begins = ends;
        }
    }

    /// As a part of the transaction that deletes the rows.
    pub(super) async fn write(self, transaction: &impl ConnectionTrait) -> Result<(), DbErr> {
        for ((day, kind, subject), total) in self.totals {
            let row = Model {
                day: day.to_string(),
                kind: kind.name().to_owned(),
                subject,
                total,
            };
            let sum = Expr::col((Entity, Column::Total)).add(total);
            let added = OnConflict::columns([Column::Day, Column::Kind, Column::Subject])
                .value(Column::Total, sum)
                .to_owned();
            Entity::insert(row.into_active_model())
                .on_conflict(added)
                .exec_without_returning(transaction)
                .await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_divided_at_the_shops_midnights() {
        let zone = TimeZone::get("America/Chicago").unwrap();
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let mut totals = DailyTotals::new(zone);
        // From 22 o'clock to 1 o'clock.
        let shift = (at("2026-07-15T03:00:00Z"), at("2026-07-15T06:00:00Z"));
        totals.add_time(shift, TotalKind::Attended, "11");
        totals.add_time((shift.0, shift.0), TotalKind::Attended, "11");
        let hour = 3_600_000;
        let found: Vec<(String, i64)> = totals
            .totals
            .into_iter()
            .map(|((day, _, _), total)| (day.to_string(), total))
            .collect();
        let expected = [("2026-07-14", 2 * hour), ("2026-07-15", hour)];
        let expected = expected.map(|(day, total)| (day.to_owned(), total));
        assert_eq!(found, expected);
    }
}

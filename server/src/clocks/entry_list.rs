//! Entries with their trails, for those who may correct them.

use std::collections::HashMap;

use dispatch_actors::repair_order::TechnicianId;
use jiff::Timestamp;
use jiff::civil::Date;
use sea_orm::ConnectionTrait;

use super::Clocks;
use super::api_types::{ClockCorrection, ClockEntry, ClockProposal};
use super::arithmetic::{self, Entry};
use super::store::{self, Correction, Proposal, entry};
use crate::error::ApiError;
use crate::moments::now;
use crate::repair_orders::api_types::By;

impl Clocks {
    /// A technician's entries with a part in the time between, the newest first.
    pub async fn entries(
        &self,
        technician: TechnicianId,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Vec<ClockEntry>, ApiError> {
        let reader = self.store.reader();
        let rows = store::between(reader, technician, from, to).await?;
        self.shown(reader, rows).await
    }

    pub(super) async fn shown(
        &self,
        connection: &impl ConnectionTrait,
        rows: Vec<entry::Model>,
    ) -> Result<Vec<ClockEntry>, ApiError> {
        let now = now();
        let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
        let mut trails = store::trails(connection, &ids).await?;
        let proposals = store::proposals_of(connection, &ids).await?.into_iter();
        let mut proposals: HashMap<i64, Proposal> = proposals
            .map(|proposal| (proposal.entry, proposal))
            .collect();
        let entries: Vec<(Entry, bool)> = rows
            .iter()
            .map(|row| (Entry::from(row), row.deleted_at.is_some()))
            .collect();
        let works = entries.iter().filter_map(|(entry, _)| entry.work);
        let orders = self.orders(works.map(|work| work.order)).await?;
        Ok(entries
            .into_iter()
            .map(|(entry, deleted)| {
                let order = entry.work.and_then(|work| orders.get(&work.order));
                let trail = trails.remove(&entry.id).unwrap_or_default();
                ClockEntry {
                    entry_id: entry.id,
                    started_at: entry.started_at,
                    ended_at: entry.ended_at,
                    ro_number: entry.work.map(|work| work.order.get()),
                    display_number: order.and_then(|order| order.dms_number.clone()),
                    job_number: entry.work.map(|work| work.job),
                    forgotten: !deleted && entry.is_forgotten(now, &self.shop.time_zone()),
                    deleted,
                    corrections: trail.into_iter().map(ClockCorrection::from).collect(),
                    proposal: proposals.remove(&entry.id).map(ClockProposal::from),
                }
            })
            .collect())
    }

    /// The days from one to another, both included, from midnight to midnight; those of this week
    /// by default. 400 `invalid-request`.
    pub fn days(
        &self,
        from: Option<&str>,
        to: Option<&str>,
    ) -> Result<(Timestamp, Timestamp), ApiError> {
        let day = |name: &str, text: &str| {
            text.parse::<Date>()
                .map_err(|_| ApiError::invalid(format!("{name} is not a day, such as 2026-07-14")))
        };
        let unheard_of = |_: jiff::Error| ApiError::invalid("These are days of no calendar");
        let today = now().to_zoned(self.shop.time_zone()).date();
        let to = to.map(|text| day("to", text)).transpose()?;
        let from = match from {
            Some(text) => day("from", text)?,
            None => arithmetic::monday(to.unwrap_or(today)).map_err(unheard_of)?,
        };
        let to = to.unwrap_or(today.max(from));
        let span = from.until(to).map_err(unheard_of)?.get_days();
        if !(0..100).contains(&span) {
            return Err(ApiError::invalid(
                "to is a day of the 100 that begin with from",
            ));
        }
        let midnight =
            |date| arithmetic::midnight(date, &self.shop.time_zone()).map_err(unheard_of);
        let end = to.tomorrow().map_err(unheard_of)?;
        Ok((midnight(from)?, midnight(end)?))
    }
}

impl From<Correction> for ClockCorrection {
    fn from(correction: Correction) -> Self {
        Self {
            at: correction.at,
            by: By {
                uid: correction.by_uid,
                name: correction.by_name,
            },
            reason: correction.reason,
            before: correction.before,
            after: correction.after,
        }
    }
}

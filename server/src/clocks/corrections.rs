//! Corrections of clocks, each with who made it and why. An entry that is corrected counts as it is
//! then; what it was is in its trail.

use dispatch_actors::repair_order::{RoNumber, TechnicianId};
use dispatch_actors::store::WriteTransaction;
use jiff::Timestamp;
use jiff::civil::Date;
use sea_orm::ConnectionTrait;

use super::api_types::{ClockCorrection, ClockEntry, ClockTimes};
use super::arithmetic::{self, Entry, Work};
use super::running_clocks::Running;
use super::store::{self, Correction, entry};
use super::{Clocks, now};
use crate::change_request::AnswerKeeper;
use crate::error::{ApiError, ErrorCode};
use crate::repair_orders::api_types::By;
use crate::text;

/// A correction, as far as it could be read.
#[derive(Clone, Debug)]
pub struct CorrectionRequest {
    pub technician: TechnicianId,
    pub by: By,
    pub reason: String,
    pub corrected: Corrected,
}

/// What is to become of an entry.
#[derive(Clone, Debug)]
pub enum Corrected {
    Added {
        started_at: Timestamp,
        ended_at: Timestamp,
        work: Option<Work>,
    },
    Changed {
        id: i64,
        started_at: Option<Timestamp>,
        ended_at: Option<Timestamp>,
        /// Order and job, each as it was sent if it was.
        order: Option<Option<RoNumber>>,
        job: Option<Option<i32>>,
    },
    Deleted {
        id: i64,
    },
}

impl Clocks {
    /// Executes a correction: committed, then told, then answered.
    pub async fn correct(
        &self,
        asked: CorrectionRequest,
        keeper: &AnswerKeeper,
    ) -> Result<ClockEntry, ApiError> {
        let technician = asked.technician;
        let _turn = self.turn.lock().await;
        let transaction = store::begin(&self.store).await?;
        let (id, orders) = self.execute(&transaction, asked).await?;
        let rows = match store::any(&transaction, id).await? {
            Some(row) => vec![row],
            None => vec![],
        };
        let mut shown = self.shown(&transaction, rows).await?;
        let entry = shown.pop().ok_or_else(ApiError::unavailable)?;
        keeper.keep(&transaction, &entry).await?;
        let running = self.running_of(&transaction, technician).await?;
        transaction.commit().await?;
        self.clock_changed(technician, running, orders).await?;
        Ok(entry)
    }

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

    /// The entry, and the orders that it was on and is on.
    async fn execute(
        &self,
        transaction: &WriteTransaction,
        asked: CorrectionRequest,
    ) -> Result<(i64, Vec<RoNumber>), ApiError> {
        let CorrectionRequest {
            technician,
            by,
            reason,
            corrected,
        } = asked;
        let now = now();
        let mut correction = Correction {
            at: now,
            by_uid: by.uid,
            by_name: by.name,
            reason,
            before: None,
            after: None,
        };
        let mut works: Vec<Work> = Vec::new();
        let id = match corrected {
            Corrected::Added {
                started_at,
                ended_at,
                work,
            } => {
                let entry = Entry {
                    id: 0,
                    started_at,
                    ended_at: Some(ended_at),
                    work,
                    corrected: true,
                };
                self.fits(transaction, technician, &entry, now).await?;
                correction.after = Some(times(&entry));
                works.extend(entry.work);
                store::insert(transaction, technician, &entry, Some(now)).await?
            }
            Corrected::Changed {
                id,
                started_at,
                ended_at,
                order,
                job,
            } => {
                let mut row = self.entry_of(transaction, technician, id).await?;
                let before = Entry::from(&row);
                let order = order.unwrap_or_else(|| before.work.map(|work| work.order));
                let job = job.unwrap_or_else(|| before.work.map(|work| work.job));
                let after = Entry {
                    started_at: started_at.unwrap_or(before.started_at),
                    ended_at: ended_at.or(before.ended_at),
                    work: work(order, job)?,
                    corrected: true,
                    ..before
                };
                // What it was on may be gone; what it is to be on is there.
                if after.work != before.work
                    && let Some(work) = after.work
                {
                    self.order_of(work).await?;
                }
                self.fits(transaction, technician, &after, now).await?;
                correction.before = Some(times(&before));
                correction.after = Some(times(&after));
                works.extend(before.work.into_iter().chain(after.work));
                row.started_at = after.started_at.as_millisecond();
                row.ended_at = after.ended_at.map(Timestamp::as_millisecond);
                row.ro_number = after.work.map(|work| work.order.get());
                row.job_number = after.work.map(|work| work.job);
                row.corrected_at = Some(now.as_millisecond());
                store::update(transaction, row).await?;
                id
            }
            Corrected::Deleted { id } => {
                let mut row = self.entry_of(transaction, technician, id).await?;
                let before = Entry::from(&row);
                correction.before = Some(times(&before));
                works.extend(before.work);
                row.corrected_at = Some(now.as_millisecond());
                row.deleted_at = Some(now.as_millisecond());
                store::update(transaction, row).await?;
                id
            }
        };
        store::correct(transaction, id, &correction).await?;
        Ok((id, works.into_iter().map(|work| work.order).collect()))
    }

    /// Whether it may stand beside the technician's other entries; its job is checked where it is
    /// added.
    async fn fits(
        &self,
        transaction: &WriteTransaction,
        technician: TechnicianId,
        entry: &Entry,
        now: Timestamp,
    ) -> Result<(), ApiError> {
        if entry.id == 0
            && let Some(work) = entry.work
        {
            self.order_of(work).await?;
        }
        let others = store::since(transaction, technician, entry.started_at).await?;
        entry
            .fits(&others, now)
            .map_err(|refused| self.refuse(refused))
    }

    /// 404 `unknown-entry`, also where it is another technician's.
    async fn entry_of(
        &self,
        transaction: &WriteTransaction,
        technician: TechnicianId,
        id: i64,
    ) -> Result<entry::Model, ApiError> {
        let row = store::one(transaction, technician, id).await?;
        row.ok_or_else(|| {
            ApiError::new(
                ErrorCode::UnknownEntry,
                format!("Technician {technician} has no clock entry {id}"),
            )
        })
    }

    async fn running_of(
        &self,
        connection: &impl ConnectionTrait,
        technician: TechnicianId,
    ) -> Result<Option<Running>, ApiError> {
        let Some(entry) = store::chain(connection, technician).await?.running else {
            return Ok(None);
        };
        let number = entry.work.map(|work| work.order);
        let orders = self.orders(number.into_iter()).await?;
        let order = number.and_then(|number| orders.get(&number));
        Ok(Some(Running {
            entry,
            display_number: order.and_then(|order| order.dms_number.clone()),
        }))
    }

    async fn shown(
        &self,
        connection: &impl ConnectionTrait,
        rows: Vec<entry::Model>,
    ) -> Result<Vec<ClockEntry>, ApiError> {
        let now = now();
        let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
        let mut trails = store::trails(connection, &ids).await?;
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
                    started_at: entry.started_at.to_string(),
                    ended_at: entry.ended_at.map(|at| at.to_string()),
                    ro_number: entry.work.map(|work| work.order.get()),
                    display_number: order.and_then(|order| order.dms_number.clone()),
                    job_number: entry.work.map(|work| work.job),
                    forgotten: !deleted && entry.is_forgotten(now, &self.zone),
                    deleted,
                    corrections: trail.into_iter().map(ClockCorrection::from).collect(),
                }
            })
            .collect())
    }

    /// The days from one to another, both included, from midnight to midnight; those of this week
    /// unless it is said. 400 `invalid-request`.
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
        let today = now().to_zoned(self.zone.clone()).date();
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
        let midnight = |date| arithmetic::midnight(date, &self.zone).map_err(unheard_of);
        let end = to.tomorrow().map_err(unheard_of)?;
        Ok((midnight(from)?, midnight(end)?))
    }
}

/// Order and job go together.
pub fn work(order: Option<RoNumber>, job: Option<i32>) -> Result<Option<Work>, ApiError> {
    match (order, job) {
        (Some(order), Some(job)) => Ok(Some(Work { order, job })),
        (None, None) => Ok(None),
        _ => Err(ApiError::new(
            ErrorCode::InvalidRequest,
            "roNumber and jobNumber go together: send both or neither",
        )),
    }
}

/// Why something is corrected, in the corrector's words; 400 `invalid-request`.
pub fn reason(text: &str) -> Result<String, ApiError> {
    let reason = text::cleaned(text);
    match reason.chars().count() {
        0 => Err(ApiError::invalid("The reason is missing")),
        1..=LONGEST_REASON => Ok(reason),
        length => Err(ApiError::invalid(format!(
            "The reason has {length} characters; use at most {LONGEST_REASON}"
        ))),
    }
}

/// Characters.
const LONGEST_REASON: usize = 500;

fn times(entry: &Entry) -> ClockTimes {
    ClockTimes {
        started_at: entry.started_at.to_string(),
        ended_at: entry.ended_at.map(|at| at.to_string()),
        ro_number: entry.work.map(|work| work.order.get()),
        job_number: entry.work.map(|work| work.job),
    }
}

impl From<Correction> for ClockCorrection {
    fn from(correction: Correction) -> Self {
        Self {
            at: correction.at.to_string(),
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

//! Where the log ends, and which log it is.
//!
//! A database can go back: a restored file, a standby that lagged. Then numbers
//! are given again to other events. So a place in the log is a number *and* a fingerprint of its
//! event, and the log has a generation, which is another one after it went back.

use std::fmt;
use std::str::FromStr;

use rand::rngs::StdRng;
use rand::{RngCore, SeedableRng};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, ExprTrait, QueryFilter, QueryTrait};

use super::read::event;
use super::rows::{event_log, events};
use super::{Event, Seq, Store, StoreError};

/// One event's place in the log. Two logs that hold the same event at a place hold the same events
/// before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LogPosition {
    /// 0: before the first event.
    pub seq: Seq,
    /// Of the event; 0 before the first.
    pub fingerprint: u32,
}

/// The end of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogHead {
    pub generation: String,
    pub position: LogPosition,
}

/// The log as it is in the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LogState {
    /// Everything in it was announced.
    Announced,
    /// Other processes wrote more; it ends at `top`.
    Ahead { top: Seq },
    /// The announced event is not in it, or it is another log.
    WentBack(WentBack),
}

/// The log is another than the announced one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WentBack {
    /// The number of its newest event.
    pub top: Seq,
    /// Its name in the database.
    pub generation: String,
    /// Another process found out first and has renamed it.
    pub is_renamed: bool,
}

impl Event {
    pub fn position(&self) -> LogPosition {
        let mut hasher = crc32fast::Hasher::new();
        for number in [
            self.seq,
            self.number.get(),
            self.version,
            self.at.as_millisecond(),
        ] {
            hasher.update(&number.to_be_bytes());
        }
        // Request ids are random.
        hasher.update(self.request.as_deref().unwrap_or_default().as_bytes());
        hasher.update(self.by.uid.as_bytes());
        LogPosition {
            seq: self.seq,
            fingerprint: hasher.finalize(),
        }
    }
}

/// As clients are given it: `812-9f3a01bc`.
impl fmt::Display for LogPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:08x}", self.seq, self.fingerprint)
    }
}

/// Not a place that was given out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoPosition;

impl FromStr for LogPosition {
    type Err = NoPosition;

    fn from_str(text: &str) -> Result<Self, NoPosition> {
        let (seq, fingerprint) = text.split_once('-').ok_or(NoPosition)?;
        let position = Self {
            seq: seq.parse().map_err(|_| NoPosition)?,
            fingerprint: u32::from_str_radix(fingerprint, 16).map_err(|_| NoPosition)?,
        };
        // Only the canonical spelling is accepted.
        (position.seq >= 0 && position.to_string() == text)
            .then_some(position)
            .ok_or(NoPosition)
    }
}

impl Store {
    /// The end of the log as the database has it now.
    pub async fn head(&self) -> Result<LogHead, StoreError> {
        let snapshot = self.snapshot().await?;
        head(&snapshot).await
    }

    /// How the log is, seen from what was announced.
    pub(crate) async fn compare(&self) -> Result<LogState, StoreError> {
        // Whatever was announced before the reading begins is in the log, unless it went back.
        let announced = self.status.announced();
        let (row, same_place) = log_row_and_event(self.reader(), announced.seq).await?;
        self.status.set_pruned_to(row.pruned_to);
        let holds_announced = match same_place {
            Some(row) => event(row)?.position() == announced,
            // Also where the newest event is missing from a damaged database.
            None => announced.fingerprint == 0,
        };
        let is_there = row.top >= announced.seq && holds_announced;
        if is_there && row.generation == *self.status.generation() {
            return Ok(match row.top > announced.seq {
                true => LogState::Ahead { top: row.top },
                false => LogState::Announced,
            });
        }
        // A name that the log had before comes back with a backup from that time.
        let is_renamed = is_there && !self.status.is_past_generation(&row.generation);
        Ok(LogState::WentBack(WentBack {
            top: row.top,
            generation: row.generation,
            is_renamed,
        }))
    }

    /// Whether the log has this very event at this place.
    pub async fn has(&self, position: LogPosition) -> Result<bool, StoreError> {
        if position.seq == 0 {
            return Ok(true);
        }
        let row = events::Entity::find_by_id(position.seq);
        Ok(match row.one(self.reader()).await? {
            Some(row) => event(row)?.position() == position,
            None => false,
        })
    }

    /// Renames the log after it went back; of several processes that found out, the first does. Gives
    /// the generation that there is now.
    pub async fn begin_generation(&self, before: &str) -> Result<String, StoreError> {
        let fresh = format!("{:016x}", StdRng::from_os_rng().next_u64());
        let transaction = self.begin_write().await?;
        event_log::Entity::update_many()
            .col_expr(event_log::Column::Generation, Expr::value(fresh))
            .filter(event_log::Column::Id.eq(1))
            .filter(event_log::Column::Generation.eq(before))
            .exec(&transaction)
            .await?;
        let generation = log_row(&transaction).await?.generation;
        transaction.commit().await?;
        Ok(generation)
    }
}

pub(super) async fn head(connection: &impl ConnectionTrait) -> Result<LogHead, StoreError> {
    let row = log_row(connection).await?;
    let newest = events::Entity::find_by_id(row.top).one(connection).await?;
    let position = match newest {
        Some(newest) => event(newest)?.position(),
        None => LogPosition {
            seq: row.top,
            fingerprint: 0,
        },
    };
    Ok(LogHead {
        generation: row.generation,
        position,
    })
}

pub(super) async fn log_row(
    connection: &impl ConnectionTrait,
) -> Result<event_log::Model, StoreError> {
    let row = event_log::Entity::find_by_id(1).one(connection).await?;
    row.ok_or_else(counter_is_gone)
}

/// The same with the event of this number, in one query: every server asks this every second.
async fn log_row_and_event(
    connection: &impl ConnectionTrait,
    seq: Seq,
) -> Result<(event_log::Model, Option<events::Model>), StoreError> {
    let mut query = event_log::Entity::find_by_id(1).select_also(events::Entity);
    let is_event = Expr::col((events::Entity, events::Column::Seq)).eq(seq);
    QueryTrait::query(&mut query).left_join(events::Entity, is_event);
    let found = query.one(connection).await?;
    found.ok_or_else(counter_is_gone)
}

fn counter_is_gone() -> StoreError {
    StoreError::Damaged {
        number: 0,
        what: "the event counter is gone".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_read_as_it_was_written_and_nothing_else_is() {
        let position = LogPosition {
            seq: 812,
            fingerprint: 0xabc,
        };
        assert_eq!(position.to_string(), "812-00000abc");
        assert_eq!("812-00000abc".parse(), Ok(position));
        for other in [
            "",
            "812",
            "812-",
            "812-abc",
            "-1-00000abc",
            "0812-00000abc",
            "812-00000ABC",
            "812-+0000abc",
            "99999999999999999999-00000abc",
            "812-00000abc ",
        ] {
            assert_eq!(other.parse::<LogPosition>(), Err(NoPosition), "{other}");
        }
    }
}

//! The audit trail: who got in and who was refused, and what was changed about who may. Each event is a
//! row that nobody changes and a line of the log, in this order: a change's row is written in the
//! change's own transaction ([`record`]), and its line when that is committed ([`Recorded::announce`]).
//!
//! What strangers can cause as often as they like goes through [`AuditTrail::attempt`], which delays
//! nobody and writes no more than a flood may cost.
//!
//! The request says who does something and from where ([`Origin`]). Of other areas this one
//! knows only names and numbers.
//!
//! - `event`: every kind of event, its fields, and how long it is kept;
//! - `origin`: who does something and from where, kept for each request and the tasks that it starts;
//! - `attempts`: what strangers do, counted in `attempt_group`s and limited by `shares`; `store`: the
//!   table; `formats`: how an event is written in the log and a spreadsheet;
//! - `configuration`: options that make the server safer or less safe, compared with the last start;
//! - `restore`: a database that went back; `routes`, `api_types`: the calls of owners.

pub mod api_types;
mod attempt_group;
mod attempts;
mod configuration;
mod event;
mod formats;
mod origin;
mod restore;
pub mod routes;
mod shares;
mod store;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use dispatch_actors::store::Store;
use sea_orm::{ConnectionTrait, DbErr};
use tokio::sync::Notify;

use crate::http::request_id;
use attempts::Attempts;

pub use configuration::SafetyOptions;
pub use event::{Actor, ActorKind, AuditEvent, AuditKind, Outcome};
pub use event::{keep_changes_for, keep_changes_for_good};
pub(crate) use formats::text::is_hidden;

pub use origin::{Origin, act_as, act_within, current_origin, inherit, note_origin};

/// After an attempt, until it is written with those that came meanwhile.
const WRITE_PAUSE: Duration = Duration::from_millis(250);

/// From one look at what was counted to the next.
const COUNT_INTERVAL: Duration = Duration::from_secs(15);

/// From one deletion of what was kept for long enough to the next.
const RETENTION_INTERVAL: Duration = Duration::from_secs(60 * 60);

/// Cheap to clone.
#[derive(Clone)]
pub struct AuditTrail {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    attempts: Mutex<Attempts>,
    /// There is an attempt to write.
    wake: Notify,
    /// Held while rows are written or deleted, so that a reader finds attempts.
    table: tokio::sync::Mutex<Table>,
}

/// Whether the trail still uses its table, whose database is closed at the end of the process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Table {
    #[default]
    Used,
    Closed,
}

/// An event that is written but not committed yet.
#[must_use = "its line is due when the transaction is committed"]
pub struct Recorded(AuditEvent);

impl Recorded {
    /// To be called after the commit.
    pub fn announce(self) {
        formats::log_line::write(&self.0);
    }
}

/// Writes an event as a part of the transaction of what it is about.
pub async fn record(writer: &impl ConnectionTrait, event: AuditEvent) -> Result<Recorded, DbErr> {
    store::insert(writer, [&event]).await?;
    Ok(Recorded(event))
}

/// The same for several.
pub async fn record_all(
    writer: &impl ConnectionTrait,
    events: Vec<AuditEvent>,
) -> Result<Vec<Recorded>, DbErr> {
    store::insert(writer, &events).await?;
    Ok(events.into_iter().map(Recorded).collect())
}

/// To be called after the commit.
pub fn announce_all(recorded: Vec<Recorded>) {
    recorded.into_iter().for_each(Recorded::announce);
}

impl AuditTrail {
    pub fn new(store: Store) -> Self {
        let inner = Inner {
            store,
            attempts: Mutex::new(Attempts::new(Instant::now())),
            wake: Notify::new(),
            table: tokio::sync::Mutex::default(),
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// Writes an event of something that has no transaction of ours, such as what a hosted provider
    /// has done. It is in the log at least where the database does not take it.
    pub async fn record(&self, event: AuditEvent) {
        let written = store::insert(self.inner.store.writer(), [&event]).await;
        formats::log_line::write(&event);
        if let Err(error) = written {
            tracing::error!(%error, event = event.kind.name(), "an audit event was not written");
        }
    }

    /// Notes what anybody may try as often as they like. Waits for nothing.
    pub fn attempt(&self, event: AuditEvent) {
        let line = self.attempts().add(event, Instant::now());
        if let Some(event) = line {
            formats::log_line::write(&event);
        }
        self.inner.wake.notify_one();
    }

    /// Whether this attempt would be recorded by itself, and not only counted.
    pub fn is_recorded_singly(&self, event: &AuditEvent) -> bool {
        self.attempts().is_recorded_singly(event, Instant::now())
    }

    /// Writes attempts, and deletes what was kept for long enough, for as long as the server runs.
    pub async fn follow(self) {
        let mut is_failing = false;
        let mut retention_at = Instant::now();
        loop {
            tokio::select! {
                () = self.inner.wake.notified() => tokio::time::sleep(WRITE_PAUSE).await,
                () = tokio::time::sleep(COUNT_INTERVAL) => {}
            }
            let mut written = self.flush().await;
            if written.is_ok() && Instant::now() >= retention_at {
                written = self.delete_expired().await;
                retention_at = Instant::now() + RETENTION_INTERVAL;
            }
            if let Err(error) = &written
                && !is_failing
            {
                tracing::error!(%error, "audit events wait until the database takes them");
            }
            is_failing = written.is_err();
            if is_failing {
                tokio::time::sleep(COUNT_INTERVAL).await;
            }
        }
    }

    /// Writes the attempts of which there are rows to write.
    pub async fn flush(&self) -> Result<(), DbErr> {
        let table = self.inner.table.lock().await;
        if *table == Table::Closed {
            return Ok(());
        }
        let due = self.attempts().take_due(Instant::now());
        // They are of many requests, and not of the one that reads them.
        request_id::without(|| due.lines.iter().for_each(formats::log_line::write));
        if due.rows.is_empty() {
            return Ok(());
        }
        let written = store::insert(self.inner.store.writer(), &due.rows).await;
        if written.is_err() {
            self.attempts().put_back(due.rows);
        }
        written
    }

    async fn delete_expired(&self) -> Result<(), DbErr> {
        let table = self.inner.table.lock().await;
        match *table {
            Table::Used => store::delete_expired(&self.inner.store).await,
            Table::Closed => Ok(()),
        }
    }

    /// Writes the attempts once more, at the end of the process, with what was only counted until now.
    pub async fn close(&self) {
        self.attempts().summarise(Instant::now());
        if let Err(error) = self.flush().await {
            tracing::error!(%error, "the last audit events were not written");
        }
        *self.inner.table.lock().await = Table::Closed;
    }

    fn attempts(&self) -> MutexGuard<'_, Attempts> {
        let attempts = self.inner.attempts.lock();
        attempts.unwrap_or_else(PoisonError::into_inner)
    }
}

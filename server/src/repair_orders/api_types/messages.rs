//! The live messages about repair orders, and what clients send.

use std::sync::Arc;

use dispatch_actors::broadcaster::{Announcement, Hint};
use dispatch_actors::presence::Person;
use dispatch_actors::repair_order::{Action, RoNumber, StageRules};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::rows::{By, Row, rows};
use crate::technician_names::TechnicianNames;

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
    pub timestamp: Timestamp,
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
/// with `{message, data: {code}}`: `invalid-request`, `forbidden` (a caller who may not make the
/// change may not announce it), `unknown-repair-order`, or `too-many-requests` (more than 10 a
/// second).
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoNotice {
    pub ro_number: i64,
    pub action: Action,
    /// The technician it is about.
    pub tech_id: Option<i64>,
}

/// A client's notice as the others receive it, as `RO_MODIFIED` without rows, number or offset.
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
    pub timestamp: Timestamp,
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
    pub now: Timestamp,
    /// The server's build: a board that runs another one reloads.
    #[schema(required = false)]
    pub version: &'a str,
    /// Which log the numbers are of. Another one means that the database went back, by a restored
    /// backup, say: nothing that was loaded before holds any more.
    #[schema(value_type = String, required = false)]
    pub generation: Arc<str>,
    /// Changes cannot be saved since then, and are refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_saving_since: Option<Timestamp>,
    /// The database cannot be read since then: what others changed may be missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_read_since: Option<Timestamp>,
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

impl RoModified {
    pub fn new(announcement: &Announcement, names: &TechnicianNames, stages: &StageRules) -> Self {
        let event = &announcement.event;
        Self {
            r#type: "RO_MODIFIED",
            ro_number: event.number.get(),
            action: event.action(),
            tech_id: event.change.technician(),
            timestamp: event.at,
            version: event.version,
            seq: event.seq,
            by: By::from(event),
            rows: rows(&announcement.order, names, stages),
        }
    }
}

impl RoModifiedHint {
    pub fn new(hint: &Hint, timestamp: Timestamp) -> Self {
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

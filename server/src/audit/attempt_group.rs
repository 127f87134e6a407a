//! Attempts that are recorded as one number, because they are alike.

use std::net::IpAddr;

use jiff::Timestamp;

use super::event::{Actor, AuditEvent, AuditKind, Outcome};

/// What attempts that are recorded as one number have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct AttemptGroup {
    kind: AuditKind,
    outcome: Outcome,
    reason: Option<&'static str>,
    pub(super) network: Option<IpAddr>,
    ttl: i64,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Counted {
    pub(super) without_line: i32,
    pub(super) without_row: i32,
}

impl AttemptGroup {
    pub(super) fn of(event: &AuditEvent, network: Option<IpAddr>) -> Self {
        Self {
            kind: event.kind,
            outcome: event.outcome,
            reason: event.reason,
            network: network.filter(|_| event.address.is_some()),
            ttl: event.ttl,
        }
    }

    pub(super) fn without_network(self) -> Self {
        Self {
            network: None,
            ..self
        }
    }

    pub(super) fn event(self, count: i32) -> AuditEvent {
        let Self {
            kind,
            outcome,
            reason,
            network,
            ttl,
        } = self;
        AuditEvent {
            at: Timestamp::now(),
            kind,
            outcome,
            reason,
            address: network,
            actor: Actor::unknown(),
            subject_id: None,
            subject_name: None,
            detail: Some("counted, not told one by one".to_owned()),
            count,
            ttl,
        }
    }
}

impl Counted {
    pub(super) fn add(&mut self, other: Self) {
        self.without_line = self.without_line.saturating_add(other.without_line);
        self.without_row = self.without_row.saturating_add(other.without_row);
    }
}

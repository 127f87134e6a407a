//! A WebSocket takes a polling session over: it is expected, it is there, the client has seen that
//! it works, it takes over.

use std::rc::Rc;
use std::time::{Duration, Instant};

use super::{End, Line, Transport};
use crate::socket::engine::{Limits, Refusal};
use crate::socket::wire::Wire;

/// A WebSocket that was let in is here within this time.
const COMING: Duration = Duration::from_secs(1);

/// Polls during an upgrade are answered with nothing, but not at once: a client that polls without
/// end must not spin, and one that has completed the upgrade meanwhile is told so instead.
const BEFORE_PROBE: Duration = Duration::from_millis(100);
const AFTER_PROBE: Duration = Duration::from_millis(20);

/// A WebSocket on its way to take a polling session over.
pub(super) struct Upgrade {
    /// None until its handshake is over.
    wire: Option<Rc<Wire>>,
    since: Instant,
    /// The client has seen that it works, or is about to.
    probed: bool,
}

impl Line {
    /// A WebSocket that is to take over is let in. Known before its client is, so that nothing the
    /// client does next comes too early.
    pub(in crate::socket) fn expect_upgrade(&self) {
        let mut state = self.state.borrow_mut();
        if matches!(state.transport, Transport::Polling(_)) && state.upgrade.is_none() {
            state.upgrade = Some(Upgrade {
                wire: None,
                since: Instant::now(),
                probed: false,
            });
        }
    }

    /// The WebSocket is there; false when it cannot take over.
    pub(in crate::socket) fn begin_upgrade(&self, wire: &Rc<Wire>) -> bool {
        self.expect_upgrade();
        match &mut self.state.borrow_mut().upgrade {
            Some(Upgrade {
                wire: expected @ None,
                ..
            }) => {
                *expected = Some(Rc::clone(wire));
                true
            }
            _ => false,
        }
    }

    /// The client sees the WebSocket work: the poll that waits ends.
    pub(in crate::socket) fn probed(self: &Rc<Self>) {
        if let Some(upgrade) = &mut self.state.borrow_mut().upgrade {
            upgrade.probed = true;
        }
        self.noop_after(AFTER_PROBE);
    }

    /// The WebSocket takes over; false when the session has gone another way.
    pub(in crate::socket) fn upgraded(self: &Rc<Self>, wire: &Rc<Wire>) -> bool {
        {
            let mut state = self.state.borrow_mut();
            if state
                .upgrade
                .take_if(|upgrade| upgrade.is_of(wire))
                .is_none()
            {
                return false;
            }
            let next = Transport::WebSocket(Rc::clone(wire));
            if let Transport::Polling(Some(poll)) = std::mem::replace(&mut state.transport, next) {
                // Whoever upgrades polls no more. Nobody may wait for it any more.
                let _ = poll.send(Err(Refusal::BadRequest));
            }
        }
        if self.flush().is_err() {
            self.end(End::Cut);
        }
        true
    }

    /// A WebSocket's connection is gone.
    pub(in crate::socket) fn lost(self: &Rc<Self>, wire: &Rc<Wire>) {
        let is_ours = {
            let mut state = self.state.borrow_mut();
            state.upgrade.take_if(|upgrade| upgrade.is_of(wire));
            matches!(&state.transport, Transport::WebSocket(ours) if Rc::ptr_eq(ours, wire))
        };
        if is_ours {
            self.end(End::Cut);
        }
    }
}

impl Upgrade {
    pub(super) fn is_of(&self, wire: &Rc<Wire>) -> bool {
        matches!(&self.wire, Some(ours) if Rc::ptr_eq(ours, wire))
    }

    pub(super) fn is_late(&self, limits: &Limits) -> bool {
        let limit = match self.wire {
            Some(_) => limits.upgrade_timeout,
            None => COMING,
        };
        self.since.elapsed() >= limit
    }

    /// How long a poll waits for the upgrade.
    pub(super) fn patience(&self) -> Duration {
        if self.probed {
            AFTER_PROBE
        } else {
            BEFORE_PROBE
        }
    }

    pub(super) fn cut(&self) {
        if let Some(wire) = &self.wire {
            wire.cut();
        }
    }
}

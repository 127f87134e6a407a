//! A WebSocket takes a polling session over: it is expected, it is there, the client has seen that
//! it works, it takes over.

use std::rc::Rc;
use std::time::{Duration, Instant};

use super::{CloseReason, EngineSession, Transport};
use crate::feed::Feed;
use crate::handshake::Refusal;
use crate::limits::Limits;
use crate::ws_writer::WsWriter;

/// An accepted WebSocket arrives here within this time.
const ARRIVAL_TIMEOUT: Duration = Duration::from_secs(1);

/// Polls during an upgrade are answered with nothing, but not at once: a client that polls without
/// end must not spin, and one that has completed the upgrade meanwhile gets that answer instead.
const POLL_WAIT_BEFORE_PROBE: Duration = Duration::from_millis(100);
const POLL_WAIT_AFTER_PROBE: Duration = Duration::from_millis(20);

/// A WebSocket on its way to take a polling session over.
pub(super) struct TransportUpgrade {
    /// None until its handshake is over.
    writer: Option<Rc<WsWriter>>,
    since: Instant,
    /// The client has seen that it works, or is about to.
    probed: bool,
}

impl<F: Feed> EngineSession<F> {
    /// A WebSocket that is to take over was accepted. The session learns it before the client does,
    /// so that nothing the client does next comes too early.
    pub(crate) fn expect_upgrade(&self) {
        let mut state = self.state.borrow_mut();
        if matches!(state.transport, Transport::Polling(_)) && state.upgrade.is_none() {
            state.upgrade = Some(TransportUpgrade {
                writer: None,
                since: Instant::now(),
                probed: false,
            });
        }
    }

    /// The WebSocket is there; false when it cannot take over.
    pub(crate) fn begin_upgrade(&self, writer: &Rc<WsWriter>) -> bool {
        self.expect_upgrade();
        match &mut self.state.borrow_mut().upgrade {
            Some(TransportUpgrade {
                writer: expected @ None,
                ..
            }) => {
                *expected = Some(Rc::clone(writer));
                true
            }
            _ => false,
        }
    }

    /// The client sees the WebSocket work: the poll that waits ends.
    pub(crate) fn probed(self: &Rc<Self>) {
        if let Some(upgrade) = &mut self.state.borrow_mut().upgrade {
            upgrade.probed = true;
        }
        self.noop_after(POLL_WAIT_AFTER_PROBE);
    }

    /// The WebSocket takes over; false when the session has gone another way.
    pub(crate) fn upgraded(self: &Rc<Self>, writer: &Rc<WsWriter>) -> bool {
        {
            let mut state = self.state.borrow_mut();
            if state
                .upgrade
                .take_if(|upgrade| upgrade.is_of(writer))
                .is_none()
            {
                return false;
            }
            let next = Transport::WebSocket(Rc::clone(writer));
            if let Transport::Polling(Some(poll)) = std::mem::replace(&mut state.transport, next) {
                // A client that upgrades polls no more. The client of the last poll may be gone.
                let _ = poll.send(Err(Refusal::BadRequest));
            }
        }
        if self.flush().is_err() {
            self.end(CloseReason::Aborted);
        }
        true
    }

    /// A WebSocket's connection is gone.
    pub(crate) fn connection_lost(self: &Rc<Self>, writer: &Rc<WsWriter>) {
        let is_ours = {
            let mut state = self.state.borrow_mut();
            state.upgrade.take_if(|upgrade| upgrade.is_of(writer));
            matches!(&state.transport, Transport::WebSocket(ours) if Rc::ptr_eq(ours, writer))
        };
        if is_ours {
            self.end(CloseReason::Aborted);
        }
    }
}

impl TransportUpgrade {
    pub(super) fn is_of(&self, writer: &Rc<WsWriter>) -> bool {
        matches!(&self.writer, Some(ours) if Rc::ptr_eq(ours, writer))
    }

    pub(super) fn is_late(&self, limits: &Limits) -> bool {
        let limit = match self.writer {
            Some(_) => limits.upgrade_timeout,
            None => ARRIVAL_TIMEOUT,
        };
        self.since.elapsed() >= limit
    }

    /// How long a poll waits for the upgrade before it is answered.
    pub(super) fn poll_wait(&self) -> Duration {
        if self.probed {
            POLL_WAIT_AFTER_PROBE
        } else {
            POLL_WAIT_BEFORE_PROBE
        }
    }

    pub(super) fn abort(&self) {
        if let Some(writer) = &self.writer {
            writer.abort();
        }
    }
}

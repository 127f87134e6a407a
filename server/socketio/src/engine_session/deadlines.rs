//! The deadlines of a session, its heartbeat and its packet rate.

use std::rc::Rc;
use std::time::{Duration, Instant};

use engineioxide_core::Packet;

use super::closing::CloseReason;
use super::outbound::OutPacket;
use super::{EngineSession, Transport};
use crate::feed::Feed;

/// A client that closed a polling session may send one more poll.
const LAST_POLL_TIMEOUT: Duration = Duration::from_secs(5);

impl<F: Feed> EngineSession<F> {
    pub(crate) fn exceeds_packet_rate(&self) -> bool {
        let mut state = self.state.borrow_mut();
        if state.packet_count.0.elapsed() >= Duration::from_secs(1) {
            state.packet_count = (Instant::now(), 0);
        }
        state.packet_count.1 += 1;
        state.packet_count.1 > self.hub.limits.packets_per_second
    }

    /// Ends a session whose client did not connect, did not answer a ping, or reads too slowly, and sends a
    /// ping when it is due. `stalled`: this thread was held up, and may not have read yet what the client
    /// sent in time.
    pub(crate) fn check_deadlines(self: &Rc<Self>, stalled: bool) {
        let limits = &self.hub.limits;
        let mut state = self.state.borrow_mut();
        if let Transport::Closing(since) = state.transport {
            if since.elapsed() > LAST_POLL_TIMEOUT {
                drop(state);
                self.hub.remove(self);
            }
            return;
        }
        let is_late =
            !stalled && state.awaits_pong && state.pinged_at.elapsed() >= limits.ping_timeout;
        let (connected, since) = state.connected;
        let is_unconnected = !stalled && !connected && since.elapsed() >= limits.connect_timeout;
        let is_stuck = state.is_stuck(&self.hub.ring.borrow());
        if is_late || is_unconnected || is_stuck {
            drop(state);
            if is_stuck {
                self.hub.counts.cut_behind();
            } else if is_late {
                self.hub.counts.cut_silent();
            }
            self.end(if is_unconnected {
                CloseReason::ByServer
            } else {
                CloseReason::Aborted
            });
            return;
        }
        if let Some(upgrade) = state.upgrade.take_if(|upgrade| upgrade.is_late(limits)) {
            upgrade.abort();
        }
        let now = Instant::now();
        if !state.awaits_pong && now >= state.next_ping {
            // When it was due, so that the client's deadline and ours are the same.
            let is_tardy = now - state.next_ping > limits.ping_timeout / 2;
            state.pinged_at = if is_tardy { now } else { state.next_ping };
            state.next_ping = state.pinged_at + limits.ping_interval;
            state.awaits_pong = true;
            drop(state);
            self.push(OutPacket::Text(String::from(Packet::Ping).into()));
            let mut state = self.state.borrow_mut();
            if state.queue.is_empty() {
                // The ping was written only now, and the client has its whole time to answer.
                state.pinged_at = Instant::now();
            }
        }
    }
}

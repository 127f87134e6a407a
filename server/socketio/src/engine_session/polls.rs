//! The requests of a session that polls.

use std::rc::Rc;
use std::time::Duration;

use engineioxide_core::Packet;

use super::transport_upgrade::TransportUpgrade;
use super::{CloseReason, EngineSession, PollSender, Transport};
use crate::feed::Feed;
use crate::handshake::Refusal;

impl<F: Feed> EngineSession<F> {
    /// A GET: answered now, or when there is something to say.
    pub(crate) fn poll(self: &Rc<Self>, poll: PollSender) {
        self.check_deadlines(false);
        let mut state = self.state.borrow_mut();
        let upgrading = state.upgrade.as_ref().map(TransportUpgrade::poll_wait);
        let refused = match &mut state.transport {
            Transport::Polling(waiting @ None) => {
                *waiting = Some(poll);
                drop(state);
                if self.flush().is_err() {
                    self.end(CloseReason::Aborted);
                } else if let Some(wait) = upgrading {
                    self.noop_after(wait);
                }
                return;
            }
            Transport::Closing(_) => {
                state.transport = Transport::Closed;
                drop(state);
                self.hub.remove(self);
                // The poll's client may be gone.
                let _ = poll.send(Ok(String::from(Packet::Noop).into()));
                return;
            }
            Transport::Polling(Some(_)) => true,
            Transport::WebSocket(_) | Transport::Closed => false,
        };
        drop(state);
        // The poll's client may be gone.
        let _ = poll.send(Err(Refusal::BadRequest));
        if refused {
            // Two polls at once: the client is broken.
            self.end(CloseReason::ByServer);
        }
    }

    /// Answers a waiting poll with nothing.
    fn noop(&self) {
        let mut state = self.state.borrow_mut();
        if let Transport::Polling(waiting) = &mut state.transport
            && let Some(poll) = waiting.take()
        {
            // The poll's client may be gone.
            let _ = poll.send(Ok(String::from(Packet::Noop).into()));
        }
    }

    /// Answers a waiting poll with nothing, if the upgrade is still under way then.
    pub(super) fn noop_after(self: &Rc<Self>, wait: Duration) {
        let session = Rc::clone(self);
        actix::spawn(async move {
            tokio::time::sleep(wait).await;
            if session.state.borrow().upgrade.is_some() {
                session.noop();
            }
        });
    }

    /// True while packets may come by POST.
    pub(crate) fn takes_posts(&self) -> bool {
        matches!(self.state.borrow().transport, Transport::Polling(_))
    }

    /// The connection of a waiting poll was dropped.
    pub(crate) fn poll_dropped(self: &Rc<Self>) {
        let waiting = match &self.state.borrow().transport {
            Transport::Polling(Some(poll)) => poll.is_closed(),
            _ => false,
        };
        if waiting {
            self.end(CloseReason::Aborted);
        }
    }
}

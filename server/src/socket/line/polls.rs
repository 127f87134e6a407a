//! The requests of a session that polls.

use std::rc::Rc;
use std::time::Duration;

use engineioxide_core::Packet;

use super::takeover::Upgrade;
use super::{End, Line, Poll, Transport};
use crate::socket::engine::Refusal;

impl Line {
    /// A GET: answered now, or when there is something to say.
    pub(in crate::socket) fn poll(self: &Rc<Self>, poll: Poll) {
        self.watch(false);
        let mut state = self.state.borrow_mut();
        let upgrading = state.upgrade.as_ref().map(Upgrade::patience);
        let refused = match &mut state.transport {
            Transport::Polling(waiting @ None) => {
                *waiting = Some(poll);
                drop(state);
                if self.flush().is_err() {
                    self.end(End::Cut);
                } else if let Some(patience) = upgrading {
                    self.noop_after(patience);
                }
                return;
            }
            Transport::Left(_) => {
                state.transport = Transport::Closed;
                drop(state);
                self.hub.forget(self);
                // Nobody may wait for it any more.
                let _ = poll.send(Ok(String::from(Packet::Noop).into()));
                return;
            }
            Transport::Polling(Some(_)) => true,
            Transport::WebSocket(_) | Transport::Closed => false,
        };
        drop(state);
        // Nobody may wait for it any more.
        let _ = poll.send(Err(Refusal::BadRequest));
        if refused {
            // Two polls at once: the client is broken.
            self.end(End::Closed);
        }
    }

    /// Answers a waiting poll with nothing.
    fn noop(&self) {
        let mut state = self.state.borrow_mut();
        if let Transport::Polling(waiting) = &mut state.transport
            && let Some(poll) = waiting.take()
        {
            // Nobody may wait for it any more.
            let _ = poll.send(Ok(String::from(Packet::Noop).into()));
        }
    }

    /// Answers a waiting poll with nothing, if the upgrade still goes on then.
    pub(super) fn noop_after(self: &Rc<Self>, patience: Duration) {
        let line = Rc::clone(self);
        actix::spawn(async move {
            tokio::time::sleep(patience).await;
            if line.state.borrow().upgrade.is_some() {
                line.noop();
            }
        });
    }

    /// True while packets may come by POST.
    pub(in crate::socket) fn takes_posts(&self) -> bool {
        matches!(self.state.borrow().transport, Transport::Polling(_))
    }

    /// The connection of a waiting poll was dropped.
    pub(in crate::socket) fn abandoned(self: &Rc<Self>) {
        let waiting = match &self.state.borrow().transport {
            Transport::Polling(Some(poll)) => poll.is_closed(),
            _ => false,
        };
        if waiting {
            self.end(End::Cut);
        }
    }
}

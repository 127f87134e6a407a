//! A user who is signed in on a session.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use actix_socketio::SessionId;
use dispatch_actors::broadcaster::Leave;
use dispatch_actors::presence::Person;
use dispatch_actors::store::Seq;

use super::counts::ConnectedSession;
use super::feed::Interest;
use super::notices::{Notices, Rights};
use super::presence_requests::PresenceRequests;
use super::state::SocketState;
use crate::realtime::live_sockets::Listing;

/// A user who is signed in on a session.
pub(super) struct Client {
    pub(super) session: SessionId,
    pub(super) person: Person,
    pub(super) rights: Rc<Rights>,
    pub(super) interest: Interest,
    /// Of the log at the time of its connect.
    pub(super) generation: Arc<str>,
    /// Everything after this event was missed; none for a new client.
    pub(super) missed_after: Option<Seq>,
    /// The broadcaster has taken the session in for this client.
    pub(super) joined: Cell<bool>,
    pub(super) presence: RefCell<PresenceRequests>,
    pub(super) notices: RefCell<Notices>,
    pub(super) state: Arc<SocketState>,
    pub(super) _listing: Listing,
    pub(super) _connected: ConnectedSession,
}

impl Drop for Client {
    fn drop(&mut self) {
        if let Interest::Board(subscription) = &self.interest {
            self.state.boards.mark_disconnected(subscription);
        }
        let leave = self.state.broadcaster.send(Leave(self.session));
        // Waits for room: a forgotten Leave would keep somebody at an order who is gone.
        actix::spawn(async move {
            let _ = leave.await;
        });
    }
}

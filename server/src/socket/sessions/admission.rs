//! Whether one more session may open on a thread.

use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::Arc;

use actix_socketio::{Admission, SessionHandle, SessionId};

use super::session_slots::SessionSlots;
use crate::http::address::site;
use crate::identity::Limit;

/// One thread's: how often it opens sessions for a site, and the slots that all threads share.
pub struct ThreadAdmission {
    opens_from_site: Limit,
    hasher: RandomState,
    slots: Arc<SessionSlots>,
}

impl ThreadAdmission {
    /// `opens_per_second`: for one site, of which as many may come at once.
    pub fn new(opens_per_second: u32, slots: Arc<SessionSlots>) -> Self {
        Self {
            opens_from_site: Limit::new(&[(opens_per_second.max(1), 1)], None),
            hasher: RandomState::new(),
            slots,
        }
    }
}

impl Admission for ThreadAdmission {
    fn admits(&self, address: IpAddr) -> bool {
        let site = self.hasher.hash_one(site(address));
        self.opens_from_site.take(site).is_ok() && self.slots.has_room_for(address)
    }

    fn waiting(&self, session: SessionHandle, address: IpAddr) {
        self.slots.take(session, address);
    }

    fn connected(&self, session: SessionId, address: IpAddr) {
        self.slots.sign_in(session, address);
    }

    fn closed(&self, session: SessionId) {
        self.slots.release(session);
    }
}

//! How many sessions all threads have together, and how many they may: each is an open file. Sessions on
//! which nobody is signed in yet have a part of them. When that part is full, the site with the most
//! loses one, so that one crowd does not keep others out; when all are taken, the account with the most
//! does.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use actix_socketio::{SessionHandle, SessionId};

use crate::capacity::crowds::{Crowds, Holder, PlaceNumber};

/// Screens that come back every few seconds are logged once in this time.
const LOG_INTERVAL: Duration = Duration::from_secs(60);

/// That wait to be signed in at most, where files are plenty: a client does it in a moment.
const MAX_WAITING: usize = 4_096;

/// Of few slots those who wait have this part.
const WAITING_SHARE: usize = 2;

/// Sessions of one account or board that are never displaced: a shop's people have one each, or two.
const MIN_OF_ACCOUNT: usize = 64;

/// Shared by all threads.
#[derive(Debug)]
pub struct SessionSlots {
    max: usize,
    max_waiting: usize,
    slots: Mutex<Taken>,
    refusals: Mutex<Refusals>,
}

#[derive(Debug, Default)]
struct Taken {
    /// By account.
    signed_in: Crowds<SessionHandle>,
    /// By address.
    waiting: Crowds<SessionHandle>,
    /// Displaced sessions are not here; they are about to end.
    sessions: HashMap<SessionId, Slot>,
    /// The holders by which signed-in sessions are counted, set when their token is checked.
    holders: HashMap<SessionId, Holder>,
}

#[derive(Clone, Copy, Debug)]
enum Slot {
    SignedIn(PlaceNumber),
    Waiting(PlaceNumber),
}

#[derive(Debug, Default)]
struct Refusals {
    logged: Option<Instant>,
    /// Since then.
    count: u64,
}

impl SessionSlots {
    pub fn new(max: usize) -> Self {
        Self {
            max,
            max_waiting: (max / WAITING_SHARE).clamp(1, MAX_WAITING),
            slots: Mutex::default(),
            refusals: Mutex::default(),
        }
    }

    /// Whether one more session may come from there; that none may is logged.
    pub(in crate::socket) fn has_room_for(&self, address: IpAddr) -> bool {
        let mut slots = self.lock();
        let total = slots.signed_in.len() + slots.waiting.len();
        let waiting_is_full = slots.waiting.len() >= self.max_waiting;
        let has_room = (total < self.max && !waiting_is_full)
            || slots.displace_waiting(&Holder::address(address))
            || (!waiting_is_full && slots.displace_signed_in());
        drop(slots);
        if has_room {
            return true;
        }
        let mut refusals = self.refusals.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(refused) = refusals.count_one(Instant::now()) {
            tracing::warn!(
                "no more files may be open for screens: {total} are connected, {refused} turned away \
since this was said last; raise LimitNOFILE (systemd) or ulimit -n"
            );
        }
        false
    }

    /// A session of this thread begins, and nobody is signed in on it yet; or nobody is any more.
    pub(in crate::socket) fn take(&self, session: SessionHandle, address: IpAddr) {
        let (mut slots, id) = (self.lock(), session.id());
        slots.release(id);
        let place = slots.waiting.insert(Holder::address(address), session);
        slots.sessions.insert(id, Slot::Waiting(place));
    }

    /// The holder by which a session is counted once it is signed in.
    pub(in crate::socket) fn identify(&self, session: SessionId, holder: Holder) {
        let mut slots = self.lock();
        if slots.sessions.contains_key(&session) {
            slots.holders.insert(session, holder);
        }
    }

    /// Somebody is signed in on a session from here on.
    pub(in crate::socket) fn sign_in(&self, session: SessionId, address: IpAddr) {
        let mut slots = self.lock();
        let holder = slots.holders.remove(&session);
        // Of an application that knows no accounts.
        let holder = holder.unwrap_or_else(|| Holder::address(address));
        // A displaced session ends in a moment.
        if let Some(handle) = slots.release(session) {
            let place = slots.signed_in.insert(holder, handle);
            slots.sessions.insert(session, Slot::SignedIn(place));
        }
    }

    pub(in crate::socket) fn release(&self, session: SessionId) {
        self.lock().release(session);
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Taken {
    fn release(&mut self, session: SessionId) -> Option<SessionHandle> {
        self.holders.remove(&session);
        match self.sessions.remove(&session)? {
            Slot::SignedIn(place) => self.signed_in.remove(place),
            Slot::Waiting(place) => self.waiting.remove(place),
        }
    }

    /// Ends the newest session of the crowd with the most that wait. False when that is the newcomer's
    /// own.
    fn displace_waiting(&mut self, newcomer: &Holder) -> bool {
        let session = self.waiting.displaced_for(newcomer);
        let session = session.map(|(_, session)| session.clone());
        session.is_some_and(|session| self.end(&session))
    }

    /// Ends the newest session of the account with the most. False when none has many.
    fn displace_signed_in(&mut self) -> bool {
        if self.signed_in.greatest() <= MIN_OF_ACCOUNT {
            return false;
        }
        let newest = self.signed_in.newest_of_greatest();
        let session = newest.map(|(_, session)| session.clone());
        session.is_some_and(|session| self.end(&session))
    }

    fn end(&mut self, session: &SessionHandle) -> bool {
        // A thread that has no time for it has none for a newcomer.
        let is_told = session.try_abort();
        if is_told {
            self.release(session.id());
        }
        is_told
    }
}

impl Refusals {
    /// How many there were since the last line, when it is time for another.
    fn count_one(&mut self, now: Instant) -> Option<u64> {
        self.count += 1;
        let is_due = |logged: Instant| now.duration_since(logged) >= LOG_INTERVAL;
        if !self.logged.is_none_or(is_due) {
            return None;
        }
        self.logged = Some(now);
        Some(std::mem::take(&mut self.count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_logged_once_a_minute_with_their_number() {
        let mut refusals = Refusals::default();
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let counted = [0, 1, 59, 60, 61].map(|seconds| refusals.count_one(after(seconds)));
        assert_eq!(counted, [Some(1), None, None, Some(3), None]);
    }
}

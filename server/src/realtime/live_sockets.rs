//! Which sessions belong to which sign-in and which client: ending a sign-in closes its sockets,
//! and a client that comes back closes the one it left behind. The stream lists them; what ends a sign-in
//! or revokes a board closes them.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix_socketio::{Nonce, SessionHandle};
use dispatch_actors::repair_order::TechnicianId;
use dispatch_actors::store::{OtherServers, SoftState};

/// What other servers hear of technicians whose screens are open here.
const TECHNICIANS_TOPIC: &str = "technician-screens";

#[derive(Clone)]
pub struct LiveSockets {
    state: Arc<Mutex<State>>,
    /// Technicians whose screens are open, by their ids, at each server.
    technicians: SoftState,
}

#[derive(Default)]
struct State {
    /// Listings so far: a client that leaves and connects again on one session has two.
    listings: u64,
    by_credential: HashMap<Credential, HashMap<u64, OpenSocket>>,
    by_pid: HashMap<Nonce, (u64, SessionHandle)>,
    /// How many sessions look at a technician's work, or are a technician's own.
    by_technician: HashMap<TechnicianId, u32>,
}

struct OpenSocket {
    session: SessionHandle,
    /// The key of the ID token that let it in; none for a board.
    token_key: Option<Arc<str>>,
}

/// By what a session is open.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Credential {
    SignIn(String),
    /// A board, by the hash of its token.
    Board {
        id: Arc<str>,
        token: String,
    },
}

/// A session that is listed for as long as this lives.
pub(crate) struct Listing {
    sockets: LiveSockets,
    credential: Credential,
    number: u64,
    session: SessionHandle,
    pid: Option<Nonce>,
    technicians: Vec<TechnicianId>,
}

impl LiveSockets {
    pub fn new(others: &OtherServers) -> Self {
        Self {
            state: Arc::default(),
            technicians: SoftState::new(others, TECHNICIANS_TOPIC),
        }
    }

    /// Hears whose screens are open at other servers, for as long as this one runs, from this call on.
    pub fn follow_other_servers(&self) -> impl Future<Output = ()> + use<> {
        self.technicians.clone().follow(|_| {})
    }

    /// `token_key`: the key of the ID token that let it in.
    pub(crate) fn list(
        &self,
        credential: Credential,
        session: SessionHandle,
        token_key: Option<Arc<str>>,
    ) -> Listing {
        let mut state = self.lock();
        state.listings += 1;
        let number = state.listings;
        let sessions = state.by_credential.entry(credential.clone()).or_default();
        let socket = OpenSocket {
            session: session.clone(),
            token_key,
        };
        sessions.insert(number, socket);
        Listing {
            sockets: self.clone(),
            credential,
            number,
            session,
            pid: None,
            technicians: Vec::new(),
        }
    }

    /// Whether a screen of this technician is open at any server: one of their portal, or one of their own.
    pub fn listens(&self, technician: TechnicianId) -> bool {
        self.lock().by_technician.contains_key(&technician)
            || self.technicians.is_elsewhere(&technician.to_string())
    }

    /// Every sign-in session that has a socket.
    pub fn sign_ins(&self) -> Vec<String> {
        let sign_in = |credential: &Credential| match credential {
            Credential::SignIn(sign_in) => Some(sign_in.clone()),
            Credential::Board { .. } => None,
        };
        self.lock()
            .by_credential
            .keys()
            .filter_map(sign_in)
            .collect()
    }

    /// The boards that are connected.
    pub fn boards(&self) -> HashSet<Arc<str>> {
        let board = |credential: &Credential| match credential {
            Credential::SignIn(_) => None,
            Credential::Board { id, .. } => Some(Arc::clone(id)),
        };
        self.lock().by_credential.keys().filter_map(board).collect()
    }

    /// Their tokens, by their hashes.
    pub fn board_tokens(&self) -> Vec<(Arc<str>, String)> {
        let board = |credential: &Credential| match credential {
            Credential::SignIn(_) => None,
            Credential::Board { id, token } => Some((Arc::clone(id), token.clone())),
        };
        self.lock().by_credential.keys().filter_map(board).collect()
    }

    /// Closes the sockets of a sign-in session that has ended.
    pub fn end(&self, sign_in: &str) {
        self.end_all(&Credential::SignIn(sign_in.to_owned()), true);
    }

    /// Closes the sockets of a board's token, by its hash. `for_good`: the board gets a DISCONNECT,
    /// after which it does not reconnect by itself.
    pub fn end_board(&self, board: &Arc<str>, token: &str, for_good: bool) {
        let credential = Credential::Board {
            id: Arc::clone(board),
            token: token.to_owned(),
        };
        self.end_all(&credential, for_good);
    }

    fn end_all(&self, credential: &Credential, for_good: bool) {
        let sessions = self.lock().by_credential.remove(credential);
        for socket in sessions.into_iter().flat_map(HashMap::into_values) {
            end(&socket.session, for_good);
        }
    }

    /// The keys of the ID tokens that let sockets in.
    pub(crate) fn token_keys(&self) -> HashSet<Arc<str>> {
        let state = self.lock();
        let sockets = state.by_credential.values().flat_map(HashMap::values);
        sockets
            .filter_map(|socket| socket.token_key.clone())
            .collect()
    }

    /// Closes the sockets that signed in with a token of one of these keys. Their clients are told
    /// to reconnect with another token.
    pub(crate) fn end_keys(&self, keys: &[Arc<str>]) {
        let voided = |socket: &OpenSocket| {
            let key = socket.token_key.as_ref();
            key.is_some_and(|key| keys.contains(key))
        };
        let state = self.lock();
        let sockets = state.by_credential.values().flat_map(HashMap::values);
        for socket in sockets.filter(|socket| voided(socket)) {
            end(&socket.session, true);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listing {
    /// The client's private id is this one now; an older session that has it is closed.
    pub(crate) fn set_private_id(&mut self, pid: Nonce) {
        self.pid = Some(pid);
        let named = (self.number, self.session.clone());
        let older = self.sockets.lock().by_pid.insert(pid, named);
        if let Some((_, session)) = older
            && session.id() != self.session.id()
        {
            end(&session, false);
        }
    }

    /// The session is about these technicians.
    pub(crate) fn add_technicians(&mut self, mut technicians: Vec<TechnicianId>) {
        technicians.sort_unstable();
        technicians.dedup();
        let mut state = self.sockets.lock();
        for technician in &technicians {
            *state.by_technician.entry(*technician).or_default() += 1;
            // Under the lock, so that it is said in the order in which it happens.
            let screens = &self.sockets.technicians;
            screens.set(&technician.to_string(), String::new());
        }
        self.technicians.append(&mut technicians);
    }
}

impl Drop for Listing {
    fn drop(&mut self) {
        let mut state = self.sockets.lock();
        for technician in &self.technicians {
            if let Entry::Occupied(mut count) = state.by_technician.entry(*technician) {
                *count.get_mut() -= 1;
                if *count.get() == 0 {
                    count.remove();
                    self.sockets.technicians.remove(&technician.to_string());
                }
            }
        }
        if let Some(sessions) = state.by_credential.get_mut(&self.credential) {
            sessions.remove(&self.number);
            if sessions.is_empty() {
                state.by_credential.remove(&self.credential);
            }
        }
        if let Some(pid) = self.pid
            && state
                .by_pid
                .get(&pid)
                .is_some_and(|(number, _)| *number == self.number)
        {
            state.by_pid.remove(&pid);
        }
    }
}

fn end(session: &SessionHandle, for_good: bool) {
    actix::spawn(session.end(for_good));
}

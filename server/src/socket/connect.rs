//! Who may connect on a session, which events they get, and which they missed.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use actix_socketio::{Accepted, EngineSession, Nonce};
use dispatch_actors::presence::Person;
use dispatch_actors::store::{LogPosition, Seq};
use serde::Deserialize;

use super::client::Client;
use super::feed::{DispatchFeed, Interest};
use super::notices::Rights;
use super::resume::recovery;
use super::sessions::session_slots::SessionSlots;
use super::state::SocketState;
use crate::audit::{Origin, act_within};
use crate::boards;
use crate::boards::screen_routes::record_wrong_token;
use crate::capacity::crowds::Holder as CountedBy;
use crate::error::ApiError;
use crate::identity::Visibility;
use crate::realtime::live_sockets::Credential;
use crate::staff::Role;

/// A client that missed more events loads the list, which costs less.
const MAX_MISSED: Seq = 10_000;

const SCOPES: &str = "scope is {technician: number}, {ros: [number, ...]} or {board: id}";

/// Orders that one screen may ask for by number.
const MAX_ORDERS: usize = 64;

type Session = EngineSession<DispatchFeed>;

/// What a client sends with CONNECT beside its token.
#[derive(Deserialize)]
struct Auth {
    /// The name and the offset of a client that comes back.
    #[serde(default)]
    pid: serde_json::Value,
    #[serde(default)]
    offset: serde_json::Value,
    scope: Option<Scope>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
enum Scope {
    Technician(i64),
    Ros(Vec<i64>),
    /// A board's own token comes with it, and no other.
    Board(String),
}

/// The caller who asks to connect on a session.
pub(super) struct ConnectRequest {
    pub(super) state: Arc<SocketState>,
    pub(super) slots: Arc<SessionSlots>,
    pub(super) session: Rc<Session>,
}

impl ConnectRequest {
    /// 401 `unauthorized`, 403 `forbidden`, 400 `invalid-request`.
    pub(super) async fn admit(self, auth: &str) -> Result<Accepted<Client>, ApiError> {
        let Self {
            state,
            slots,
            session,
        } = &self;
        let sign_in_first =
            || ApiError::unauthorized("Sign in first: CONNECT needs auth with a token");
        let auth: serde_json::Value = serde_json::from_str(auth).map_err(|_| sign_in_first())?;
        let token = auth["token"].as_str().ok_or_else(sign_in_first)?;
        if token.starts_with(boards::TOKEN_PREFIX) {
            return self.admit_board(token, &auth).await;
        }
        let generation = state.store.status().generation();
        let caller = state.identity.authenticate(token).await?;
        slots.identify(
            session.id(),
            CountedBy::names(&caller.uid, &caller.session_id),
        );
        let auth = Auth::deserialize(&auth).map_err(|_| ApiError::invalid(SCOPES))?;
        let sign_in = Credential::SignIn(caller.session_id.clone());
        let key = state.identity.token_key(token);
        let mut listing = state.sockets.list(sign_in, session.handle(), key);
        // It may have ended between the check and being listed; nothing would notify us then.
        let caller = state.identity.authenticate(token).await?;

        let interest = interest_of(auth.scope, caller.visibility())?;
        let (nonce, pid, missed_after) =
            private_id(state, (&auth.pid, &auth.offset), &caller).await?;
        listing.set_private_id(nonce);
        let own = match caller.roles.contains(&Role::Technician) {
            true => caller.technician_id,
            false => None,
        };
        listing.add_technicians(own.into_iter().chain(interest.technician()).collect());
        Ok(Accepted {
            pid: Some(pid),
            client: Client {
                session: session.id(),
                rights: Rc::new(Rights::of(&caller)),
                person: Person {
                    uid: caller.uid,
                    name: caller.name,
                },
                _connected: state.counts.connect(&interest),
                interest,
                generation,
                missed_after,
                joined: Cell::default(),
                presence: RefCell::default(),
                notices: RefCell::default(),
                state: Arc::clone(state),
                _listing: listing,
            },
        })
    }

    /// Connects a board, to receive what it shows. 401 `unauthorized`, `board-revoked`, 429
    /// `too-many-requests`.
    async fn admit_board(
        &self,
        token: &str,
        auth: &serde_json::Value,
    ) -> Result<Accepted<Client>, ApiError> {
        let Self {
            state,
            slots,
            session,
        } = self;
        let generation = state.store.status().generation();
        let address = session.address();
        let board = match state.boards.authenticate(token, address).await {
            Ok(board) => board,
            Err(refused) => {
                let record = async { record_wrong_token(&state.audit, &refused) };
                act_within(Origin::at(address), record).await;
                return Err(refused);
            }
        };
        let token_hash = board.token_hash.clone().unwrap_or_default();
        slots.identify(session.id(), CountedBy::names(&board.id, &token_hash));
        let auth = Auth::deserialize(auth).map_err(|_| ApiError::invalid(SCOPES))?;
        match auth.scope {
            Some(Scope::Board(id)) if id == *board.id => {}
            Some(Scope::Board(_)) => {
                return Err(ApiError::unauthorized("This is another board's token"));
            }
            _ => return Err(ApiError::invalid("A board's scope is {board: its id}")),
        }
        let credential = Credential::Board {
            id: Arc::clone(&board.id),
            token: token_hash,
        };
        let mut listing = state.sockets.list(credential, session.handle(), None);
        // It may have been revoked, or shown otherwise, between the check and being listed.
        let board = state.boards.authenticate(token, address).await?;
        let subscription = state.boards.subscribe(&board);
        let (nonce, pid, missed_after) =
            private_id(state, (&auth.pid, &auth.offset), &subscription).await?;
        listing.set_private_id(nonce);
        state.boards.mark_connected(&board);
        let interest = Interest::Board(subscription);
        Ok(Accepted {
            pid: Some(pid),
            client: Client {
                session: session.id(),
                rights: Rc::new(Rights::NONE),
                // Never announced: a board opens no order.
                person: Person {
                    uid: format!("board:{}", board.id),
                    name: board.about.name.clone(),
                },
                _connected: state.counts.connect(&interest),
                interest,
                generation,
                missed_after,
                joined: Cell::default(),
                presence: RefCell::default(),
                notices: RefCell::default(),
                state: Arc::clone(state),
                _listing: listing,
            },
        })
    }
}

/// The pid of a client that reconnects at a position from which the log can be replayed, with that
/// position; otherwise a new one.
async fn private_id<'a>(
    state: &SocketState,
    (pid, offset): (&serde_json::Value, &serde_json::Value),
    holder: impl Into<recovery::Owner<'a>> + Copy,
) -> Result<(Nonce, String, Option<Seq>), ApiError> {
    Ok(match recovered(state, (pid, offset), holder).await? {
        Some((nonce, pid, after)) => {
            state.counts.recovered.increment();
            (nonce, pid, Some(after))
        }
        None => {
            if pid.is_string() && offset.is_string() {
                state.counts.not_recovered.increment();
            }
            let (nonce, pid) = state.pids.issue(holder);
            (nonce, pid, None)
        }
    })
}

async fn recovered<'a>(
    state: &SocketState,
    (pid, offset): (&serde_json::Value, &serde_json::Value),
    holder: impl Into<recovery::Owner<'a>>,
) -> Result<Option<(Nonce, String, Seq)>, ApiError> {
    let (Some(pid), Some(offset)) = (pid.as_str(), offset.as_str()) else {
        return Ok(None);
    };
    let (Some(nonce), Ok(place)) = (state.pids.check(pid, holder), offset.parse()) else {
        return Ok(None);
    };
    let LogPosition { seq: after, .. } = place;
    let newest_seq = state.snapshot.seq();
    let newest = if after <= newest_seq {
        newest_seq
    } else {
        // Another process may have sent the client an event that this one has not read yet.
        state.store.top().await?
    };
    // A log that went back and grew again has other events under the same numbers.
    let recoverable =
        (0..=MAX_MISSED).contains(&(newest - after)) && state.archive.has(place).await?;
    Ok(recoverable.then(|| (nonce, pid.to_owned(), after)))
}

/// What a session receives: what it asked for, as far as its user may see that. 403 `forbidden`.
fn interest_of(scope: Option<Scope>, visibility: Visibility) -> Result<Interest, ApiError> {
    match scope {
        None => Ok(match visibility {
            Visibility::Shop => Interest::Everything,
            Visibility::Own(own) => Interest::Dashboard(own),
        }),
        Some(Scope::Technician(id)) => {
            visibility.require_technician(id)?;
            Ok(Interest::Technician(id))
        }
        Some(Scope::Ros(numbers)) if numbers.len() <= MAX_ORDERS => {
            Ok(Interest::Orders(numbers.into()))
        }
        Some(Scope::Board(_)) => Err(ApiError::unauthorized(
            "A board is heard with its own token, and nobody else's",
        )),
        Some(Scope::Ros(_)) => Err(ApiError::invalid(format!(
            "scope.ros may name {MAX_ORDERS} orders at most"
        ))),
    }
}

//! The application on the stream: who is let in, what they missed, what they may say.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use actix::Addr;
use actix_socketio::{
    Accepted, Application, Denied, EngineSession, Event, Hub, MAIN, Nonce, Replay, SessionId,
};
use dispatch_actors::broadcaster::{Join, Leave, PresenceUpdate, Present};
use dispatch_actors::presence::Person;
use dispatch_actors::store::{LogPosition, Seq};
use futures_util::future::LocalBoxFuture;
use serde::Deserialize;
use serde_json::json;

use super::catch_up::CatchUp;
use super::feed::{DispatchFeed, Interest};
use super::feed_actor::FeedActor;
use super::notices::{self, Notices, Rights};
use super::presence_requests::{self, PresenceRequest, PresenceRequests};
use super::recovery;
use super::session_slots::SessionSlots;
use super::state::SocketState;
use crate::audit::{Origin, act_within};
use crate::boards;
use crate::boards::screen_routes::wrong_token;
use crate::capacity::crowds::Holder as CountedBy;
use crate::error::{ApiError, ErrorCode};
use crate::identity::Visibility;
use crate::realtime::live_sockets::{Credential, Listing};
use crate::staff::Role;

/// Whoever missed more events loads the list, which costs less.
const MAX_MISSED: Seq = 10_000;

const SCOPES: &str = "scope is {technician: number}, {ros: [number, ...]} or {board: id}";

/// Orders that one screen may ask for by number.
const MAX_ORDERS: usize = 64;

type Socket = actix_socketio::Socket<DispatchFeed>;
type Session = EngineSession<DispatchFeed>;

/// One thread's.
pub(super) struct Stream {
    state: Arc<SocketState>,
    slots: Arc<SessionSlots>,
    /// Set when the thread's hub has started.
    feed: OnceCell<Addr<FeedActor>>,
}

impl Stream {
    pub(super) fn new(state: Arc<SocketState>, slots: Arc<SessionSlots>) -> Self {
        Self {
            state,
            slots,
            feed: OnceCell::new(),
        }
    }
}

/// Somebody who is signed in on a session.
pub(super) struct Client {
    session: SessionId,
    who: Person,
    rights: Rc<Rights>,
    interest: Interest,
    /// Of the log in which it was let in.
    generation: Arc<str>,
    /// Everything after this event was missed; none for a new client.
    missed_after: Option<Seq>,
    /// The broadcaster has taken the session in for this client.
    joined: Cell<bool>,
    presence: RefCell<PresenceRequests>,
    notices: RefCell<Notices>,
    state: Arc<SocketState>,
    _listing: Listing,
}

impl Drop for Client {
    fn drop(&mut self) {
        if let Interest::Board(seat) = &self.interest {
            self.state.boards.went(seat);
        }
        let leave = self.state.broadcaster.send(Leave(self.session));
        // Waits for room: a forgotten Leave would keep somebody at an order who is gone.
        actix::spawn(async move {
            let _ = leave.await;
        });
    }
}

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

impl Application for Stream {
    type Feed = DispatchFeed;
    type Client = Client;

    fn started(&self, hub: &Rc<Hub<DispatchFeed>>) {
        let broadcaster = self.state.broadcaster.clone();
        // A thread starts one hub.
        let _ = self.feed.set(FeedActor::start_here(hub, broadcaster));
    }

    fn serves(&self, namespace: &str) -> bool {
        namespace == MAIN
    }

    fn connect(
        &self,
        socket: &Socket,
        auth: Option<&str>,
    ) -> LocalBoxFuture<'static, Result<Accepted<Client>, Denied>> {
        let auth = auth.unwrap_or("null").to_owned();
        let newcomer = Newcomer {
            state: Arc::clone(&self.state),
            slots: Arc::clone(&self.slots),
            session: Rc::clone(&socket.session),
        };
        Box::pin(async move { newcomer.admit(&auth).await.map_err(denied) })
    }

    fn connected(&self, socket: &Socket, client: &Rc<Client>) {
        let Some(feed) = self.feed.get() else {
            socket.session.close();
            return;
        };
        let join = Join {
            session: client.session,
            hub: feed.clone().recipient(),
        };
        let joined = self.state.broadcaster.send(join);
        let session = Rc::clone(&socket.session);
        actix::spawn(async move {
            if joined.await.is_err() {
                session.close();
            }
        });
    }

    fn joined(&self, socket: &Socket, client: &Rc<Client>, present: Option<Present>) {
        if client.joined.replace(true) {
            // Somebody left on this session and connected again before it was told the first time.
            return;
        }
        if client.generation != self.state.store.status().generation() {
            // The log went back since it was let in.
            socket.session.abort();
            return;
        }
        let catch_up = CatchUp {
            client: Rc::downgrade(client),
            archive: client.state.archive.clone(),
            present,
        };
        let replay = Replay::new(&socket.session, client.interest.clone(), catch_up);
        match client.missed_after {
            None => replay.start(),
            Some(after) => {
                actix::spawn(replay.run(after));
            }
        }
        client.presence.borrow_mut().set_ready();
        send_next_presence(socket, client);
    }

    fn event(&self, socket: &Socket, client: &Rc<Client>, event: Event) {
        if let Interest::Board(_) = client.interest {
            let refused = ApiError::forbidden("A board only listens");
            return acknowledge(socket, event.ack, Err(refused));
        }
        let taken = match event.name().as_str() {
            "RO_OPEN" => client.presence.borrow_mut().accept(&event, true),
            "RO_LEAVE" => client.presence.borrow_mut().accept(&event, false),
            "RO_MODIFIED" => {
                notice(socket, client, &event);
                return;
            }
            _ => Err(ApiError::new(
                ErrorCode::UnknownEvent,
                "The server takes no such event",
            )),
        };
        match taken {
            Ok(()) => send_next_presence(socket, client),
            Err(refused) => acknowledge(socket, event.ack, Err(refused)),
        }
    }

    fn left(&self, socket: &Socket) {
        socket.session.unsubscribe();
    }
}

/// Whoever asks to be let in on a session.
struct Newcomer {
    state: Arc<SocketState>,
    slots: Arc<SessionSlots>,
    session: Rc<Session>,
}

impl Newcomer {
    /// 401 `unauthorized`, 403 `forbidden`, 400 `invalid-request`.
    async fn admit(self, auth: &str) -> Result<Accepted<Client>, ApiError> {
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
        // It may have ended between the check and being listed; nobody would tell us then.
        let caller = state.identity.authenticate(token).await?;

        let interest = interest_of(auth.scope, caller.visibility())?;
        let recovered = recovered(state, &auth.pid, &auth.offset, &caller).await?;
        let (nonce, pid, missed_after) = match recovered {
            Some((nonce, pid, after)) => (nonce, pid, Some(after)),
            None => {
                let (nonce, pid) = state.pids.issue(&caller);
                (nonce, pid, None)
            }
        };
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
                who: Person {
                    uid: caller.uid,
                    name: caller.name,
                },
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

    /// Lets a board in, to hear what it shows. 401 `unauthorized`, `board-revoked`, 429 `too-many-requests`.
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
        let board = match state.boards.authenticate(token).await {
            Err(refused) if refused.code == ErrorCode::Unauthorized => {
                let address = session.address();
                let count = async || wrong_token(&state.boards, &state.audit, address, refused);
                return Err(act_within(Origin::at(address), count()).await);
            }
            found => found?,
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
        let board = state.boards.authenticate(token).await?;
        let seat = state.boards.sit(&board);
        let recovered = recovered(state, &auth.pid, &auth.offset, &seat).await?;
        let (nonce, pid, missed_after) = match recovered {
            Some((nonce, pid, after)) => (nonce, pid, Some(after)),
            None => {
                let (nonce, pid) = state.pids.issue(&seat);
                (nonce, pid, None)
            }
        };
        listing.set_private_id(nonce);
        state.boards.came(&board);
        Ok(Accepted {
            pid: Some(pid),
            client: Client {
                session: session.id(),
                rights: Rc::new(Rights::NONE),
                // Nobody hears of it: a board opens no order.
                who: Person {
                    uid: format!("board:{}", board.id),
                    name: board.about.name.clone(),
                },
                interest: Interest::Board(seat),
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

/// Who comes back with a name of ours, from where the log still goes on.
async fn recovered<'a>(
    state: &SocketState,
    pid: &serde_json::Value,
    offset: &serde_json::Value,
    holder: impl Into<recovery::Owner<'a>>,
) -> Result<Option<(Nonce, String, Seq)>, ApiError> {
    let (Some(pid), Some(offset)) = (pid.as_str(), offset.as_str()) else {
        return Ok(None);
    };
    let (Some(nonce), Ok(place)) = (state.pids.check(pid, holder), offset.parse()) else {
        return Ok(None);
    };
    let LogPosition { seq: after, .. } = place;
    let known = state.snapshot.seq();
    let newest = if after <= known {
        known
    } else {
        // Another process may have told the client of an event that this one has not heard of yet.
        state.store.top().await?
    };
    // A log that went back and grew again has other events under the same numbers.
    let recoverable =
        (0..=MAX_MISSED).contains(&(newest - after)) && state.archive.has(place).await?;
    Ok(recoverable.then(|| (nonce, pid.to_owned(), after)))
}

/// What a session hears: what it asked for, as far as its person may see that. 403 `forbidden`.
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

fn denied(error: ApiError) -> Denied {
    if error.status.is_server_error() {
        Denied::Fault
    } else {
        Denied::Refused(refusal(&error))
    }
}

fn refusal(error: &ApiError) -> serde_json::Value {
    json!({ "message": error.error, "data": { "code": error.code } })
}

/// Sends the next opened or left order to the broadcaster, if one waits.
fn send_next_presence(socket: &Socket, client: &Rc<Client>) {
    let Some(PresenceRequest { number, opens, ack }) = client.presence.borrow_mut().take_next()
    else {
        return;
    };
    let update = PresenceUpdate {
        session: client.session,
        number,
        who: opens.then(|| client.who.clone()),
    };
    let (socket, state) = (socket.clone(), Arc::clone(&client.state));
    // A client that has left is not kept: whoever leaves has left all orders.
    let client = Rc::downgrade(client);
    actix::spawn(async move {
        let updated = presence_requests::update_presence(&state, update).await;
        if let Some(client) = client.upgrade() {
            acknowledge(&socket, ack, updated);
            client.presence.borrow_mut().set_ready();
            send_next_presence(&socket, &client);
        }
    });
}

/// Passes on what a client says it did.
fn notice(socket: &Socket, client: &Client, event: &Event) {
    let (socket, ack) = (socket.clone(), event.ack);
    let (state, rights) = (Arc::clone(&client.state), Rc::clone(&client.rights));
    let hint = client.notices.borrow_mut().take(event, &client.who);
    actix::spawn(async move {
        let passed_on = match hint {
            Ok(hint) => notices::pass_on(&state, &rights, hint).await,
            Err(refused) => Err(refused),
        };
        acknowledge(&socket, ack, passed_on);
    });
}

/// Answers an event, if the client wants that.
fn acknowledge(socket: &Socket, ack: Option<i64>, done: Result<(), ApiError>) {
    if let Some(ack) = ack {
        let answer = match done {
            Ok(()) => json!({ "ok": true }),
            Err(error) => refusal(&error),
        };
        socket.acknowledge(ack, &[answer], Vec::new());
    }
}

//! The application on the stream: the life of a session, and the events that its client may send.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use actix::Addr;
use actix_socketio::{Accepted, Application, Denied, Event, Hub, MAIN, Replay};
use dispatch_actors::broadcaster::{Join, PresenceUpdate, Present};
use futures_util::future::LocalBoxFuture;
use serde_json::json;

use super::client::Client;
use super::connect::ConnectRequest;
use super::feed::{DispatchFeed, Interest};
use super::feed_actor::FeedActor;
use super::notices;
use super::presence_requests::{self, PresenceRequest};
use super::resume::catch_up::CatchUp;
use super::sessions::session_slots::SessionSlots;
use super::state::SocketState;
use crate::error::{ApiError, ErrorCode};

type Socket = actix_socketio::Socket<DispatchFeed>;

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
        let newcomer = ConnectRequest {
            state: Arc::clone(&self.state),
            slots: Arc::clone(&self.slots),
            session: Rc::clone(&socket.session),
        };
        let store = self.state.store.clone();
        Box::pin(async move {
            tokio::select! {
                biased;
                admitted = newcomer.admit(&auth) => admitted.map_err(denied),
                // What a host that hangs was asked is never answered; the next try is on the new one.
                () = store.until_host_moved() => Err(denied(ApiError::unavailable())),
            }
        })
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
            // The client left and connected again on this session before the first answer arrived.
            return;
        }
        if client.generation != self.state.store.status().generation() {
            // The log went back since it connected.
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
        let outcome = match event.name().as_str() {
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
        match outcome {
            Ok(()) => send_next_presence(socket, client),
            Err(refused) => acknowledge(socket, event.ack, Err(refused)),
        }
    }

    fn left(&self, socket: &Socket) {
        socket.session.unsubscribe();
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
        person: opens.then(|| client.person.clone()),
    };
    let (socket, state) = (socket.clone(), Arc::clone(&client.state));
    // A client that has left is not kept: it has left all orders.
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
    let hint = client.notices.borrow_mut().take(event, &client.person);
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

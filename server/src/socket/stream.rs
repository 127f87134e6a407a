//! The application on the stream: who is let in, what they missed, what they may say.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use dispatch_actors::broadcaster::{Entry, Frame, Hint, Join, Leave, Look, SessionId};
use dispatch_actors::presence::Person;
use dispatch_actors::repair_order::{Action, RoNumber};
use dispatch_actors::store::Seq;
use engineioxide_core::Sid;
use futures_util::future::LocalBoxFuture;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use serde::Deserialize;
use serde_json::json;

use super::engine::{Joined, Limits, Listen, Listener};
use super::frames::Frames;
use super::line::{End, Line, Out};
use super::live::Listed;
use super::looks::{self, Asked, Looks, is_known};
use super::ring::Interest;
use super::socket_io::{Accepted, Application, Denied, Event, MAIN, Socket, SocketIo};
use crate::app::Services;
use crate::error::ApiError;
use crate::identity::Caller;
use crate::repair_orders::wire::RoNotice;

/// Whoever missed more events loads the list, which costs less.
const RECOVERABLE: Seq = 10_000;

/// Missed events that are sent at once; before more the client must have taken them.
const REPLAYED: usize = 256;

/// What this process has not heard of yet it will hear in a moment.
const NOT_YET: Duration = Duration::from_millis(20);

/// Orders that one screen may ask for by number.
const ORDERS: usize = 64;

/// Notices a client may send in a second: more than people do.
const NOTICES: std::num::NonZeroU32 = match std::num::NonZeroU32::new(10) {
    Some(count) => count,
    None => std::num::NonZeroU32::MIN,
};

/// One thread's.
pub(super) struct Streams {
    limits: Limits,
    application: Rc<Stream>,
}

impl Streams {
    pub(super) fn new(services: Arc<Services>, limits: Limits) -> Self {
        Self {
            limits,
            application: Rc::new(Stream { services }),
        }
    }
}

impl Listen for Streams {
    fn listener(&self) -> Box<dyn Listener> {
        Box::new(SocketIo::new(Rc::clone(&self.application), &self.limits))
    }
}

pub(super) struct Stream {
    services: Arc<Services>,
}

/// Somebody who is signed in on a session.
pub(super) struct Client {
    session: SessionId,
    who: Person,
    interest: Interest,
    /// Everything after this event was missed; none for a new client.
    missed_after: Option<Seq>,
    looks: RefCell<Looks>,
    notices: RefCell<Option<Box<DefaultDirectRateLimiter>>>,
    services: Arc<Services>,
    _listed: Listed,
}

impl Drop for Client {
    fn drop(&mut self) {
        let leave = self.services.broadcaster.send(Leave(self.session));
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
}

impl Application for Stream {
    type Client = Client;

    fn serves(&self, namespace: &str) -> bool {
        namespace == MAIN
    }

    fn connect(
        &self,
        socket: &Socket,
        auth: Option<&str>,
    ) -> LocalBoxFuture<'static, Result<Accepted<Client>, Denied>> {
        let services = Arc::clone(&self.services);
        let auth = auth.unwrap_or("null").to_owned();
        let line = Rc::clone(&socket.line);
        Box::pin(async move { admit(services, &auth, &line).await.map_err(denied) })
    }

    fn connected(&self, socket: &Socket, client: &Rc<Client>) {
        let Some(hub) = socket.line.hub().address() else {
            socket.line.close();
            return;
        };
        let join = Join {
            session: client.session,
            hub: hub.recipient(),
        };
        let joined = self.services.broadcaster.send(join);
        let line = Rc::clone(&socket.line);
        actix::spawn(async move {
            if joined.await.is_err() {
                line.close();
            }
        });
    }

    fn joined(&self, socket: &Socket, client: &Rc<Client>, joined: Joined) {
        match client.missed_after {
            None => go_live(&socket.line, client, Vec::new(), joined.present),
            Some(after) => {
                let (line, client) = (Rc::clone(&socket.line), Rc::clone(client));
                actix::spawn(async move { replay(&line, &client, after, joined.present).await });
            }
        }
        client.looks.borrow_mut().told();
        tell_look(socket, client);
    }

    fn event(&self, socket: &Socket, client: &Rc<Client>, event: Event) {
        let taken = match event.name().as_str() {
            "RO_OPEN" => client.looks.borrow_mut().ask(&event, true),
            "RO_LEAVE" => client.looks.borrow_mut().ask(&event, false),
            "RO_MODIFIED" => {
                notice(socket, client, &event);
                return;
            }
            _ => Err(ApiError::not_found(
                "unknown-event",
                "The server takes no such event",
            )),
        };
        match taken {
            Ok(()) => tell_look(socket, client),
            Err(refused) => acknowledge(socket, event.ack, Err(refused)),
        }
    }

    fn left(&self, socket: &Socket) {
        socket.line.rest();
    }
}

/// 401 `unauthorized`, 400 `invalid-request`.
async fn admit(
    services: Arc<Services>,
    auth: &str,
    line: &Rc<Line>,
) -> Result<Accepted<Client>, ApiError> {
    let sign_in_first = || ApiError::unauthorized("Sign in first: CONNECT needs auth with a token");
    let auth: serde_json::Value = serde_json::from_str(auth).map_err(|_| sign_in_first())?;
    let token = auth["token"].as_str().ok_or_else(sign_in_first)?;
    let caller = services.identity.authenticate(token).await?;
    let auth = Auth::deserialize(&auth)
        .map_err(|_| ApiError::invalid("scope is {technician: number} or {ros: [number, ...]}"))?;
    let hub = line.hub().address().ok_or_else(ApiError::unavailable)?;
    let mut listed = services
        .sockets
        .list(&caller.session_id, line.id, hub.clone().recipient());
    // It may have ended between the check and being listed; nobody would tell us then.
    let caller = services
        .identity
        .authenticate(token)
        .await
        .map(|_| caller)?;

    let interest = interest(auth.scope)?;
    let returns = returning(&services, &auth.pid, &auth.offset, &caller);
    let (nonce, pid, missed_after) = match returns {
        Some((nonce, pid, after)) => (nonce, pid, Some(after)),
        None => {
            let (nonce, pid) = services.pids.make(&caller);
            (nonce, pid, None)
        }
    };
    listed.go_by(nonce, hub.recipient());
    Ok(Accepted {
        answer: json!({ "sid": Sid::new(), "pid": pid }),
        client: Client {
            session: line.id,
            who: Person {
                uid: caller.uid,
                name: caller.name,
            },
            interest,
            missed_after,
            looks: RefCell::default(),
            notices: RefCell::default(),
            services,
            _listed: listed,
        },
    })
}

/// Who comes back with a name of ours, from where the log still goes on.
fn returning(
    services: &Services,
    pid: &serde_json::Value,
    offset: &serde_json::Value,
    caller: &Caller,
) -> Option<([u8; 12], String, Seq)> {
    let pid = pid.as_str()?;
    let nonce = services.pids.check(pid, caller)?;
    let after: Seq = offset.as_str()?.parse().ok()?;
    let missed = services.snapshot.seq().checked_sub(after)?;
    let recoverable = after >= 0 && (0..=RECOVERABLE).contains(&missed);
    recoverable.then(|| (nonce, pid.to_owned(), after))
}

fn interest(scope: Option<Scope>) -> Result<Interest, ApiError> {
    match scope {
        None => Ok(Interest::Everything),
        Some(Scope::Technician(id)) => Ok(Interest::Technician(id)),
        Some(Scope::Ros(numbers)) if numbers.len() <= ORDERS => {
            Ok(Interest::Orders(numbers.into()))
        }
        Some(Scope::Ros(_)) => Err(ApiError::invalid(format!(
            "scope.ros may name {ORDERS} orders at most"
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

/// Sends the last of what was missed and `hello`; from here on the session hears everything.
fn go_live(line: &Rc<Line>, client: &Client, missed: Vec<Entry>, present: Option<Frame>) {
    let hello = Frames::hello(line.hub().newest());
    let frames = missed.into_iter().map(|entry| entry.frame);
    let frames = frames.chain([hello]).chain(present);
    // In one go: nothing can come in between.
    line.live(client.interest.clone());
    line.push_all(frames.map(Out::Frame));
}

/// Sends what was missed, in order and without a gap, while more may come.
async fn replay(line: &Rc<Line>, client: &Client, mut after: Seq, present: Option<Frame>) {
    while line.is_open() {
        if after > line.hub().newest() {
            tokio::time::sleep(NOT_YET).await;
            continue;
        }
        let recent = line.hub().recent(after, &client.interest, REPLAYED);
        let entries = match recent {
            Some((entries, true)) => return go_live(line, client, entries, present),
            Some((entries, false)) => entries,
            None => match client.services.archive.after(after).await {
                Ok(entries) => entries,
                Err(error) => {
                    tracing::error!(%error, "missed events could not be read");
                    break;
                }
            },
        };
        let newest = line.hub().newest();
        let entries = entries.into_iter().filter(|entry| entry.seq <= newest);
        let entries: Vec<Entry> = entries.collect();
        let Some(last) = entries.last() else {
            tracing::error!(after, "the log has a gap");
            break;
        };
        after = last.seq;
        let wanted = entries
            .into_iter()
            .filter(|entry| client.interest.wants(&entry.audience));
        line.push_all(wanted.map(|entry| Out::Frame(entry.frame)));
        if line.drained().await.is_err() {
            break;
        }
    }
    // The client comes back and tries again.
    line.end(End::Cut);
}

/// Tells the broadcaster which order is opened or left, if one waits whose turn it is.
fn tell_look(socket: &Socket, client: &Rc<Client>) {
    let Some(Asked { number, opens, ack }) = client.looks.borrow_mut().next() else {
        return;
    };
    let look = Look {
        session: client.session,
        number,
        who: opens.then(|| client.who.clone()),
    };
    let (socket, client) = (socket.clone(), Rc::clone(client));
    actix::spawn(async move {
        let told = looks::tell(&client.services, look).await;
        acknowledge(&socket, ack, told);
        client.looks.borrow_mut().told();
        tell_look(&socket, &client);
    });
}

/// Passes on what a client says it did.
fn notice(socket: &Socket, client: &Rc<Client>, event: &Event) {
    let (socket, client, ack) = (socket.clone(), Rc::clone(client), event.ack);
    let hint = allow_notice(&client).and_then(|()| read_notice(event, &client));
    actix::spawn(async move {
        let passed_on = match hint {
            Ok(hint) => pass_on(&client.services, hint).await,
            Err(refused) => Err(refused),
        };
        acknowledge(&socket, ack, passed_on);
    });
}

/// 429 `too-many-requests`.
fn allow_notice(client: &Client) -> Result<(), ApiError> {
    let mut notices = client.notices.borrow_mut();
    let limiter =
        notices.get_or_insert_with(|| Box::new(RateLimiter::direct(Quota::per_second(NOTICES))));
    limiter.check().map_err(|_| {
        ApiError::new(
            actix_web::http::StatusCode::TOO_MANY_REQUESTS,
            "too-many-requests",
            "Too many notices at once; wait a second",
        )
    })
}

/// 400 `invalid-request`.
fn read_notice(event: &Event, client: &Client) -> Result<Hint, ApiError> {
    let said: Option<RoNotice> = match event.arguments()[..] {
        [argument] => serde_json::from_str(argument.get()).ok(),
        _ => None,
    };
    let said = said.ok_or_else(|| {
        ApiError::invalid(
            "Send an object with roNumber, a number, and action, such as TECH_ASSIGNED",
        )
    })?;
    let number = RoNumber::try_from(said.ro_number)
        .map_err(|refused| ApiError::invalid(refused.to_string()))?;
    let action: Action = said.action;
    Ok(Hint {
        number,
        action,
        technician: said.tech_id,
        by: client.who.clone(),
    })
}

/// 404 `unknown-repair-order`.
async fn pass_on(services: &Services, hint: Hint) -> Result<(), ApiError> {
    if !is_known(services, hint.number).await? {
        let unknown = dispatch_actors::supervisor::Failure::Unknown(hint.number);
        return Err(ApiError::from(&unknown));
    }
    let passed_on = services.broadcaster.send(hint).await;
    passed_on.map_err(|_| ApiError::unavailable())
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

//! A chat with one room: `cargo run -p actix-socketio --example chat -- 3000`.
//!
//! A client connects with a name, says something, and receives what everybody says. A client that
//! lost its connection reconnects by itself and gets what was said meanwhile:
//!
//! ```js
//! const { io } = require("socket.io-client");
//! const socket = io("http://127.0.0.1:3000", { auth: { name: "Ann" } });
//! socket.on("said", ({ name, text }) => console.log(`${name}: ${text}`));
//! socket.emit("say", "Hello");
//! ```

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::rc::{Rc, Weak};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use actix::prelude::*;
use actix_http::HttpService;
use actix_server::Server;
use actix_service::{IntoServiceFactory, fn_service, map_config};
use actix_socketio::{
    Accepted, Application, Denied, Event, EventNumber, Feed, Frame, FrameRef, Group, Hubs, Limits,
    MAIN, MountConfig, PrivateIds, Recovery, Replay, Socket, set_user_timeout,
};
use actix_web::App;
use actix_web::dev::AppConfig;
use futures_util::future::{LocalBoxFuture, ready};
use serde::Deserialize;
use serde_json::json;

const DAY: i64 = 24 * 60 * 60;

/// A connection whose peer acknowledges nothing for so long is closed.
const USER_TIMEOUT: Duration = Duration::from_secs(20);

/// Everything that is said, in order.
struct Chat;

struct ChatLine {
    number: EventNumber,
    frame: Frame,
}

impl Feed for Chat {
    type Message = Arc<ChatLine>;
    /// Every guest receives everything.
    type Interest = ();
    type Offset = EventNumber;
    type Joined = ();

    fn frame_of<'a>((): &(), line: &'a Arc<ChatLine>) -> Option<FrameRef<'a>> {
        Some(line.frame.as_frame_ref())
    }

    fn offset(line: &Arc<ChatLine>) -> EventNumber {
        line.number
    }

    fn number(offset: EventNumber) -> EventNumber {
        offset
    }

    fn is_event(_: &Arc<ChatLine>) -> bool {
        true
    }

    fn size(line: &Arc<ChatLine>) -> usize {
        line.frame.size()
    }

    fn group((): &()) -> Option<Group> {
        Some(Group {
            index: 0,
            member: None,
        })
    }

    fn group_frame(_: usize, line: &Arc<ChatLine>) -> Option<FrameRef<'_>> {
        Some(line.frame.as_frame_ref())
    }
}

/// Numbers what is said, keeps it, and publishes it to every thread in that order.
struct Room {
    lines: Vec<Arc<ChatLine>>,
    hubs: Hubs<Chat>,
}

impl Actor for Room {
    type Context = Context<Self>;
}

#[derive(Message)]
#[rtype(result = "serde_json::Result<()>")]
struct Say {
    name: String,
    text: String,
}

impl Handler<Say> for Room {
    type Result = AtomicResponse<Self, serde_json::Result<()>>;

    fn handle(&mut self, Say { name, text }: Say, _: &mut Self::Context) -> Self::Result {
        let number = self.lines.len() as EventNumber + 1;
        // The last argument is the offset with which a client comes back.
        let message = json!({ "name": name, "text": text });
        let frame = Frame::event(&("said", message, number.to_string()));
        let line = frame.map(|frame| Arc::new(ChatLine { number, frame }));
        if let Ok(line) = &line {
            self.lines.push(Arc::clone(line));
        }
        let hubs = self.hubs.clone();
        let published = async move {
            hubs.publish([line?].into()).await;
            Ok(())
        };
        AtomicResponse::new(Box::pin(published.into_actor(self)))
    }
}

#[derive(Message)]
#[rtype(result = "Vec<Arc<ChatLine>>")]
struct LinesAfter(EventNumber);

impl Handler<LinesAfter> for Room {
    type Result = Vec<Arc<ChatLine>>;

    fn handle(&mut self, LinesAfter(number): LinesAfter, _: &mut Self::Context) -> Self::Result {
        let from = self.lines.partition_point(|line| line.number <= number);
        self.lines[from..].to_vec()
    }
}

/// One thread's.
struct ChatServer {
    room: Addr<Room>,
    ids: PrivateIds,
}

struct Guest {
    name: String,
    missed_after: EventNumber,
}

/// What a client sends with CONNECT.
#[derive(Deserialize)]
struct Auth {
    name: String,
    pid: Option<String>,
    offset: Option<String>,
}

impl Application for ChatServer {
    type Feed = Chat;
    type Client = Guest;

    fn serves(&self, namespace: &str) -> bool {
        namespace == MAIN
    }

    fn connect(
        &self,
        _: &Socket<Chat>,
        auth: Option<&str>,
    ) -> LocalBoxFuture<'static, Result<Accepted<Guest>, Denied>> {
        let auth: Result<Auth, _> = serde_json::from_str(auth.unwrap_or("null"));
        let accepted = match auth {
            Ok(auth) => Ok(self.accept(auth)),
            Err(_) => Err(Denied::Refused(json!({ "message": "What is your name?" }))),
        };
        Box::pin(ready(accepted))
    }

    fn connected(&self, socket: &Socket<Chat>, guest: &Rc<Guest>) {
        let recovery = LinesMissed {
            guest: Rc::downgrade(guest),
            room: self.room.clone(),
        };
        let replay = Replay::new(&socket.session, (), recovery);
        actix::spawn(replay.run(guest.missed_after));
    }

    fn event(&self, socket: &Socket<Chat>, guest: &Rc<Guest>, event: Event) {
        let text = match event.arguments()[..] {
            [text] if event.name() == "say" => serde_json::from_str(text.get()).ok(),
            _ => None,
        };
        let Some(text) = text else { return };
        let name = guest.name.clone();
        let (delivery, socket) = (self.room.send(Say { name, text }), socket.clone());
        actix::spawn(async move {
            let is_delivered = matches!(delivery.await, Ok(Ok(())));
            if let Some(ack) = event.ack {
                socket.acknowledge(ack, &[is_delivered], Vec::new());
            }
        });
    }
}

impl ChatServer {
    /// A new client has missed everything.
    fn accept(&self, auth: Auth) -> Accepted<Guest> {
        let owner: [&[u8]; 1] = [auth.name.as_bytes()];
        let offset = auth.offset.and_then(|offset| offset.parse().ok());
        let genuine = auth
            .pid
            .filter(|pid| self.ids.check(pid, &owner, now()).is_some());
        let (pid, missed_after) = match (genuine, offset) {
            (Some(pid), Some(offset)) => (pid, offset),
            _ => (self.ids.issue(&owner, now() + DAY).1, 0),
        };
        Accepted {
            pid: Some(pid),
            client: Guest {
                name: auth.name,
                missed_after,
            },
        }
    }
}

/// What one guest missed.
struct LinesMissed {
    guest: Weak<Guest>,
    room: Addr<Room>,
}

impl Recovery<Chat> for LinesMissed {
    type Error = MailboxError;

    fn is_wanted(&self) -> bool {
        self.guest.strong_count() > 0
    }

    async fn events_after(&self, number: EventNumber) -> Result<Vec<Arc<ChatLine>>, MailboxError> {
        self.room.send(LinesAfter(number)).await
    }

    fn greeting<'a>(
        self,
        (): &(),
        newest: EventNumber,
        _: impl Iterator<Item = &'a Arc<ChatLine>>,
    ) -> Vec<Frame> {
        Vec::from_iter(Frame::event(&("welcome", newest)).ok())
    }
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs() as i64)
}

/// Serves the chat until the process is asked to stop. `key` signs the names with which clients
/// reconnect, which are valid for this room alone.
pub fn serve(listener: TcpListener, key: &[u8]) -> io::Result<Server> {
    let hubs = Hubs::default();
    let room = Room {
        lines: Vec::new(),
        hubs: hubs.clone(),
    };
    let (room, ids) = (room.start(), PrivateIds::new(key));
    let config = MountConfig {
        hubs,
        ..MountConfig::socket_io("/socket.io", Limits::default(), move || ChatServer {
            room: room.clone(),
            ids: ids.clone(),
        })
    };
    let server = Server::build().listen("chat", listener, move || {
        let mount = config.mount();
        let polled = Rc::clone(&mount);
        let app = App::new().configure(move |routes| polled.configure(routes));
        HttpService::build()
            // Small frames must leave at once.
            .tcp_nodelay(true)
            // The client of this poll disconnected.
            .h1_allow_half_closed(false)
            .on_connect_ext(|connection: &_, _: &mut _| {
                set_user_timeout(connection, USER_TIMEOUT);
            })
            // A connection that becomes a WebSocket leaves the HTTP server.
            .upgrade(fn_service(move |(request, framed)| {
                let mount = Rc::clone(&mount);
                async move {
                    // A client may be gone before its WebSocket is open.
                    let _ = mount.upgrade(request, framed).await;
                    Ok::<_, Infallible>(())
                }
            }))
            .finish(map_config(app.into_factory(), |_| AppConfig::default()))
            .tcp()
    })?;
    Ok(server.run())
}

#[actix_web::main]
async fn main() -> io::Result<()> {
    let port = std::env::args().nth(1).and_then(|port| port.parse().ok());
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port.unwrap_or(3_000)))?;
    // A room that started over knows none of the earlier names.
    let key = now().to_be_bytes();
    serve(listener, &key)?.await
}

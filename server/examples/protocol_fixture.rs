//! Serves the stream's own layers with what the public Engine.IO and Socket.IO test suites expect:
//! `cargo run -p dispatch-server --example protocol_fixture -- 3000`.
//!
//! `/engine.io/` sends every message back. `/socket.io/` has the namespaces `/` and `/custom`,
//! which emit `auth` with what came with CONNECT, answer `message` with `message-back`, and
//! acknowledge `message-with-ack` with its arguments. No recovery, no `hello`, no `tick`. `/cut-silent` says how many
//! sessions were closed because they answered no ping.
//!
//! After the port come, where they are to be others than the suites expect, the ping interval, the
//! ping timeout and the upgrade timeout, in milliseconds.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix_socketio::{
    Accepted, Application, Denied, EngineApplication, EngineSession, Event, Limits, Message,
    MountConfig, SessionHandler, Socket,
};
use actix_web::web;
use dispatch_server::capacity::open_files::OpenFiles;
use dispatch_server::http;
use dispatch_server::http::address::TrustedProxies;
use dispatch_server::http::host_check::AnsweredHosts;
use dispatch_server::socket::{SessionSlots, ThreadAdmission};
use futures_util::future::{FutureExt, LocalBoxFuture, ready};
use serde_json::value::RawValue;

const LIMITS: Limits = Limits {
    ping_interval: Duration::from_millis(300),
    ping_timeout: Duration::from_millis(200),
    max_payload: 1_000_000,
    connect_timeout: Duration::from_secs(1),
    upgrade_timeout: Duration::from_secs(10),
    packets_per_second: 10_000,
    attachments: 10,
};

/// Sessions that one thread opens in a second.
const OPENS_PER_SECOND: u32 = 10_000;

/// The suites listen for one packet at a time, and miss one that is read together with another.
const AFTER_CONNECT: Duration = Duration::from_millis(20);

/// Engine.IO that sends back what it gets.
struct Echo;

impl SessionHandler<()> for Echo {
    fn opened(&self, session: &Rc<EngineSession<()>>) {
        // There is nothing to connect to.
        session.set_connected(true);
    }

    fn message(&self, message: Message, session: &Rc<EngineSession<()>>) {
        session.send(message);
    }
}

struct Echoes;

impl EngineApplication<()> for Echoes {
    fn handler(&self) -> Box<dyn SessionHandler<()>> {
        Box::new(Echo)
    }
}

struct Namespaces;

impl Application for Namespaces {
    type Feed = ();
    /// What came with CONNECT.
    type Client = Box<RawValue>;

    fn serves(&self, namespace: &str) -> bool {
        ["/", "/custom"].contains(&namespace)
    }

    fn connect(
        &self,
        _: &Socket<()>,
        auth: Option<&str>,
    ) -> LocalBoxFuture<'static, Result<Accepted<Self::Client>, Denied>> {
        let auth = RawValue::from_string(auth.unwrap_or("{}").to_owned());
        let accepted = match auth {
            Ok(client) => Ok(Accepted { client, pid: None }),
            Err(_) => Err(Denied::Fault),
        };
        ready(accepted).boxed_local()
    }

    fn connected(&self, socket: &Socket<()>, auth: &Rc<Self::Client>) {
        let (socket, auth) = (socket.clone(), Rc::clone(auth));
        actix_web::rt::spawn(async move {
            actix_web::rt::time::sleep(AFTER_CONNECT).await;
            socket.emit(&("auth", &**auth), Vec::new());
        });
    }

    fn event(&self, socket: &Socket<()>, _: &Rc<Self::Client>, event: Event) {
        let arguments = event.arguments();
        match (event.name().as_str(), event.ack) {
            ("message", _) => {
                // Texts are JSON already when they are quoted.
                let name = RawValue::from_string(r#""message-back""#.to_owned());
                let Ok(name) = name else { return };
                let list: Vec<&RawValue> = std::iter::once(&*name).chain(arguments).collect();
                socket.emit(&list, event.attachments.clone());
            }
            ("message-with-ack", Some(ack)) => {
                socket.acknowledge(ack, &arguments, event.attachments.clone());
            }
            _ => {}
        }
    }
}

fn admitted(mount: MountConfig<()>, files: OpenFiles) -> MountConfig<()> {
    let slots = Arc::new(SessionSlots::new(files.sessions()));
    let admission = move || ThreadAdmission::new(OPENS_PER_SECOND, Arc::clone(&slots));
    MountConfig {
        admission: Arc::new(move || Box::new(admission())),
        ..mount
    }
}

#[actix_web::main]
async fn main() -> io::Result<()> {
    let mut numbers = std::env::args()
        .skip(1)
        .map_while(|number| number.parse::<u16>().ok());
    let port = numbers.next().unwrap_or(3_000);
    let mut limits = LIMITS;
    for limit in [
        &mut limits.ping_interval,
        &mut limits.ping_timeout,
        &mut limits.upgrade_timeout,
    ] {
        if let Some(milliseconds) = numbers.next() {
            *limit = Duration::from_millis(milliseconds.into());
        }
    }
    let listener = http::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
    let address = listener.local_addr()?;
    let files = OpenFiles::raise_limit().map_err(io::Error::other)?;
    let mounts = [
        MountConfig::engine_io("/engine.io", limits.clone(), || Echoes),
        MountConfig::socket_io("/socket.io", limits, || Namespaces),
    ];
    let mounts = mounts.map(|mount| admitted(mount, files));
    let counts = mounts
        .each_ref()
        .map(|mount| Arc::clone(mount.hubs.counts()));
    let cut_silent = move || {
        let cut: u64 = counts.iter().map(|counts| counts.read().cut_silent).sum();
        ready(cut.to_string())
    };
    let files = (files, TrustedProxies::default());
    let server = http::serve(
        listener,
        mounts.into(),
        files,
        AnsweredHosts::any(),
        Default::default(),
        move |routes| {
            routes.route("/cut-silent", web::get().to(cut_silent.clone()));
        },
    )?;
    // Whoever started it may have closed its end.
    let _ = io::Write::write_all(
        &mut io::stdout(),
        format!("ready at http://{address}\n").as_bytes(),
    );
    server.await
}

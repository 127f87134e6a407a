//! The HTTP server put together, as actix-web does it, but for one thing: a connection that becomes
//! a WebSocket leaves it, so that a session costs its own few hundred bytes and writes of its own.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener};
use std::rc::Rc;
use std::sync::Arc;

use actix_http::HttpService;
use actix_server::Server;
use actix_service::{IntoServiceFactory, Service, apply_fn_factory, fn_service, map_config};
use actix_socketio::{Feed, Mount, MountConfig};
use actix_web::dev::AppConfig;
use actix_web::middleware::{Compress, NormalizePath, TrailingSlash, from_fn};
use actix_web::rt::net::TcpStream;
use actix_web::{App, web};
use futures_util::FutureExt;
use socket2::{Domain, Protocol, Socket, Type};
use tracing_actix_web::TracingLogger;

use crate::capacity::arriving_bodies::ArrivingBodies;
use crate::capacity::connections::Connections;
use crate::capacity::open_files::OpenFiles;
use crate::http::address::TrustedProxies;
use crate::http::failover;
use crate::http::host_check::{self, AnsweredHosts};
use crate::http::proxy_notices;
use crate::http::request_counts::{RequestCounts, ThreadCounts};
use crate::http::request_observer::{self, RequestsUnderWay};
use crate::http::request_span::RequestSpan;
use crate::limits::ARRIVING_BODIES;
use crate::socket;
use crate::{
    audit,
    http::{cross_site, request_body},
    openapi, routes,
};

/// Connections that may wait to be accepted: a shop that comes back all at once.
const BACKLOG: i32 = 8_192;

/// Takes an address; connections wait from here on.
pub fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(
        Domain::for_address(address),
        Type::STREAM,
        Some(Protocol::TCP),
    )?;
    // A server that was killed leaves connections behind that hold the address for a while.
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    Ok(socket.into())
}

/// What helps when [`bind`] fails on the address of this option.
pub fn bind_advice(why: &io::Error, option: &str) -> String {
    match why.kind() {
        ErrorKind::AddrInUse => {
            format!("stop the program that holds it (ss -ltnp shows it), or use another {option}")
        }
        ErrorKind::PermissionDenied => {
            "ports below 1024 are for root: use a higher one behind a proxy, or \
             AmbientCapabilities=CAP_NET_BIND_SERVICE in the systemd unit"
                .to_owned()
        }
        _ => format!("name an address of this machine with {option}, such as 127.0.0.1:8080"),
    }
}

/// Serves what `configure` sets up, and the mounts, until it is stopped. `requests`: where they are counted; none where
/// nobody reads that.
pub fn serve<C, F>(
    listener: TcpListener,
    mountings: Vec<MountConfig<F>>,
    (files, proxies): (OpenFiles, TrustedProxies),
    hosts: AnsweredHosts,
    (requests, under_way): (Option<RequestCounts>, RequestsUnderWay),
    configure: C,
) -> io::Result<Server>
where
    C: Fn(&mut web::ServiceConfig) + Clone + Send + 'static,
    F: Feed,
{
    let connections = Connections::new(files.shared_connections(), proxies);
    let turned_away = requests.as_ref().map(RequestCounts::bodies_turned_away);
    let bodies = ArrivingBodies::new(ARRIVING_BODIES, turned_away.unwrap_or_default());
    let builder = Server::build()
        // The process listens itself: it has more to do than to end connections.
        .disable_signals()
        // More wait to be accepted, which happens where proxies hold too many: of everybody else the
        // greatest crowd makes room before. A WebSocket's is not counted any more.
        .max_concurrent_connections(files.connections())
        // Open sockets never end by themselves, and nothing acknowledged is in them.
        .shutdown_timeout(1);
    let shutdown = builder.graceful_shutdown_signal();
    let builder = builder.listen("dispatch", listener, move || {
        let mounts: Rc<[Rc<Mount<F>>]> = mountings.iter().map(MountConfig::mount).collect();
        let (routes, polled) = (configure.clone(), Rc::clone(&mounts));
        let upgraded_hosts = hosts.clone();
        let app = App::new()
            .app_data(web::Data::new(hosts.clone()))
            .app_data(requests.clone().map(ThreadCounts::new))
            .app_data(under_way.clone())
            .app_data(bodies.clone())
            .wrap(from_fn(failover::refuse_stuck_requests))
            .wrap(from_fn(request_body::limit))
            .wrap(from_fn(openapi::known_methods))
            .wrap(from_fn(cross_site::refuse))
            .wrap(from_fn(host_check::refuse))
            .wrap(from_fn(proxy_notices::notice_proxies))
            .wrap(from_fn(audit::note_origin))
            .wrap(from_fn(routes::security_headers))
            .wrap(Compress::default())
            .wrap(NormalizePath::new(TrailingSlash::MergeOnly))
            .wrap(from_fn(request_observer::observe))
            .wrap(TracingLogger::<RequestSpan>::new())
            .configure(move |config| {
                polled.iter().for_each(|mount| mount.configure(config));
                routes(config);
            });
        let shutdown = shutdown.clone();
        let http = HttpService::build()
            .graceful_shutdown_signal(move || {
                let shutdown = shutdown.clone();
                async move { shutdown.notified().await }
            })
            .client_disconnect_timeout(request_body::UNREAD_TIMEOUT)
            // Small frames must leave at once; actix leaves Nagle's algorithm on.
            .tcp_nodelay(true)
            // The client of this poll disconnected.
            .h1_allow_half_closed(false)
            .on_connect_ext(|connection: &_, data: &mut _| socket::on_connect(connection, data))
            .upgrade(fn_service(move |(request, framed)| {
                socket::upgrade(request, framed, Rc::clone(&mounts), upgraded_hosts.clone())
            }))
            .finish(map_config(
                apply_fn_factory(app.into_factory(), |request, service: &_| {
                    request_body::close_if_unread(request, service)
                }),
                |_| AppConfig::default(),
            ))
            .tcp();
        let connections = Arc::clone(&connections);
        apply_fn_factory(http, move |stream: TcpStream, http: &_| {
            let peer = stream.peer_addr().ok();
            let served = connections.serve(peer, http.call(stream));
            served.map(|served| served.unwrap_or(Ok(())))
        })
    })?;
    Ok(builder.run())
}

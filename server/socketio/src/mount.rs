//! Where Engine.IO is reached: an address, what it holds its clients to, and what is above it.

use std::any::Any;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix::Addr;
use actix_web::http::header::HeaderMap;
use actix_web::rt::net::TcpStream;
use actix_web::web;
use engineioxide_core::Sid;

use crate::admission::{Admission, Unlimited};
use crate::application::Application;
use crate::feed::Feed;
use crate::handler::EngineApplication;
use crate::hub::Hub;
use crate::hub::HubParts;
use crate::hub_actor::{ExpectUpgrade, HubActor, Hubs};
use crate::limits::Limits;
use crate::origins::Origin;
use crate::polling;
use crate::socket_io::SocketIoApplication;

/// Tells where a client is from its connection's other end and its request's headers, so that
/// proxies can be believed.
pub type ClientAddress = Arc<dyn Fn(Option<SocketAddr>, &HeaderMap) -> IpAddr + Send + Sync>;

/// What every thread mounts alike.
pub struct MountConfig<F: Feed> {
    /// Without a slash at the end; with one it is the same.
    pub path: &'static str,
    pub limits: Limits,
    /// Pages of other hosts that may connect.
    pub origins: Arc<[Origin]>,
    pub client_address: ClientAddress,
    /// Makes each thread's.
    pub application: Arc<dyn Fn() -> Box<dyn EngineApplication<F>> + Send + Sync>,
    /// Makes each thread's.
    pub admission: Arc<dyn Fn() -> Box<dyn Admission> + Send + Sync>,
    /// The threads that have mounted it.
    pub hubs: Hubs<F>,
}

impl<F: Feed> Clone for MountConfig<F> {
    fn clone(&self) -> Self {
        Self {
            path: self.path,
            limits: self.limits.clone(),
            origins: Arc::clone(&self.origins),
            client_address: Arc::clone(&self.client_address),
            application: Arc::clone(&self.application),
            admission: Arc::clone(&self.admission),
            hubs: self.hubs.clone(),
        }
    }
}

impl<F: Feed> MountConfig<F> {
    /// An application on Engine.IO, for pages of the same host, without a limit of sessions.
    pub fn engine_io<A: EngineApplication<F>>(
        path: &'static str,
        limits: Limits,
        application: impl Fn() -> A + Send + Sync + 'static,
    ) -> Self {
        Self {
            path,
            limits,
            origins: Arc::default(),
            client_address: Arc::new(|peer, _| {
                let unspecified = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
                peer.map_or(unspecified, |peer| peer.ip().to_canonical())
            }),
            application: Arc::new(move || Box::new(application())),
            admission: Arc::new(|| Box::new(Unlimited)),
            hubs: Hubs::default(),
        }
    }

    /// The same on Socket.IO.
    pub fn socket_io<A: Application<Feed = F>>(
        path: &'static str,
        limits: Limits,
        application: impl Fn() -> A + Send + Sync + 'static,
    ) -> Self {
        let held_to = limits.clone();
        Self::engine_io(path, limits, move || {
            SocketIoApplication::new(application(), &held_to)
        })
    }

    /// Starts this thread's hub.
    pub fn mount(&self) -> Rc<Mount<F>> {
        let hub = self.hubs.start_here(|number| HubParts {
            limits: self.limits.clone(),
            number,
            application: (self.application)(),
            admission: (self.admission)(),
        });
        Rc::new(Mount {
            path: self.path,
            limits: self.limits.clone(),
            origins: Arc::clone(&self.origins),
            client_address: Arc::clone(&self.client_address),
            hub,
            hubs: self.hubs.clone(),
        })
    }
}

/// One thread's.
pub struct Mount<F: Feed> {
    path: &'static str,
    pub(crate) limits: Limits,
    pub(crate) origins: Arc<[Origin]>,
    client_address: ClientAddress,
    pub(crate) hub: Rc<Hub<F>>,
    hubs: Hubs<F>,
}

impl<F: Feed> Mount<F> {
    /// Whether a path is this mount's.
    pub fn is_at(&self, path: &str) -> bool {
        path.strip_suffix('/').unwrap_or(path) == self.path
    }

    /// Serves long-polling. WebSockets come by [`Mount::upgrade`].
    pub fn configure(self: &Rc<Self>, routes: &mut web::ServiceConfig) {
        let mount = Rc::clone(self);
        let serve = move |request, body| {
            let mount = Rc::clone(&mount);
            async move { polling::serve(request, body, &mount).await }
        };
        let paths = [self.path.to_owned(), format!("{}/", self.path)];
        routes.service(web::resource(paths).to(serve));
    }

    /// The thread that has the session.
    pub(crate) fn hub_of(&self, sid: &Sid) -> Option<Addr<HubActor<F>>> {
        self.hubs.of(sid)
    }

    /// Prepares a session for its WebSocket; false when there is no such session.
    pub(crate) async fn expects(&self, sid: Sid) -> bool {
        match self.hub_of(&sid) {
            Some(hub) => hub.send(ExpectUpgrade(sid)).await.unwrap_or(false),
            None => false,
        }
    }

    /// The address a client is counted by.
    pub(crate) fn address_of(&self, peer: Option<SocketAddr>, headers: &HeaderMap) -> IpAddr {
        (self.client_address)(peer, headers)
    }
}

/// For the HTTP server's `on_connect_ext`: ends a connection whose peer acknowledges nothing for so
/// long. A session that cannot write is not polled, so no timer of its own can close it: the
/// transport must.
pub fn set_user_timeout(connection: &dyn Any, timeout: Duration) {
    #[cfg(target_os = "linux")]
    if let Some(stream) = connection.downcast_ref::<TcpStream>() {
        let socket = socket2::SockRef::from(stream);
        if let Err(error) = socket.set_tcp_user_timeout(Some(timeout)) {
            tracing::warn!(%error, "a dead connection may be held for long: TCP_USER_TIMEOUT was not set");
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (connection, timeout);
}

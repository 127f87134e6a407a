//! Where Engine.IO is reached: an address, what it holds its clients to, and what is above it.

use std::net::{IpAddr, SocketAddr};
use std::rc::Rc;
use std::sync::{Arc, PoisonError};

use actix::Addr;
use actix_web::http::header::HeaderMap;
use dispatch_actors::broadcaster::Broadcaster;
use engineioxide_core::Sid;

use super::engine::{Limits, Listen};
use super::hub::{Expect, Hub, HubActor, Hubs, Plan};
use super::origins::Origin;
use super::session_slots::SessionSlots;
use super::sid::thread_of;
use crate::address::TrustedProxies;

/// What every thread mounts alike.
#[derive(Clone)]
pub struct Mounting {
    /// Without a slash at the end; with one it is the same.
    pub path: &'static str,
    pub limits: Limits,
    /// Pages of other hosts that may connect.
    pub origins: Arc<[Origin]>,
    /// Who is believed about where a client is.
    pub proxies: TrustedProxies,
    /// The source of the stream, where there is one.
    pub broadcaster: Option<Addr<Broadcaster>>,
    pub listen: Arc<dyn Fn() -> Box<dyn Listen> + Send + Sync>,
    pub hubs: Hubs,
    pub slots: Arc<SessionSlots>,
}

/// One thread's.
pub struct Mount {
    pub(super) path: &'static str,
    pub(super) limits: Limits,
    pub(super) origins: Arc<[Origin]>,
    proxies: TrustedProxies,
    pub(super) hub: Rc<Hub>,
    hubs: Hubs,
}

impl Mounting {
    /// Starts this thread's hub.
    pub fn mount(&self) -> Rc<Mount> {
        let mut hubs = self.hubs.write().unwrap_or_else(PoisonError::into_inner);
        // There are never more threads than a sid has room for.
        let number = u16::try_from(hubs.len()).unwrap_or(u16::MAX);
        let (hub, address) = HubActor::start_here(Plan {
            limits: self.limits.clone(),
            number,
            slots: Arc::clone(&self.slots),
            listen: (self.listen)(),
            broadcaster: self.broadcaster.clone(),
        });
        hubs.push(address);
        Rc::new(Mount {
            path: self.path,
            limits: self.limits.clone(),
            origins: Arc::clone(&self.origins),
            proxies: self.proxies.clone(),
            hub,
            hubs: Arc::clone(&self.hubs),
        })
    }
}

impl Mount {
    /// The thread that has the session.
    pub(super) fn hub_of(&self, sid: &Sid) -> Option<Addr<HubActor>> {
        let hubs = self.hubs.read().unwrap_or_else(PoisonError::into_inner);
        hubs.get(thread_of(sid)).cloned()
    }

    /// Prepares a session for its WebSocket; false when there is no such session.
    pub(super) async fn expects(&self, sid: Sid) -> bool {
        match self.hub_of(&sid) {
            Some(hub) => hub.send(Expect(sid)).await.unwrap_or(false),
            None => false,
        }
    }

    /// The address a client is counted by.
    pub(super) fn address_of(&self, peer: Option<SocketAddr>, headers: &HeaderMap) -> IpAddr {
        self.proxies.address(peer, headers)
    }

    pub(super) fn is_at(&self, path: &str) -> bool {
        path.strip_suffix('/').unwrap_or(path) == self.path
    }
}

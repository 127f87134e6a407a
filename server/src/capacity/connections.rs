//! The HTTP connections of all threads, by where they come from: when all places are taken, the crowd
//! with the most gives up its newest, so that a client that hoards them does not keep others out. A
//! trusted proxy's connections serve everybody, and are not counted.

use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt;
use futures_util::future::{AbortHandle, AbortRegistration, Abortable, Either};

use crate::capacity::crowds::{Crowds, Holder, PlaceNumber};
use crate::http::address::TrustedProxies;

/// Shared by all threads.
#[derive(Debug)]
pub struct Connections {
    max: usize,
    proxies: TrustedProxies,
    open: Mutex<Crowds<AbortHandle>>,
}

impl Connections {
    /// `max`: at once, in all threads.
    pub fn new(max: usize, proxies: TrustedProxies) -> Arc<Self> {
        Arc::new(Self {
            max,
            proxies,
            open: Mutex::default(),
        })
    }

    /// Serves a connection until it is over, or has to make room. None where it had to. Made of
    /// combinators, which keep `served` once; an async block would keep it twice, for every connection.
    pub fn serve<F: Future>(
        self: &Arc<Self>,
        peer: Option<SocketAddr>,
        served: F,
    ) -> impl Future<Output = Option<F::Output>> + use<F> {
        let counted = peer
            .map(|peer| peer.ip().to_canonical())
            .filter(|peer| !self.proxies.trusts(*peer));
        match counted {
            None => Either::Left(served.map(Some)),
            Some(address) => {
                let (place, displaced) = self.enter(address);
                let served = Abortable::new(served, displaced);
                Either::Right(served.map(move |served| {
                    drop(place);
                    served.ok()
                }))
            }
        }
    }

    fn enter(self: &Arc<Self>, address: IpAddr) -> (ConnectionSlot, AbortRegistration) {
        let (handle, displaced) = AbortHandle::new_pair();
        let mut open = self.lock();
        let holder = Holder::address(address);
        let is_full = open.len() >= self.max;
        let greatest = open.displaced_for(&holder).map(|(number, _)| number);
        let number = open.insert(holder, handle);
        if is_full {
            // Their own where nobody has more.
            let given_up = open.remove(greatest.unwrap_or(number));
            drop(open);
            given_up.inspect(AbortHandle::abort);
        }
        let place = ConnectionSlot {
            connections: Arc::clone(self),
            number,
        };
        (place, displaced)
    }

    fn lock(&self) -> MutexGuard<'_, Crowds<AbortHandle>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct ConnectionSlot {
    connections: Arc<Connections>,
    number: PlaceNumber,
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.connections.lock().remove(self.number);
    }
}

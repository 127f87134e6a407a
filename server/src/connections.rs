//! The HTTP connections of all threads, by where they come from: when all places are taken, the crowd
//! with the most gives up its newest, so that nobody who hoards them keeps others out. A trusted proxy's
//! are everybody's, and are not counted.

use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::address::TrustedProxies;
use crate::crowds::{Crowds, Holder, PlaceNumber};

/// Shared by all threads.
#[derive(Debug)]
pub struct Connections {
    max: usize,
    proxies: TrustedProxies,
    /// Dropping what a connection waits for ends it.
    open: Mutex<Crowds<oneshot::Sender<()>>>,
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

    /// Serves a connection until it is over, or has to make room. None where it had to.
    pub fn serve<F: Future>(
        self: &Arc<Self>,
        peer: Option<SocketAddr>,
        served: F,
    ) -> impl Future<Output = Option<F::Output>> + use<F> {
        let place = peer
            .map(|peer| peer.ip().to_canonical())
            .filter(|peer| !self.proxies.trusts(*peer))
            .map(|peer| self.enter(peer));
        async move {
            match place {
                None => Some(served.await),
                Some(mut place) => tokio::select! {
                    biased;
                    _ = &mut place.displaced => None,
                    done = served => Some(done),
                },
            }
        }
    }

    fn enter(self: &Arc<Self>, address: IpAddr) -> Place {
        let (end, displaced) = oneshot::channel();
        let mut open = self.lock();
        let holder = Holder::address(address);
        let is_full = open.len() >= self.max;
        let displaced_number = open.displaced_for(&holder).map(|(number, _)| number);
        let number = open.insert(holder, end);
        if is_full {
            // Their own where nobody has more.
            open.remove(displaced_number.unwrap_or(number));
        }
        Place {
            connections: Arc::clone(self),
            number,
            displaced,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Crowds<oneshot::Sender<()>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Place {
    connections: Arc<Connections>,
    number: PlaceNumber,
    /// Resolves when the place is given up.
    displaced: oneshot::Receiver<()>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.lock().remove(self.number);
    }
}

//! Those who wait for a password to be hashed, by site and network, and who of them is next.

use std::collections::VecDeque;

use tokio::sync::oneshot;

use super::hash_queue::{HashPermit, Requester};

/// That wait in a lane at most: as many as are hashed in [`QUEUE_TIMEOUT`].
pub(super) const MAX_WAITING: usize = 800;

/// Of one site, in a lane.
pub(super) const MAX_WAITING_OF_SITE: usize = 200;

#[derive(Debug)]
pub(super) struct Waiter {
    pub(super) id: u64,
    /// Dropped, it tells that there is no room.
    pub(super) permit_sender: oneshot::Sender<HashPermit>,
}

/// Those who wait, by their sites in the order in which these have their turns, and in each by its
/// networks alike.
#[derive(Debug)]
pub(super) struct WaitingLane {
    sites: VecDeque<Site>,
    pub(super) count: usize,
}

#[derive(Debug)]
struct Site {
    key: u64,
    networks: VecDeque<Network>,
    count: usize,
}

#[derive(Debug)]
struct Network {
    key: u64,
    waiters: VecDeque<Waiter>,
}

impl WaitingLane {
    pub(super) const fn new() -> Self {
        Self {
            sites: VecDeque::new(),
            count: 0,
        }
    }

    /// When there is no room, the newest leaves of the network with the most that wait, in the site
    /// with the most.
    pub(super) fn push(&mut self, requester: Requester, waiter: Waiter) {
        let at = self.position(requester.site).unwrap_or_else(|| {
            self.sites.push_back(Site {
                key: requester.site,
                networks: VecDeque::new(),
                count: 0,
            });
            self.sites.len() - 1
        });
        self.sites[at].push(requester.network, waiter);
        self.count += 1;
        if self.sites[at].count > MAX_WAITING_OF_SITE {
            self.displace_from(at);
        } else if self.count > MAX_WAITING {
            let sites = self.sites.iter().enumerate();
            let crowded = sites.max_by_key(|(_, site)| (site.count, site.newest()));
            if let Some(at) = crowded.map(|(at, _)| at) {
                self.displace_from(at);
            }
        }
    }

    pub(super) fn pop(&mut self) -> Option<Waiter> {
        let mut site = self.sites.pop_front()?;
        let waiter = site.pop();
        if site.count > 0 {
            self.sites.push_back(site);
        }
        self.count -= usize::from(waiter.is_some());
        waiter
    }

    fn displace_from(&mut self, at: usize) {
        let site = &mut self.sites[at];
        let networks = site.networks.iter().enumerate();
        let crowded = networks.max_by_key(|(_, network)| (network.waiters.len(), network.newest()));
        let Some(network) = crowded.map(|(at, _)| at) else {
            return;
        };
        let newest = site.networks[network].waiters.len() - 1;
        self.take(at, network, newest);
    }

    pub(super) fn remove(&mut self, requester: Requester, id: u64) {
        let Some(at) = self.position(requester.site) else {
            return;
        };
        let networks = &self.sites[at].networks;
        let found = networks
            .iter()
            .position(|network| network.key == requester.network)
            .and_then(|network| {
                let mut waiters = networks[network].waiters.iter();
                let waiter = waiters.position(|waiter| waiter.id == id)?;
                Some((network, waiter))
            });
        if let Some((network, waiter)) = found {
            self.take(at, network, waiter);
        }
    }

    fn take(&mut self, at: usize, network: usize, waiter: usize) {
        let site = &mut self.sites[at];
        site.networks[network].waiters.remove(waiter);
        if site.networks[network].waiters.is_empty() {
            site.networks.remove(network);
        }
        site.count -= 1;
        if site.count == 0 {
            self.sites.remove(at);
        }
        self.count -= 1;
    }

    fn position(&self, site: u64) -> Option<usize> {
        self.sites.iter().position(|waiting| waiting.key == site)
    }
}

impl Site {
    pub(super) fn push(&mut self, network: u64, waiter: Waiter) {
        self.count += 1;
        let mut networks = self.networks.iter_mut();
        match networks.find(|waiting| waiting.key == network) {
            Some(waiting) => waiting.waiters.push_back(waiter),
            None => self.networks.push_back(Network {
                key: network,
                waiters: VecDeque::from([waiter]),
            }),
        }
    }

    pub(super) fn pop(&mut self) -> Option<Waiter> {
        let mut network = self.networks.pop_front()?;
        let waiter = network.waiters.pop_front();
        if !network.waiters.is_empty() {
            self.networks.push_back(network);
        }
        self.count -= usize::from(waiter.is_some());
        waiter
    }

    fn newest(&self) -> Option<u64> {
        self.networks.iter().filter_map(Network::newest).max()
    }
}

impl Network {
    fn newest(&self) -> Option<u64> {
        self.waiters.back().map(|waiter| waiter.id)
    }
}

//! How the server stops. One that is alone on its database stops at once. Beside others it says first that it is not
//! ready, so that proxies send nobody here any more, and then has its sessions move to them bit by bit.

use std::io;
use std::time::{Duration, Instant};

use actix_socketio::Hubs;
use dispatch_actors::store::OtherServers;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::http::health::Leaving;
use crate::http::request_observer::RequestsUnderWay;
use crate::socket::DispatchFeed;

/// Long enough for proxies that ask /readyz every two seconds.
const DRAIN_TIME: Duration = Duration::from_secs(10);

/// After this, requests that are under way are given up.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

const REQUEST_CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// The signals by which the process is asked to stop.
pub(super) struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
    quit: Signal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StopRequest {
    Drain,
    AtOnce,
}

impl StopSignals {
    /// From now on they do not end the process.
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
        })
    }

    pub(super) async fn next(&mut self) -> StopRequest {
        tokio::select! {
            _ = self.terminate.recv() => StopRequest::Drain,
            _ = self.interrupt.recv() => StopRequest::AtOnce,
            _ = self.quit.recv() => StopRequest::AtOnce,
        }
    }
}

/// What is done before the server stops listening.
pub(super) struct Drain {
    /// None: as long as it takes where there are others, and no time where there are none.
    pub(super) time: Option<Duration>,
    pub(super) others: OtherServers,
    pub(super) leaving: Leaving,
    pub(super) hubs: Hubs<DispatchFeed>,
    pub(super) requests: RequestsUnderWay,
}

impl Drain {
    /// Whoever is not there yet is served all the while.
    pub(super) async fn run(&self) {
        self.leaving.set();
        let time = match self.time {
            Some(time) => time,
            None if self.others.are_heard() => DRAIN_TIME,
            None => Duration::ZERO,
        };
        if time.is_zero() {
            return;
        }
        tracing::info!(
            seconds = time.as_secs(),
            "the server was told to stop; its sessions move to other servers"
        );
        tokio::time::sleep(time / 2).await;
        self.hubs.end_sessions(time / 2).await;
        let deadline = Instant::now() + REQUEST_TIMEOUT;
        while self.requests.count() > 0 && Instant::now() < deadline {
            tokio::time::sleep(REQUEST_CHECK_INTERVAL).await;
        }
    }
}

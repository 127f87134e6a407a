//! How many clients are connected, by what their screens show, and how many came back.

use std::sync::Arc;

use dispatch_actors::counts::{Counter, Gauge};

use super::feed::Interest;

/// What a session's screen shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionKind {
    /// A desk, which receives everything.
    Desk,
    /// The dashboard of somebody who is a technician only.
    Dashboard,
    /// A technician's page.
    Technician,
    /// A few orders.
    Orders,
    /// A board on the wall.
    Board,
}

impl SessionKind {
    pub const ALL: [Self; 5] = [
        Self::Desk,
        Self::Dashboard,
        Self::Technician,
        Self::Orders,
        Self::Board,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Desk => "desk",
            Self::Dashboard => "dashboard",
            Self::Technician => "technician",
            Self::Orders => "orders",
            Self::Board => "board",
        }
    }
}

impl From<&Interest> for SessionKind {
    fn from(interest: &Interest) -> Self {
        match interest {
            Interest::Everything => Self::Desk,
            Interest::Dashboard(_) => Self::Dashboard,
            Interest::Technician(_) => Self::Technician,
            Interest::Orders(_) => Self::Orders,
            Interest::Board(_) => Self::Board,
        }
    }
}

/// Of all threads.
#[derive(Debug, Default)]
pub struct SocketCounts {
    connected: [Gauge; SessionKind::ALL.len()],
    /// Clients that came back and were sent what they had missed.
    pub recovered: Counter,
    /// Clients that came back and had to load everything again: they were away for too long, or the log
    /// is another one.
    pub not_recovered: Counter,
}

impl SocketCounts {
    pub fn connected(&self, kind: SessionKind) -> u64 {
        self.connected[kind as usize].get()
    }

    pub(super) fn connect(self: &Arc<Self>, interest: &Interest) -> ConnectedSession {
        let kind = SessionKind::from(interest);
        self.connected[kind as usize].increment();
        ConnectedSession {
            counts: Arc::clone(self),
            kind,
        }
    }
}

/// Counts as connected for as long as it lives.
pub(super) struct ConnectedSession {
    counts: Arc<SocketCounts>,
    kind: SessionKind,
}

impl Drop for ConnectedSession {
    fn drop(&mut self) {
        self.counts.connected[self.kind as usize].decrement();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_counted_by_what_it_shows_until_it_ends() {
        let counts = Arc::new(SocketCounts::default());
        let desk = counts.connect(&Interest::Everything);
        let bay = counts.connect(&Interest::Technician(7));
        let read = || SessionKind::ALL.map(|kind| counts.connected(kind));
        assert_eq!(read(), [1, 0, 1, 0, 0]);
        drop((desk, bay));
        assert_eq!(read(), [0; 5]);
    }
}

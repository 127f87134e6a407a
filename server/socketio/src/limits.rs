//! The limits that clients are given and held to.

use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Limits {
    pub ping_interval: Duration,
    pub ping_timeout: Duration,
    /// Bytes of the largest packet, and of the largest body of a POST.
    pub max_payload: usize,
    /// A client has this long to connect to a namespace.
    pub connect_timeout: Duration,
    /// A WebSocket that is to take a polling session over has this long.
    pub upgrade_timeout: Duration,
    /// Packets a client may send in a second.
    pub packets_per_second: u32,
    /// Attachments of one packet.
    pub attachments: usize,
}

impl Default for Limits {
    /// The official server's heartbeat and payload.
    fn default() -> Self {
        Self {
            ping_interval: Duration::from_secs(25),
            ping_timeout: Duration::from_secs(20),
            max_payload: 1_000_000,
            connect_timeout: Duration::from_secs(10),
            upgrade_timeout: Duration::from_secs(10),
            packets_per_second: 50,
            attachments: 10,
        }
    }
}

impl Limits {
    /// How often deadlines are checked: a twentieth of the shortest.
    pub(crate) fn check_interval(&self) -> Duration {
        let shortest = self
            .ping_interval
            .min(self.ping_timeout)
            .min(self.connect_timeout);
        (shortest / 20).clamp(Duration::from_millis(10), Duration::from_secs(1))
    }
}

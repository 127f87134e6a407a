//! What became of messages for browsers.

use dispatch_actors::counts::Counter;

#[derive(Debug, Default)]
pub struct PushCounts {
    /// A push service has taken them.
    pub sent: Counter,
    /// The push service knew the browser no more.
    pub gone: Counter,
    /// The push service refused them.
    pub refused: Counter,
    /// No push service took them in time.
    pub expired: Counter,
    /// Not sent, because too many were under way.
    pub left_out: Counter,
}

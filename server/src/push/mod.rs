//! Web Push: messages to a technician's browser while no page is open.
//!
//! A message is encrypted for one browser (RFC 8291), signed with the server's key (RFC 8292), and
//! left with the push service that the browser named. The push service learns the recipient and the
//! time of a message, and not its content. Nothing here holds up a change or a receipt.
//!
//! `gather` (many assignments become one message) -> `message` (its JSON), `seal` (encrypts),
//! `vapid` (signs) -> `send` (tries again for an hour). `sender`: what all of it works with;
//! `counts`: what became of messages; `subscriptions`: the browsers; `services`: which hosts may be asked; `delivery_confirmation`:
//! the browser's word that a push arrived; `routes`: the calls.

mod counts;
mod delivery_confirmation;
mod gather;
pub mod message;
pub mod routes;
mod seal;
mod send;
mod sender;
mod services;
mod state;
mod subscriptions;
mod vapid;

pub use counts::PushCounts;
use sender::TTL;
pub use sender::{Push, PushOptions, PushSetupError};
pub use services::{PushService, PushServiceError};
pub use state::PushState;

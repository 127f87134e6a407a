//! What the server says of itself to Prometheus, on an address of its own that strangers do not reach.
//!
//! Each area counts its own work ([`dispatch_actors::counts`]) and knows nothing of this. `sources`: where
//! every number is. When somebody asks, `exposition` reads them all and writes them as metric families
//! (`families`): `requests`, `orders`, `stream`, `messages` (mails, pushes, interviews) and `machine`.
//! `listener` answers.

mod exposition;
mod families;
mod listener;
mod machine;
mod messages;
mod orders;
mod process;
mod requests;
mod sources;
mod stream;

pub use listener::listen;
pub use sources::MetricSources;

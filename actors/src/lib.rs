//! Repair orders: their rules, their store, one supervisor actor each, and the broadcaster that
//! announces what was committed. Knows no HTTP and no sockets.

pub mod broadcaster;
pub mod committer;
pub mod dispatch;
pub mod figures;
mod log_watch;
pub mod past;
pub mod presence;
pub mod repair_order;
pub mod sample_shop;
pub mod snapshot;
pub mod store;
pub mod supervisor;
#[cfg(feature = "testing")]
pub mod testing;

//! Repair orders: their rules, their store, one supervisor actor each, and the broadcaster that
//! announces what was committed. Knows no HTTP and no sockets.
//!
//! In the order of a change:
//! - `registry`: from an RO number to its supervisor: starts, finds and retires them;
//! - `supervisor`: one actor per order, which decides one command at a time;
//! - `repair_order`: the rules, without IO; number, header, status, changes, import and undo are below it;
//! - `committer`: commits what waits in one transaction, announces, then replies; `store` has the SQL,
//!   `commit_counts` how that goes;
//! - `snapshot`: the open orders in memory, which the list is served from;
//! - `broadcaster`: encodes each event once and hands it to every thread; ticks and hints, too.
//!
//! Beside it:
//! - `log_watch` reads the end of the log every second, on a clock of its own;
//! - `event_replay` makes events of the log into announcements;
//! - `presence` knows who has which order open;
//! - `promise` says which promises will be kept and why not, without IO;
//! - `call_list` says which customers are to be called and why, without IO;
//! - `figures` counts closings for the desk's summary cards, without IO;
//! - `stage_totals` adds up where cars waited, without IO;
//! - `sample_shop` is the believable shop of the demo, the tests and the load test;
//! - `counts`: what any part of the program counts of its own work, without knowing who reads it;
//! - spans of `TRACE_TARGET` are what a trace shows of a change;
//! - `ticks`: the moments at which looks are taken that come again and again;
//! - `text` cleans and limits texts that people and files bring;
//! - `testing` makes throwaway databases (feature `testing`).

pub mod broadcaster;
pub mod call_list;
pub mod commit_counts;
pub mod committer;
pub mod counts;
pub mod event_replay;
pub mod figures;
mod log_watch;
mod other_sessions;
pub mod presence;
pub mod promise;
pub mod registry;
pub mod repair_order;
pub mod sample_shop;
pub mod snapshot;
pub mod stage_totals;
pub mod store;
pub mod supervisor;
#[cfg(feature = "testing")]
pub mod testing;
pub mod text;
pub mod ticks;

/// The target of spans that are for a trace; at the level TRACE, so that no log asks for them.
pub const TRACE_TARGET: &str = "dispatch_trace";

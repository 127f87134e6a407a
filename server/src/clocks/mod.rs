//! The job clock: on what each technician works, since when, and what that adds up to.
//!
//! A technician's day is a gapless chain of entries: on a job, or on the clock without one. At most
//! one of them runs; a technician without a running entry is off the clock. Times are this
//! server's, except for what was tapped without a connection.
//!
//! `routes`, `correction_routes` and `proposal_routes` (calls) -> `taps`, `undo`, `corrections` and `proposals` (decide
//! on what the database holds) -> `arithmetic` (what a tap does and what entries add up to, without IO) and
//! `store` (the tables). `entry_list` lists entries, `technician_clock` is what a technician's
//! clock shows, `running_clocks` knows in memory who is on the clock, `closed_orders` stops clocks on orders that were closed, `api_types` has the shapes,
//! `shop_clocks` the clocks of the shop, `work_facts` what a repair order keeps of them, `state` what the calls work with.

pub mod api_types;
mod arithmetic;
mod closed_orders;
mod correction_routes;
mod corrections;
mod entry_list;
mod order_time;
mod proposal_routes;
mod proposals;
pub mod routes;
mod running_clocks;
mod shop_clocks;
mod state;
mod store;
mod taps;
mod technician_clock;
mod undo;
mod work_facts;

pub use arithmetic::{Action, Entry, FinishedWork, MAX_SHIFT, Work, clocked_by_job};
pub use running_clocks::{ClockChange, Running, follow};
pub use shop_clocks::Clocks;
pub use state::ClocksState;
pub use store::{
    Finished, delete_finished, delete_old_entries, erase_reasons, has_old_entries,
    on_orders as entries_on_orders, rows_of_orders,
};
pub use taps::TapRequest;

//! Will it be ready when we said? For each open order with a promise whether it is on time, at risk or late, and the
//! figures of which that is made. What decides is `dispatch_actors::promise`, without IO.
//!
//! `routes` (the call), `known_shop` (what is known of the shop at one moment), `api_types` (shapes), `state`.

mod api_types;
mod known_shop;
pub mod routes;
mod state;

pub use state::PromisesState;

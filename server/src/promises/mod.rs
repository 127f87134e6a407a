//! Will it be ready when we said? For each open order with a promise whether it is on time, at risk or late, and the
//! figures of which that is made. What decides is `dispatch_actors::promise`, without IO.
//!
//! `routes` (the call), `customers_to_call` (which customers an advisor is to call), `known_shop` (what is known of the shop at one moment),
//! `judged_shop` (its promises, judged once for everybody who asks), `api_types` (shapes), `state`.

mod api_types;
pub mod customers_to_call;
mod judged_shop;
mod known_shop;
pub mod routes;
mod state;

pub use judged_shop::JudgedPromises;
pub use state::PromisesState;

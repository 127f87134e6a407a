//! Boards on the shop's walls: screens without a user, that show some of the orders and receive
//! nothing else.
//!
//! - Which boards there are: `registry` (in memory), `register` (changing them), `store` and
//!   `entities` (the tables), `last_seen` (when each board was seen last), `limits`.
//! - How a screen becomes a board: `pairing`. What it shows: `display`. A new shop's: `set_up`.
//! - How it stays right: `updates` (revoked and changed boards). `other_servers`: screens that are connected there.
//! - Calls: `state` (what they work with), `routes` (of those who manage boards), `screen_routes` (of
//!   the screens), `api_types` (shapes).

pub mod api_types;
pub mod display;
mod entities;
mod last_seen;
mod limits;
mod other_servers;
mod pairing;
mod register;
mod registry;
pub mod routes;
pub mod screen_routes;
mod set_up;
mod state;
mod store;
mod updates;

pub use display::layout;
pub use display::shop::Shop;
pub use display::subscription::BoardSubscription;
pub use display::views::LiveViews;
pub use pairing::tokens::{Keys, PREFIX as TOKEN_PREFIX};
pub use registry::{Boards, CachedBoard};
pub use state::BoardsState;
pub use updates::follow;

//! The second factor: `store` is its table and checks codes, `settings` turns it on and off, `routes`
//! has the calls.

pub mod routes;
mod settings;
mod store;

pub(super) use settings::two_factor_off;
pub(super) use store::{State, end, state};

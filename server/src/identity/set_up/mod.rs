//! The first start: a link that the server prints while nobody can sign in, and the first owner who is made by it.
//!
//! - `link`: the link's secret, of which this process keeps a hash in memory;
//! - `first_owner`: the account, the staff document and the shop's settings, all or nothing;
//! - `routes`: the calls of the set-up page.

mod first_owner;
pub(super) mod link;
pub(super) mod routes;

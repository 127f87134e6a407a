//! Signing in: who may try, whose password and second factor are right, and who is let in.
//!
//! - `routes`: the calls that sign in, refresh and sign out.
//! - `credentials` checks email, password and code; `signed_in` then begins the session.
//! - `admission`: who is let in. `attempts`: how often one may try, by `attempt_limits`; `limit`
//!   counts, for all servers of a database by `shared_limits`.
//! - `devices`: known browsers, by their `device_cookie`.

pub(super) mod admission;
mod attempt_limits;
pub(super) mod attempts;
mod credentials;
pub(super) mod device_cookie;
pub(super) mod devices;
pub(super) mod limit;
pub mod routes;
pub(super) mod shared_limits;
pub(super) mod signed_in;

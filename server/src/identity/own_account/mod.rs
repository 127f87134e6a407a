//! What somebody does about their own account: `password_changes`, `own_sessions`, and the calls in
//! `routes`; `preferences`. Their second factor is `two_factor`'s.

mod own_sessions;
mod password_changes;
mod preferences;
pub mod routes;

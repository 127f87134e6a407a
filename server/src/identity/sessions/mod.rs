//! Sign-in sessions: how they start, go on and end, and the tokens that stand for them.
//!
//! - `store` and `refresh_tokens` are the tables, and `session_start` writes a new session.
//! - `refresh`, `ending`, `authentication`: a session goes on, ends, or is behind a request
//!   (`caller`); `ended_sessions`: why one ended.
//! - `id_tokens` signs ID tokens with the keys that `token_keys` rotates; `session_cookie` is the
//!   cookie of the refresh token; `cookie_key` signs what cookies hold.

pub(super) mod authentication;
pub(super) mod caller;
pub(super) mod cookie_key;
mod ended_sessions;
mod ending;
pub(super) mod id_tokens;
mod refresh;
mod refresh_tokens;
pub(super) mod session_cookie;
mod session_start;
mod store;
mod token_keys;

pub(crate) use store::SESSION_TTL;

pub(super) use ended_sessions::{SessionEndCause, cause_of_end};
pub(super) use refresh_tokens::{TokenExchange, exchange, is_older_than, of_token, signed_token};
#[cfg(test)]
pub(super) use session_start::MAX_SESSIONS;
pub(super) use session_start::{SessionStart, activate, start};
pub(super) use store::{
    Session, SessionRow, all_of, are_used_from, end, end_all, end_all_of, ended_of, live,
    set_grant, sweep, unused_since,
};

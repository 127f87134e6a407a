//! How a screen becomes a board.
//!
//! `codes` (it shows a code) and `links` (one is opened on it), `tokens` (a board's credential),
//! `open_pairings` (screens that wait, by network), `store` (their table).

mod codes;
pub(super) mod links;
pub(super) mod open_pairings;
pub(super) mod store;
pub(super) mod tokens;

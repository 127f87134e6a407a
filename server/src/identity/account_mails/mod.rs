//! Mails about accounts: `mail_queue` -> `mail_delivery` -> `mail_texts` (texts of mails with a link),
//! `notice_texts` (without one).
//!
//! - `queued_mails`: the table of the queue. `claimed_mail`: a mail that this server sends;
//!   `delivery_outcome`: what became of it; `mail_counts`: of all.
//! - `links` and `link_routes`: the links in mails. `notices`: what people are told of.

mod claimed_mail;
mod delivery_outcome;
pub mod link_routes;
pub(super) mod links;
pub(super) mod mail_counts;
pub(super) mod mail_delivery;
pub(super) mod mail_queue;
mod mail_texts;
mod notice_texts;
pub(super) mod notices;
pub(super) mod queued_mails;

//! What a session missed while it was away: `recovery` is the name a client comes back with, `catch_up`
//! what it gets when it joins the stream, and `archive` the messages that are older than the ring.

pub(super) mod archive;
pub(super) mod catch_up;
pub(super) mod recovery;

//! The `dispatch` binary as its users meet it: the real process on a real port with a real
//! database, driven over HTTP, Socket.IO and the command line.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

mod documented;
mod fixture;
mod sample;
mod watched;

mod any_request;
mod changing;
mod clients;
mod crash;
mod demo;
mod doors;
mod import;
mod options;
mod reading;
mod refusals;
mod roles;
mod rude_clients;
mod start;
mod stream;
mod users;

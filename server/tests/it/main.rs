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
mod engine_io;
mod figures;
mod fuzz;
mod history;
mod hosted;
mod import;
mod intake_doors;
mod intake_folder;
mod intake_matches;
mod interest;
mod notices;
mod options;
mod origins;
mod presence;
mod reading;
mod recovery;
mod refusals;
mod replay;
mod resuming;
mod roles;
mod rude_clients;
mod skills;
mod slow_readers;
mod socket_io;
mod start;
mod stream;
mod technicians;
mod upgrades;
mod users;

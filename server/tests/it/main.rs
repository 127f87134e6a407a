//! The `dispatch` binary as its users meet it: the real process on a real port with a real
//! database, driven over HTTP, Socket.IO and the command line.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

mod documented;
mod fixture;
mod sample;
mod security_table;
mod watched;

mod about;
mod account_notices;
mod admission;
mod any_request;
mod asvs;
mod audit;
mod boards;
mod candidates;
mod changing;
mod clients;
mod clocks;
mod clocks_corrected;
mod crash;
mod cross_site;
mod customer_privacy;
mod demo;
mod doctor;
mod doors;
mod engine_io;
mod fan_out;
mod faults;
mod figures;
mod floods;
mod fuzz;
mod guessing;
mod history;
mod host_names;
mod hosted;
mod import;
mod intake_doors;
mod intake_folder;
mod intake_matches;
mod interest;
mod invite;
mod kept_answers;
mod late_bodies;
mod logs;
mod mail;
mod mail_queue;
mod metrics;
mod named_views;
mod notices;
mod oidc;
mod options;
mod organisation;
mod origins;
mod passwords;
mod preferences;
mod presence;
mod proxies;
mod push;
mod push_service;
mod reading;
mod receipts;
mod recovery;
mod refusals;
mod replay;
mod resuming;
mod retention;
mod roles;
mod rude_clients;
mod search;
mod server_limits;
mod service_manager;
mod sessions;
mod set_up;
mod skills;
mod slow_readers;
mod socket_events;
mod socket_io;
mod staff;
mod start;
mod starting_together;
mod story_provider;
mod stream;
mod tech_stories;
mod tech_story_providers;
mod technicians;
mod token_key;
mod two_factor;
mod unverified;
mod upgrades;
mod users;
mod visibility;

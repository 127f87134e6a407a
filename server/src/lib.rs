//! The dispatch server as a library, so that tests start the same thing as `main`.
//!
//! - Command line: `options`; `control` (the local socket by which a command reaches the running server).
//!   What each command does is in the binary: `main`, `program`.
//! - Start: `app` puts everything together; `database`, `log_generation`, `demo`.
//! - HTTP: `routes` (every route), `calls` (what registers one), `openapi` (the document), `http` (the
//!   server, and what is checked before a handler), `error` and `error_code`, `limits`.
//! - What a call takes and gives: `ids`, `typed_params`, `answer`, `moments`, `text`.
//! - `capacity`: how many connections and sessions there may be. `files`: files and folders.
//! - What changes share: `change_request` (a request's body, each entry once), `change_signal` (telling of
//!   them), `seen_version` (reading again what another process changed), `first_failure` (what fails again and again is logged once).
//! - What operators watch: `metrics` (for Prometheus), `log_lines` (the log), `traces`.
//! - What areas share: `technician_names`, `realtime` (open sessions), `publisher` (events between areas),
//!   `public_url`, `settings`, `shop_settings`.
//! - The areas, a folder each, with their routes: `repair_orders`, `technicians`, `users`, `skills`,
//!   `clocks`, `receipts`, `push`, `boards`, `tech_story` (with `fact_check`), `intake`, `identity`, `staff`,
//!   `audit`, `mail`, `server_status`; and `socket`, the stream: the application of the crate
//!   `actix_socketio`, which is in `server/socketio`. `desk_figures` counts for the desk.
//! - What is kept: `retention` (what goes when), `customers` (one customer's data), `backup`.
//! - What the product says of itself: `version`, `about`.
//! - What looks at an installation: `doctor`.
//! - Hosted services: `hosted`, `hosted_import`.

pub mod about;
pub mod answer;
pub mod app;
pub mod audit;
pub mod backup;
pub mod boards;
mod calls;
pub mod capacity;
pub mod change_request;
mod change_signal;
pub mod clocks;
pub mod control;
pub mod customers;
pub mod database;
pub mod demo;
pub mod desk_figures;
pub mod doctor;
pub mod error;
mod error_code;
mod fact_check;
pub mod files;
mod first_failure;
pub mod hosted;
pub mod hosted_import;
pub mod http;
pub mod identity;
pub mod ids;
pub mod intake;

pub mod limits;
mod log_generation;
pub mod log_lines;
pub mod mail;
pub mod metrics;
pub mod moments;
pub mod openapi;
pub mod options;
mod promises;
pub mod public_url;
mod publisher;
pub mod push;
mod realtime;
pub mod receipts;
pub mod repair_orders;
pub mod retention;
pub mod routes;
mod seen_version;
pub mod server_status;
pub mod settings;
mod shop_settings;
pub mod skills;
pub mod socket;
pub mod staff;
pub mod stages;
pub mod tech_story;
mod technician_names;
pub mod technicians;
pub mod text;
pub mod traces;
pub mod typed_params;
pub mod users;
pub mod version;
pub mod views;

//! The dispatch server as a library, so that tests start the same thing as `main`.
//!
//! - Command line: `cli`, `commands`, `writer` (who writes: this process or the running server),
//!   `control` (the local socket between the two), `import`, `config`, `options_file`, `environment`.
//! - Start: `app` puts everything together; `lock`, `database`, `log_mark`, `log_generation`, `demo`.
//! - HTTP: `http`, `routes` (every route), `openapi` (the document), `error`, `limits`, `paths`,
//!   `request_body`, `request_span`, `page` (the embedded page), `health`.
//! - What is checked before a handler: `host_check`, `cross_site`, `address`, `proxy_notices`.
//! - Scarce places: `open_files`, `connections`, `crowds`.
//! - What changes share: `change_request` (a request's body, each entry once), `change_signal` (telling of
//!   them), `seen_version` (reading again what another process changed), `text`.
//! - What areas share: `technician_names`, `announcer` (tells sessions), `publisher` (events between
//!   areas), `public_url`.
//! - Files and lines: `folder_handle`, `folder_retention`, `log_lines`, `settings`, `language`.
//! - Hosted services: `google` (credentials).
//! - The areas, a folder each, with their routes: `repair_orders`, `technicians`, `skills`, `clocks`,
//!   `receipts`, `push`, `boards`, `tech_story`, `intake`, `identity`, `staff`, `audit`, `mail`,
//!   `server_status`; and `socket`, the stream: the application of the crate
//!   `actix_socketio`, which is in `server/socketio`.

pub mod address;
mod announcer;
pub mod answer;
pub mod app;
pub mod audit;
pub mod boards;
pub mod change_request;
mod change_signal;
pub mod cli;
pub mod clocks;
pub mod config;
mod connections;
pub mod control;
pub mod cross_site;
mod crowds;
pub mod database;
pub mod demo;
pub mod desk_figures;
pub mod environment;
pub mod error;
mod error_code;
mod fact_check;
pub mod folder_handle;
pub mod folder_retention;
mod frames;
pub mod health;
pub mod host_check;
pub mod hosted;
pub mod hosted_import;
pub mod http;
pub mod identity;
pub mod ids;
pub mod intake;
pub mod language;
pub mod limits;
mod live_sockets;
pub mod lock;
mod log_generation;
pub mod log_lines;
mod log_mark;
pub mod mail;
pub mod moments;
pub mod open_files;
pub mod openapi;
pub mod options_file;
pub mod page;
mod paths;
pub mod proxy_notices;
mod public_url;
mod publisher;
pub mod push;
pub mod receipts;
pub mod repair_orders;
mod request_body;
mod request_span;
pub mod routes;
mod seen_version;
pub mod server_status;
pub mod settings;
pub mod skills;
pub mod socket;
pub mod staff;
pub mod tech_story;
mod technician_names;
pub mod technicians;
pub mod text;
pub mod typed_params;
pub mod users;

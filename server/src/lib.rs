//! The dispatch server as a library, so that tests start the same thing as `main`.

pub mod app;
pub mod change_request;
pub mod cli;
pub mod config;
pub mod control;
pub mod demo;
pub mod entries;
pub mod error;
pub mod health;
pub mod http;
pub mod identity;
pub mod intake;
pub mod limits;
pub mod lock;
pub mod numerals;
pub mod openapi;
pub mod page;
pub mod repair_orders;
pub mod routes;
pub mod settings;
pub mod skills;
pub mod socket;
pub mod staff;
pub mod technicians;
pub mod text;

//! The HTTP server, and what it does with a request before and beside the handlers.
//!
//! - `server`: listens, and puts the middleware together.
//! - What is checked before a handler: `host_check`, `cross_site`, `request_body`.
//! - `address`: where a request comes from; `proxy_notices`: proxies that are not set up well.
//! - `paths`: what a path says; `request_id`, `request_span`: what a log line says of its request.
//! - `request_observer` gives each request its id and counts it in `request_counts`.
//! - `failover`: gives up what a host was asked that does not answer any more.
//! - `page` (the embedded page) and `health`.

pub mod address;
pub mod cross_site;
mod failover;
pub mod health;
pub mod host_check;
pub mod page;
pub(crate) mod paths;
pub mod proxy_notices;
mod request_body;
pub mod request_counts;
pub(crate) mod request_id;
pub mod request_observer;
mod request_span;
mod server;

pub use server::{bind, bind_advice, serve};

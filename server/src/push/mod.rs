//! Web Push: what a technician's browser is told while no page is open.

pub mod message;
pub mod routes;
mod services;

pub use services::PushService;

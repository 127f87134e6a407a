//! Receipts: whether the technician who was given an order knows of it.

pub mod routes;
pub mod wire;

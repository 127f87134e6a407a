//! Repair orders: their rules, their store, one supervisor actor each, and the broadcaster that
//! announces what was committed. Knows no HTTP and no sockets.

pub mod repair_order;
pub mod sample_shop;

//! The repair-order API: the list, one order, and the desk's changes.

pub mod changes;
pub mod reads;
pub mod wire;

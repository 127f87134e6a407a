//! Who should get an order: `candidates` (the call) -> `ranking` (decides, without IO).

pub mod candidates;
pub(super) mod ranking;

//! What technicians have to do: `assignments` (everybody with their open orders), `order_counts`,
//! `load` (hours in hand), `attendance` (hours left of their day), `closed_orders` (what they are done with).

pub mod assignments;
pub mod attendance;
pub mod closed_orders;
pub(super) mod load;
pub(super) mod order_counts;

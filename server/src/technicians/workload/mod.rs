//! What technicians have to do: `assignments` (everybody with their open orders), `order_counts`,
//! `load` (hours in hand), `closed_orders` (what they are done with).

pub mod assignments;
pub mod closed_orders;
pub(super) mod load;
pub(super) mod order_counts;

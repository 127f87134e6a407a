//! What technicians have to do: `assignments` (everybody with their open orders), `order_counts`,
//! `load` (hours in hand).

pub mod assignments;
pub(super) mod load;
pub(super) mod order_counts;

//! The repair-order API: the list, one order, and the desk's changes.

pub mod assignments;
pub mod carry_out;
pub mod changes;
pub mod figures;
pub mod history;
mod list;
pub mod reads;
pub mod undo;
pub mod wire;

pub use assignments::technician;
pub use list::List;
pub(crate) use reads::ro_number;

//! Staff: what a person is called, which roles they hold and what those permit. Knows no passwords
//! and no sessions, and has no calls: those are in `users`.
//!
//! - `roles`: who may do what, in one table;
//! - `collection`: where staff documents are kept (the interface); `documents` (our database);
//! - `trail`: what the audit trail records.

mod collection;
mod documents;
mod roles;
mod trail;

pub(crate) use collection::better;
pub use collection::{StaffChange, StaffCollection, StaffDocument, StaffError, StaffPatch};
pub use documents::StaffDocuments;
pub use roles::{Permission, Role, UnknownRole, permissions_of};
pub(crate) use trail::events_of;

//! Staff: what a person is called, which roles they hold and what those permit. Knows no passwords
//! and no sessions.

mod collection;
mod documents;
mod roles;

pub use collection::{StaffChange, StaffCollection, StaffDocument, StaffError, StaffPatch};
pub use documents::StaffDocuments;
pub use roles::{Permission, Role, UnknownRole, permissions_of};

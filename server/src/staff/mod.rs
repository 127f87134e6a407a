//! Staff: what a person is called, which roles they hold and what those permit. Knows no passwords
//! and no sessions.

mod collection;
mod documents;
mod firestore;
pub mod house_move;
mod roles;

pub use collection::{StaffChange, StaffCollection, StaffDocument, StaffError, StaffPatch};
pub use documents::StaffDocuments;
pub use firestore::Firestore;
pub use roles::{Permission, Role, UnknownRole, permissions_of};

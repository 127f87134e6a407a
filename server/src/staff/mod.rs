//! Staff: what a person is called, which roles they hold and what those permit. Knows no passwords
//! and no sessions.

mod documents;
mod roles;

pub use documents::{StaffDocument, StaffDocuments};
pub use roles::{Permission, Role, UnknownRole, permissions_of};

pub(crate) use documents::{delete_documents, find_document, put_document};

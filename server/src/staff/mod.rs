//! Staff: what a person is called, which roles they hold and what those permit. Knows no passwords
//! and no sessions; the calls leave those to `identity`.
//!
//! - `roles`: who may do what, in one table;
//! - `collection`: where staff documents are kept (the interface); `documents` (our database);
//!   `view`: a document as clients see and write it;
//! - `live`: follows the documents and tells every session;
//! - `routes`, `invite` (with `callable`, the protocol of hosted functions), `test_page`: the calls;
//! - `state`: what the calls work with; `trail`: what the audit trail is told.

mod callable;
mod collection;
mod documents;
pub mod invite;
mod live;
mod roles;
pub mod routes;
mod state;
pub mod test_page;
mod trail;
mod view;

pub(crate) use collection::better;
pub use collection::{StaffChange, StaffCollection, StaffDocument, StaffError, StaffPatch};
pub use documents::StaffDocuments;
pub use invite::Invitations;
pub(crate) use live::{AGAIN, PAUSE, reload_staff};
pub use live::{StaffChangedEvent, follow};
pub use roles::{Permission, Role, UnknownRole, permissions_of};
pub use state::StaffState;
pub(crate) use trail::events_of;

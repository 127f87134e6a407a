//! Staff: what a person is called, which roles they hold and what those permit. Knows no passwords
//! and no sessions; the calls leave those to `identity`.

mod callable;
mod collection;
mod documents;
mod firestore;
pub mod house_move;
pub mod invite;
mod live;
mod roles;
pub mod routes;
pub mod test_page;
mod trail;
mod view;

pub(crate) use collection::better;
pub use collection::{StaffChange, StaffCollection, StaffDocument, StaffError, StaffPatch};
pub use documents::StaffDocuments;
pub use firestore::Firestore;
pub use invite::Invitations;
pub(crate) use live::{AGAIN, PAUSE, reload_staff};
pub use live::{StaffChangedEvent, follow};
pub use roles::{Permission, Role, UnknownRole, permissions_of};
pub(crate) use trail::events_of;

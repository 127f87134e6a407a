//! The people of the shop as owners manage them: staff records with their accounts, invitations, and who
//! is told when they change. What a record is, and what its roles permit, is in `staff`.
//!
//! - `routes`, `invite` (with `callable`, the protocol of hosted functions), `test_page`: the calls;
//!   `state`: what they work with; `view`: a document as clients see and write it;
//! - `staff_follower`: follows the documents and tells every session.

mod callable;
pub mod invite;
pub mod routes;
mod staff_follower;
mod state;
pub mod test_page;
mod view;

pub use invite::Invitations;
pub(crate) use staff_follower::reload_staff;
pub use staff_follower::{StaffChangedEvent, follow};
pub use state::UsersState;

//! Users, as owners and whoever runs the server manage them: `changes` adds them and changes their
//! roles, `removal` removes them, `sign_ins` ends their sessions, `invitations` invites them. `rights`
//! ends the sessions of whoever loses a role.

mod changes;
pub(super) mod invitations;
mod removal;
pub(super) mod rights;
mod sign_ins;

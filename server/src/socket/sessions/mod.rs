//! How many sessions there are, and until when: `admission` and `session_slots` limit them, `sign_ins`
//! closes those of sign-ins that have ended.

pub(super) mod admission;
pub(super) mod session_slots;
pub(super) mod sign_ins;

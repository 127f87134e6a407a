//! Passwords: what a new one must be (`policy`), and how it is hashed and checked: `hashing` with
//! argon2id, in the order of `hash_queue`, whose rows are in `waiting`. `firebase_scrypt` checks
//! imported hashes.

pub mod firebase_scrypt;
pub(super) mod hash_queue;
mod hashing;
pub(super) mod policy;
mod waiting;

pub use hashing::*;

//! The hosted services behind the two traits, against stand-ins that run as packages, and what every
//! provider and every collection must do alike.

mod embedded;
mod embedded_staff;
#[cfg(feature = "hosted")]
mod emulators;
#[cfg(feature = "hosted")]
mod firebase;
#[cfg(feature = "hosted")]
mod firestore;

mod identity_suite;
#[cfg(feature = "hosted")]
mod server;
mod staff_import;
mod staff_suite;

//! The hosted services behind the two traits, against stand-ins that run as packages, and what every
//! provider and every collection must do alike.

mod embedded;
mod embedded_staff;
mod emulators;
mod firebase;
mod firestore;
mod identity_suite;
mod server;
mod staff_import;
mod staff_suite;

//! The hosted services behind the two traits, against stand-ins that run as packages, and what every
//! provider and every collection must do alike.

mod embedded;
mod emulators;
mod firebase;
mod firestore;
mod house_move;
mod identity_suite;
mod server;
mod staff_suite;

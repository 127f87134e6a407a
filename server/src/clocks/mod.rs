//! The job clock: on what each technician works, since when, and what that adds up to.
//!
//! A technician's day is a gapless chain of entries: on a job, or on the clock without one. At most
//! one of them runs; nobody who has none is on the clock.

pub mod routes;
pub mod wire;

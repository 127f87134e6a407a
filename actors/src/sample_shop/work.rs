//! What goes wrong with cars and what is done about it: the shop's operations, with the words that
//! customers and technicians use. `jobs` puts them on an order.
//!
//! A concern that begins in lower case is a complaint and may get "Customer states" before it;
//! one that begins in upper case is a request and stands as it is. `{mph}`, `{side}`, `{end}`,
//! `{miles}`, `{when}` and `{since}` are blanks that `jobs` fills.

mod lots;
mod service;

pub(super) use lots::{NEW_CARS, USED_CARS};
pub(super) use service::SERVICE;

use super::technicians::Trade;
use super::vehicles::Power;

#[derive(Debug)]
pub(super) struct Work {
    pub(super) code: &'static str,
    /// For how long it is sold; 0 where another firm does it.
    pub(super) sold_hundredths: i32,
    pub(super) description: &'static str,
    pub(super) trade: Trade,
    pub(super) fits: Fits,
    /// How often it comes in, against the others of its list.
    pub(super) often: u32,
    pub(super) concerns: &'static [&'static str],
    /// A cause, and the notes of the technician who found it.
    pub(super) findings: &'static [(&'static str, &'static str)],
}

/// Which drives a work makes sense on: nobody changes the oil of an electric car.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fits {
    Any,
    Engine,
    GasEngine,
    Diesel,
    HighVoltage,
}

impl Fits {
    pub(super) fn allows(self, power: Power) -> bool {
        match self {
            Fits::Any => true,
            Fits::Engine => power != Power::Electric,
            Fits::GasEngine => matches!(power, Power::Gas | Power::Hybrid),
            Fits::Diesel => power == Power::Diesel,
            Fits::HighVoltage => matches!(power, Power::Hybrid | Power::Electric),
        }
    }
}

//! RO numbers: the value of the digits in a dealer's text.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The value of an RO number's digits, 1 to 2^53 - 1 (the largest integer that every JSON reader
/// keeps exactly).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub struct RoNumber(i64);

impl RoNumber {
    pub const MAX: i64 = (1 << 53) - 1;

    pub fn get(self) -> i64 {
        self.0
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadRoNumber {
    #[error("the RO number is missing")]
    Missing,
    #[error("'{0}' is not an RO number: it has no digits")]
    NoDigits(String),
    #[error("RO number '{0}' is out of range: 1 to 9007199254740991")]
    OutOfRange(String),
    #[error("RO number '{0}' is not a whole number")]
    NotWhole(String),
}

impl TryFrom<i64> for RoNumber {
    type Error = BadRoNumber;

    fn try_from(value: i64) -> Result<Self, BadRoNumber> {
        if (1..=Self::MAX).contains(&value) {
            Ok(Self(value))
        } else {
            Err(BadRoNumber::OutOfRange(value.to_string()))
        }
    }
}

impl From<RoNumber> for i64 {
    fn from(number: RoNumber) -> i64 {
        number.0
    }
}

impl FromStr for RoNumber {
    type Err = BadRoNumber;

    /// Reads a dealer's text: letters and leading zeros are allowed around and between the digits.
    /// A decimal, a negative number, or what a spreadsheet makes of a long one (1.00234E+11) is
    /// refused: their digits alone would be another order's number.
    fn from_str(text: &str) -> Result<Self, BadRoNumber> {
        let text = text.trim();
        if text.is_empty() {
            return Err(BadRoNumber::Missing);
        }
        let looks_like_a_number =
            text.parse::<f64>().is_ok() || text.replace(',', ".").parse::<f64>().is_ok();
        if looks_like_a_number && text.contains(['.', ',', '+', '-']) {
            return Err(BadRoNumber::NotWhole(text.to_owned()));
        }
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        if digits.is_empty() {
            return Err(BadRoNumber::NoDigits(text.to_owned()));
        }
        let value: i64 = digits
            .parse()
            .map_err(|_| BadRoNumber::OutOfRange(text.to_owned()))?;
        Self::try_from(value).map_err(|_| BadRoNumber::OutOfRange(text.to_owned()))
    }
}

impl fmt::Display for RoNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

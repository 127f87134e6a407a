//! Hours of labour as they are sold to a customer, whatever the work takes.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// In hundredths of an hour, which every dealer's system can say and which add up exactly. On the
/// wire and in events a number of hours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SoldHours(i32);

impl SoldHours {
    /// More than an order ever has.
    pub const MAX: SoldHours = SoldHours(999_999);

    /// 0 to 9,999.99 hours.
    pub fn from_hundredths(hundredths: i32) -> Option<Self> {
        (0..=Self::MAX.0)
            .contains(&hundredths)
            .then_some(Self(hundredths))
    }

    /// To the nearest hundredth; none for a value that is not a number of hours from 0 to 9,999.99.
    pub fn from_hours(hours: f64) -> Option<Self> {
        let hundredths = (hours * 100.0).round();
        let fits = (0.0..=f64::from(Self::MAX.0)).contains(&hundredths);
        fits.then_some(Self(hundredths as i32))
    }

    pub fn hundredths(self) -> i32 {
        self.0
    }

    pub fn hours(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

impl fmt::Display for SoldHours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.hours().fmt(f)
    }
}

impl Serialize for SoldHours {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.hours())
    }
}

impl<'de> Deserialize<'de> for SoldHours {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let hours = f64::deserialize(deserializer)?;
        Self::from_hours(hours)
            .ok_or_else(|| serde::de::Error::custom(format!("{hours} is no number of sold hours")))
    }
}

impl PartialSchema for SoldHours {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Number)
            .minimum(Some(0))
            .maximum(Some(9_999.99))
            .description(Some("Hours of labour as they are sold, to a hundredth."))
            .into()
    }
}

impl ToSchema for SoldHours {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_are_kept_to_a_hundredth_and_written_as_a_number() {
        for (hours, json) in [(0.3, "0.3"), (1.5, "1.5"), (0.295, "0.3"), (12.0, "12.0")] {
            let sold = SoldHours::from_hours(hours).unwrap();
            assert_eq!(serde_json::to_string(&sold).unwrap(), json);
            assert_eq!(serde_json::from_str::<SoldHours>(json).unwrap(), sold);
        }
        assert_eq!(
            serde_json::from_str::<SoldHours>("2").unwrap().hundredths(),
            200
        );
    }

    #[test]
    fn a_value_that_is_not_a_number_of_hours_is_refused() {
        for hours in [-0.01, 10_000.0, f64::NAN, f64::INFINITY] {
            assert_eq!(SoldHours::from_hours(hours), None, "{hours}");
        }
        assert_eq!(SoldHours::from_hundredths(-1), None);
        assert!(serde_json::from_str::<SoldHours>("-1").is_err());
    }
}

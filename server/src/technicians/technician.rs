//! A technician on the shop's list.

use serde::{Serialize, Serializer};
use utoipa::ToSchema;

/// A technician on the shop's list.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Technician {
    pub id_technician: i64,
    pub display_name: String,
    pub specialty: String,
    /// The skill of the highest level, if there is any; of several on that level, the first by
    /// name.
    #[schema(required)]
    pub max_skill_name: Option<String>,
    /// The level of the organisation they sit in, if any.
    #[schema(required)]
    pub id_level: Option<i64>,
    #[schema(required)]
    pub level_name: Option<String>,
    /// Hours they work a day.
    #[serde(rename = "dailyHours")]
    #[schema(value_type = f64)]
    pub daily: DailyMinutes,
    /// The highest level first, then by name.
    pub skills: Vec<TechnicianSkill>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TechnicianSkill {
    pub id_skill: i64,
    pub skill_name: String,
    /// The technician's own, or the skill's where they have none of their own.
    pub level: i32,
}

/// How long somebody works a day, to the minute: a quarter of an hour to a day. On the wire hours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DailyMinutes(i32);

impl DailyMinutes {
    /// Eight hours.
    pub const DEFAULT: Self = Self(8 * 60);
    const MIN_HOURS: f64 = 0.25;
    const MAX_HOURS: f64 = 24.0;

    /// None beyond 0.25 to 24.
    pub fn of_hours(hours: f64) -> Option<Self> {
        let fits = (Self::MIN_HOURS..=Self::MAX_HOURS).contains(&hours);
        fits.then_some(Self((hours * 60.0).round() as i32))
    }

    /// As it is in the database, where nothing else than these values gets.
    pub(super) fn stored(minutes: i32) -> Self {
        Self(minutes.clamp(1, 24 * 60))
    }

    pub fn get(self) -> i32 {
        self.0
    }
}

impl Serialize for DailyMinutes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let hours = f64::from(self.0) / 60.0;
        serializer.serialize_f64((hours * 100.0).round() / 100.0)
    }
}

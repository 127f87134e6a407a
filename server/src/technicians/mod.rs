//! Technicians: who there is, where they stand, what they can do, what they are called, what they
//! have to do, and who of them could take an order.
//!
//! - The list: `routes`, `store`, `rows`, `state` (what the calls work with), `announcements` (every session is told).
//! - The levels of the workshop: `organisation`, `organisation_routes`.
//! - Work: `assignments` (everybody with their open orders), `load` (hours in hand).
//! - Who should get an order: `candidates` (the call) -> `ranking` (decides, without IO).

mod announcements;
pub mod assignments;
pub mod candidates;
mod load;
pub mod organisation;
pub mod organisation_routes;
mod ranking;
pub mod routes;
mod rows;
mod state;
mod store;

use serde::{Serialize, Serializer};
use utoipa::ToSchema;

pub use announcements::{TechniciansChangedEvent, follow};
pub use organisation::Organisation;
pub use state::TechniciansState;
pub use store::{NewSkill, NewTechnician, Technicians};

pub(crate) use store::{count_having, counts_by_skill};

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
    pub const USUAL: Self = Self(8 * 60);
    const LEAST: f64 = 0.25;
    const MOST: f64 = 24.0;

    /// None beyond 0.25 to 24.
    pub fn of_hours(hours: f64) -> Option<Self> {
        let fits = (Self::LEAST..=Self::MOST).contains(&hours);
        fits.then_some(Self((hours * 60.0).round() as i32))
    }

    /// As it is in the database, where nothing else than these values gets.
    fn stored(minutes: i32) -> Self {
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

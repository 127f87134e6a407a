//! Technicians as clients send them.

use serde::Deserialize;
use utoipa::ToSchema;

use super::DailyMinutes;
use super::store::TechnicianPatch;
use crate::change_request::double_option;
use crate::error::ApiError;
use crate::ids::{LevelIdInBody, NewTechnicianIdInBody};
use crate::limits;
use crate::skills::SkillLevelInBody;
use crate::text::{OneLine, OneLineOrEmpty};

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NewTechnician)]
pub struct TechnicianToAdd {
    /// Their number in the dealer's system.
    pub(super) id_technician: NewTechnicianIdInBody,
    pub(super) display_name: OneLine,
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    pub(super) specialty: Option<OneLineOrEmpty>,
    /// Hours they work a day, to the minute; 8 where it is left out.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(minimum = 0.25, maximum = 24, nullable = false)]
    pub(super) daily_hours: Option<f64>,
    /// The level they sit in; none where it is left out.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false)]
    pub(super) id_level: Option<Option<LevelIdInBody>>,
}

/// A field that is not sent stays unchanged.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TechnicianFields {
    /// On every screen the name of their account comes before it.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    pub(super) display_name: Option<OneLine>,
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    pub(super) specialty: Option<OneLineOrEmpty>,
    /// Hours they work a day, to the minute.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(minimum = 0.25, maximum = 24, nullable = false)]
    pub(super) daily_hours: Option<f64>,
    /// The level they sit in; null takes them out of theirs.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false)]
    pub(super) id_level: Option<Option<LevelIdInBody>>,
}

#[derive(Deserialize, ToSchema)]
pub struct GivenSkill {
    /// A whole number from 0 to 1,000,000; where it is left out the skill's own counts, also when
    /// that changes.
    #[serde(default, deserialize_with = "double_option")]
    #[schema(required = false, nullable = false)]
    pub(super) level: Option<SkillLevelInBody>,
}

impl TechnicianFields {
    pub(super) fn read(self) -> Result<TechnicianPatch, ApiError> {
        let name = self.display_name;
        let name = name.map(|name| limits::short_text("The name", &name));
        let specialty = self.specialty.map(|specialty| match specialty.0.trim() {
            "" => Ok(String::new()),
            text => limits::short_text("The specialty", text),
        });
        let daily = self.daily_hours.map(|hours| {
            DailyMinutes::of_hours(hours).ok_or_else(|| {
                ApiError::invalid(format!("{hours} are not the hours of a day: 0.25 to 24"))
            })
        });
        let level = self
            .id_level
            .map(|level| level.map(|level| level.parse()).transpose());
        Ok(TechnicianPatch {
            display_name: name.transpose()?,
            specialty: specialty.transpose()?,
            daily: daily.transpose()?,
            level: level.transpose()?,
        })
    }
}

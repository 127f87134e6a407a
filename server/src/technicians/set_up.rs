//! Technicians and skills that a shop is set up with.

use dispatch_actors::repair_order::TechnicianId;
use sea_orm::sea_query::OnConflict;
use sea_orm::{DbErr, EntityTrait, IntoActiveModel};

use super::DailyMinutes;
use super::rows::{technician, technician_skill};
use super::store::Technicians;
use crate::skills::{self, Skill};

/// A technician and a skill as the shop is set up with them.
#[derive(Default)]
pub struct NewTechnician {
    pub id: TechnicianId,
    pub display_name: String,
    pub specialty: String,
    /// With the technician's own level where it is not the skill's.
    pub skills: Vec<(i64, Option<i32>)>,
    /// The level of the organisation they sit in.
    pub level: Option<i64>,
    /// The usual hours where there are none.
    pub daily: Option<DailyMinutes>,
}

pub struct NewSkill {
    pub id: i64,
    pub name: String,
    pub level: i32,
    pub kind: Option<String>,
}

impl Technicians {
    /// An account linked to a technician's number makes a technician, also one the shop's list does
    /// not have yet.
    pub async fn know(&self, id: TechnicianId, name: &str) -> Result<(), DbErr> {
        let technician = NewTechnician {
            id,
            display_name: name.to_owned(),
            ..NewTechnician::default()
        };
        self.set_up(vec![], vec![technician]).await
    }

    /// Adds technicians and skills that are not there yet.
    pub async fn set_up(
        &self,
        skills: Vec<NewSkill>,
        technicians: Vec<NewTechnician>,
    ) -> Result<(), DbErr> {
        let transaction = self.store.begin_write().await?;
        let mut added = !skills.is_empty();
        for new in skills {
            let skill = Skill {
                id_skill: new.id,
                skill_name: new.name,
                skill_level: new.level,
                skill_kind: new.kind,
            };
            skills::insert_missing(&transaction, skill).await?;
        }
        for NewTechnician {
            id,
            display_name,
            specialty,
            skills,
            level,
            daily,
        } in technicians
        {
            let inserted = technician::Entity::insert(
                technician::Model {
                    id,
                    display_name,
                    specialty,
                    level_id: level,
                    daily_minutes: daily.unwrap_or(DailyMinutes::DEFAULT).get(),
                }
                .into_active_model(),
            )
            .on_conflict(OnConflict::new().do_nothing().to_owned())
            .exec_without_returning(&transaction)
            .await?;
            added |= inserted > 0 || !skills.is_empty();
            for (skill, level) in skills {
                let link = technician_skill::Model {
                    technician: id,
                    skill,
                    level,
                };
                technician_skill::Entity::insert(link.into_active_model())
                    .on_conflict(OnConflict::new().do_nothing().to_owned())
                    .exec_without_returning(&transaction)
                    .await?;
            }
        }
        match added {
            true => self.changes.commit(transaction).await,
            false => transaction.commit().await,
        }
    }
}

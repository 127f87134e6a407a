//! Technicians: who there is, what they can do, and what they are called.

pub mod assignments;
mod names;

use std::collections::HashMap;

use actix_web::{get, web};
use dispatch_actors::repair_order::TechnicianId;
use dispatch_actors::store::Store;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, DbErr, EntityTrait, IntoActiveModel, QueryFilter, QuerySelect};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::Services;
use crate::change_request::Keep;
use crate::error::ApiError;
use crate::identity::Caller;
use crate::skills::{self, Skill};

pub use names::TechnicianNames;

mod technician {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "technicians")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        #[sea_orm(column_type = "Text")]
        pub display_name: String,
        #[sea_orm(column_type = "Text")]
        pub specialty: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

mod technician_skill {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "technician_skills")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub technician: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub skill: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

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
}

#[derive(Serialize, ToSchema)]
pub struct TechniciansAnswer {
    /// Always true.
    ok: bool,
    result: Vec<Technician>,
}

/// Every technician, by name.
#[utoipa::path(
    operation_id = "technicians",
    tag = "technicians",
    security(("idToken" = [])),
    responses(
        (status = 200, body = TechniciansAnswer),
    )
)]
#[get("/api/repair-orders/technicians")]
pub async fn list(
    _: Caller,
    services: web::Data<Services>,
) -> Result<web::Json<TechniciansAnswer>, ApiError> {
    let result = services.technicians.all(&services.names).await?;
    Ok(web::Json(TechniciansAnswer { ok: true, result }))
}

/// The tables of technicians and their skills.
#[derive(Clone)]
pub struct Technicians {
    store: Store,
}

/// A technician and a skill as the shop is set up with them.
pub struct NewTechnician {
    pub id: TechnicianId,
    pub display_name: String,
    pub specialty: String,
    pub skills: Vec<i64>,
}

pub struct NewSkill {
    pub id: i64,
    pub name: String,
    pub level: i32,
}

impl Technicians {
    pub fn new(store: Store) -> Self {
        Self { store }
    }

    pub async fn exists(&self, id: TechnicianId) -> Result<bool, DbErr> {
        Ok(technician::Entity::find_by_id(id)
            .one(self.store.reader())
            .await?
            .is_some())
    }

    /// Number and specialty of every technician, in no order.
    async fn specialties(&self) -> Result<HashMap<TechnicianId, String>, DbErr> {
        let rows = technician::Entity::find().all(self.store.reader()).await?;
        Ok(rows
            .into_iter()
            .map(|row| (row.id, row.specialty))
            .collect())
    }

    pub async fn all(&self, names: &TechnicianNames) -> Result<Vec<Technician>, DbErr> {
        let reader = self.store.reader();
        let technicians = technician::Entity::find().all(reader).await?;
        let ranked = skills::ranked(reader).await?;
        let rank: HashMap<i64, usize> = ranked
            .iter()
            .enumerate()
            .map(|(rank, skill)| (skill.id_skill, rank))
            .collect();
        let mut highest: HashMap<TechnicianId, usize> = HashMap::new();
        for link in technician_skill::Entity::find().all(reader).await? {
            if let Some(&rank) = rank.get(&link.skill) {
                let best = highest.entry(link.technician).or_insert(rank);
                *best = rank.min(*best);
            }
        }
        let mut technicians: Vec<Technician> = technicians
            .into_iter()
            .map(|row| Technician {
                id_technician: row.id,
                display_name: names.of(row.id, Some(&row.display_name)),
                specialty: row.specialty,
                max_skill_name: highest
                    .get(&row.id)
                    .map(|&rank| ranked[rank].skill_name.clone()),
            })
            .collect();
        technicians.sort_by_cached_key(|technician| technician.display_name.to_lowercase());
        Ok(technicians)
    }

    /// Gives a technician this skill in place of those they have. 404 `unknown-technician`,
    /// `unknown-skill`.
    pub async fn set_skill(
        &self,
        technician: TechnicianId,
        skill: i64,
        receipt: Option<Keep<'_, Skill>>,
    ) -> Result<Skill, ApiError> {
        let transaction = self.store.begin_write().await?;
        // Locked, where a database lets several write at once: two who give the same technician
        // a skill must not leave them with both.
        technician::Entity::find_by_id(technician)
            .lock_exclusive()
            .one(&transaction)
            .await?
            .ok_or_else(|| unknown(technician))?;
        let skill = skills::held(&transaction, skill).await?;
        technician_skill::Entity::delete_many()
            .filter(technician_skill::Column::Technician.eq(technician))
            .exec(&transaction)
            .await?;
        let link = technician_skill::Model {
            technician,
            skill: skill.id_skill,
        };
        technician_skill::Entity::insert(link.into_active_model())
            .exec_without_returning(&transaction)
            .await?;
        if let Some(receipt) = receipt {
            receipt.keep(&transaction, &skill).await?;
        }
        transaction.commit().await?;
        Ok(skill)
    }

    /// Whoever is given a technician's number is a technician, also one the shop's list does not
    /// have yet.
    pub async fn know(&self, id: TechnicianId, name: &str) -> Result<(), DbErr> {
        let technician = NewTechnician {
            id,
            display_name: name.to_owned(),
            specialty: String::new(),
            skills: vec![],
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
        for NewSkill { id, name, level } in skills {
            let skill = Skill {
                id_skill: id,
                skill_name: name,
                skill_level: level,
            };
            skills::insert_missing(&transaction, skill).await?;
        }
        for NewTechnician {
            id,
            display_name,
            specialty,
            skills,
        } in technicians
        {
            technician::Entity::insert(
                technician::Model {
                    id,
                    display_name,
                    specialty,
                }
                .into_active_model(),
            )
            .on_conflict(OnConflict::new().do_nothing().to_owned())
            .exec_without_returning(&transaction)
            .await?;
            for skill in skills {
                let link = technician_skill::Model {
                    technician: id,
                    skill,
                };
                technician_skill::Entity::insert(link.into_active_model())
                    .on_conflict(OnConflict::new().do_nothing().to_owned())
                    .exec_without_returning(&transaction)
                    .await?;
            }
        }
        transaction.commit().await
    }
}

fn unknown(technician: TechnicianId) -> ApiError {
    ApiError::not_found(
        "unknown-technician",
        format!("Technician {technician} is not known"),
    )
}

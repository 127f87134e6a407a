//! Technicians: who there is, what they can do, and what they are called.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use actix_web::{get, web};
use dispatch_actors::repair_order::TechnicianId;
use dispatch_actors::store::Store;
use sea_orm::sea_query::OnConflict;
use sea_orm::{DbErr, EntityTrait, IntoActiveModel, QueryOrder};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::Services;
use crate::error::ApiError;
use crate::identity::Caller;
use crate::staff::StaffDocuments;

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

mod skill {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "skills")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        #[sea_orm(column_type = "Text")]
        pub name: String,
        pub level: i32,
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
    /// The skill of the highest level, if there is any.
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

    pub async fn all(&self, names: &TechnicianNames) -> Result<Vec<Technician>, DbErr> {
        let reader = self.store.reader();
        let technicians = technician::Entity::find().all(reader).await?;
        let skills = skill::Entity::find()
            .order_by_asc(skill::Column::Id)
            .all(reader)
            .await?;
        let skills: HashMap<i64, skill::Model> =
            skills.into_iter().map(|skill| (skill.id, skill)).collect();
        let mut highest: HashMap<TechnicianId, &skill::Model> = HashMap::new();
        for link in technician_skill::Entity::find().all(reader).await? {
            if let Some(skill) = skills.get(&link.skill) {
                let best = highest.entry(link.technician).or_insert(skill);
                if skill.level > best.level {
                    *best = skill;
                }
            }
        }
        let mut technicians: Vec<Technician> = technicians
            .into_iter()
            .map(|row| Technician {
                id_technician: row.id,
                display_name: names.of(row.id, Some(&row.display_name)),
                specialty: row.specialty,
                max_skill_name: highest.get(&row.id).map(|skill| skill.name.clone()),
            })
            .collect();
        technicians.sort_by_cached_key(|technician| technician.display_name.to_lowercase());
        Ok(technicians)
    }

    /// Adds technicians and skills that are not there yet.
    pub async fn set_up(
        &self,
        skills: Vec<NewSkill>,
        technicians: Vec<NewTechnician>,
    ) -> Result<(), DbErr> {
        let transaction = self.store.begin_write().await?;
        for NewSkill { id, name, level } in skills {
            skill::Entity::insert(skill::Model { id, name, level }.into_active_model())
                .on_conflict(OnConflict::new().do_nothing().to_owned())
                .exec_without_returning(&transaction)
                .await?;
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

/// What each technician is called, in one place for every screen: the portal user's name, else the
/// technician's display name, else the name that came with the order, else the number.
#[derive(Clone, Default)]
pub struct TechnicianNames {
    known: Arc<RwLock<HashMap<TechnicianId, String>>>,
}

impl TechnicianNames {
    /// Reads the names again; to be called when staff or technicians changed.
    pub async fn reload(&self, store: &Store, staff: &StaffDocuments) -> Result<(), DbErr> {
        let rows = technician::Entity::find().all(store.reader()).await?;
        let mut names: HashMap<TechnicianId, String> = rows
            .into_iter()
            .map(|row| (row.id, row.display_name))
            .collect();
        names.extend(staff.names_by_technician().await?);
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = names;
        Ok(())
    }

    pub fn of(&self, id: TechnicianId, as_it_came: Option<&str>) -> String {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        match (known.get(&id), as_it_came) {
            (Some(name), _) => name.clone(),
            (None, Some(name)) => name.to_owned(),
            (None, None) => format!("Technician {id}"),
        }
    }
}

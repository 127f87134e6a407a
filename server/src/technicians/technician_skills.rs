//! Which technician has which skill, and at which level.

use std::collections::HashMap;

use dispatch_actors::repair_order::TechnicianId;
use dispatch_actors::store::WriteTransaction;
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter,
};
use serde::Serialize;

use super::Technician;
use super::rows::technician_skill;
use super::store::{Technicians, find_locked};
use crate::change_request::AnswerKeeper;
use crate::error::ApiError;
use crate::ids::SkillId;
use crate::skills::{self, Skill, SkillLevel};

impl Technicians {
    /// Gives a technician this skill in place of those they have. `result` makes what is answered, and
    /// kept. 404 `unknown-technician`, `unknown-skill`.
    pub async fn set_skill<T: Serialize>(
        &self,
        technician: TechnicianId,
        skill: i64,
        keeper: &AnswerKeeper,
        result: impl FnOnce(Skill) -> T,
    ) -> Result<T, ApiError> {
        let transaction = self.store.begin_write().await?;
        find_locked(&transaction, technician).await?;
        let skill = skills::find_locked(&transaction, skill).await?;
        technician_skill::Entity::delete_many()
            .filter(technician_skill::Column::Technician.eq(technician))
            .exec(&transaction)
            .await?;
        let link = technician_skill::Model {
            technician,
            skill: skill.id_skill,
            level: None,
        };
        technician_skill::Entity::insert(link.into_active_model())
            .exec_without_returning(&transaction)
            .await?;
        let result = result(skill);
        keeper.keep(&transaction, &result).await?;
        self.changes.commit(transaction).await?;
        Ok(result)
    }

    /// Gives a technician this skill beside those they have, at the skill's own level. One that they
    /// have already stays as it is. 404 `unknown-technician`, `unknown-skill`.
    pub async fn add_missing_skill(
        &self,
        technician: TechnicianId,
        skill: i64,
    ) -> Result<(), ApiError> {
        let transaction = self.store.begin_write().await?;
        find_locked(&transaction, technician).await?;
        let skill = skills::find_locked(&transaction, skill).await?;
        let link = technician_skill::Model {
            technician,
            skill: skill.id_skill,
            level: None,
        };
        technician_skill::Entity::insert(link.into_active_model())
            .on_conflict(OnConflict::new().do_nothing().to_owned())
            .exec_without_returning(&transaction)
            .await?;
        self.changes.commit(transaction).await?;
        Ok(())
    }

    /// Gives a technician this skill beside those they have, at a level of their own or at the
    /// skill's. 404 `unknown-technician`, `unknown-skill`.
    pub(super) async fn give_skill(
        &self,
        technician: TechnicianId,
        SkillId(skill): SkillId,
        level: Option<SkillLevel>,
        portal_name: Option<String>,
        keeper: &AnswerKeeper,
    ) -> Result<Technician, ApiError> {
        let transaction = self.store.begin_write().await?;
        let row = find_locked(&transaction, technician).await?;
        let skill = skills::find_locked(&transaction, skill).await?;
        let link = technician_skill::Model {
            technician,
            skill: skill.id_skill,
            level: level.map(SkillLevel::get),
        };
        let key = [
            technician_skill::Column::Technician,
            technician_skill::Column::Skill,
        ];
        technician_skill::Entity::insert(link.into_active_model())
            .on_conflict(
                OnConflict::columns(key)
                    .update_column(technician_skill::Column::Level)
                    .to_owned(),
            )
            .exec_without_returning(&transaction)
            .await?;
        self.written(transaction, row, portal_name, keeper).await
    }

    /// Nothing changes where they do not have it. 404 `unknown-technician`, `unknown-skill`.
    pub(super) async fn take_skill(
        &self,
        technician: TechnicianId,
        SkillId(skill): SkillId,
        portal_name: Option<String>,
    ) -> Result<Technician, ApiError> {
        let transaction = self.store.begin_write().await?;
        let row = find_locked(&transaction, technician).await?;
        let skill = skills::find_locked(&transaction, skill).await?;
        technician_skill::Entity::delete_by_id((technician, skill.id_skill))
            .exec(&transaction)
            .await?;
        self.written(transaction, row, portal_name, &AnswerKeeper::none())
            .await
    }
}

/// Technicians who have a skill.
pub(crate) async fn count_having(transaction: &WriteTransaction, skill: i64) -> Result<u64, DbErr> {
    technician_skill::Entity::find()
        .filter(technician_skill::Column::Skill.eq(skill))
        .count(transaction)
        .await
}

/// Technicians by skill; skills that no technician has are not in it.
pub(crate) async fn counts_by_skill(
    connection: &impl ConnectionTrait,
) -> Result<HashMap<i64, u64>, DbErr> {
    let mut counts = HashMap::new();
    for link in technician_skill::Entity::find().all(connection).await? {
        *counts.entry(link.skill).or_default() += 1;
    }
    Ok(counts)
}

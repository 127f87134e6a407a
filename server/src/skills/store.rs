//! The table of skills, and the only SQL that changes it.

use std::collections::HashMap;

use dispatch_actors::store::{Store, WriteTransaction};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveModelTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, QuerySelect,
};
use serde::Serialize;

use super::{ListedSkill, Skill, SkillKind, SkillLevel, SkillName, SkillUse, rules};
use crate::change_request::AnswerKeeper;
use crate::change_signal::ChangeSignal;
use crate::error::{ApiError, ErrorCode};
use crate::technicians::{count_having, counts_by_skill};
use row::{Entity, Model};

mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "skills")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        #[sea_orm(column_type = "Text")]
        pub name: String,
        pub level: i32,
        #[sea_orm(column_type = "Text", nullable)]
        pub kind: Option<String>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// A skill that is to be added.
pub(super) struct SkillDraft {
    pub name: SkillName,
    pub level: SkillLevel,
    pub kind: SkillKind,
}

#[derive(Clone)]
pub struct Skills {
    store: Store,
    changes: ChangeSignal,
}

impl Skills {
    pub(crate) fn new(store: Store, changes: ChangeSignal) -> Self {
        Self { store, changes }
    }

    /// The highest level first, then by name.
    pub async fn all(&self) -> Result<Vec<Skill>, DbErr> {
        ranked(self.store.reader()).await
    }

    /// The same, with what each is used by.
    pub async fn listed(&self) -> Result<Vec<ListedSkill>, DbErr> {
        let reader = self.store.reader();
        let skills = ranked(reader).await?;
        let technicians = counts_by_skill(reader).await?;
        let rules = rules::counts_by_skill(reader).await?;
        let listed = |skill: Skill| {
            let count = |counts: &HashMap<i64, u64>| {
                let count = counts.get(&skill.id_skill).copied();
                count.unwrap_or_default()
            };
            let used_by = SkillUse {
                technicians: count(&technicians),
                rules: count(&rules),
            };
            ListedSkill { skill, used_by }
        };
        Ok(skills.into_iter().map(listed).collect())
    }

    /// `result` makes what is answered, and kept. 409 `skill-exists`.
    pub(super) async fn add<T: Serialize>(
        &self,
        SkillDraft { name, level, kind }: SkillDraft,
        keeper: &AnswerKeeper,
        result: impl FnOnce(Skill) -> T,
    ) -> Result<T, ApiError> {
        let transaction = self.begin().await?;
        let others = Entity::find().all(&transaction).await?;
        require_new_name(&name, &others)?;
        let highest = others.iter().map(|row| row.id).max().unwrap_or(0);
        let row = Model {
            id: highest.max(0) + 1,
            name: name.as_str().to_owned(),
            level: level.get(),
            kind: kind.into_text(),
        };
        Entity::insert(row.clone().into_active_model())
            .exec_without_returning(&transaction)
            .await?;
        let result = result(Skill::from(row));
        keeper.keep(&transaction, &result).await?;
        self.changes.commit(transaction).await?;
        Ok(result)
    }

    /// Changes what is given; 404 `unknown-skill`, 409 `skill-exists`.
    pub async fn change(
        &self,
        id: i64,
        name: Option<&SkillName>,
        level: Option<SkillLevel>,
        kind: Option<SkillKind>,
    ) -> Result<Skill, ApiError> {
        let transaction = self.begin().await?;
        let mut others = Entity::find().all(&transaction).await?;
        let place = others.iter().position(|row| row.id == id);
        let mut row = others.swap_remove(place.ok_or_else(|| unknown(id))?);
        if let Some(name) = name {
            require_new_name(name, &others)?;
            row.name = name.as_str().to_owned();
        }
        if let Some(level) = level {
            row.level = level.get();
        }
        if let Some(kind) = kind {
            row.kind = kind.into_text();
        }
        Entity::update(row.clone().into_active_model().reset_all())
            .exec(&transaction)
            .await?;
        self.changes.commit(transaction).await?;
        Ok(row.into())
    }

    /// Technicians who had it have it no more, and rules that asked for it are gone. 404
    /// `unknown-skill`; 409 `skill-in-use` where there are any, unless that is known.
    pub async fn delete(&self, id: i64, even_if_used: bool) -> Result<(), ApiError> {
        let transaction = self.begin().await?;
        transaction.lock_table(rules::TABLE).await?;
        // A transaction that gives the skill to a technician holds its row; the technician counts
        // once it has committed.
        let row = Entity::find_by_id(id)
            .lock_exclusive()
            .one(&transaction)
            .await?
            .ok_or_else(|| unknown(id))?;
        let used_by = SkillUse {
            technicians: count_having(&transaction, id).await?,
            rules: rules::count_for_skill(&transaction, id).await?,
        };
        if !even_if_used && used_by != SkillUse::default() {
            return Err(in_use(&row.name, &used_by));
        }
        Entity::delete_by_id(id).exec(&transaction).await?;
        self.changes.commit(transaction).await?;
        Ok(())
    }

    /// One change of the list at a time, in whichever process: whether a name is taken in another
    /// case is seen by reading the others, since no index of either database folds every script.
    async fn begin(&self) -> Result<WriteTransaction, DbErr> {
        self.store.begin_exclusive("skills").await
    }
}

fn require_new_name(name: &SkillName, others: &[Model]) -> Result<(), ApiError> {
    match others.iter().find(|row| name.is_called(&row.name)) {
        Some(row) => Err(ApiError::new(
            ErrorCode::SkillExists,
            format!("There is already a skill called {}", row.name),
        )),
        None => Ok(()),
    }
}

fn in_use(name: &str, used_by: &SkillUse) -> ApiError {
    let technicians = match used_by.technicians {
        0 => None,
        1 => Some("1 technician has it".to_owned()),
        many => Some(format!("{many} technicians have it")),
    };
    let rules = match used_by.rules {
        0 => None,
        1 => Some("1 opcode rule asks for it".to_owned()),
        many => Some(format!("{many} opcode rules ask for it")),
    };
    let uses: Vec<String> = technicians.into_iter().chain(rules).collect();
    ApiError::new(
        ErrorCode::SkillInUse,
        format!("{name} is in use: {}", uses.join(" and ")),
    )
}

pub(super) fn unknown(id: i64) -> ApiError {
    ApiError::new(ErrorCode::UnknownSkill, format!("Skill {id} is not known"))
}

/// Every skill, the highest level first, then by name.
pub(crate) async fn ranked(connection: &impl ConnectionTrait) -> Result<Vec<Skill>, DbErr> {
    let rows = Entity::find().all(connection).await?;
    let mut skills: Vec<Skill> = rows.into_iter().map(Skill::from).collect();
    skills.sort_by_cached_key(|skill| {
        (
            -skill.skill_level,
            skill.skill_name.to_lowercase(),
            skill.id_skill,
        )
    });
    Ok(skills)
}

/// Adds a skill unless its id or its name is there.
pub(crate) async fn insert_missing(
    transaction: &WriteTransaction,
    skill: Skill,
) -> Result<(), DbErr> {
    let row = Model {
        id: skill.id_skill,
        name: skill.skill_name,
        level: skill.skill_level,
        kind: skill.skill_kind,
    };
    Entity::insert(row.into_active_model())
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(transaction)
        .await?;
    Ok(())
}

/// The skill, which nobody deletes before the transaction ends.
pub(crate) async fn find_locked(
    transaction: &WriteTransaction,
    id: i64,
) -> Result<Skill, ApiError> {
    let row = Entity::find_by_id(id)
        .lock_shared()
        .one(transaction)
        .await?;
    row.map(Skill::from).ok_or_else(|| unknown(id))
}

impl From<Model> for Skill {
    fn from(row: Model) -> Self {
        Self {
            id_skill: row.id,
            skill_name: row.name,
            skill_level: row.level,
            skill_kind: row.kind,
        }
    }
}

//! The tables of technicians and their skills, and the only SQL about them.

use std::collections::HashMap;

use dispatch_actors::repair_order::TechnicianId;
use dispatch_actors::store::{Store, WriteTransaction};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel,
    QueryFilter, QuerySelect,
};

use super::rows::{level, technician, technician_skill};
use super::{DailyMinutes, Technician, TechnicianSkill};
use crate::change_request::AnswerKeeper;
use crate::change_signal::ChangeSignal;
use crate::error::{ApiError, ErrorCode};
use crate::ids::LevelId;
use crate::skills;
use crate::technician_names::TechnicianNames;
use crate::text::name_order;

#[derive(Clone)]
pub struct Technicians {
    pub(super) store: Store,
    pub(super) changes: ChangeSignal,
}

/// The changes of a technician; a field that is none stays unchanged.
#[derive(Default)]
pub(super) struct TechnicianPatch {
    pub display_name: Option<String>,
    pub specialty: Option<String>,
    pub daily: Option<DailyMinutes>,
    pub level: Option<Option<LevelId>>,
}

impl Technicians {
    pub fn new(store: Store) -> Self {
        Self {
            changes: ChangeSignal::shared(store.others(), "technicians"),
            store,
        }
    }

    /// Where to say that something about technicians changed.
    pub(crate) fn changes(&self) -> &ChangeSignal {
        &self.changes
    }

    /// By name.
    pub async fn all(&self, names: &TechnicianNames) -> Result<Vec<Technician>, DbErr> {
        let reader = self.store.reader();
        let rows = technician::Entity::find().all(reader).await?;
        let name = |row: &technician::Model| names.of(row.id, Some(&row.display_name));
        let mut technicians = with_levels(reader, rows, name).await?;
        technicians.sort_by_cached_key(|technician| {
            (
                name_order(&technician.display_name),
                technician.id_technician,
            )
        });
        Ok(technicians)
    }

    /// `portal_name`: what they are called whatever the list says. 409 `technician-exists`, 404
    /// `unknown-level`.
    pub(super) async fn add(
        &self,
        id: TechnicianId,
        patch: TechnicianPatch,
        portal_name: Option<String>,
        keeper: &AnswerKeeper,
    ) -> Result<Technician, ApiError> {
        let transaction = self.store.begin_write().await?;
        let row = patch.applied(technician::Model {
            id,
            display_name: String::new(),
            specialty: String::new(),
            level_id: None,
            daily_minutes: DailyMinutes::DEFAULT.get(),
        });
        lock_level(&transaction, row.level_id).await?;
        let inserted = technician::Entity::insert(row.clone().into_active_model())
            .on_conflict(OnConflict::new().do_nothing().to_owned())
            .exec_without_returning(&transaction)
            .await?;
        if inserted == 0 {
            return Err(ApiError::new(
                ErrorCode::TechnicianExists,
                format!("There is already a technician {id}"),
            ));
        }
        self.written(transaction, row, portal_name, keeper).await
    }

    /// 404 `unknown-technician`, `unknown-level`.
    pub(super) async fn change(
        &self,
        id: TechnicianId,
        patch: TechnicianPatch,
        portal_name: Option<String>,
        keeper: &AnswerKeeper,
    ) -> Result<Technician, ApiError> {
        let transaction = self.store.begin_write().await?;
        let row = patch.applied(find_locked(&transaction, id).await?);
        lock_level(&transaction, row.level_id).await?;
        technician::Entity::update(row.clone().into_active_model().reset_all())
            .exec(&transaction)
            .await?;
        self.written(transaction, row, portal_name, keeper).await
    }

    pub(super) async fn written(
        &self,
        transaction: WriteTransaction,
        row: technician::Model,
        portal_name: Option<String>,
        keeper: &AnswerKeeper,
    ) -> Result<Technician, ApiError> {
        let technician = one(&transaction, row, portal_name).await?;
        keeper.keep(&transaction, &technician).await?;
        self.changes.commit(transaction).await?;
        Ok(technician)
    }

    /// 404 `unknown-technician`.
    pub(super) async fn remove(&self, id: TechnicianId) -> Result<(), ApiError> {
        let deleted = technician::Entity::delete_by_id(id)
            .exec(self.store.writer())
            .await?;
        if deleted.rows_affected == 0 {
            return Err(unknown(id));
        }
        self.changes.announce();
        Ok(())
    }
}

impl TechnicianPatch {
    fn applied(self, row: technician::Model) -> technician::Model {
        technician::Model {
            id: row.id,
            display_name: self.display_name.unwrap_or(row.display_name),
            specialty: self.specialty.unwrap_or(row.specialty),
            level_id: self
                .level
                .map_or(row.level_id, |level| level.map(|LevelId(id)| id)),
            daily_minutes: self.daily.map_or(row.daily_minutes, DailyMinutes::get),
        }
    }
}

/// The row, locked where a database lets several write at once: two who give the same technician
/// a skill must not leave them with both.
pub(super) async fn find_locked(
    transaction: &WriteTransaction,
    id: TechnicianId,
) -> Result<technician::Model, ApiError> {
    technician::Entity::find_by_id(id)
        .lock_exclusive()
        .one(transaction)
        .await?
        .ok_or_else(|| unknown(id))
}

/// Nobody deletes the level before the transaction ends. 404 `unknown-level`.
async fn lock_level(transaction: &WriteTransaction, id: Option<i64>) -> Result<(), ApiError> {
    let Some(id) = id else { return Ok(()) };
    let level_row = level::Entity::find_by_id(id).lock_shared();
    match level_row.one(transaction).await? {
        Some(_) => Ok(()),
        None => Err(super::organisation::unknown(id)),
    }
}

async fn one(
    connection: &impl ConnectionTrait,
    row: technician::Model,
    portal_name: Option<String>,
) -> Result<Technician, ApiError> {
    let id = row.id;
    let name = |row: &technician::Model| match &portal_name {
        Some(name) => name.clone(),
        None => row.display_name.clone(),
    };
    let mut one = with_levels(connection, vec![row], name).await?;
    one.pop().ok_or_else(|| unknown(id))
}

/// The rows with their levels and skills.
async fn with_levels(
    connection: &impl ConnectionTrait,
    rows: Vec<technician::Model>,
    name: impl Fn(&technician::Model) -> String,
) -> Result<Vec<Technician>, DbErr> {
    let levels = level::Entity::find().all(connection).await?;
    let levels: HashMap<i64, String> = levels.into_iter().map(|row| (row.id, row.name)).collect();
    let skills = skills::ranked(connection).await?;
    let rank: HashMap<i64, usize> = skills
        .iter()
        .enumerate()
        .map(|(rank, skill)| (skill.id_skill, rank))
        .collect();
    let links = technician_skill::Entity::find();
    let links = match rows.as_slice() {
        [only] => links.filter(technician_skill::Column::Technician.eq(only.id)),
        _ => links,
    };
    let mut having: HashMap<TechnicianId, Vec<(i32, usize)>> = HashMap::new();
    for link in links.all(connection).await? {
        if let Some(&rank) = rank.get(&link.skill) {
            let level = link.level.unwrap_or(skills[rank].skill_level);
            let theirs = having.entry(link.technician).or_default();
            theirs.push((-level, rank));
        }
    }
    let technician = |row: technician::Model| {
        let mut theirs = having.remove(&row.id).unwrap_or_default();
        theirs.sort_unstable();
        let skills: Vec<_> = theirs
            .into_iter()
            .map(|(level, rank)| TechnicianSkill {
                id_skill: skills[rank].id_skill,
                skill_name: skills[rank].skill_name.clone(),
                level: -level,
            })
            .collect();
        Technician {
            id_technician: row.id,
            display_name: name(&row),
            max_skill_name: skills.first().map(|skill| skill.skill_name.clone()),
            level_name: row.level_id.and_then(|id| levels.get(&id).cloned()),
            id_level: row.level_id,
            daily: DailyMinutes::stored(row.daily_minutes),
            specialty: row.specialty,
            skills,
        }
    };
    Ok(rows.into_iter().map(technician).collect())
}

pub(super) fn unknown(technician: TechnicianId) -> ApiError {
    ApiError::new(
        ErrorCode::UnknownTechnician,
        format!("Technician {technician} is not known"),
    )
}

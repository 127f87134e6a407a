//! The levels of the workshop, from the one at the top to the one at the bottom, and the only SQL
//! that changes them. The technician's row has the level.

use dispatch_actors::store::{Store, WriteTransaction};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel,
    PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::rows::level::{Column, Entity, Model};
use super::rows::technician;
use crate::change_request::AnswerKeeper;
use crate::change_signal::ChangeSignal;
use crate::error::{ApiError, ErrorCode};
use crate::ids::{LevelId, LevelPosition};
use crate::text;

#[derive(Clone)]
pub struct Organisation {
    store: Store,
    changes: ChangeSignal,
}

/// A level of the organisation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Level {
    pub id_level: i64,
    pub name: String,
    /// From the top, 1 the first.
    pub position: i32,
}

impl Organisation {
    pub(crate) fn new(store: Store, changes: ChangeSignal) -> Self {
        Self { store, changes }
    }

    /// From the top.
    pub async fn levels(&self) -> Result<Vec<Level>, DbErr> {
        let rows = in_order(self.store.reader()).await?;
        Ok(rows.into_iter().map(Level::from).collect())
    }

    /// `position`: where it is put, at the bottom where there is none or no such place. 409
    /// `level-exists`.
    pub(super) async fn add(
        &self,
        name: &str,
        position: Option<LevelPosition>,
        keeper: &AnswerKeeper,
    ) -> Result<Level, ApiError> {
        let transaction = self.begin().await?;
        let others = in_order(&transaction).await?;
        refuse_twice(name, &others)?;
        let highest = others.iter().map(|row| row.id).max().unwrap_or(0);
        let row = Model {
            id: highest.max(0) + 1,
            name: name.to_owned(),
            position: i32::MAX,
        };
        Entity::insert(row.clone().into_active_model())
            .exec_without_returning(&transaction)
            .await?;
        let position = position.map_or(i32::MAX, |LevelPosition(position)| position);
        let row = put(&transaction, others, row, position).await?;
        self.written(transaction, row, keeper).await
    }

    /// Changes what is given. 404 `unknown-level`, 409 `level-exists`.
    pub(super) async fn change(
        &self,
        LevelId(id): LevelId,
        name: Option<&str>,
        position: Option<LevelPosition>,
        keeper: &AnswerKeeper,
    ) -> Result<Level, ApiError> {
        let transaction = self.begin().await?;
        let mut others = in_order(&transaction).await?;
        let place = others.iter().position(|row| row.id == id);
        let mut row = others.remove(place.ok_or_else(|| unknown(id))?);
        if let Some(name) = name {
            refuse_twice(name, &others)?;
            row.name = name.to_owned();
            Entity::update(row.clone().into_active_model().reset_all())
                .exec(&transaction)
                .await?;
        }
        let position = position.map_or(row.position, |LevelPosition(position)| position);
        let row = put(&transaction, others, row, position).await?;
        self.written(transaction, row, keeper).await
    }

    /// 404 `unknown-level`, 409 `level-in-use`.
    pub(super) async fn delete(&self, LevelId(id): LevelId) -> Result<(), ApiError> {
        let transaction = self.begin().await?;
        // A transaction that places a technician there holds its row; the technician counts once it
        // has committed.
        let row = Entity::find_by_id(id)
            .lock_exclusive()
            .one(&transaction)
            .await?
            .ok_or_else(|| unknown(id))?;
        let sitting = technician::Entity::find()
            .filter(technician::Column::LevelId.eq(id))
            .count(&transaction)
            .await?;
        if sitting > 0 {
            return Err(in_use(&row.name, sitting));
        }
        Entity::delete_by_id(id).exec(&transaction).await?;
        renumber(&transaction, &in_order(&transaction).await?).await?;
        self.changes.commit(transaction).await?;
        Ok(())
    }

    async fn written(
        &self,
        transaction: WriteTransaction,
        row: Model,
        keeper: &AnswerKeeper,
    ) -> Result<Level, ApiError> {
        let level = Level::from(row);
        keeper.keep(&transaction, &level).await?;
        self.changes.commit(transaction).await?;
        Ok(level)
    }

    /// One change of the levels at a time, in whichever process: a place is one among the others.
    async fn begin(&self) -> Result<WriteTransaction, DbErr> {
        self.store.begin_exclusive("organisation_levels").await
    }
}

/// Puts a level among the others, and renumbers all.
async fn put(
    transaction: &WriteTransaction,
    mut others: Vec<Model>,
    row: Model,
    position: i32,
) -> Result<Model, DbErr> {
    let place = usize::try_from(position).unwrap_or(1).max(1) - 1;
    let place = place.min(others.len());
    others.insert(place, row.clone());
    renumber(transaction, &others).await?;
    Ok(Model {
        position: (1..).nth(place).unwrap_or(i32::MAX),
        ..row
    })
}

async fn renumber(transaction: &WriteTransaction, rows: &[Model]) -> Result<(), DbErr> {
    for (position, row) in (1..).zip(rows) {
        if row.position != position {
            let row = Model {
                position,
                ..row.clone()
            };
            Entity::update(row.into_active_model().reset_all())
                .exec(transaction)
                .await?;
        }
    }
    Ok(())
}

async fn in_order(connection: &impl ConnectionTrait) -> Result<Vec<Model>, DbErr> {
    let rows = Entity::find()
        .order_by_asc(Column::Position)
        .order_by_asc(Column::Id);
    rows.all(connection).await
}

fn refuse_twice(name: &str, others: &[Model]) -> Result<(), ApiError> {
    let same = |row: &&Model| text::folded(&row.name) == text::folded(name);
    match others.iter().find(same) {
        Some(row) => Err(ApiError::new(
            ErrorCode::LevelExists,
            format!("There is already a level called {}", row.name),
        )),
        None => Ok(()),
    }
}

pub(super) fn unknown(id: i64) -> ApiError {
    ApiError::new(ErrorCode::UnknownLevel, format!("Level {id} is not known"))
}

fn in_use(name: &str, sitting: u64) -> ApiError {
    let names = match sitting {
        1 => "1 technician sits".to_owned(),
        many => format!("{many} technicians sit"),
    };
    ApiError::new(
        ErrorCode::LevelInUse,
        format!("{names} in the level {name}: move them first"),
    )
}

impl From<Model> for Level {
    fn from(row: Model) -> Self {
        Self {
            id_level: row.id,
            name: row.name,
            position: row.position,
        }
    }
}

//! The table of stages and the setting that turns them on, and the only SQL that changes them. What is committed is
//! what the rules of repair orders go by from then on.

use std::sync::{Arc, Mutex, PoisonError};

use dispatch_actors::repair_order::{StageKind, StageRules};
use dispatch_actors::store::{Store, WriteTransaction};
use sea_orm::{ActiveModelTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, QueryOrder};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::api_types::{ShopStages, ShopStagesFields, StageDraft, StagePatch};
use super::known_stages::KnownStages;
use super::stage::{Stage, StageColour, StageNames};
use crate::change_request::AnswerKeeper;
use crate::change_signal::ChangeSignal;
use crate::error::{ApiError, ErrorCode};
use crate::moments::now_ms;
use crate::settings;
use row::{Column, Entity, Model};

/// `on` where the shop uses stages.
const SETTING: &str = "stages";

/// `on` where files of the dealer system say where orders stand.
const FILES_SETTING: &str = "stages-from-files";

/// What other servers hear.
const TOPIC: &str = "stages";

/// Stages that orders can be moved to.
const MAX_STAGES: usize = 40;

mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "stages")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub id: String,
        #[sea_orm(column_type = "Text")]
        pub name_en: String,
        #[sea_orm(column_type = "Text")]
        pub name_es: String,
        #[sea_orm(column_type = "Text")]
        pub name_de: String,
        #[sea_orm(column_type = "Text")]
        pub kind: String,
        #[sea_orm(column_type = "Text")]
        pub colour: String,
        pub position: i32,
        pub too_long_minutes: Option<i32>,
        pub deleted_at: Option<i64>,
        pub max_cars: Option<i32>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

#[derive(Clone)]
pub struct Stages {
    store: Store,
    changes: ChangeSignal,
    known: KnownStages,
    /// As sessions have them.
    announced: Arc<Mutex<ShopStages>>,
}

async fn shop_stages(store: &Store) -> Result<ShopStages, DbErr> {
    let enabled = settings::peek(store, SETTING).await?;
    let from_files = settings::peek(store, FILES_SETTING).await?;
    let rows = in_order(store.reader()).await?;
    Ok(ShopStages {
        enabled: is_on(enabled),
        file_owns_stage: is_on(from_files),
        stages: rows.into_iter().map(Stage::from).collect(),
    })
}

fn is_on(setting: Option<String>) -> bool {
    setting.as_deref() == Some("on")
}

impl Stages {
    /// With what repair orders go by.
    pub async fn open(store: Store) -> Result<Self, DbErr> {
        let changes = ChangeSignal::shared(store.others(), TOPIC);
        let shop = shop_stages(&store).await?;
        let stages = Self {
            store,
            changes,
            known: KnownStages::default(),
            announced: Arc::new(Mutex::new(shop.clone())),
        };
        stages.set_rules(&shop);
        Ok(stages)
    }

    pub fn known(&self) -> &KnownStages {
        &self.known
    }

    pub fn changes(&self) -> &ChangeSignal {
        &self.changes
    }

    /// To be called after this server, or another one on the same database, has changed them.
    pub(super) async fn reload(&self) -> Result<ShopStages, DbErr> {
        let shop = self.shop().await?;
        self.set_rules(&shop);
        Ok(shop)
    }

    fn set_rules(&self, shop: &ShopStages) {
        self.known.set(shop);
        self.store.stage_rules().set(StageRules {
            is_on: shop.enabled,
            stages: shop.stages.iter().map(Stage::rule).collect(),
        });
    }

    /// Whether sessions have them otherwise. Also asked when nothing changed: after an outage.
    pub(super) fn differ_from_announced(&self, shop: &ShopStages) -> bool {
        *self
            .announced
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            != *shop
    }

    pub(super) fn set_announced(&self, shop: ShopStages) {
        *self
            .announced
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = shop;
    }

    /// In the shop's order; deleted ones stay at their places.
    pub(super) async fn shop(&self) -> Result<ShopStages, DbErr> {
        shop_stages(&self.store).await
    }

    /// Turns stages on or off, says whose they are, and puts them in another order. 404 `unknown-stage`.
    pub(super) async fn configure(
        &self,
        fields: ShopStagesFields,
        keeper: &AnswerKeeper,
    ) -> Result<ShopStages, ApiError> {
        let transaction = self.begin().await?;
        let mut rows = in_order(&transaction).await?;
        if let Some(order) = fields.order {
            rows = reordered(rows, &order)?;
            renumber(&transaction, &mut rows).await?;
        }
        for (setting, value) in [
            (SETTING, fields.enabled),
            (FILES_SETTING, fields.file_owns_stage),
        ] {
            if let Some(value) = value {
                let value = if value { "on" } else { "off" };
                settings::put(&transaction, setting, value).await?;
            }
        }
        let shop = ShopStages {
            enabled: is_on(settings::hold(&transaction, SETTING).await?),
            file_owns_stage: is_on(settings::hold(&transaction, FILES_SETTING).await?),
            stages: rows.into_iter().map(Stage::from).collect(),
        };
        self.commit(transaction, shop, keeper).await
    }

    /// At the end of the list. 409 `too-many-stages`.
    pub(super) async fn add(
        &self,
        draft: StageDraft,
        keeper: &AnswerKeeper,
    ) -> Result<Stage, ApiError> {
        let transaction = self.begin().await?;
        let rows = in_order(&transaction).await?;
        require_room(&rows)?;
        let numbers = rows.iter().filter_map(|row| own_number(&row.id));
        let number = numbers.max().unwrap_or(0) + 1;
        let row = Model {
            id: format!("stage-{number}"),
            name_en: draft.name.en,
            name_es: draft.name.es,
            name_de: draft.name.de,
            kind: word(draft.kind),
            colour: word(draft.colour),
            position: rows.iter().map(|row| row.position).max().unwrap_or(0) + 1,
            too_long_minutes: draft.too_long_minutes,
            deleted_at: None,
            max_cars: draft.limit,
        };
        Entity::insert(row.clone().into_active_model())
            .exec_without_returning(&transaction)
            .await?;
        self.commit(transaction, Stage::from(row), keeper).await
    }

    /// Changes what is given. 404 `unknown-stage`, 409 `too-many-stages`.
    pub(super) async fn change(
        &self,
        id: &str,
        patch: StagePatch,
        keeper: &AnswerKeeper,
    ) -> Result<Stage, ApiError> {
        let transaction = self.begin().await?;
        let rows = in_order(&transaction).await?;
        let mut row = find(&rows, id)?.clone();
        if let Some(name) = patch.name {
            (row.name_en, row.name_es, row.name_de) = (name.en, name.es, name.de);
        }
        if let Some(kind) = patch.kind {
            row.kind = word(kind);
        }
        if let Some(colour) = patch.colour {
            row.colour = word(colour);
        }
        if let Some(too_long) = patch.too_long_minutes {
            row.too_long_minutes = too_long;
        }
        if let Some(limit) = patch.limit {
            row.max_cars = limit;
        }
        match patch.deleted {
            Some(true) => row.deleted_at = row.deleted_at.or_else(|| Some(now_ms())),
            Some(false) if row.deleted_at.is_some() => {
                require_room(&rows)?;
                row.deleted_at = None;
            }
            _ => {}
        }
        Entity::update(row.clone().into_active_model().reset_all())
            .exec(&transaction)
            .await?;
        self.commit(transaction, Stage::from(row), keeper).await
    }

    /// Orders that are in it stay there until something moves them. 404 `unknown-stage`.
    pub(super) async fn delete(&self, id: &str) -> Result<(), ApiError> {
        let transaction = self.begin().await?;
        let rows = in_order(&transaction).await?;
        let mut row = find(&rows, id)?.clone();
        row.deleted_at = row.deleted_at.or_else(|| Some(now_ms()));
        Entity::update(row.into_active_model().reset_all())
            .exec(&transaction)
            .await?;
        self.changes.commit(transaction).await?;
        self.reload().await?;
        Ok(())
    }

    /// One change of the list at a time, in whichever process.
    async fn begin(&self) -> Result<WriteTransaction, DbErr> {
        self.store.begin_exclusive(TOPIC).await
    }

    /// Repair orders go by it before it is answered.
    async fn commit<T: Serialize>(
        &self,
        transaction: WriteTransaction,
        answer: T,
        keeper: &AnswerKeeper,
    ) -> Result<T, ApiError> {
        keeper.keep(&transaction, &answer).await?;
        self.changes.commit(transaction).await?;
        self.reload().await?;
        Ok(answer)
    }
}

async fn in_order(connection: &impl ConnectionTrait) -> Result<Vec<Model>, DbErr> {
    let rows = Entity::find()
        .order_by_asc(Column::Position)
        .order_by_asc(Column::Id);
    rows.all(connection).await
}

fn find<'a>(rows: &'a [Model], id: &str) -> Result<&'a Model, ApiError> {
    let mut rows = rows.iter();
    rows.find(|row| row.id == id).ok_or_else(|| {
        let id = dispatch_actors::text::quotable(id);
        ApiError::new(ErrorCode::UnknownStage, format!("There is no stage '{id}'"))
    })
}

fn require_room(rows: &[Model]) -> Result<(), ApiError> {
    let count = rows.iter().filter(|row| row.deleted_at.is_none()).count();
    if count < MAX_STAGES {
        return Ok(());
    }
    Err(ApiError::new(
        ErrorCode::TooManyStages,
        format!("A shop has at most {MAX_STAGES} stages; delete one first"),
    ))
}

/// Of a stage that the shop added.
fn own_number(id: &str) -> Option<i64> {
    id.strip_prefix("stage-")?.parse().ok()
}

/// Those that `order` names come first; the others follow as they stood. 404 `unknown-stage`.
fn reordered(mut rows: Vec<Model>, order: &[String]) -> Result<Vec<Model>, ApiError> {
    for id in order {
        find(&rows, id)?;
    }
    // Stable.
    rows.sort_by_key(|row| {
        let named = order.iter().position(|id| *id == row.id);
        named.unwrap_or(order.len())
    });
    Ok(rows)
}

async fn renumber(transaction: &WriteTransaction, rows: &mut [Model]) -> Result<(), DbErr> {
    for (position, row) in (1..).zip(rows) {
        if row.position != position {
            row.position = position;
            Entity::update(row.clone().into_active_model().reset_all())
                .exec(transaction)
                .await?;
        }
    }
    Ok(())
}

/// As it is written on the wire.
fn word<T: Serialize>(value: T) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}

fn read<T: DeserializeOwned>(word: &str) -> Option<T> {
    serde_json::from_value(Value::from(word)).ok()
}

impl From<Model> for Stage {
    /// A word of a newer version counts as the plainest one.
    fn from(row: Model) -> Self {
        Self {
            kind: read(&row.kind).unwrap_or(StageKind::Active),
            colour: read(&row.colour).unwrap_or(StageColour::Grey),
            id: row.id,
            name: StageNames {
                en: row.name_en,
                es: row.name_es,
                de: row.name_de,
            },
            too_long_minutes: row.too_long_minutes,
            limit: row.max_cars,
            deleted: row.deleted_at.is_some(),
        }
    }
}

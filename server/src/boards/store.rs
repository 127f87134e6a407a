//! The tables of boards, and the only SQL about them.

use dispatch_actors::store::{Store, WriteTransaction};
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel,
    PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
};

use super::api_types::{BoardSettings, Screen};
use super::layout::Layout;
use super::tokens;
use crate::settings;

/// Counts the changes of all boards, so that another process sees that there was one.
const GENERATION: &str = "boards-generation";

pub mod board {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "boards")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub id: String,
        #[sea_orm(column_type = "Text")]
        pub name: String,
        #[sea_orm(column_type = "Text")]
        pub layout: String,
        #[sea_orm(column_type = "Text")]
        pub settings: String,
        pub epoch: i64,
        pub created_at: i64,
        #[sea_orm(column_type = "Text", nullable)]
        pub token_hash: Option<String>,
        pub token_used_at: Option<i64>,
        pub paired_at: Option<i64>,
        #[sea_orm(column_type = "Text", nullable)]
        pub paired_by_uid: Option<String>,
        #[sea_orm(column_type = "Text", nullable)]
        pub paired_by_name: Option<String>,
        pub revoked_at: Option<i64>,
        pub last_seen_at: Option<i64>,
        #[sea_orm(column_type = "Text", nullable)]
        pub version: Option<String>,
        pub screen_width: Option<i32>,
        pub screen_height: Option<i32>,
        #[sea_orm(column_type = "Text", nullable)]
        pub linked_by_uid: Option<String>,
        #[sea_orm(column_type = "Text", nullable)]
        pub linked_by_name: Option<String>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub mod pairing {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "board_pairings")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub id_hash: String,
        #[sea_orm(column_type = "Text")]
        pub code: String,
        #[sea_orm(column_type = "Text")]
        pub token_hash: String,
        #[sea_orm(column_type = "Text")]
        pub version: String,
        pub screen_width: i32,
        pub screen_height: i32,
        pub expires_at: i64,
        #[sea_orm(column_type = "Text", nullable)]
        pub board: Option<String>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

mod ended {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "ended_board_tokens")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub hash: String,
        pub ended_at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

impl board::Model {
    /// A board nobody has paired yet.
    pub fn new(
        id: String,
        name: String,
        layout: Layout,
        settings: &BoardSettings,
        now: i64,
    ) -> Self {
        let mut board = Self {
            id,
            name,
            layout: String::new(),
            settings: String::new(),
            epoch: 1,
            created_at: now,
            token_hash: None,
            token_used_at: None,
            paired_at: None,
            paired_by_uid: None,
            paired_by_name: None,
            revoked_at: None,
            last_seen_at: None,
            version: None,
            screen_width: None,
            screen_height: None,
            linked_by_uid: None,
            linked_by_name: None,
        };
        board.show(layout, settings);
        board
    }

    pub fn layout(&self) -> Layout {
        // What is not known any more shows what tells least.
        Layout::of_name(&self.layout).unwrap_or(Layout::Lounge)
    }

    pub fn settings(&self) -> BoardSettings {
        let kept = serde_json::from_str(&self.settings);
        kept.unwrap_or_else(|_| self.layout().defaults())
    }

    pub fn show(&mut self, layout: Layout, settings: &BoardSettings) {
        self.layout = layout.name().to_owned();
        self.settings = serde_json::to_string(settings).unwrap_or_default();
    }

    /// What tells this name, layout and settings from others: a change says which it was made on.
    pub fn revision(&self) -> String {
        let Self {
            name,
            layout,
            settings,
            ..
        } = self;
        tokens::hash(&format!("{name}\n{layout}\n{settings}"))
    }

    pub fn screen(&self) -> Option<Screen> {
        let (width, height) = self.screen_width.zip(self.screen_height)?;
        Some(Screen { width, height })
    }
}

/// A transaction that changes boards: one at a time, in whichever process, and each is seen by all.
pub async fn begin(store: &Store) -> Result<WriteTransaction, DbErr> {
    let transaction = store.begin_write().await?;
    let held = settings::hold(&transaction, GENERATION).await?;
    let before: u64 = held.and_then(|text| text.parse().ok()).unwrap_or(0);
    let next = before.wrapping_add(1).to_string();
    settings::set(&transaction, GENERATION, &next).await?;
    Ok(transaction)
}

/// Makes what [`begin`] needs.
pub async fn prepare(store: &Store) -> Result<(), DbErr> {
    settings::get_or_set(store, GENERATION, "0".to_owned()).await?;
    Ok(())
}

pub async fn generation(store: &Store) -> Result<Option<String>, DbErr> {
    settings::peek(store, GENERATION).await
}

pub async fn all(connection: &impl ConnectionTrait) -> Result<Vec<board::Model>, DbErr> {
    board::Entity::find().all(connection).await
}

pub async fn count(connection: &impl ConnectionTrait) -> Result<u64, DbErr> {
    board::Entity::find().count(connection).await
}

pub async fn one(
    connection: &impl ConnectionTrait,
    id: &str,
) -> Result<Option<board::Model>, DbErr> {
    board::Entity::find_by_id(id).one(connection).await
}

/// Nobody else changes it until the transaction ends.
pub async fn held(transaction: &WriteTransaction, id: &str) -> Result<Option<board::Model>, DbErr> {
    board::Entity::find_by_id(id)
        .lock_exclusive()
        .one(transaction)
        .await
}

pub async fn by_token(store: &Store, hash: &str) -> Result<Option<board::Model>, DbErr> {
    board::Entity::find()
        .filter(board::Column::TokenHash.eq(hash))
        .one(store.reader())
        .await
}

pub async fn insert(transaction: &WriteTransaction, board: board::Model) -> Result<(), DbErr> {
    board::Entity::insert(board.into_active_model())
        .exec_without_returning(transaction)
        .await?;
    Ok(())
}

pub async fn update(transaction: &WriteTransaction, board: board::Model) -> Result<(), DbErr> {
    board::Entity::update(board.into_active_model().reset_all())
        .exec(transaction)
        .await?;
    Ok(())
}

pub async fn delete(transaction: &WriteTransaction, id: &str) -> Result<(), DbErr> {
    board::Entity::delete_by_id(id).exec(transaction).await?;
    Ok(())
}

/// A token is good no longer.
pub async fn end(transaction: &WriteTransaction, hash: &str, now: i64) -> Result<(), DbErr> {
    let row = ended::Model {
        hash: hash.to_owned(),
        ended_at: now,
    };
    ended::Entity::insert(row.into_active_model())
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(transaction)
        .await?;
    Ok(())
}

pub async fn has_ended(connection: &impl ConnectionTrait, hash: &str) -> Result<bool, DbErr> {
    let found = ended::Entity::find_by_id(hash).one(connection).await?;
    Ok(found.is_some())
}

/// A board showed its token for the first time.
pub async fn used(store: &Store, hash: &str, now: i64) -> Result<(), DbErr> {
    board::Entity::update_many()
        .col_expr(board::Column::TokenUsedAt, Expr::value(now))
        .filter(board::Column::TokenHash.eq(hash))
        .filter(board::Column::TokenUsedAt.is_null())
        .exec(store.writer())
        .await?;
    Ok(())
}

/// When a board was seen last, and what it said of itself.
pub struct Seen {
    pub id: String,
    pub at: i64,
    pub version: Option<String>,
    pub screen: Option<Screen>,
}

pub async fn seen(store: &Store, mut all: Vec<Seen>) -> Result<(), DbErr> {
    // In one order: two processes wait for each other in none.
    all.sort_by(|a, b| a.id.cmp(&b.id));
    let transaction = store.begin_write().await?;
    for seen in all {
        let mut update = board::Entity::update_many()
            .col_expr(board::Column::LastSeenAt, Expr::value(seen.at))
            .filter(board::Column::Id.eq(seen.id));
        if let Some(version) = seen.version {
            update = update.col_expr(board::Column::Version, Expr::value(version));
        }
        if let Some(Screen { width, height }) = seen.screen {
            update = update
                .col_expr(board::Column::ScreenWidth, Expr::value(width))
                .col_expr(board::Column::ScreenHeight, Expr::value(height));
        }
        update.exec(&transaction).await?;
    }
    transaction.commit().await
}

/// False where the code is another screen's already.
pub async fn insert_pairing(store: &Store, row: pairing::Model) -> Result<bool, DbErr> {
    let inserted = pairing::Entity::insert(row.into_active_model())
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(store.writer())
        .await?;
    Ok(inserted > 0)
}

/// Screens that show a code.
pub async fn count_waiting(store: &Store) -> Result<u64, DbErr> {
    let waiting = pairing::Entity::find().filter(pairing::Column::Board.is_null());
    waiting.count(store.reader()).await
}

/// Unless it has become a board.
pub async fn withdraw_pairing(store: &Store, id_hash: &str) -> Result<(), DbErr> {
    pairing::Entity::delete_by_id(id_hash)
        .filter(pairing::Column::Board.is_null())
        .exec(store.writer())
        .await?;
    Ok(())
}

/// The id of the one that has waited longest.
pub async fn oldest_waiting(store: &Store) -> Result<Option<String>, DbErr> {
    let oldest = pairing::Entity::find()
        .filter(pairing::Column::Board.is_null())
        .order_by_asc(pairing::Column::ExpiresAt)
        .one(store.writer())
        .await?;
    Ok(oldest.map(|oldest| oldest.id_hash))
}

pub async fn pairing(store: &Store, id_hash: &str) -> Result<Option<pairing::Model>, DbErr> {
    pairing::Entity::find_by_id(id_hash)
        .one(store.reader())
        .await
}

/// A screen that shows this code and is no board yet.
pub async fn waiting(
    transaction: &WriteTransaction,
    code: &str,
    now: i64,
) -> Result<Option<pairing::Model>, DbErr> {
    pairing::Entity::find()
        .filter(pairing::Column::Code.eq(code))
        .filter(pairing::Column::ExpiresAt.gt(now))
        .filter(pairing::Column::Board.is_null())
        .order_by_asc(pairing::Column::IdHash)
        .one(transaction)
        .await
}

pub async fn claim(transaction: &WriteTransaction, row: pairing::Model) -> Result<(), DbErr> {
    pairing::Entity::update(row.into_active_model().reset_all())
        .exec(transaction)
        .await?;
    Ok(())
}

/// Forgets pairings that are too old.
pub async fn sweep(store: &Store, now: i64) -> Result<(), DbErr> {
    pairing::Entity::delete_many()
        .filter(pairing::Column::ExpiresAt.lte(now))
        .exec(store.writer())
        .await?;
    Ok(())
}

//! The tables of boards, their pairings, and tokens that have ended.

use super::api_types::{BoardSettings, Screen};
use super::display::layout::Layout;
use super::pairing::tokens;

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

pub(super) mod ended {
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
        // An unknown layout becomes the one that reveals least.
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

    /// Distinguishes this name, layout and settings from others: a change says which it was made on.
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

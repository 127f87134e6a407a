//! Boards on the shop's walls, the tokens with which they ask, and the codes they show until they
//! have one.

use sea_orm_migration::prelude::*;

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0011_boards"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [boards(), ended_board_tokens(), board_pairings()] {
            manager.create_table(table).await?;
        }
        Ok(())
    }
}

/// `epoch` is raised whenever a token is given or ends: links made before are void then. A board
/// without `token_hash` is not paired.
fn boards() -> TableCreateStatement {
    Table::create()
        .table("boards")
        .col(ColumnDef::new("id").text().not_null().primary_key())
        .col(ColumnDef::new("name").text().not_null())
        .col(ColumnDef::new("layout").text().not_null())
        .col(ColumnDef::new("settings").text().not_null())
        .col(ColumnDef::new("epoch").big_integer().not_null())
        .col(ColumnDef::new("created_at").big_integer().not_null())
        .col(ColumnDef::new("token_hash").text().unique_key())
        .col(ColumnDef::new("token_used_at").big_integer())
        .col(ColumnDef::new("paired_at").big_integer())
        .col(ColumnDef::new("paired_by_uid").text())
        .col(ColumnDef::new("paired_by_name").text())
        .col(ColumnDef::new("revoked_at").big_integer())
        .col(ColumnDef::new("last_seen_at").big_integer())
        .col(ColumnDef::new("version").text())
        .col(ColumnDef::new("screen_width").integer())
        .col(ColumnDef::new("screen_height").integer())
        .to_owned()
}

/// So that a board whose token has ended is told so, and is not taken for a stranger.
fn ended_board_tokens() -> TableCreateStatement {
    Table::create()
        .table("ended_board_tokens")
        .col(ColumnDef::new("hash").text().not_null().primary_key())
        .col(ColumnDef::new("ended_at").big_integer().not_null())
        .to_owned()
}

/// `board`: once somebody has typed the code.
fn board_pairings() -> TableCreateStatement {
    Table::create()
        .table("board_pairings")
        .col(ColumnDef::new("id_hash").text().not_null().primary_key())
        .col(ColumnDef::new("code").text().not_null().unique_key())
        .col(ColumnDef::new("token_hash").text().not_null())
        .col(ColumnDef::new("version").text().not_null())
        .col(ColumnDef::new("screen_width").integer().not_null())
        .col(ColumnDef::new("screen_height").integer().not_null())
        .col(ColumnDef::new("expires_at").big_integer().not_null())
        .col(ColumnDef::new("board").text())
        .to_owned()
}

//! Why sessions ended, for whoever still has a refresh token of one.

use sea_orm_migration::prelude::*;

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0021_ended_sessions"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::create()
            .table("ended_sessions")
            // The SHA-256 of a refresh token.
            .col(ColumnDef::new("hash").text().not_null().primary_key())
            .col(ColumnDef::new("cause").text().not_null())
            // Until when a browser would have kept the token.
            .col(ColumnDef::new("expires_at").big_integer().not_null())
            .to_owned();
        manager.create_table(table).await
    }
}

//! Which questions a story is asked about jobs of an operation code, where a shop says so.

use sea_orm_migration::prelude::*;

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0025_story_kinds"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::create()
            .table("story_kinds")
            .if_not_exists()
            .col(ColumnDef::new("pattern").text().not_null().primary_key())
            .col(ColumnDef::new("kind").text().not_null())
            .to_owned();
        manager.create_table(table).await
    }
}

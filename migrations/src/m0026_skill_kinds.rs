//! Skills of one kind, of which a higher one includes the lower ones; and an index for the clocks of a whole shop's day.

use sea_orm_migration::prelude::*;

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0026_skill_kinds"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let (skills, column) = ("skills", "kind");
        if !manager.has_column(skills, column).await? {
            let column = ColumnDef::new(column).text().take();
            let alteration = Table::alter().table(skills).add_column(column).to_owned();
            manager.alter_table(alteration).await?;
        }
        let index = Index::create()
            .name("clock_entries_of_shop_by_time")
            .table("clock_entries")
            .col("started_at")
            .if_not_exists()
            .to_owned();
        manager.create_index(index).await
    }
}

//! How many cars a stage is to have at most.

use sea_orm_migration::prelude::*;

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0029_stage_limits"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let (stages, column) = ("stages", "max_cars");
        if manager.has_column(stages, column).await? {
            return Ok(());
        }
        // Null: as many as there are.
        let column = ColumnDef::new(column).integer().take();
        let alteration = Table::alter().table(stages).add_column(column).to_owned();
        manager.alter_table(alteration).await
    }
}

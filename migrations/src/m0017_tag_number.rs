//! The number of an order's hat or key tag; empty where it has none.

use sea_orm_migration::prelude::*;

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0017_tag_number"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = ColumnDef::new("tag_number")
            .text()
            .not_null()
            .default("")
            .take();
        let alteration = Table::alter()
            .table("repair_orders")
            .add_column(column)
            .to_owned();
        manager.alter_table(alteration).await
    }
}

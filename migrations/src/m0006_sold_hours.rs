//! The hours for which an operation is sold, in hundredths; null where the dealer's system did not say.

use sea_orm_migration::prelude::*;

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0006_sold_hours"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = ColumnDef::new("sold_hundredths").integer().take();
        let alteration = Table::alter()
            .table("operations")
            .add_column(column)
            .to_owned();
        manager.alter_table(alteration).await
    }
}

//! Who made the newest link for a board: whoever opens it has no name.

use sea_orm_migration::prelude::*;

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0012_board_links"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // SQLite adds one column at a time.
        for name in ["linked_by_uid", "linked_by_name"] {
            let column = ColumnDef::new(name).text().take();
            let alteration = Table::alter().table("boards").add_column(column).to_owned();
            manager.alter_table(alteration).await?;
        }
        Ok(())
    }
}

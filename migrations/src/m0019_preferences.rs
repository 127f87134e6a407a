//! What people have set up for themselves.

use sea_orm_migration::prelude::*;

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0019_preferences"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::create()
            .table("preferences")
            .col(ColumnDef::new("uid").text().not_null().primary_key())
            // Raised with every change.
            .col(ColumnDef::new("version").big_integer().not_null())
            // A JSON object that the page alone understands.
            .col(ColumnDef::new("value").text().not_null())
            .foreign_key(
                ForeignKey::create()
                    .from("preferences", "uid")
                    .to("accounts", "uid")
                    .on_delete(ForeignKeyAction::Cascade),
            )
            .to_owned();
        manager.create_table(table).await
    }
}

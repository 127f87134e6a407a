//! Which server tells technicians' browsers of which assignments, until that is done: what a server that died had
//! begun another one finishes. Empty on SQLite, which has one server.

use sea_orm_migration::prelude::*;

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0027_pushes_under_way"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let number = |name: &'static str| ColumnDef::new(name).big_integer().not_null().take();
        let table = Table::create()
            .table("pushes_under_way")
            .if_not_exists()
            .col(number("technician"))
            // The event that gave the order.
            .col(number("seq"))
            .col(number("ro_number"))
            .col(ColumnDef::new("server").text().not_null())
            .primary_key(Index::create().col("technician").col("seq"))
            .to_owned();
        manager.create_table(table).await
    }
}

//! The texts that an order is found by, folded. The store fills it for the orders of before, since a database
//! folds no accents.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::DbBackend;

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0018_order_search"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut table = Table::create()
            .table("order_search")
            // As the order's, which never changes: the newest are read first.
            .col(ColumnDef::new("opened_at").big_integer().not_null())
            .col(ColumnDef::new("ro_number").big_integer().not_null())
            .col(ColumnDef::new("texts").text().not_null())
            .primary_key(Index::create().col("opened_at").col("ro_number"))
            .foreign_key(
                ForeignKey::create()
                    .from("order_search", "ro_number")
                    .to("repair_orders", "number")
                    .on_delete(ForeignKeyAction::Cascade),
            )
            .to_owned();
        if manager.get_database_backend() == DbBackend::Sqlite {
            // In the order of its key.
            table.extra("WITHOUT ROWID");
        }
        manager.create_table(table).await
    }
}

//! What undo, retries and activity figures need: which request made an event, the answers that
//! were given, and when it was.

use sea_orm_migration::prelude::*;

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0003_changes"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let add = |table: &'static str, column: ColumnDef| {
            Table::alter().table(table).add_column(column).to_owned()
        };
        for alteration in [
            add(
                "repair_orders",
                ColumnDef::new("reopened_at").big_integer().take(),
            ),
            // Events with the same request are undone together; an import's have none.
            add("events", ColumnDef::new("request").text().take()),
        ] {
            manager.alter_table(alteration).await?;
        }
        manager.create_table(receipts()).await?;
        for (name, table, column) in [
            ("events_of_request", "events", "request"),
            ("events_by_time", "events", "at"),
            ("receipts_by_time", "receipts", "created_at"),
        ] {
            manager
                .create_index(
                    Index::create()
                        .name(name)
                        .table(table)
                        .col(column)
                        .to_owned(),
                )
                .await?;
        }
        Ok(())
    }
}

/// The answer that a request with an idempotency key was given, one row per entry of it.
fn receipts() -> TableCreateStatement {
    Table::create()
        .table("receipts")
        .col(ColumnDef::new("uid").text().not_null())
        .col(ColumnDef::new("key").text().not_null())
        .col(ColumnDef::new("entry").integer().not_null())
        .col(ColumnDef::new("request_hash").text().not_null())
        .col(ColumnDef::new("answer").text().not_null())
        .col(ColumnDef::new("created_at").big_integer().not_null())
        .primary_key(Index::create().col("uid").col("key").col("entry"))
        .to_owned()
}

//! What deleting old rows and erasing a customer need: up to which event the log may have gaps, what deleted
//! rows added up to, which orders were erased, and which of them are not done yet.

use sea_orm_migration::prelude::*;

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0023_retention"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let pruned_to = ColumnDef::new("pruned_to")
            .big_integer()
            .not_null()
            .default(0)
            .take();
        let erased_at = ColumnDef::new("erased_at").big_integer().take();
        for (table, name, column) in [
            ("event_log", "pruned_to", pruned_to),
            ("repair_orders", "erased_at", erased_at),
        ] {
            if !manager.has_column(table, name).await? {
                let alteration = Table::alter().table(table).add_column(column).to_owned();
                manager.alter_table(alteration).await?;
            }
        }
        for table in [daily_totals(), pending_erasures()] {
            manager.create_table(table).await?;
        }
        // Its key begins with the time: without this every deleted order would read the whole table.
        let index = Index::create()
            .name("order_search_of_order")
            .table("order_search")
            .col("ro_number")
            .if_not_exists()
            .to_owned();
        manager.create_index(index).await
    }
}

/// What rows that were deleted added up to, by the shop's days. `subject` is a status or a technician.
fn daily_totals() -> TableCreateStatement {
    Table::create()
        .table("daily_totals")
        .if_not_exists()
        // As 2026-07-14.
        .col(ColumnDef::new("day").text().not_null())
        .col(ColumnDef::new("kind").text().not_null())
        .col(ColumnDef::new("subject").text().not_null())
        .col(ColumnDef::new("total").big_integer().not_null())
        .primary_key(Index::create().col("day").col("kind").col("subject"))
        .to_owned()
}

/// Orders whose customer is being erased: whoever finds one here carries on.
fn pending_erasures() -> TableCreateStatement {
    Table::create()
        .table("pending_erasures")
        .if_not_exists()
        .col(
            ColumnDef::new("ro_number")
                .big_integer()
                .not_null()
                .primary_key(),
        )
        .to_owned()
}

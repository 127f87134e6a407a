//! The doors of intake: keys of other programs, and what the dealer system's numbers mean here.

use sea_orm_migration::prelude::*;

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0004_intake"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [intake_keys(), intake_matches(), intake_unmatched()] {
            manager.create_table(table).await?;
        }
        manager
            .create_index(
                Index::create()
                    .name("intake_unmatched_of_order")
                    .table("intake_unmatched")
                    .col("ro_number")
                    .to_owned(),
            )
            .await
    }
}

/// A key is kept only as its SHA-256. `created_by` is the owner's email.
fn intake_keys() -> TableCreateStatement {
    Table::create()
        .table("intake_keys")
        .col(ColumnDef::new("id").text().not_null().primary_key())
        .col(ColumnDef::new("name").text().not_null())
        .col(ColumnDef::new("hash").text().not_null().unique_key())
        .col(ColumnDef::new("created_at").big_integer().not_null())
        .col(ColumnDef::new("created_by").text().not_null())
        .col(ColumnDef::new("last_used_at").big_integer())
        .to_owned()
}

/// Who a number means: a technician where `kind` is 'technician', a name where it is 'advisor'.
fn intake_matches() -> TableCreateStatement {
    Table::create()
        .table("intake_matches")
        .col(ColumnDef::new("kind").text().not_null())
        .col(ColumnDef::new("number").text().not_null())
        .col(ColumnDef::new("technician").big_integer())
        .col(ColumnDef::new("name").text())
        .primary_key(Index::create().col("kind").col("number"))
        .to_owned()
}

/// A number that nobody is known by, on the order it came with. `source` says whose assignment it
/// is ('Regular' or 'ETL') where it is no number that an order can hold, and so is on none.
fn intake_unmatched() -> TableCreateStatement {
    Table::create()
        .table("intake_unmatched")
        .col(ColumnDef::new("kind").text().not_null())
        .col(ColumnDef::new("number").text().not_null())
        .col(ColumnDef::new("ro_number").big_integer().not_null())
        .col(ColumnDef::new("name").text())
        .col(ColumnDef::new("source").text())
        .col(ColumnDef::new("seen_at").big_integer().not_null())
        .primary_key(Index::create().col("kind").col("number").col("ro_number"))
        .to_owned()
}

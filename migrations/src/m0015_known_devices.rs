//! Browsers in which an account has signed in: their guessing is counted apart from strangers'.

use sea_orm_migration::prelude::*;

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0015_known_devices"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(known_devices()).await?;
        let index = Index::create()
            .name("known_devices_of_account")
            .table("known_devices")
            .col("uid")
            .to_owned();
        manager.create_index(index).await
    }
}

/// A browser and one account; its id is in a cookie, and kept here as its SHA-256.
fn known_devices() -> TableCreateStatement {
    Table::create()
        .table("known_devices")
        .col(ColumnDef::new("hash").text().not_null().primary_key())
        .col(ColumnDef::new("uid").text().not_null())
        .col(ColumnDef::new("created_at").big_integer().not_null())
        // When somebody last signed in to the account there.
        .col(ColumnDef::new("used_at").big_integer().not_null())
        .foreign_key(
            ForeignKey::create()
                .name("known_devices_have_an_account")
                .from("known_devices", "uid")
                .to("accounts", "uid")
                .on_delete(ForeignKeyAction::Cascade),
        )
        .to_owned()
}

//! Whether those who were given an order know of it, and where browsers are told while no page is
//! open.

use sea_orm_migration::prelude::*;

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0008_receipts"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [assignment_receipts(), push_subscriptions()] {
            manager.create_table(table).await?;
        }
        for (name, table, column) in [
            (
                "receipts_of_technician",
                "assignment_receipts",
                "technician",
            ),
            ("push_of_technician", "push_subscriptions", "technician"),
            ("push_of_session", "push_subscriptions", "session"),
        ] {
            let index = Index::create()
                .name(name)
                .table(table)
                .col(column)
                .to_owned();
            manager.create_index(index).await?;
        }
        Ok(())
    }
}

/// Of an order's assignment to a technician, the newest; `seq` is the event that made it. Like the
/// assignments themselves without a foreign key to technicians.
fn assignment_receipts() -> TableCreateStatement {
    Table::create()
        .table("assignment_receipts")
        .col(ColumnDef::new("ro_number").big_integer().not_null())
        .col(ColumnDef::new("technician").big_integer().not_null())
        .col(ColumnDef::new("seq").big_integer().not_null())
        .col(ColumnDef::new("assigned_at").big_integer().not_null())
        .col(ColumnDef::new("by_uid").text().not_null())
        .col(ColumnDef::new("by_name").text().not_null())
        .col(ColumnDef::new("sent_at").big_integer())
        .col(ColumnDef::new("delivered_at").big_integer())
        .col(ColumnDef::new("seen_at").big_integer())
        .col(ColumnDef::new("accepted_at").big_integer())
        .col(ColumnDef::new("handed_back_at").big_integer())
        .col(ColumnDef::new("reason").text())
        .primary_key(Index::create().col("ro_number").col("technician"))
        .to_owned()
}

/// A browser's address at its push service, and the keys with which only that browser can read what
/// it is sent. It goes with the sign-in session it came by.
fn push_subscriptions() -> TableCreateStatement {
    Table::create()
        .table("push_subscriptions")
        .col(ColumnDef::new("endpoint").text().not_null().primary_key())
        .col(ColumnDef::new("p256dh").text().not_null())
        .col(ColumnDef::new("auth").text().not_null())
        .col(ColumnDef::new("technician").big_integer().not_null())
        .col(ColumnDef::new("session").text().not_null())
        .col(ColumnDef::new("created_at").big_integer().not_null())
        .foreign_key(
            ForeignKey::create()
                .name("push_session")
                .from("push_subscriptions", "session")
                .to("sign_in_sessions", "id")
                .on_delete(ForeignKeyAction::Cascade),
        )
        .to_owned()
}

//! Mails with links wait in a queue until a mail server has taken them. A link that may have
//! arrived stays good until a newer mail was sent, so an account may have several of a purpose.

use sea_orm_migration::prelude::*;

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0014_mail_queue"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(mail_queue()).await?;
        // SQLite cannot drop a table's unique constraint.
        let connection = manager.get_connection();
        connection
            .execute_unprepared("ALTER TABLE mail_links RENAME TO mail_links_before")
            .await?;
        manager.create_table(mail_links()).await?;
        for statement in [
            "INSERT INTO mail_links (hash, uid, purpose, created_at, expires_at) \
             SELECT hash, uid, purpose, created_at, expires_at FROM mail_links_before",
            "DROP TABLE mail_links_before",
        ] {
            connection.execute_unprepared(statement).await?;
        }
        let index = Index::create()
            .name("mail_links_of_account")
            .table("mail_links")
            .col("uid")
            .to_owned();
        manager.create_index(index).await
    }
}

/// A person's newest mail of each purpose. By email and without a foreign key, so that asking for a
/// new password writes the same whether there is such an account or not.
fn mail_queue() -> TableCreateStatement {
    Table::create()
        .table("mail_queue")
        .col(ColumnDef::new("email").text().not_null())
        // `reset` or `invitation`.
        .col(ColumnDef::new("purpose").text().not_null())
        // Each request for a mail gives it a new one.
        .col(ColumnDef::new("id").text().not_null())
        .col(ColumnDef::new("language").text().not_null())
        .col(ColumnDef::new("queued_at").big_integer().not_null())
        // When it is tried next, or while it is tried when its lease ends; null when that is over.
        .col(ColumnDef::new("due_at").big_integer())
        .col(ColumnDef::new("attempts").integer().not_null())
        .col(ColumnDef::new("tried_at").big_integer())
        // Why the last attempt failed; null when it did not.
        .col(ColumnDef::new("failure").text())
        .primary_key(Index::create().col("email").col("purpose"))
        .to_owned()
}

/// Links sent by mail, good once; the token is kept as its SHA-256.
fn mail_links() -> TableCreateStatement {
    Table::create()
        .table("mail_links")
        .col(ColumnDef::new("hash").text().not_null().primary_key())
        .col(ColumnDef::new("uid").text().not_null())
        .col(ColumnDef::new("purpose").text().not_null())
        .col(ColumnDef::new("created_at").big_integer().not_null())
        .col(ColumnDef::new("expires_at").big_integer().not_null())
        // The mail it is in: each attempt to send one has a link of its own.
        .col(ColumnDef::new("mail").text())
        .foreign_key(
            ForeignKey::create()
                .from("mail_links", "uid")
                .to("accounts", "uid")
                .on_delete(ForeignKeyAction::Cascade),
        )
        .to_owned()
}

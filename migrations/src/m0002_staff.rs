//! Technicians and skills; accounts, sign-in sessions, staff documents and the server's own keys.

use sea_orm_migration::prelude::*;

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0002_staff"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [
            technicians(),
            skills(),
            technician_skills(),
            accounts(),
            sign_in_sessions(),
            staff_documents(),
            settings(),
        ] {
            manager.create_table(table).await?;
        }
        manager
            .create_index(
                Index::create()
                    .name("sign_in_sessions_of_account")
                    .table("sign_in_sessions")
                    .col("uid")
                    .to_owned(),
            )
            .await
    }
}

fn technicians() -> TableCreateStatement {
    Table::create()
        .table("technicians")
        .col(ColumnDef::new("id").big_integer().not_null().primary_key())
        .col(ColumnDef::new("display_name").text().not_null())
        .col(ColumnDef::new("specialty").text().not_null())
        .to_owned()
}

fn skills() -> TableCreateStatement {
    Table::create()
        .table("skills")
        .col(ColumnDef::new("id").big_integer().not_null().primary_key())
        .col(ColumnDef::new("name").text().not_null().unique_key())
        .col(ColumnDef::new("level").integer().not_null())
        .to_owned()
}

fn technician_skills() -> TableCreateStatement {
    Table::create()
        .table("technician_skills")
        .col(ColumnDef::new("technician").big_integer().not_null())
        .col(ColumnDef::new("skill").big_integer().not_null())
        .primary_key(Index::create().col("technician").col("skill"))
        .foreign_key(
            ForeignKey::create()
                .from("technician_skills", "technician")
                .to("technicians", "id")
                .on_delete(ForeignKeyAction::Cascade),
        )
        .foreign_key(
            ForeignKey::create()
                .from("technician_skills", "skill")
                .to("skills", "id")
                .on_delete(ForeignKeyAction::Cascade),
        )
        .to_owned()
}

/// Who can sign in, and with what: `email` is lower case, `password_hash` argon2id in PHC form.
fn accounts() -> TableCreateStatement {
    Table::create()
        .table("accounts")
        .col(ColumnDef::new("uid").text().not_null().primary_key())
        .col(ColumnDef::new("email").text().not_null().unique_key())
        .col(ColumnDef::new("password_hash").text().not_null())
        .col(ColumnDef::new("created_at").big_integer().not_null())
        .to_owned()
}

/// A signed-in browser. The refresh cookie's value is kept only as its SHA-256.
fn sign_in_sessions() -> TableCreateStatement {
    Table::create()
        .table("sign_in_sessions")
        .col(ColumnDef::new("id").text().not_null().primary_key())
        .col(ColumnDef::new("uid").text().not_null())
        .col(
            ColumnDef::new("refresh_hash")
                .text()
                .not_null()
                .unique_key(),
        )
        .col(ColumnDef::new("created_at").big_integer().not_null())
        .col(ColumnDef::new("expires_at").big_integer().not_null())
        .foreign_key(
            ForeignKey::create()
                .from("sign_in_sessions", "uid")
                .to("accounts", "uid")
                .on_delete(ForeignKeyAction::Cascade),
        )
        .to_owned()
}

/// The staff collection, keyed by email: what a person is called and may do.
fn staff_documents() -> TableCreateStatement {
    Table::create()
        .table("staff_documents")
        .col(ColumnDef::new("id").text().not_null().primary_key())
        .col(ColumnDef::new("email").text().not_null())
        .col(ColumnDef::new("name").text().not_null())
        .col(ColumnDef::new("roles").text().not_null())
        .col(ColumnDef::new("skill").text())
        .col(ColumnDef::new("technician_id").big_integer())
        .col(ColumnDef::new("invited").boolean().not_null())
        .col(ColumnDef::new("invited_at").big_integer())
        .to_owned()
}

/// Single values that belong to the database and not to a machine: the token signing key, and
/// whether this is the demo shop.
fn settings() -> TableCreateStatement {
    Table::create()
        .table("settings")
        .col(ColumnDef::new("name").text().not_null().primary_key())
        .col(ColumnDef::new("value").text().not_null())
        .to_owned()
}

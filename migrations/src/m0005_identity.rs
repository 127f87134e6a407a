//! Identity for the open internet: rotated refresh tokens, what a session was last seen as, links
//! sent by mail, second factors, and accounts at other providers.

use sea_orm_migration::prelude::*;

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0005_identity"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // The sessions that are running stay signed in: their tokens move to the new table.
        manager.create_table(refresh_tokens()).await?;
        for statement in [
            "INSERT INTO refresh_tokens (hash, session, created_at) \
             SELECT refresh_hash, id, created_at FROM sign_in_sessions",
            "ALTER TABLE sign_in_sessions RENAME TO sign_in_sessions_before",
        ] {
            manager
                .get_connection()
                .execute_unprepared(statement)
                .await?;
        }
        manager.create_table(sign_in_sessions()).await?;
        for statement in [
            "INSERT INTO sign_in_sessions (id, uid, created_at, expires_at, last_used_at) \
             SELECT id, uid, created_at, expires_at, created_at FROM sign_in_sessions_before",
            "DROP TABLE sign_in_sessions_before",
        ] {
            manager
                .get_connection()
                .execute_unprepared(statement)
                .await?;
        }
        for (name, table, column) in [
            ("sessions_of_account", "sign_in_sessions", "uid"),
            ("refresh_tokens_of_session", "refresh_tokens", "session"),
        ] {
            let index = Index::create()
                .name(name)
                .table(table)
                .col(column)
                .to_owned();
            manager.create_index(index).await?;
        }
        for table in [
            mail_links(),
            two_factor(),
            recovery_codes(),
            oidc_identities(),
        ] {
            manager.create_table(table).await?;
        }
        for (column, default) in [
            ("role", "NULL"),
            ("created_at", "NULL"),
            ("other_fields", "NULL"),
        ] {
            let kind = if column == "created_at" {
                "BIGINT"
            } else {
                "TEXT"
            };
            let statement =
                format!("ALTER TABLE staff_documents ADD COLUMN {column} {kind} DEFAULT {default}");
            manager
                .get_connection()
                .execute_unprepared(&statement)
                .await?;
        }
        Ok(())
    }
}

/// What a refresh cookie holds, kept as its SHA-256. A token that has been used stays until its
/// session ends, so that using it again is noticed.
fn refresh_tokens() -> TableCreateStatement {
    Table::create()
        .table("refresh_tokens")
        .col(ColumnDef::new("hash").text().not_null().primary_key())
        .col(ColumnDef::new("session").text().not_null())
        .col(ColumnDef::new("created_at").big_integer().not_null())
        // When it was first traded for another, or a sibling was used in its place.
        .col(ColumnDef::new("replaced_at").big_integer())
        .to_owned()
}

/// A signed-in browser.
fn sign_in_sessions() -> TableCreateStatement {
    Table::create()
        .table("sign_in_sessions")
        .col(ColumnDef::new("id").text().not_null().primary_key())
        .col(ColumnDef::new("uid").text().not_null())
        .col(ColumnDef::new("created_at").big_integer().not_null())
        .col(ColumnDef::new("expires_at").big_integer().not_null())
        .col(ColumnDef::new("last_used_at").big_integer().not_null())
        .col(ColumnDef::new("user_agent").text())
        .col(ColumnDef::new("address").text())
        // With which a hosted provider is asked whether the account is still good.
        .col(ColumnDef::new("provider_grant").text())
        .foreign_key(
            ForeignKey::create()
                .name("sessions_have_an_account")
                .from("sign_in_sessions", "uid")
                .to("accounts", "uid")
                .on_delete(ForeignKeyAction::Cascade),
        )
        .to_owned()
}

/// Links sent by mail, good once; the token is kept as its SHA-256.
fn mail_links() -> TableCreateStatement {
    Table::create()
        .table("mail_links")
        .col(ColumnDef::new("hash").text().not_null().primary_key())
        .col(ColumnDef::new("uid").text().not_null())
        // `reset` or `invitation`; an account has one link of each at most.
        .col(ColumnDef::new("purpose").text().not_null())
        .col(ColumnDef::new("created_at").big_integer().not_null())
        .col(ColumnDef::new("expires_at").big_integer().not_null())
        .index(
            Index::create()
                .unique()
                .name("one_link_of_a_kind")
                .col("uid")
                .col("purpose"),
        )
        .foreign_key(&mut of_account("mail_links"))
        .to_owned()
}

/// Time-based one-time passwords (RFC 6238).
fn two_factor() -> TableCreateStatement {
    Table::create()
        .table("two_factor")
        .col(ColumnDef::new("uid").text().not_null().primary_key())
        // Base32, as authenticator apps take it.
        .col(ColumnDef::new("secret").text().not_null())
        // NULL until the first code was right.
        .col(ColumnDef::new("confirmed_at").big_integer())
        // The time step of the last code that was right: none is good twice.
        .col(ColumnDef::new("last_step").big_integer())
        .foreign_key(&mut of_account("two_factor"))
        .to_owned()
}

fn recovery_codes() -> TableCreateStatement {
    Table::create()
        .table("recovery_codes")
        .col(ColumnDef::new("uid").text().not_null())
        .col(ColumnDef::new("hash").text().not_null())
        .primary_key(Index::create().col("uid").col("hash"))
        .foreign_key(&mut of_account("recovery_codes"))
        .to_owned()
}

/// Who an OpenID Connect provider's subject is here.
fn oidc_identities() -> TableCreateStatement {
    Table::create()
        .table("oidc_identities")
        .col(ColumnDef::new("issuer").text().not_null())
        .col(ColumnDef::new("subject").text().not_null())
        .col(ColumnDef::new("uid").text().not_null())
        .primary_key(Index::create().col("issuer").col("subject"))
        .foreign_key(&mut of_account("oidc_identities"))
        .to_owned()
}

fn of_account(table: &str) -> ForeignKeyCreateStatement {
    ForeignKey::create()
        .from(table.to_owned(), "uid")
        .to("accounts", "uid")
        .on_delete(ForeignKeyAction::Cascade)
        .to_owned()
}

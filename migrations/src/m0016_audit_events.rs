//! The audit trail, whose rows nobody changes and nobody deletes before their time: the database
//! itself refuses it. And mails without a link, which say what has happened.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::{ConnectionTrait, DbBackend};

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0016_audit_events"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(audit_events()).await?;
        for (name, columns) in [
            ("audit_events_by_time", &["at", "id"][..]),
            ("audit_events_kept_until", &["kept_until"]),
        ] {
            let mut index = Index::create();
            index.name(name).table("audit_events");
            for column in columns {
                index.col(*column);
            }
            manager.create_index(index.to_owned()).await?;
        }
        // What a mail without a link says, as JSON.
        let facts = ColumnDef::new("facts").text().take();
        let alteration = Table::alter()
            .table("mail_queue")
            .add_column(facts)
            .to_owned();
        manager.alter_table(alteration).await?;
        let connection = manager.get_connection();
        let triggers = match connection.get_database_backend() {
            DbBackend::Postgres => POSTGRES_TRIGGERS,
            _ => SQLITE_TRIGGERS,
        };
        for statement in triggers {
            connection.execute_unprepared(statement).await?;
        }
        Ok(())
    }
}

/// What happened about who gets in and what they may do.
fn audit_events() -> TableCreateStatement {
    Table::create()
        .table("audit_events")
        .col(
            ColumnDef::new("id")
                .big_integer()
                .not_null()
                .auto_increment()
                .primary_key(),
        )
        .col(ColumnDef::new("at").big_integer().not_null())
        .col(ColumnDef::new("kind").text().not_null())
        // `done` or `refused`.
        .col(ColumnDef::new("outcome").text().not_null())
        // Why it was refused.
        .col(ColumnDef::new("reason").text())
        .col(ColumnDef::new("address").text())
        .col(ColumnDef::new("actor_kind").text().not_null())
        .col(ColumnDef::new("actor_id").text())
        .col(ColumnDef::new("actor_name").text())
        .col(ColumnDef::new("subject_id").text())
        .col(ColumnDef::new("subject_name").text())
        .col(ColumnDef::new("detail").text())
        // Both names in small letters, since a database knows those of its own alphabet alone.
        .col(ColumnDef::new("folded_names").text().not_null().default(""))
        // How many there were, where they were only counted.
        .col(ColumnDef::new("count").integer().not_null())
        // Until then nobody deletes it.
        .col(ColumnDef::new("kept_until").big_integer().not_null())
        .to_owned()
}

/// The last one, because writing over a row is no deletion that SQLite tells triggers of.
const SQLITE_TRIGGERS: &[&str] = &[
    "CREATE TRIGGER audit_events_unchanged BEFORE UPDATE ON audit_events BEGIN \
     SELECT RAISE(ABORT, 'audit events are not changed'); END",
    "CREATE TRIGGER audit_events_kept BEFORE DELETE ON audit_events \
     WHEN OLD.kept_until > CAST(strftime('%s', 'now') AS INTEGER) * 1000 BEGIN \
     SELECT RAISE(ABORT, 'audit events are kept until their time is over'); END",
    "CREATE TRIGGER audit_events_not_replaced BEFORE INSERT ON audit_events \
     WHEN EXISTS (SELECT 1 FROM audit_events WHERE id = NEW.id) BEGIN \
     SELECT RAISE(ABORT, 'audit events are not changed'); END",
];

const POSTGRES_TRIGGERS: &[&str] = &[
    "CREATE FUNCTION audit_events_unchanged() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
     RAISE EXCEPTION 'audit events are not changed'; END $$",
    "CREATE FUNCTION audit_events_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
     IF OLD.kept_until > extract(epoch FROM clock_timestamp()) * 1000 THEN \
     RAISE EXCEPTION 'audit events are kept until their time is over'; END IF; \
     RETURN OLD; END $$",
    "CREATE TRIGGER audit_events_unchanged BEFORE UPDATE ON audit_events \
     FOR EACH ROW EXECUTE FUNCTION audit_events_unchanged()",
    "CREATE TRIGGER audit_events_kept BEFORE DELETE ON audit_events \
     FOR EACH ROW EXECUTE FUNCTION audit_events_kept()",
    "CREATE TRIGGER audit_events_not_emptied BEFORE TRUNCATE ON audit_events \
     FOR EACH STATEMENT EXECUTE FUNCTION audit_events_unchanged()",
];

//! Who stands where in the workshop: levels and who sits in them, hours a day, skills with a level
//! of one's own, and which skill an opcode asks for.

use sea_orm_migration::prelude::*;

pub(crate) struct Migration;

/// A shop's levels until it has its own, the highest first.
const LEVELS: [&str; 6] = [
    "Foreman",
    "Master",
    "Tradesman",
    "Craftsman",
    "Wrenchman",
    "Lube-tech",
];

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0009_organisation"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [organisation_levels(), opcode_rules()] {
            manager.create_table(table).await?;
        }
        for (position, name) in (1..).zip(LEVELS) {
            let level = Query::insert()
                .into_table("organisation_levels")
                .columns(["id", "name", "position"])
                .values_panic([position.into(), name.into(), position.into()])
                .to_owned();
            manager.execute(level).await?;
        }
        for statement in [
            "ALTER TABLE technicians ADD COLUMN level_id BIGINT NULL \
             REFERENCES organisation_levels (id)",
            "ALTER TABLE technicians ADD COLUMN daily_minutes INTEGER NOT NULL DEFAULT 480",
            // NULL: as high as the skill itself.
            "ALTER TABLE technician_skills ADD COLUMN level INTEGER NULL",
        ] {
            manager
                .get_connection()
                .execute_unprepared(statement)
                .await?;
        }
        Ok(())
    }
}

/// `position` counts from 1, without gaps.
fn organisation_levels() -> TableCreateStatement {
    Table::create()
        .table("organisation_levels")
        .col(ColumnDef::new("id").big_integer().not_null().primary_key())
        .col(ColumnDef::new("name").text().not_null().unique_key())
        .col(ColumnDef::new("position").integer().not_null())
        .to_owned()
}

/// `pattern` is an opcode in capitals, or the beginning of some with a `*` behind it.
fn opcode_rules() -> TableCreateStatement {
    Table::create()
        .table("opcode_rules")
        .col(ColumnDef::new("id").big_integer().not_null().primary_key())
        .col(ColumnDef::new("pattern").text().not_null().unique_key())
        .col(ColumnDef::new("skill").big_integer().not_null())
        .col(ColumnDef::new("level").integer().not_null())
        .foreign_key(
            ForeignKey::create()
                .from("opcode_rules", "skill")
                .to("skills", "id")
                .on_delete(ForeignKeyAction::Cascade),
        )
        .to_owned()
}

//! The job clock: what each technician was on the clock for, who corrected it, and which jobs are
//! done.

use sea_orm_migration::prelude::*;

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0007_clocks"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [clock_entries(), clock_corrections(), finished_jobs()] {
            manager.create_table(table).await?;
        }
        // Whatever two taps, tabs, devices or processes do: one clock a technician.
        manager
            .get_connection()
            .execute_unprepared(
                "CREATE UNIQUE INDEX one_running_clock ON clock_entries (technician) \
                 WHERE ended_at IS NULL AND deleted_at IS NULL",
            )
            .await?;
        for (name, table, columns) in [
            (
                "clock_entries_by_time",
                "clock_entries",
                &["technician", "started_at"][..],
            ),
            ("clock_entries_of_order", "clock_entries", &["ro_number"]),
            (
                "finished_jobs_by_time",
                "finished_jobs",
                &["technician", "finished_at"],
            ),
        ] {
            let mut index = Index::create();
            index.name(name).table(table);
            for column in columns {
                index.col(*column);
            }
            manager.create_index(index.to_owned()).await?;
        }
        Ok(())
    }
}

/// A stretch on the clock: on a job, or without one. It runs while it has no end.
fn clock_entries() -> TableCreateStatement {
    Table::create()
        .table("clock_entries")
        .col(ColumnDef::new("id").big_integer().not_null().primary_key())
        .col(ColumnDef::new("technician").big_integer().not_null())
        .col(ColumnDef::new("started_at").big_integer().not_null())
        .col(ColumnDef::new("ended_at").big_integer())
        .col(ColumnDef::new("ro_number").big_integer())
        .col(ColumnDef::new("job_number").integer())
        // Last.
        .col(ColumnDef::new("corrected_at").big_integer())
        // One that was taken out keeps its row, and its trail.
        .col(ColumnDef::new("deleted_at").big_integer())
        .to_owned()
}

/// What somebody made of an entry, and why. `before` and `after` are JSON; NULL where there was no
/// entry, or is none any more.
fn clock_corrections() -> TableCreateStatement {
    Table::create()
        .table("clock_corrections")
        .col(ColumnDef::new("entry").big_integer().not_null())
        // From 1 for each entry.
        .col(ColumnDef::new("place").integer().not_null())
        .col(ColumnDef::new("at").big_integer().not_null())
        .col(ColumnDef::new("by_uid").text().not_null())
        .col(ColumnDef::new("by_name").text().not_null())
        .col(ColumnDef::new("reason").text().not_null())
        .col(ColumnDef::new("before").text())
        .col(ColumnDef::new("after").text())
        .primary_key(Index::create().col("entry").col("place"))
        .to_owned()
}

/// Jobs that are done, and who said so.
fn finished_jobs() -> TableCreateStatement {
    Table::create()
        .table("finished_jobs")
        .col(ColumnDef::new("ro_number").big_integer().not_null())
        .col(ColumnDef::new("job_number").integer().not_null())
        .col(ColumnDef::new("technician").big_integer().not_null())
        .col(ColumnDef::new("finished_at").big_integer().not_null())
        .primary_key(Index::create().col("ro_number").col("job_number"))
        .to_owned()
}

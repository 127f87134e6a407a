//! What a tap that is undone had changed, which clocks were stopped because their order was closed, corrections that
//! technicians propose, and an index for jobs on which several people worked.

use sea_orm_migration::prelude::*;

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0024_clock_proposals"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [clock_last_taps(), clock_proposals()] {
            manager.create_table(table).await?;
        }
        let (entries, column) = ("clock_entries", "ended_by_closing");
        if !manager.has_column(entries, column).await? {
            let mut column = ColumnDef::new(column);
            let column = column.boolean().not_null().default(false).take();
            let alteration = Table::alter().table(entries).add_column(column).to_owned();
            manager.alter_table(alteration).await?;
        }
        // Who else worked on a finished job is asked by when it was finished.
        let index = Index::create()
            .name("finished_jobs_of_shop_by_time")
            .table("finished_jobs")
            .col("finished_at")
            .if_not_exists()
            .to_owned();
        manager.create_index(index).await
    }
}

/// How a technician says that an entry was, until somebody accepts or declines it. Milliseconds since 1970.
fn clock_proposals() -> TableCreateStatement {
    let number = |name: &'static str| ColumnDef::new(name).big_integer().take();
    Table::create()
        .table("clock_proposals")
        .if_not_exists()
        .col(number("entry").not_null().primary_key())
        .col(number("technician").not_null())
        .col(number("proposed_at").not_null())
        .col(ColumnDef::new("by_uid").text().not_null())
        .col(ColumnDef::new("by_name").text().not_null())
        .col(ColumnDef::new("reason").text().not_null())
        .col(number("started_at").not_null())
        .col(number("ended_at").not_null())
        .col(number("ro_number"))
        .col(ColumnDef::new("job_number").integer())
        .to_owned()
}

/// Each technician's last tap that changed something. Milliseconds since 1970.
fn clock_last_taps() -> TableCreateStatement {
    let number = |name: &'static str| ColumnDef::new(name).big_integer().take();
    Table::create()
        .table("clock_last_taps")
        .if_not_exists()
        .col(number("technician").not_null().primary_key())
        .col(number("tapped_at").not_null())
        // When it arrived, which is later where it waited for a connection.
        .col(number("kept_at").not_null())
        // The entry that it ended, and the one that it began.
        .col(number("ended_entry"))
        .col(number("begun_entry"))
        // The job that it marked as done or as not done.
        .col(number("ro_number"))
        .col(ColumnDef::new("job_number").integer())
        // Who had marked it as done before, and when.
        .col(number("finisher_before"))
        .col(number("finished_at_before"))
        .to_owned()
}

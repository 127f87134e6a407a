//! Repair orders with their jobs, their technicians, and the event log.

use sea_orm_migration::prelude::*;

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0001_repair_orders"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [
            repair_orders(),
            jobs(),
            operations(),
            job_assignments(),
            technician_assignments(),
            events(),
            event_log(),
        ] {
            manager.create_table(table).await?;
        }
        // The open orders are read together; closed ones never are.
        manager
            .create_index(
                Index::create()
                    .name("repair_orders_open")
                    .table("repair_orders")
                    .col("closed_at")
                    .to_owned(),
            )
            .await?;
        manager
            .create_index(
                Index::create()
                    .name("events_of_repair_order")
                    .table("events")
                    .col("ro_number")
                    .col("version")
                    .unique()
                    .to_owned(),
            )
            .await?;
        manager
            .execute(
                Query::insert()
                    .into_table("event_log")
                    .columns(["id", "top"])
                    .values_panic([1.into(), 0.into()])
                    .to_owned(),
            )
            .await
    }
}

fn repair_orders() -> TableCreateStatement {
    Table::create()
        .table("repair_orders")
        .col(
            ColumnDef::new("number")
                .big_integer()
                .not_null()
                .primary_key(),
        )
        .col(ColumnDef::new("version").big_integer().not_null())
        .col(ColumnDef::new("dms_number").text())
        .col(ColumnDef::new("vin").text().not_null())
        .col(ColumnDef::new("vehicle").text().not_null())
        .col(ColumnDef::new("customer").text().not_null())
        .col(ColumnDef::new("advisor").text().not_null())
        .col(ColumnDef::new("opened_at").big_integer().not_null())
        .col(ColumnDef::new("promised_at").big_integer())
        .col(ColumnDef::new("closed_at").big_integer())
        .col(ColumnDef::new("customer_status").text().not_null())
        .col(ColumnDef::new("app_customer_status").text())
        .col(ColumnDef::new("priority").text().not_null())
        .to_owned()
}

fn of_repair_order(table: &'static str) -> ForeignKeyCreateStatement {
    ForeignKey::create()
        .from(table, "ro_number")
        .to("repair_orders", "number")
        .on_delete(ForeignKeyAction::Cascade)
        .to_owned()
}

fn jobs() -> TableCreateStatement {
    Table::create()
        .table("jobs")
        .col(ColumnDef::new("ro_number").big_integer().not_null())
        .col(ColumnDef::new("job_number").integer().not_null())
        .col(ColumnDef::new("concern").text().not_null())
        .col(ColumnDef::new("cause").text().not_null())
        .col(ColumnDef::new("brief_tech_notes").text().not_null())
        .col(ColumnDef::new("tech_story").text().not_null())
        .primary_key(Index::create().col("ro_number").col("job_number"))
        .foreign_key(&mut of_repair_order("jobs"))
        .to_owned()
}

fn operations() -> TableCreateStatement {
    Table::create()
        .table("operations")
        .col(ColumnDef::new("ro_number").big_integer().not_null())
        .col(ColumnDef::new("job_number").integer().not_null())
        .col(ColumnDef::new("position").integer().not_null())
        .col(ColumnDef::new("code").text().not_null())
        .col(ColumnDef::new("description").text().not_null())
        .primary_key(
            Index::create()
                .col("ro_number")
                .col("job_number")
                .col("position"),
        )
        .foreign_key(&mut of_repair_order("operations"))
        .to_owned()
}

/// Who the dealer's system says works on a job, as it came.
fn job_assignments() -> TableCreateStatement {
    Table::create()
        .table("job_assignments")
        .col(ColumnDef::new("ro_number").big_integer().not_null())
        .col(ColumnDef::new("job_number").integer().not_null())
        .col(ColumnDef::new("position").integer().not_null())
        .col(ColumnDef::new("source").text().not_null())
        .col(ColumnDef::new("first_name").text().not_null())
        .primary_key(
            Index::create()
                .col("ro_number")
                .col("job_number")
                .col("position"),
        )
        .foreign_key(&mut of_repair_order("job_assignments"))
        .to_owned()
}

/// Who works on an order: `source` is Regular (the desk's) or ETL (the dealer system's). No key to
/// `technicians`: an order may name one the shop's list does not know, and must not be lost for it.
fn technician_assignments() -> TableCreateStatement {
    Table::create()
        .table("technician_assignments")
        .col(ColumnDef::new("ro_number").big_integer().not_null())
        .col(ColumnDef::new("source").text().not_null())
        .col(ColumnDef::new("position").integer().not_null())
        .col(ColumnDef::new("technician").big_integer().not_null())
        .col(ColumnDef::new("name").text())
        .primary_key(
            Index::create()
                .col("ro_number")
                .col("source")
                .col("position"),
        )
        .foreign_key(&mut of_repair_order("technician_assignments"))
        .to_owned()
}

/// Every change that was ever committed, by its dense number.
fn events() -> TableCreateStatement {
    Table::create()
        .table("events")
        .col(ColumnDef::new("seq").big_integer().not_null().primary_key())
        .col(ColumnDef::new("ro_number").big_integer().not_null())
        .col(ColumnDef::new("version").big_integer().not_null())
        .col(ColumnDef::new("action").text().not_null())
        .col(ColumnDef::new("technician").big_integer())
        .col(ColumnDef::new("at").big_integer().not_null())
        .col(ColumnDef::new("by_uid").text().not_null())
        .col(ColumnDef::new("by_name").text().not_null())
        .col(ColumnDef::new("channel").text().not_null())
        .col(ColumnDef::new("change").text().not_null())
        .to_owned()
}

/// One row: the number of the newest event. An autoincrement would not be in commit order.
fn event_log() -> TableCreateStatement {
    Table::create()
        .table("event_log")
        .col(ColumnDef::new("id").integer().not_null().primary_key())
        .col(ColumnDef::new("top").big_integer().not_null())
        .to_owned()
}

//! Which log this is: a name that stays while the log only grows, and changes when it went back.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::{ConnectionTrait, DbBackend};

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0013_log_generation"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = ColumnDef::new("generation")
            .text()
            .not_null()
            .default("")
            .take();
        let alteration = Table::alter()
            .table("event_log")
            .add_column(column)
            .to_owned();
        manager.alter_table(alteration).await?;
        // By chance, so that no two shops' logs have the same.
        let connection = manager.get_connection();
        let random = match connection.get_database_backend() {
            DbBackend::Postgres => "md5(random()::text || clock_timestamp()::text)",
            _ => "lower(hex(randomblob(16)))",
        };
        let name_it = format!("UPDATE event_log SET generation = substr({random}, 1, 16)");
        connection.execute_unprepared(&name_it).await?;
        Ok(())
    }
}

//! Interviews about a job that have not ended in a saved story. The stories themselves, and where
//! they come from, are in the orders' events.

use sea_orm_migration::prelude::*;

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0010_tech_stories"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(tech_story_conversations()).await?;
        let of_person = Index::create()
            .name("tech_stories_of_person")
            .table("tech_story_conversations")
            .col("uid")
            .col("ro_number")
            .col("job_number")
            .to_owned();
        manager.create_index(of_person).await
    }
}

/// `turns` is JSON: what was asked and answered; `reply` what the interviewer said last.
fn tech_story_conversations() -> TableCreateStatement {
    Table::create()
        .table("tech_story_conversations")
        .col(ColumnDef::new("id").text().not_null().primary_key())
        .col(ColumnDef::new("uid").text().not_null())
        .col(ColumnDef::new("ro_number").big_integer().not_null())
        .col(ColumnDef::new("job_number").integer().not_null())
        .col(ColumnDef::new("interviewer").text().not_null())
        .col(ColumnDef::new("model").text())
        .col(ColumnDef::new("language").text().not_null())
        .col(ColumnDef::new("cause").text().not_null())
        .col(ColumnDef::new("brief_tech_notes").text().not_null())
        .col(ColumnDef::new("turns").text().not_null())
        .col(ColumnDef::new("reply").text().not_null())
        .col(ColumnDef::new("started_at").big_integer().not_null())
        .col(ColumnDef::new("ended_at").big_integer())
        .to_owned()
}

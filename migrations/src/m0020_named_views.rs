//! Views of the desk that people named, for themselves or for everybody.

use sea_orm_migration::prelude::*;

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0020_named_views"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::create()
            .table("named_views")
            .col(ColumnDef::new("id").text().not_null().primary_key())
            .col(ColumnDef::new("author_uid").text().not_null())
            // As the author was called when the view was last changed.
            .col(ColumnDef::new("author_name").text().not_null())
            .col(ColumnDef::new("name").text().not_null())
            // The name in one case: an author has each once.
            .col(ColumnDef::new("name_key").text().not_null())
            // Of the desk's address.
            .col(ColumnDef::new("query").text().not_null())
            .col(ColumnDef::new("shared").boolean().not_null())
            // Raised with every change.
            .col(ColumnDef::new("version").big_integer().not_null())
            .index(
                Index::create()
                    .unique()
                    .name("one_view_of_a_name")
                    .col("author_uid")
                    .col("name_key"),
            )
            .foreign_key(
                ForeignKey::create()
                    .from("named_views", "author_uid")
                    .to("accounts", "uid")
                    .on_delete(ForeignKeyAction::Cascade),
            )
            .to_owned();
        manager.create_table(table).await
    }
}

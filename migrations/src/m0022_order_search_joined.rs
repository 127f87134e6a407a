//! The texts that an order is found by have its words without punctuation, too. The store fills them anew.

use sea_orm_migration::prelude::*;

pub(crate) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m0022_order_search_joined"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let every_text = Query::delete().from_table("order_search").to_owned();
        manager.execute(every_text).await
    }
}

//! A restored database: its log has another generation than the one that the database remembers.

use dispatch_actors::store::Store;
use sea_orm::DbErr;

use super::event::{AuditEvent, AuditKind};
use super::origin::Origin;
use super::{AuditTrail, record};
use crate::settings;

const SETTING: &str = "audit-log-generation";

impl AuditTrail {
    /// Writes an event where the log is another one than it was. To be called at the start, and
    /// whenever the generation has changed.
    pub async fn note_log_generation(&self) -> Result<(), DbErr> {
        let store: &Store = &self.inner.store;
        let generation = store.head().await.map_err(|error| {
            DbErr::Custom(format!("the log's generation could not be read: {error}"))
        })?;
        let generation = generation.generation.to_string();
        let kept = settings::get_or_set(store, SETTING, generation.clone()).await?;
        if kept == generation {
            return Ok(());
        }
        let transaction = store.begin_write().await?;
        // Another server may have been first.
        if settings::hold(&transaction, SETTING).await?.as_ref() == Some(&generation) {
            return Ok(());
        }
        settings::set(&transaction, SETTING, &generation).await?;
        let event = AuditEvent::with_origin(AuditKind::DatabaseRestored, &Origin::server())
            .with_detail(&format!("log {kept} is now log {generation}"));
        let recorded = record(&transaction, event).await?;
        transaction.commit().await?;
        recorded.announce();
        Ok(())
    }
}

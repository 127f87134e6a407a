//! Erasing a customer.

use std::path::PathBuf;
use std::time::Duration;

use dispatch_actors::repair_order::{Command, RoNumber};
use dispatch_actors::store::{Author, Channel, OrderOfCustomer};
use dispatch_actors::supervisor::{Execute, Failure};
use dispatch_actors::text::folded;
use dispatch_actors::ticks::next_tick;
use sea_orm::sea_query::{Expr, Query};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, ExprTrait};

use super::api_types::ErasedCounts;
use super::{Customers, kept_files};
use crate::audit::AuditKind;
use crate::error::ApiError;
use crate::first_failure::FirstFailure;
use crate::moments::now;
use crate::{clocks, receipts};

/// How often SQLite's log is tried to be written back, while somebody still reads it.
const WRITE_BACKS: usize = 10;

const WRITE_BACK_PAUSE: Duration = Duration::from_millis(300);

/// From one look for an erasure that was cut off to the next. One order is erased in less.
const LOOK_INTERVAL: Duration = Duration::from_secs(10);

impl Customers {
    pub(super) async fn erase(
        &self,
        orders: &[OrderOfCustomer],
        intake_dir: Option<PathBuf>,
    ) -> Result<ErasedCounts, ApiError> {
        let numbers: Vec<RoNumber> = orders.iter().map(|order| order.number).collect();
        // Found by what the orders say of the customer, so before that is gone: whoever is cut off here asks once more.
        let views = self.delete_views(orders).await?;
        let kept = kept_files::delete(intake_dir, orders).await?;
        let mut counts = ErasedCounts {
            views,
            files: kept.naming,
            unread_files: kept.unread,
            ..ErasedCounts::default()
        };
        if !numbers.is_empty() {
            self.store.begin_erasure(&numbers).await?;
        }
        // What an earlier erasure had left, too.
        for number in self.store.pending_erasures().await? {
            self.erase_order(number, &mut counts).await?;
        }
        counts.is_log_written_back = self.write_back_log().await;
        Ok(counts)
    }

    /// What was written over is then nowhere any more. False while somebody still reads it; PostgreSQL cleans
    /// up by itself.
    async fn write_back_log(&self) -> bool {
        if self.store.writer().get_database_backend() != DbBackend::Sqlite {
            return true;
        }
        for _ in 0..WRITE_BACKS {
            if self.store.write_back_log().await.is_ok() {
                return true;
            }
            tokio::time::sleep(WRITE_BACK_PAUSE).await;
        }
        false
    }

    /// Carries on with what a server that was killed has begun, and with what an error stopped, for as long as this
    /// one runs.
    pub async fn finish_erasures(self) {
        let mut failure = FirstFailure::default();
        let mut pending_before: Option<Vec<RoNumber>> = None;
        loop {
            // Whoever watches the database reports that it does not answer.
            if let Ok(mut pending) = self.store.pending_erasures().await {
                pending.sort_unstable();
                // Whoever is still at it has done an order since the look before.
                let is_cut_off = pending_before.is_none_or(|before| before == pending);
                let finished = match is_cut_off && !pending.is_empty() {
                    true => self.finish_pending().await,
                    false => Ok(()),
                };
                if let Some(error) = failure.of(finished) {
                    tracing::error!(
                        why = error.error,
                        "an erasure that was cut off is not done; it is tried again"
                    );
                }
                pending_before = Some(pending);
            }
            next_tick(LOOK_INTERVAL).await;
        }
    }

    async fn finish_pending(&self) -> Result<(), ApiError> {
        let counts = self.erase(&[], None).await?;
        if counts.orders > 0 {
            tracing::info!("an erasure that was cut off is done: {counts}");
            let what = format!("{counts}; carried on by the server");
            if let Err(error) = self.note(AuditKind::CustomerErased, &what, "unknown").await {
                tracing::error!(why = error.error, "the erasure is not in the audit trail");
            }
        }
        Ok(())
    }

    async fn erase_order(
        &self,
        number: RoNumber,
        counts: &mut ErasedCounts,
    ) -> Result<(), ApiError> {
        let by = Author {
            uid: "command-line".to_owned(),
            name: "Command line".to_owned(),
            channel: Channel::Desk,
        };
        let command = Command::EraseCustomer { at: now() };
        match self.orders.execute(number, Execute::new(command, by)).await {
            Ok(outcome) => {
                let version = outcome.order.version;
                counts.events += self.store.erase_from_events(number, version).await?;
            }
            // It is not kept any more.
            Err(Failure::Unknown(_)) => {}
            Err(failure) => return Err((&failure).into()),
        }
        self.orders.release(number);
        let writer = self.store.writer();
        receipts::erase_reasons(writer, number.get()).await?;
        counts.corrections += clocks::erase_reasons(writer, number).await?;
        counts.interviews += self.stories.delete_of_order(number).await?;
        self.store.end_erasure(number).await?;
        counts.orders += 1;
        Ok(())
    }

    /// Named views that search for the customer or the car; gives how many.
    async fn delete_views(&self, orders: &[OrderOfCustomer]) -> Result<u64, DbErr> {
        let wanted: Vec<String> = orders
            .iter()
            .flat_map(|order| [folded(order.customer.trim()), folded(order.vin.trim())])
            .filter(|text| !text.is_empty())
            .collect();
        if wanted.is_empty() {
            return Ok(0);
        }
        let all = Query::select()
            .columns(["id", "name", "query"])
            .from("named_views")
            .to_owned();
        let mut ids = Vec::new();
        for row in self.store.reader().query_all(&all).await? {
            let (name, query): (String, String) =
                (row.try_get("", "name")?, row.try_get("", "query")?);
            let values = url::form_urlencoded::parse(query.trim_start_matches('?').as_bytes());
            let mut texts: Vec<String> = values.map(|(_, value)| folded(&value)).collect();
            texts.push(folded(&name));
            let names = |text: &String| wanted.iter().any(|wanted| text.contains(wanted));
            if texts.iter().any(names) {
                ids.push(row.try_get::<String>("", "id")?);
            }
        }
        if ids.is_empty() {
            return Ok(0);
        }
        let delete = Query::delete()
            .from_table("named_views")
            .and_where(Expr::col("id").is_in(ids))
            .to_owned();
        Ok(self.store.writer().execute(&delete).await?.rows_affected())
    }
}

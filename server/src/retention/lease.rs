//! Which server deletes: one at a time, and another once that one has not done so for a while.

use std::time::Duration;

use dispatch_actors::store::{Store, WriteTransaction};
use jiff::Timestamp;
use sea_orm::DbErr;
use uuid::Uuid;

use crate::settings;

const SETTING: &str = "pruning-server";

/// Longer than a step and the pause after it, as they are on a sound disk. Where it is not, two servers delete by
/// turns, each step by itself.
pub(super) const TTL: Duration = Duration::from_secs(30);

/// By which the clock of another server may be ahead of ours: five minutes, and some time to spare.
const MAX_CLOCK_LEAD: Duration = Duration::from_secs(6 * 60);

/// No claim ends later than this, so that one that does was written by a clock that ran ahead: it holds nobody off.
const HORIZON: Duration = TTL.saturating_add(MAX_CLOCK_LEAD);

/// This server's claim.
pub(super) struct Lease {
    server: String,
}

impl Lease {
    pub(super) async fn new(store: &Store) -> Result<Self, DbErr> {
        settings::get_or_set(store, SETTING, String::new()).await?;
        let server = Uuid::now_v7().to_string();
        Ok(Self { server })
    }

    /// Takes it for this transaction and some time after; false where another server has it.
    pub(super) async fn hold(&self, transaction: &WriteTransaction) -> Result<bool, DbErr> {
        let now = Timestamp::now().as_second();
        let held = settings::hold(transaction, SETTING)
            .await?
            .unwrap_or_default();
        if let Some((server, until)) = held.split_once(' ')
            && server != self.server
            && until
                .parse::<i64>()
                .is_ok_and(|until| is_running(until, now))
        {
            return Ok(false);
        }
        let until = now + TTL.as_secs() as i64;
        let value = format!("{} {until}", self.server);
        settings::set(transaction, SETTING, &value).await?;
        Ok(true)
    }
}

/// Whether a claim that ends at `until` still counts; both are seconds since 1970.
fn is_running(until: i64, now: i64) -> bool {
    until > now && until <= now + HORIZON.as_secs() as i64
}

#[cfg(test)]
mod tests {
    use dispatch_actors::testing::Throwaway;

    use super::*;

    #[tokio::test]
    async fn a_claim_that_a_clock_far_ahead_has_written_holds_nobody_off() {
        const MINUTE: i64 = 60;
        const YEAR: i64 = 365 * 24 * 60 * MINUTE;
        let database = Throwaway::sqlite();
        let store = database.store().await;
        let lease = Lease::new(&store).await.unwrap();
        let claims = [
            ("it is over", -1, true),
            ("a clock is five minutes ahead", 5 * MINUTE, false),
            ("a clock was a year ahead", YEAR, true),
        ];
        for (why, ends_in, is_ours) in claims {
            let transaction = store.begin_write().await.unwrap();
            let claim = format!("another {}", Timestamp::now().as_second() + ends_in);
            settings::set(&transaction, SETTING, &claim).await.unwrap();
            let held = lease.hold(&transaction).await.unwrap();
            transaction.rollback().await.unwrap();
            assert_eq!(held, is_ours, "{why}");
        }
    }
}

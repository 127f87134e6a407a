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
            && until.parse::<i64>().is_ok_and(|until| until > now)
        {
            return Ok(false);
        }
        let until = now + TTL.as_secs() as i64;
        let value = format!("{} {until}", self.server);
        settings::set(transaction, SETTING, &value).await?;
        Ok(true)
    }
}

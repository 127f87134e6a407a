//! Says that something changed, but not what: whoever shows it asks for it again.

use std::sync::Arc;
use std::time::Duration;

use dispatch_actors::store::{OtherServers, WriteTransaction};
use sea_orm::DbErr;
use tokio::sync::watch;
use tokio::task::JoinError;

use crate::error::ApiError;

/// From one announcement to the next: an import of hundreds is a few of them.
pub const ANNOUNCE_INTERVAL: Duration = Duration::from_millis(300);

/// Until an announcement that failed is tried again.
pub const RETRY_INTERVAL: Duration = Duration::from_secs(5);

/// Where whoever changes something says so, once it is committed; cheap to clone.
#[derive(Clone, Default)]
pub struct ChangeSignal {
    changed: Arc<watch::Sender<()>>,
    /// The other servers, which hear of it, and under which topic.
    others: Option<(OtherServers, &'static str)>,
}

impl ChangeSignal {
    /// Is heard on the other servers of this database, too, and hears theirs while somebody follows it.
    pub fn shared(others: &OtherServers, topic: &'static str) -> Self {
        Self {
            others: Some((others.clone(), topic)),
            ..Self::default()
        }
    }

    pub fn announce(&self) {
        self.changed.send_replace(());
        if let Some((others, topic)) = &self.others {
            others.notify(topic, "");
        }
    }

    /// Commits what changed, and announces it, also where the caller hangs up meanwhile; other servers hear of it with the
    /// commit.
    pub async fn commit(&self, transaction: WriteTransaction) -> Result<(), DbErr> {
        if let Some((_, topic)) = &self.others {
            transaction.notify_other_servers(topic, "").await?;
        }
        let changed = Arc::clone(&self.changed);
        let committing = tokio::spawn(async move {
            let committed = transaction.commit().await;
            // One that failed may have been a commit all the same.
            changed.send_replace(());
            committed
        });
        let broke_off = |error: JoinError| Err(DbErr::Custom(error.to_string()));
        committing.await.unwrap_or_else(broke_off)
    }

    /// Hears of every change from this call on.
    pub fn subscribe(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// Announces here what other servers change.
    fn follow_others(&self) -> impl Future<Output = ()> + use<> {
        let changed = Arc::clone(&self.changed);
        let others = self.others.clone();
        async move {
            let Some((others, topic)) = others else {
                return;
            };
            let mut listener = others.listen(topic);
            loop {
                listener.changed().await;
                changed.send_replace(());
            }
        }
    }

    /// Calls `tell` after changes for as long as the server runs, from this call on: any number of them
    /// within an interval is told once. `what` could not be told, for the log.
    pub fn follow<T: AsyncFn() -> Result<(), ApiError>>(
        &self,
        interval: Duration,
        what: &'static str,
        tell: T,
    ) -> impl Future<Output = ()> + use<T> {
        let mut changes = self.subscribe();
        let follow_others = self.follow_others();
        let follow = async move {
            while changes.changed().await.is_ok() {
                while let Err(error) = tell().await {
                    tracing::error!(%error, "{what} could not be told of");
                    tokio::time::sleep(RETRY_INTERVAL).await;
                }
                tokio::time::sleep(interval).await;
            }
        };
        async move {
            tokio::join!(follow, follow_others);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use dispatch_actors::testing::Throwaway;
    use futures_util::poll;
    use sea_orm::{ConnectionTrait, Statement};

    use super::*;

    #[tokio::test]
    async fn changes_within_an_interval_are_told_once() {
        let signal = ChangeSignal::default();
        let call_count = AtomicUsize::new(0);
        let an_hour = Duration::from_secs(3_600);
        let mut following = pin!(signal.follow(an_hour, "changes", async || {
            call_count.fetch_add(1, Ordering::Relaxed);
            Ok(())
        }));
        assert!(poll!(&mut following).is_pending());
        assert_eq!(call_count.load(Ordering::Relaxed), 0, "nothing has changed");
        for _ in 0..2 {
            signal.announce();
            signal.announce();
            assert!(poll!(&mut following).is_pending());
            assert_eq!(call_count.load(Ordering::Relaxed), 1);
        }
    }

    #[tokio::test]
    async fn a_change_whose_caller_hangs_up_is_announced_once_it_is_committed() {
        let database = Throwaway::sqlite();
        let store = database.store().await;
        let signal = ChangeSignal::default();
        let mut changes = signal.subscribe();
        let transaction = store.begin_write().await.unwrap();
        let write = "UPDATE write_probe SET payload = 'new' WHERE id = 1";
        transaction.execute_unprepared(write).await.unwrap();
        {
            let mut committing = pin!(signal.commit(transaction));
            assert!(poll!(&mut committing).is_pending());
        }
        changes.changed().await.unwrap();
        let query = "SELECT payload FROM write_probe WHERE id = 1";
        let query = Statement::from_string(store.reader().get_database_backend(), query);
        let row = store.reader().query_one_raw(query).await.unwrap().unwrap();
        assert_eq!(row.try_get_by_index::<String>(0).unwrap(), "new");
    }

    #[tokio::test]
    async fn a_change_that_could_not_be_told_is_not_told_again_at_once() {
        let signal = ChangeSignal::default();
        let tries = AtomicUsize::new(0);
        let mut following = pin!(signal.follow(Duration::ZERO, "changes", async || {
            tries.fetch_add(1, Ordering::Relaxed);
            Err(ApiError::unavailable())
        }));
        signal.announce();
        for _ in 0..2 {
            assert!(poll!(&mut following).is_pending());
            assert_eq!(tries.load(Ordering::Relaxed), 1);
        }
    }
}

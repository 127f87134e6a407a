//! Staff records as they change, whoever changes them: what is known of them here follows, and
//! every session is told.

use std::future::Future;
use std::sync::Arc;

use dispatch_actors::broadcaster::Audience;
use dispatch_actors::store::TopicListener;
use dispatch_actors::ticks::ticks;
use jiff::Timestamp;
use serde::Serialize;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::time::Interval;
use utoipa::ToSchema;

use super::state::UsersState;
use crate::change_signal::{ANNOUNCE_INTERVAL, RETRY_INTERVAL};
use crate::error::ApiError;
use crate::staff::StaffChange;

/// Sent as `STAFF_CHANGED` to every session, without an offset, when staff records or the state of an
/// invitation's mail changed: whoever shows any asks for them again.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = StaffChanged)]
pub struct StaffChangedEvent {
    /// Always `STAFF_CHANGED`.
    r#type: &'static str,
    #[schema(format = DateTime)]
    timestamp: String,
}

impl StaffChangedEvent {
    pub fn new(timestamp: String) -> Self {
        Self {
            r#type: "STAFF_CHANGED",
            timestamp,
        }
    }
}

/// Follows the staff collection for as long as the server runs, from this call on.
pub fn follow(state: UsersState) -> impl Future<Output = ()> {
    let mut changes = state.staff.changes();
    let mut mails = state.mail_queue.changes();
    let mut mails_elsewhere = state.mail_queue.change_listener();
    async move {
        // What there is before anything changes.
        let mut reloaded = state.identity.reload_staff(None).await;
        let mut reread = state.staff.reread_interval().map(ticks);
        let mut others = state.staff.change_listener();
        loop {
            if let Err(error) = reloaded {
                tracing::error!(%error, "staff records that changed could not be read");
                tokio::time::sleep(RETRY_INTERVAL).await;
                reloaded = reload_staff(&state, None).await;
                continue;
            }
            let ids = tokio::select! {
                ids = next(&mut changes) => ids,
                // No record changed, but what became of an invitation's mail.
                Ok(()) = mails.changed() => Some(Some(Vec::new())),
                _ = mails_elsewhere.changed() => Some(Some(Vec::new())),
                // Another process may have changed some.
                () = other_process(&mut reread, &mut others) => {
                    match state.identity.is_staff_stale().await {
                        true => Some(None),
                        false => continue,
                    }
                }
            };
            let Some(ids) = ids else {
                return;
            };
            reloaded = reload_staff(&state, ids).await;
            tokio::time::sleep(ANNOUNCE_INTERVAL).await;
        }
    }
}

/// Until another process may have changed records.
async fn other_process(reread: &mut Option<Interval>, others: &mut TopicListener) {
    tokio::select! {
        () = tick(reread) => {}
        _ = others.changed() => {}
    }
}

/// Never, without an interval.
async fn tick(interval: &mut Option<Interval>) {
    match interval {
        Some(interval) => {
            interval.tick().await;
        }
        None => std::future::pending().await,
    }
}

/// The ids of what changed since the last time, `Some(None)` where it may be any; none when there
/// is nothing to follow any more.
async fn next(changes: &mut Receiver<StaffChange>) -> Option<Option<Vec<Arc<str>>>> {
    let mut ids = match changes.recv().await {
        Ok(change) => change.id.map(|id| vec![id]),
        Err(RecvError::Lagged(_)) => None,
        Err(RecvError::Closed) => return None,
    };
    loop {
        let id = match changes.try_recv() {
            Ok(change) => change.id,
            Err(TryRecvError::Lagged(_)) => None,
            Err(TryRecvError::Empty | TryRecvError::Closed) => return Some(ids),
        };
        ids = ids.zip(id).map(|(mut ids, id)| {
            if !ids.contains(&id) {
                ids.push(id);
            }
            ids
        });
    }
}

/// Reads staff records that changed again, all of them without `ids`, and tells every session.
pub(crate) async fn reload_staff(
    state: &UsersState,
    ids: Option<Vec<Arc<str>>>,
) -> Result<(), ApiError> {
    state.identity.reload_staff(ids).await?;
    state.directory.reload().await?;
    let changed = StaffChangedEvent::new(Timestamp::now().to_string());
    state
        .announcer
        .announce("STAFF_CHANGED", &changed, Audience::Everybody)
        .await
}

#[cfg(test)]
mod tests {
    use tokio::sync::broadcast;

    use super::*;

    #[actix_web::test]
    async fn changes_made_meanwhile_are_sent_at_once_and_each_once() {
        let (sender, mut changes) = broadcast::channel(4);
        let change = |id: Option<&str>| StaffChange {
            id: id.map(Arc::from),
        };
        let ids = |ids: &[&str]| Some(ids.iter().map(|&id| Arc::from(id)).collect());
        for id in ["a", "b", "a"] {
            sender.send(change(Some(id))).unwrap();
        }
        assert_eq!(next(&mut changes).await, Some(ids(&["a", "b"])));
        for id in [Some("a"), None, Some("b")] {
            sender.send(change(id)).unwrap();
        }
        assert_eq!(next(&mut changes).await, Some(None));
        // More than anybody keeps.
        for _ in 0..9 {
            sender.send(change(Some("a"))).unwrap();
        }
        assert_eq!(next(&mut changes).await, Some(None));
        drop(sender);
        assert_eq!(next(&mut changes).await, None);
    }
}

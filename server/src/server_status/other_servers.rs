//! What the shop's other servers say of themselves, so that an owner sees which versions run and who hears which server.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use dispatch_actors::store::{OtherServers, ServerNotice};
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{MissedTickBehavior, interval};

use super::api_types::ServerOfShop;

const TOPIC: &str = "server-status";

/// How old what is known of another server may be.
const TELL_INTERVAL: Duration = Duration::from_secs(10);

/// By the names that servers have for each other. Cheap to clone: all clones are the same.
#[derive(Clone, Default)]
pub(super) struct HeardServers(Arc<Mutex<HashMap<Arc<str>, ServerOfShop>>>);

impl HeardServers {
    /// By address.
    pub(super) fn list(&self) -> Vec<ServerOfShop> {
        let mut list: Vec<_> = self.heard().values().cloned().collect();
        list.sort_by(|one, other| one.address.cmp(&other.address));
        list
    }

    /// Says what this server is now and then, and to each that joins; on SQLite there is nobody else.
    pub(super) async fn follow(&self, others: &OtherServers, own: impl Fn() -> ServerOfShop) {
        let Some(mut notices) = others.subscribe() else {
            return;
        };
        let tell = || {
            let own = serde_json::to_string(&own());
            others.notify(TOPIC, &own.unwrap_or_default());
        };
        let mut due = interval(TELL_INTERVAL);
        due.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = due.tick() => tell(),
                notice = notices.recv() => match notice {
                    Ok(ServerNotice::Written { server, topic, data }) if &*topic == TOPIC => {
                        // What a later version says in another form is left out.
                        let said = serde_json::from_str(data.as_deref().unwrap_or_default());
                        if let Ok(said) = said {
                            self.heard().insert(server, said);
                        }
                    }
                    Ok(ServerNotice::Lost(server)) => drop(self.heard().remove(&server)),
                    Ok(ServerNotice::Joined(_)) => tell(),
                    // What a lost server said is dropped when it is found silent, which may have been among these.
                    Err(RecvError::Lagged(_)) => self.heard().clear(),
                    Ok(ServerNotice::Written { .. } | ServerNotice::MaybeMissed) => {}
                    Err(RecvError::Closed) => return,
                },
            }
        }
    }

    fn heard(&self) -> MutexGuard<'_, HashMap<Arc<str>, ServerOfShop>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! What the shop's other servers say of themselves, so that an owner sees which versions run and who hears which server.

use std::time::Duration;

use dispatch_actors::store::{OtherServers, SoftState};
use dispatch_actors::ticks::ticks;

use serde::{Deserialize, Serialize};

use super::api_types::ServerOfShop;
use crate::intake::watched_folder::FolderReport;

const TOPIC: &str = "server-status";

/// Each server says one thing.
const KEY: &str = "status";

/// How old what is known of another server may be.
const LOOK_INTERVAL: Duration = Duration::from_secs(10);

/// What a server says of itself.
#[derive(Serialize, Deserialize)]
pub(super) struct ServerReport {
    #[serde(flatten)]
    pub(super) server: ServerOfShop,
    /// None where it watches no folder, or its version does not say.
    pub(super) intake: Option<FolderReport>,
}

/// Cheap to clone: all clones are the same.
#[derive(Clone)]
pub(super) struct ServerStatuses(SoftState);

impl ServerStatuses {
    pub(super) fn new(others: &OtherServers) -> Self {
        Self(SoftState::new(others, TOPIC))
    }

    /// Those of the other servers, by address. What a later version says in another form is left out.
    pub(super) fn elsewhere(&self) -> Vec<ServerReport> {
        let said = self.0.elsewhere().into_iter();
        let mut list: Vec<ServerReport> = said
            .filter_map(|(_, status)| serde_json::from_str(&status).ok())
            .collect();
        list.sort_by(|one, other| one.server.address.cmp(&other.server.address));
        list
    }

    /// Hears the others, and says what this one is where that changed, for as long as it runs.
    pub(super) async fn follow(&self, own: impl Fn() -> ServerReport) {
        let say = async {
            let mut due = ticks(LOOK_INTERVAL);
            loop {
                due.tick().await;
                if let Ok(status) = serde_json::to_string(&own()) {
                    self.0.set(KEY, status);
                }
            }
        };
        tokio::join!(self.0.clone().follow(|_| ()), say);
    }
}

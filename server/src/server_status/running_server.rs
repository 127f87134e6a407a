//! What runs here: since when, on which database, and for whom.

use std::sync::Arc;

use dispatch_actors::store::{DatabaseUrl, Store};
use jiff::Timestamp;

use super::DatabaseCheck;
use super::api_types::{ConnectedScreens, DatabaseKind, DatabaseStatus, RunningServerStatus};
use crate::socket::{SessionKind, SocketCounts};

/// Cheap to clone.
#[derive(Clone)]
pub struct RunningServer {
    started_at: Timestamp,
    database: DatabaseKind,
    store: Store,
    check: DatabaseCheck,
    sockets: Arc<SocketCounts>,
}

impl RunningServer {
    /// Of a server that starts now.
    pub fn new(
        database: &DatabaseUrl,
        store: Store,
        check: DatabaseCheck,
        sockets: Arc<SocketCounts>,
    ) -> Self {
        let database = match database {
            DatabaseUrl::Sqlite(_) => DatabaseKind::Sqlite,
            DatabaseUrl::Postgres(_) => DatabaseKind::Postgresql,
        };
        Self {
            started_at: Timestamp::now(),
            database,
            store,
            check,
            sockets,
        }
    }

    pub async fn status(&self) -> RunningServerStatus {
        let size = self.store.size_bytes().await;
        let health = self.check.health();
        let screens =
            |kinds: &[SessionKind]| kinds.iter().map(|kind| self.sockets.connected(*kind)).sum();
        RunningServerStatus {
            started_at: self.started_at.to_string(),
            database: DatabaseStatus {
                kind: self.database,
                // How the rest is, is to be seen while the database does not answer, too.
                bytes: size.ok(),
                checked_at: health.checked_at.map(|at| at.to_string()),
                damage: health.damage,
            },
            screens: ConnectedScreens {
                desks: screens(&[SessionKind::Desk, SessionKind::Orders]),
                technicians: screens(&[SessionKind::Technician, SessionKind::Dashboard]),
                boards: screens(&[SessionKind::Board]),
            },
        }
    }
}

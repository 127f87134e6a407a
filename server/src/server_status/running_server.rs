//! What runs here: since when, on which database, and for whom.

use std::path::PathBuf;
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
    /// None where a mail server is configured.
    mail_folder: Option<PathBuf>,
}

impl RunningServer {
    /// Of a server that starts now.
    pub fn new(
        database: &DatabaseUrl,
        store: Store,
        check: DatabaseCheck,
        sockets: Arc<SocketCounts>,
        mail_folder: Option<PathBuf>,
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
            mail_folder,
        }
    }

    pub fn mail_folder(&self) -> Option<String> {
        let folder = self.mail_folder.as_ref();
        folder.map(|folder| folder.display().to_string())
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

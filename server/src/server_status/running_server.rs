//! What runs here: since when, on which database, and for whom.

use std::path::PathBuf;
use std::sync::Arc;

use dispatch_actors::store::{DatabaseUrl, Store};
use jiff::Timestamp;

use super::DatabaseCheck;
use super::api_types::{
    ConfigurationNotice, ConfigurationNoticeCode, ConnectedScreens, DatabaseKind, DatabaseStatus,
    IntakeStatus, LostDatabaseFile, RunningServerStatus, ServerOfShop,
};
use super::intake_status::intake_status;
use super::other_servers::{ServerReport, ServerStatuses};
use crate::intake::watched_folder::FolderHealth;
use crate::public_url::PublicUrl;
use crate::socket::{SessionKind, SocketCounts};
use crate::version::version_line;

/// Cheap to clone.
#[derive(Clone)]
pub struct RunningServer {
    address: Arc<str>,
    started_at: Timestamp,
    database: DatabaseKind,
    store: Store,
    check: DatabaseCheck,
    sockets: Arc<SocketCounts>,
    statuses: ServerStatuses,
    /// None where a mail server is configured.
    mail_folder: Option<PathBuf>,
    /// What mailed links begin with though nobody named it; none where somebody did, or no mail goes out.
    unnamed_url: Option<PublicUrl>,
    /// None where it watches no folder.
    intake: Option<FolderHealth>,
}

impl RunningServer {
    /// Of a server that starts now; its address is the one for browsers elsewhere.
    pub fn new(
        address: &str,
        database: &DatabaseUrl,
        store: Store,
        check: DatabaseCheck,
        sockets: Arc<SocketCounts>,
        mail_folder: Option<PathBuf>,
        unnamed_url: Option<PublicUrl>,
    ) -> Self {
        let database = match database {
            DatabaseUrl::Sqlite(_) => DatabaseKind::Sqlite,
            DatabaseUrl::Postgres(_) => DatabaseKind::Postgresql,
        };
        let statuses = ServerStatuses::new(store.others());
        Self {
            address: address.into(),
            started_at: Timestamp::now(),
            database,
            store,
            check,
            sockets,
            statuses,
            mail_folder,
            unnamed_url,
            intake: None,
        }
    }

    /// It watches a folder for files from other systems.
    pub fn with_intake(self, intake: Option<FolderHealth>) -> Self {
        Self { intake, ..self }
    }

    /// That mails go out, and their links lead to an address that nobody has named.
    pub fn notice_of_mailed_links(&self) -> Option<ConfigurationNotice> {
        self.unnamed_url.as_ref().map(|url| ConfigurationNotice {
            code: ConfigurationNoticeCode::MailsWithoutPublicUrl,
            address: Some(url.to_string()),
            seen_at: self.started_at.to_string(),
            advice: format!(
                "Links in mails begin with {}, which nobody has named. Start the server with \
                 --public-url and the address that people open",
                &**url
            ),
        })
    }

    pub fn mail_folder(&self) -> Option<String> {
        let folder = self.mail_folder.as_ref();
        folder.map(|folder| folder.display().to_string())
    }

    /// Tells the shop's other servers what this one is, and hears what they are, for as long as it runs.
    pub async fn follow_other_servers(self) {
        let report = || ServerReport {
            server: self.description(),
            intake: self.intake.as_ref().map(FolderHealth::report),
        };
        self.statuses.follow(report).await;
    }

    /// The shop's other servers, by address.
    pub(super) fn others(&self) -> Vec<ServerOfShop> {
        let reports = self.statuses.elsewhere().into_iter();
        reports.map(|report| report.server).collect()
    }

    /// How files from other systems go at the shop's servers; none where no server watches a folder.
    pub fn intake(&self) -> Option<IntakeStatus> {
        let own = self.intake.as_ref().map(FolderHealth::report);
        let elsewhere = self.statuses.elsewhere().into_iter();
        let reports = own.into_iter();
        let reports: Vec<_> = reports
            .chain(elsewhere.filter_map(|report| report.intake))
            .collect();
        intake_status(&reports)
    }

    fn description(&self) -> ServerOfShop {
        let screens =
            |kinds: &[SessionKind]| kinds.iter().map(|kind| self.sockets.connected(*kind)).sum();
        ServerOfShop {
            address: self.address.to_string(),
            version: version_line().to_owned(),
            started_at: self.started_at.to_string(),
            screens: ConnectedScreens {
                desks: screens(&[SessionKind::Desk, SessionKind::Orders]),
                technicians: screens(&[SessionKind::Technician, SessionKind::Dashboard]),
                boards: screens(&[SessionKind::Board]),
            },
        }
    }

    pub async fn status(&self) -> RunningServerStatus {
        let size = self.store.size_bytes().await;
        let health = self.check.health();
        RunningServerStatus {
            own: self.description(),
            database: DatabaseStatus {
                kind: self.database,
                // How the rest is, is to be seen while the database does not answer, too.
                bytes: size.ok(),
                checked_at: health.checked_at.map(|at| at.to_string()),
                damage: health.damage,
                lost_file: health.lost_file.map(|lost| LostDatabaseFile {
                    copy: lost.copy.map(|copy| copy.display().to_string()),
                }),
            },
        }
    }
}

//! The shapes of the call and of the message.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::backup::Backups;
use crate::http::proxy_notices::ProxyNotice;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiskSpace {
    /// Where the server keeps something.
    #[schema(examples("/var/lib/dispatch"))]
    pub folder: String,
    /// What is left to this server on the file system of the folder.
    #[schema(minimum = 0)]
    pub free_bytes: u64,
    #[schema(minimum = 0)]
    pub total_bytes: u64,
    pub holds: DiskContents,
    /// Less is left than `holds` needs: unless somebody makes room, that will fail soon.
    pub low: bool,
}

/// What a file system is for; of several, the first of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DiskContents {
    /// Data folder or database: when it is full no change can be saved.
    Data,
    /// The watched folder: when it is full no file can be put there.
    Intake,
    /// When it is full no backup can be written.
    Backups,
}

impl DiskContents {
    /// What does not work when there is no room any more.
    pub fn without_room(self) -> &'static str {
        match self {
            Self::Data => "no change can be saved",
            Self::Intake => "no file can be put there",
            Self::Backups => "no backup can be written",
        }
    }
}

/// Something about the way here that the configuration does not say: it mails links, or requests of the last day gave
/// it away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfigurationNotice {
    pub code: ConfigurationNoticeCode,
    /// Of the proxy, or what mailed links begin with.
    #[schema(examples("127.0.0.1"))]
    pub address: Option<String>,
    /// When it was seen last; of mailed links, the start of the server.
    #[schema(format = DateTime)]
    pub seen_at: String,
    /// A sentence for whoever runs the server, in English.
    pub advice: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ConfigurationNoticeCode {
    /// A proxy in front is not named with `--trusted-proxy`, so that limits count all who are behind
    /// it as one.
    UntrustedProxy,
    /// Browsers come by HTTPS, and `--public-url` does not say so.
    HttpsWithoutPublicUrl,
    /// A mail server is configured and `--public-url` is not: whether people find what mailed links lead to is not known.
    MailsWithoutPublicUrl,
}

impl From<ProxyNotice> for ConfigurationNotice {
    fn from(notice: ProxyNotice) -> Self {
        match notice {
            ProxyNotice::UntrustedProxy { address, at } => Self {
                code: ConfigurationNoticeCode::UntrustedProxy,
                address: Some(address.to_string()),
                seen_at: at.to_string(),
                advice: format!(
                    "Requests come by way of a proxy at {address} that is not trusted. If it is yours, \
                     start the server with --trusted-proxy {address}"
                ),
            },
            ProxyNotice::HttpsWithoutPublicUrl { at } => Self {
                code: ConfigurationNoticeCode::HttpsWithoutPublicUrl,
                address: None,
                seen_at: at.to_string(),
                advice:
                    "Browsers reach this server by HTTPS. Start it with --public-url https://..."
                        .to_owned(),
            },
        }
    }
}

/// The backups that the server writes by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BackupStatus {
    #[schema(examples("/mnt/backups"))]
    pub folder: String,
    /// When the newest backup in the folder was made; null where there is none.
    #[schema(format = DateTime)]
    pub newest: Option<String>,
    /// Why the one that is due could not be written, in English; null while all is well.
    pub failure: Option<String>,
    /// Null where no copies are made.
    pub offsite: Option<OffsiteBackupStatus>,
}

/// The copies of backups in a store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OffsiteBackupStatus {
    /// The bucket's address, and the prefix in it.
    #[schema(examples("https://s3.example.com/lakeside/dispatch"))]
    pub store: String,
    /// When the newest backup there was made; null where none is known.
    #[schema(format = DateTime)]
    pub newest: Option<String>,
    /// Why the newest backup could not be copied there, in English; null while all is well.
    pub failure: Option<String>,
}

impl From<&Backups> for BackupStatus {
    fn from(backups: &Backups) -> Self {
        let state = backups.state();
        Self {
            folder: backups.schedule().folder.display().to_string(),
            newest: state.newest.map(|at| at.to_string()),
            failure: state.failure,
            offsite: backups.offsite().map(|(store, state)| OffsiteBackupStatus {
                store: store.to_string(),
                newest: state.newest.map(|at| at.to_string()),
                failure: state.failure,
            }),
        }
    }
}

/// The watched folder for files from other systems.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct IntakeStatus {
    #[schema(examples("/srv/intake"))]
    pub folder: String,
    /// Why files that wait there are not read, in English; null while all is well.
    #[schema(required)]
    pub failure: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunningServerStatus {
    /// What it says of itself to the other servers, too.
    #[serde(flatten)]
    pub own: ServerOfShop,
    pub database: DatabaseStatus,
}

/// A server as it describes itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ServerOfShop {
    /// Where browsers find it without the proxy that may be in front.
    #[schema(examples("http://dispatch-1:8080"))]
    pub address: String,
    /// With the commit that it was built from, where that is known.
    #[schema(examples("0.1.0 (e11150cd)"))]
    pub version: String,
    #[schema(format = DateTime)]
    pub started_at: String,
    pub screens: ConnectedScreens,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DatabaseStatus {
    pub kind: DatabaseKind,
    /// With all that it keeps beside its tables; null while it does not answer.
    #[schema(minimum = 0)]
    pub bytes: Option<u64>,
    /// When all of it was read last; null before the first time, and for PostgreSQL.
    #[schema(format = DateTime)]
    pub checked_at: Option<String>,
    /// What the check found, in SQLite's words; null while all is well.
    pub damage: Option<String>,
    /// Null while the file is the one that the server has open, and for PostgreSQL.
    pub lost_file: Option<LostDatabaseFile>,
}

/// SQLite's file was deleted, moved or replaced under the server, and no change is saved before it is back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct LostDatabaseFile {
    /// A database with all that was saved, to be restored; null where it could not be written yet.
    #[schema(examples("/var/lib/dispatch/dispatch.sqlite.rescued-2026-11-24T15-04-05Z"))]
    pub copy: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DatabaseKind {
    Sqlite,
    Postgresql,
}

/// Screens that hear a server's changes now, by what they show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ConnectedScreens {
    #[schema(minimum = 0)]
    pub desks: u64,
    /// Technicians' pages and dashboards.
    #[schema(minimum = 0)]
    pub technicians: u64,
    #[schema(minimum = 0)]
    pub boards: u64,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ServerStatus {
    pub server: RunningServerStatus,
    /// The others on the same PostgreSQL database that were heard within the last ten seconds, by address.
    pub other_servers: Vec<ServerOfShop>,
    /// One entry for each file system; none where the machine does not tell.
    pub disk: Vec<DiskSpace>,
    /// Null where the server writes no backups by itself.
    pub backups: Option<BackupStatus>,
    /// Null where no server of the shop watches a folder.
    #[schema(required)]
    pub intake: Option<IntakeStatus>,
    /// What is to be put right; empty where all is well.
    pub configuration: Vec<ConfigurationNotice>,
    /// Where mails are files that reach nobody, because no mail server is configured; null where there is one.
    #[schema(required, examples("/var/lib/dispatch/mail"))]
    pub mail_folder: Option<String>,
}

/// Sent as `SERVER_STATUS_CHANGED` to whoever hears everything, without an offset, when a disk
/// became low or is no longer, backups, their copies or the watched folder began to fail or no longer do, or the database was
/// found damaged: who may see it asks.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ServerStatusChanged)]
pub struct ServerStatusChangedEvent {
    /// Always `SERVER_STATUS_CHANGED`.
    pub r#type: &'static str,
    #[schema(format = DateTime)]
    pub timestamp: String,
}

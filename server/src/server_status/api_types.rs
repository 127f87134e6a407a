//! The shapes of the call and of the message.

use serde::Serialize;
use utoipa::ToSchema;

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
    /// Changes will soon be refused unless somebody makes room.
    pub low: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ServerStatus {
    /// One entry for each file system; none where the machine does not tell.
    pub disk: Vec<DiskSpace>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ServerStatusAnswer {
    /// Always true.
    pub ok: bool,
    pub result: ServerStatus,
}

/// Sent as `SERVER_STATUS_CHANGED` to whoever hears everything, without an offset, when a disk
/// became low or is no longer: who may see it asks.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ServerStatusChanged)]
pub struct ServerStatusChangedEvent {
    /// Always `SERVER_STATUS_CHANGED`.
    pub r#type: &'static str,
    #[schema(format = DateTime)]
    pub timestamp: String,
}

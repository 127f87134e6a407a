//! Where every number is. Nothing here keeps the work of an area going.

use std::sync::Arc;

use dispatch_actors::committer::CommitterWatch;
use dispatch_actors::counts::Histogram;
use dispatch_actors::snapshot::Snapshot;
use dispatch_actors::store::Store;
use jiff::Timestamp;

use actix_socketio::StreamCounts;

use crate::http::request_counts::RequestCounts;
use crate::identity::MailCounts;
use crate::intake::IntakeCounts;
use crate::push::PushCounts;
use crate::retention::PrunedCounts;
use crate::server_status::{DatabaseCheck, DiskWatch, OwnBackups, RunningServer};
use crate::socket::SocketCounts;
use crate::tech_story::StoryCallCounts;

/// Cheap to clone.
#[derive(Clone)]
pub struct MetricSources {
    pub started_at: Timestamp,
    pub requests: RequestCounts,
    pub commits: CommitterWatch,
    pub store: Store,
    pub snapshot: Snapshot,
    pub list_encodings: Arc<Histogram>,
    pub stream: Arc<StreamCounts>,
    pub sockets: Arc<SocketCounts>,
    pub intake: Arc<IntakeCounts>,
    pub mails: Arc<MailCounts>,
    pub pushes: Arc<PushCounts>,
    pub story_calls: Arc<StoryCallCounts>,
    pub database_check: DatabaseCheck,
    pub disks: DiskWatch,
    pub backups: OwnBackups,
    pub server: RunningServer,
    pub pruned: Arc<PrunedCounts>,
}

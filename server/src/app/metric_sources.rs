//! Where the numbers are that Prometheus is told.

use std::sync::Arc;

use actix_socketio::StreamCounts;
use jiff::Timestamp;

use super::Assembly;
use crate::http::request_counts::RequestCounts;
use crate::metrics::MetricSources;
use crate::retention::PrunedCounts;
use crate::server_status::{DatabaseCheck, DiskWatch, OwnBackups};

pub(super) fn metric_sources(
    assembly: &Assembly,
    requests: &RequestCounts,
    stream: &Arc<StreamCounts>,
    (database_check, disks, backups): (&DatabaseCheck, &DiskWatch, &OwnBackups),
    pruned: &Arc<PrunedCounts>,
) -> MetricSources {
    MetricSources {
        started_at: Timestamp::now(),
        requests: requests.clone(),
        commits: assembly.commits.clone(),
        store: assembly.store.clone(),
        snapshot: assembly.repair_orders.snapshot.clone(),
        list_encodings: Arc::clone(assembly.repair_orders.list.encoding_times()),
        stream: Arc::clone(stream),
        sockets: Arc::clone(&assembly.socket.counts),
        intake: Arc::clone(&assembly.intake.counts),
        mails: Arc::clone(assembly.users.mail_queue.counts()),
        pushes: Arc::clone(assembly.push.push.counts()),
        story_calls: Arc::clone(assembly.tech_story.stories.calls()),
        database_check: database_check.clone(),
        disks: disks.clone(),
        backups: backups.clone(),
        pruned: Arc::clone(pruned),
    }
}

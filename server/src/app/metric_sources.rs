//! Where the numbers are that Prometheus is told.

use std::sync::Arc;

use actix_socketio::StreamCounts;
use jiff::Timestamp;

use super::Assembly;
use super::machine_watch::MachineWatch;
use crate::http::request_counts::RequestCounts;
use crate::metrics::MetricSources;
use crate::retention::PrunedCounts;
use crate::server_status::RunningServer;

pub(super) fn metric_sources(
    assembly: &Assembly,
    requests: &RequestCounts,
    stream: &Arc<StreamCounts>,
    machine: &MachineWatch,
    server: &RunningServer,
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
        database_check: machine.database.clone(),
        disks: machine.disks.clone(),
        backups: machine.backups.clone(),
        server: server.clone(),
        pruned: Arc::clone(pruned),
    }
}

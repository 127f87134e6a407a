//! The task that sends mails.

use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::identity::MailDelivery;

/// Sends mails until it is told to stop.
pub(super) struct MailTask {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

/// The end of the process waits this long for the task, which waits less long for mails that are being
/// sent. The rest is for the database.
const MAIL_STOP_TIMEOUT: Duration = Duration::from_secs(5);

impl MailTask {
    pub(super) fn start(delivery: MailDelivery) -> Self {
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(delivery.run(async {
            // A dropped sender is the signal, too.
            let _ = stopped.await;
        }));
        Self { stop, task }
    }

    pub(super) async fn stop(self) {
        drop(self.stop);
        if tokio::time::timeout(MAIL_STOP_TIMEOUT, self.task)
            .await
            .is_err()
        {
            tracing::warn!("the database did not answer whoever sends mails in time");
        }
    }
}

//! Reads the end of the log on a clock of its own, whatever else the server does: it wakes the
//! committer to announce the events of other processes, notices a log that went back, and reports a
//! database that does not answer. At first, and while changes cannot be saved, it probes whether they can.

use std::fmt::Display;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::store::{LOG, LogState, Store};
use crate::ticks::ticks;

/// From one reading to the next.
const READ_INTERVAL: Duration = Duration::from_secs(1);

/// A database that takes longer over one row is treated as gone.
const READ_TIMEOUT: Duration = Duration::from_secs(2);

/// The same for a transaction that changes nothing.
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);

/// Watches until the committer, who holds `wake`, is gone. Wakes it where the log is not as it was
/// announced: as soon as another server says that it wrote, and at the latest with the next reading.
pub(crate) async fn watch(store: Store, wake: Weak<Notify>) {
    let is_running = || wake.strong_count() > 0;
    let mut log_listener = store.others().listen(LOG);
    let hear = async {
        loop {
            log_listener.changed().await;
            if let Some(committer) = wake.upgrade() {
                committer.notify_one();
            }
        }
    };
    let read = async {
        let others = store.others().run(&store, is_running);
        tokio::join!(read_again_and_again(&store, &wake), others);
    };
    tokio::select! {
        () = hear => {}
        () = read => {}
        () = store.follow_primary() => {}
    }
}

/// Until the committer is gone.
async fn read_again_and_again(store: &Store, wake: &Weak<Notify>) {
    let mut again = ticks(READ_INTERVAL);
    // Beside the watch: it may take longer than the log may go unread.
    let mut probing: Option<JoinHandle<()>> = None;
    let mut has_tried = false;
    loop {
        tokio::select! {
            _ = again.tick() => {}
            () = store.until_host_moved() => {}
        }
        let Some(committer) = wake.upgrade() else {
            return;
        };
        if let Err(why) = read(store, &committer).await {
            store.status().not_read(&why);
        }
        let is_probing = probing.as_ref().is_some_and(|task| !task.is_finished());
        // At the start nothing is known: on a disk that is full already, nobody need lose a change to find out.
        let is_first = !std::mem::replace(&mut has_tried, true);
        if !is_probing && (is_first || store.status().outage().not_saving_since.is_some()) {
            probing = Some(actix::spawn(probe(store.clone(), is_first)));
        }
    }
}

/// Reads the end of the log, and wakes the committer where that is not what was announced.
async fn read(store: &Store, committer: &Arc<Notify>) -> Result<(), String> {
    // That is noted; what is open can be read all the same.
    let _ = store.require_file();
    let moment = (Instant::now(), Timestamp::now());
    let state = match store.in_time(READ_TIMEOUT, store.compare()).await {
        Some(state) => state.map_err(|error| error.to_string())?,
        None => return Err("the database did not answer in time".to_owned()),
    };
    match state {
        LogState::Announced => store.status().caught_up(moment),
        LogState::Ahead { .. } | LogState::WentBack(_) => committer.notify_one(),
    }
    Ok(())
}

/// `is_first`: that it fails is news.
async fn probe(store: Store, is_first: bool) {
    let failed = |why: &dyn Display| match is_first {
        true => store.status().not_saved(why),
        false => tracing::debug!(%why, "changes can still not be saved"),
    };
    match store.in_time(PROBE_TIMEOUT, store.probe_write()).await {
        Some(Ok(())) => {}
        Some(Err(error)) => failed(&error),
        None => failed(&"it took too long"),
    }
}

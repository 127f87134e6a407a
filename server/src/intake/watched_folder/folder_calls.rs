//! Calls to the watched folder, which may be on a network: while that is away, a call to the system may not return.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tokio::sync::{Mutex, oneshot};
use tokio::time::timeout;

/// A call takes a few milliseconds; a list of thousands of files from another house some seconds.
pub(super) const CALL_TIMEOUT: Duration = Duration::from_secs(60);

/// Linux shows 15 characters.
const THREAD_NAME: &str = "intake-folder";

#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the folder does not answer, and no file of it is taken until it does")]
pub(super) struct FolderTimeoutError;

/// Whether it was given up after our own time. A network file system may have a shorter one, and then answers.
pub(super) fn is_folder_timeout(error: &io::Error) -> bool {
    let reason = error.get_ref();
    reason.is_some_and(|reason| reason.is::<FolderTimeoutError>())
}

/// Makes one call at a time: a folder that does not answer keeps one thread, however often it is tried. Cheap to clone:
/// all clones take turns.
#[derive(Clone, Debug)]
pub(super) struct FolderCalls {
    turn: Arc<Mutex<()>>,
    timeout: Duration,
}

impl FolderCalls {
    pub(super) fn new(timeout: Duration) -> Self {
        Self {
            turn: Arc::default(),
            timeout,
        }
    }

    /// For what may happen later or not at all: it is given up when it takes too long.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> io::Result<T> + Send + 'static,
    ) -> io::Result<T> {
        self.ask_within(self.timeout, work).await
    }

    pub(super) async fn ask_within<T: Send + 'static>(
        &self,
        limit: Duration,
        work: impl FnOnce() -> io::Result<T> + Send + 'static,
    ) -> io::Result<T> {
        let late = |_| Err(io::Error::new(io::ErrorKind::TimedOut, FolderTimeoutError));
        let answer = timeout(limit, self.start(work)).await;
        answer.unwrap_or_else(late)
    }

    /// For a change, which must not happen behind the back of whoever asked for it: it is waited for, and calls
    /// `on_timeout` when it takes too long.
    pub(super) async fn change<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> io::Result<T> + Send + 'static,
        on_timeout: impl FnOnce(),
    ) -> io::Result<T> {
        let mut answer = pin!(self.start(work));
        match timeout(self.timeout, answer.as_mut()).await {
            Ok(answer) => answer,
            Err(_late) => {
                on_timeout();
                answer.await
            }
        }
    }

    /// Until the call that was given up has returned.
    pub(super) async fn wait_until_idle(&self) {
        drop(self.turn.lock().await);
    }

    async fn start<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> io::Result<T> + Send + 'static,
    ) -> io::Result<T> {
        let turn = Arc::clone(&self.turn).lock_owned().await;
        let (sender, answer) = oneshot::channel();
        let run = move || {
            let done = work();
            drop(turn);
            // Nobody waits for what was given up.
            let _ = sender.send(done);
        };
        // None of the runtime's, which waits for its threads when the server stops.
        let thread = thread::Builder::new().name(THREAD_NAME.to_owned());
        thread.spawn(run)?;
        // No answer comes of work that panics, which is logged.
        let answer = answer.await;
        answer.unwrap_or_else(|error| Err(io::Error::other(error)))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc;

    use super::*;

    const SHORT: Duration = Duration::from_millis(50);
    const LONG: Duration = Duration::from_secs(60);

    /// Work that does not return before the sender is dropped, as on a network that is away.
    fn hanging_work() -> (
        mpsc::Sender<()>,
        impl FnOnce() -> io::Result<()> + Send + 'static,
    ) {
        let (network, answer) = mpsc::channel();
        let work = move || {
            let _ = answer.recv();
            Ok(())
        };
        (network, work)
    }

    #[tokio::test]
    async fn a_call_that_hangs_is_given_up_and_no_other_begins_before_it_returns() {
        let mut calls = FolderCalls::new(SHORT);
        let (network, work) = hanging_work();
        let given_up = calls.ask(work).await.unwrap_err();
        assert!(is_folder_timeout(&given_up), "{given_up}");

        let has_begun = Arc::new(AtomicBool::new(false));
        let begun = Arc::clone(&has_begun);
        let next = move || {
            begun.store(true, Ordering::Relaxed);
            Ok(())
        };
        let given_up = calls.ask(next).await.unwrap_err();
        assert!(is_folder_timeout(&given_up), "{given_up}");

        drop(network);
        calls.wait_until_idle().await;
        assert!(!has_begun.load(Ordering::Relaxed));
        calls.timeout = LONG;
        assert_eq!(calls.ask(|| Ok(7)).await.unwrap(), 7);
    }

    #[tokio::test]
    async fn a_change_that_hangs_is_reported_and_waited_for() {
        let calls = FolderCalls::new(SHORT);
        let (network, work) = hanging_work();
        let mut reports = 0;
        let changed = calls.change(work, || {
            reports += 1;
            drop(network);
        });
        changed.await.unwrap();
        assert_eq!(reports, 1);
    }

    #[tokio::test]
    async fn an_error_of_the_file_system_is_no_timeout_of_ours() {
        let calls = FolderCalls::new(LONG);
        let work = || Err::<(), _>(io::Error::from(io::ErrorKind::TimedOut));
        let error = calls.ask(work).await.unwrap_err();
        assert!(!is_folder_timeout(&error), "{error}");
    }
}

//! Notifies systemd, where it asks for that (`NOTIFY_SOCKET`, `WATCHDOG_USEC`), that the server is ready, lives and
//! stops.

use sd_notify::NotifyState;

/// Sent as one message. A service manager that does not listen is no reason to stop working.
fn notify(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!(%error, "the service manager could not be notified of the server's state");
    }
}

/// The server listens. From now on this thread, which commits and announces changes, shows twice within
/// the watchdog's time that it goes on.
pub fn notify_ready() {
    notify(&[NotifyState::Ready]);
    let Some(time) = sd_notify::watchdog_enabled() else {
        return;
    };
    actix_web::rt::spawn(async move {
        let mut interval = tokio::time::interval(time / 2);
        loop {
            interval.tick().await;
            notify(&[NotifyState::Watchdog]);
        }
    });
}

/// The server was told to stop, and finishes what it has begun.
pub fn notify_stopping() {
    notify(&[NotifyState::Stopping]);
}

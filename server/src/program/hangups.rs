//! SIGHUP asks many servers to read their configuration again, and ends a program that does not expect it:
//! a log that is rotated, or a terminal that is closed, must not end this one.

use std::io;

use actix_web::rt;
use tokio::signal::unix::{SignalKind, signal};

/// From now on.
pub fn ignore() -> io::Result<()> {
    let mut hangups = signal(SignalKind::hangup())?;
    rt::spawn(async move {
        while hangups.recv().await.is_some() {
            tracing::warn!(
                "SIGHUP changes nothing: restart the server to have its options read again"
            );
        }
    });
    Ok(())
}

//! The server that runs on the data folder, if one does. It answers at its local socket.

use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use tokio::net::UnixStream;

use super::Patient;
use super::finding::Finding;
use super::listening::url_of;
use super::probe::not_ready;
use crate::control;

#[derive(Clone, Copy, Debug)]
pub(super) struct RunningServer {
    /// None where the system does not tell.
    pub(super) pid: Option<i32>,
}

impl RunningServer {
    pub(super) async fn find(data_dir: &Path) -> Option<Self> {
        let socket = UnixStream::connect(control::socket_path(data_dir)).await;
        let pid = socket.ok()?.peer_cred().ok().and_then(|peer| peer.pid());
        Some(Self { pid })
    }
}

/// Of Linux's times of processes (USER_HZ).
const TICKS_PER_SECOND: f64 = 100.0;

/// The times of two clocks that count hundredths are compared.
const START_ACCURACY: SignedDuration = SignedDuration::from_secs(1);

/// What a server that runs has not read yet.
pub(super) fn check_options(patient: &Patient, file: Option<&Path>) -> Option<Finding> {
    let started = started_at(patient.server?.pid?)?;
    let changed = Timestamp::try_from(file?.metadata().ok()?.modified().ok()?).ok()?;
    (changed > started + START_ACCURACY).then(|| {
        Finding::warning(
            "server",
            "the options file was changed after the server was started, which reads it then alone",
            "restart it (systemctl restart dispatch)",
        )
    })
}

/// To a hundredth of a second, by the time since the machine's start.
fn started_at(pid: i32) -> Option<Timestamp> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may have spaces; the start is the twenty-second field of all.
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks: u64 = fields.split_whitespace().nth(19)?.parse().ok()?;
    let uptime = std::fs::read_to_string("/proc/uptime").ok()?;
    let uptime: f64 = uptime.split_whitespace().next()?.parse().ok()?;
    let age = uptime - ticks as f64 / TICKS_PER_SECOND;
    Timestamp::now()
        .checked_sub(SignedDuration::try_from_secs_f64(age).ok()?)
        .ok()
}

pub(super) async fn check(patient: &Patient) -> Finding {
    let folder = patient.config.shop.data_dir.display();
    let found = match patient.server {
        Some(RunningServer { pid: Some(pid) }) => format!("one runs on {folder} (process {pid})"),
        Some(_) => format!("one runs on {folder}"),
        None => return Finding::skipped("server", format!("none runs on {folder}")),
    };
    let not_ready = match url_of(patient.config.listen) {
        Some(url) => not_ready(&url).await,
        None => None,
    };
    match not_ready {
        None => Finding::ok("server", found),
        Some(why) => Finding::wrong(
            "server",
            format!("{found}, and does not work: {why}"),
            "see what else is found here, and the log",
        ),
    }
}

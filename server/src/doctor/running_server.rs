//! The server that runs on the data folder, if one does. It answers at its local socket.

use std::path::Path;

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

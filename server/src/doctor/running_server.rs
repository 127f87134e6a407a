//! The server that runs on the data folder, if one does. It answers at its local socket.

use std::path::Path;

use tokio::net::UnixStream;

use super::Patient;
use super::finding::Finding;
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

pub(super) fn look(patient: &Patient) -> Finding {
    let folder = patient.config.shop.data_dir.display();
    match patient.server {
        Some(RunningServer { pid: Some(pid) }) => {
            Finding::ok("server", format!("one runs on {folder} (process {pid})"))
        }
        Some(_) => Finding::ok("server", format!("one runs on {folder}")),
        None => Finding::skipped("server", format!("none runs on {folder}")),
    }
}

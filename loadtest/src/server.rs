//! A server that this program starts, stops and kills.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, Command};
use tokio::time::{sleep, timeout};

use crate::error::LoadTestError;
use crate::process::Process;
use crate::target::Address;

const LOOK: Duration = Duration::from_millis(2);
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// A server that is asked to stop and has not by then is killed.
const STOP: Duration = Duration::from_secs(10);

pub struct Server {
    child: Child,
    process: Process,
}

impl Server {
    /// Comes back when it is ready.
    pub async fn start(
        binary: &Path,
        data_dir: &Path,
        address: &Address,
        more: &[&str],
    ) -> Result<Self, LoadTestError> {
        Self::start_with(binary, data_dir, address, more, &[]).await
    }

    /// With something in its environment.
    pub async fn start_with(
        binary: &Path,
        data_dir: &Path,
        address: &Address,
        more: &[&str],
        environment: &[(&str, &Path)],
    ) -> Result<Self, LoadTestError> {
        let mut child = Command::new(binary)
            .args(["serve", "--listen", &address.authority(), "--data-dir"])
            .arg(data_dir)
            .args(more)
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| LoadTestError::Machine(format!("{}: {error}", binary.display())))?;
        let ended = || LoadTestError::Machine("the server ended at once".to_owned());
        let process = Process(child.id().ok_or_else(ended)?);
        until_ready(&mut child, address).await?;
        Ok(Self { child, process })
    }

    pub fn process(&self) -> Process {
        self.process
    }

    /// Waits until `/readyz` says yes.
    pub async fn until_ready(&self, address: &Address) {
        while !is_ready(address).await {
            sleep(LOOK).await;
        }
    }

    /// SIGKILL: it may finish nothing.
    pub async fn kill(mut self) -> Result<(), LoadTestError> {
        self.child.kill().await.map_err(stopping)
    }

    /// As an administrator would, so that the next start finds the database closed.
    pub async fn stop(mut self) -> Result<(), LoadTestError> {
        Command::new("kill")
            .arg(self.process.0.to_string())
            .status()
            .await
            .map_err(stopping)?;
        if timeout(STOP, self.child.wait()).await.is_err() {
            self.child.kill().await.map_err(stopping)?;
        }
        Ok(())
    }
}

fn stopping(error: std::io::Error) -> LoadTestError {
    LoadTestError::Machine(format!("stopping it: {error}"))
}

pub async fn free_address() -> Result<Address, LoadTestError> {
    let port = free_port().await?;
    format!("http://127.0.0.1:{port}")
        .parse()
        .map_err(|why| LoadTestError::Machine(format!("a free port: {why}")))
}

/// A port that is free now; the server takes it right after. Below those that the kernel gives to
/// clients, so that it is still free when the server comes back.
pub async fn free_port() -> Result<u16, LoadTestError> {
    let from = 20_000 + (std::process::id() % 10_000) as u16;
    for port in from..from + 1_000 {
        if TcpListener::bind(("127.0.0.1", port)).await.is_ok() {
            return Ok(port);
        }
    }
    Err(LoadTestError::Machine("no port is free".to_owned()))
}

async fn until_ready(server: &mut Child, address: &Address) -> Result<(), LoadTestError> {
    let ready = async {
        loop {
            if is_ready(address).await {
                return Ok(());
            }
            if let Ok(Some(status)) = server.try_wait() {
                return Err(LoadTestError::Machine(format!(
                    "the server ended: {status}"
                )));
            }
            sleep(LOOK).await;
        }
    };
    timeout(START_TIMEOUT, ready).await.unwrap_or_else(|_| {
        Err(LoadTestError::Machine(
            "the server did not get ready".to_owned(),
        ))
    })
}

/// Asked on a plain connection each time, which costs less than what is measured.
async fn is_ready(address: &Address) -> bool {
    let ask = async {
        let mut stream = TcpStream::connect(address.authority()).await?;
        let request = "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        stream.write_all(request.as_bytes()).await?;
        let mut answer = [0; "HTTP/1.1 200".len()];
        stream.read_exact(&mut answer).await?;
        Ok::<_, std::io::Error>(answer == *b"HTTP/1.1 200")
    };
    ask.await.unwrap_or(false)
}

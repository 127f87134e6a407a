//! The several servers of `examples/cluster`, by the script that starts, breaks and mends them.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::net::TcpListener;
use tokio::process::Command;

use crate::error::LoadTestError;
use crate::target::Address;

/// From the project's folder, where this is run.
const SCRIPT: &str = "examples/cluster/run";

/// HAProxy, servers, and two databases.
const MAX_PORTS: u16 = 16;

/// Stopped when it is dropped.
pub struct ExampleCluster {
    environment: Vec<(&'static str, String)>,
    proxy_port: u16,
    server_ports: Vec<u16>,
    database_ports: [u16; 2],
    folder: PathBuf,
}

/// How the primary is lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PrimaryFailure {
    /// Its processes end, and every connection with them.
    Dies,
    /// It stands still: connections stay, and nothing comes.
    FallsSilent,
}

impl ExampleCluster {
    /// Comes back when all of it is ready.
    pub async fn start(binary: &Path, folder: &Path, servers: u8) -> Result<Self, LoadTestError> {
        let ports = free_ports(usize::from(servers) + 3).await?;
        let [proxy_port, first, second, server_ports @ ..] = &ports[..] else {
            return Err(LoadTestError::Machine("no ports are free".to_owned()));
        };
        let words = |ports: &[u16]| {
            let words: Vec<String> = ports.iter().map(u16::to_string).collect();
            words.join(" ")
        };
        let cluster = Self {
            environment: vec![
                ("DATA", folder.display().to_string()),
                ("BINARY", binary.display().to_string()),
                ("SERVERS", servers.to_string()),
                ("PORT", proxy_port.to_string()),
                ("SERVER_PORTS", words(server_ports)),
                ("DATABASE_PORTS", words(&[*first, *second])),
            ],
            proxy_port: *proxy_port,
            server_ports: server_ports.to_vec(),
            database_ports: [*first, *second],
            folder: folder.to_owned(),
        };
        cluster.run(&["start"]).await?;
        Ok(cluster)
    }

    /// The servers as one, behind HAProxy.
    pub fn address(&self) -> Result<Address, LoadTestError> {
        address(self.proxy_port)
    }

    /// Each server's own.
    pub fn server_addresses(&self) -> Result<Vec<Address>, LoadTestError> {
        self.server_ports
            .iter()
            .map(|port| address(*port))
            .collect()
    }

    pub fn servers(&self) -> usize {
        self.server_ports.len()
    }

    pub fn database_url(&self) -> String {
        let [first, second] = self.database_ports;
        format!("postgres://postgres@127.0.0.1:{first},127.0.0.1:{second}/postgres")
    }

    /// Of the first server.
    pub fn data_dir(&self) -> PathBuf {
        self.folder.join("server-1")
    }

    /// SIGKILL. Servers are numbered from 1.
    pub async fn kill(&self, server: usize) -> Result<(), LoadTestError> {
        self.run(&["kill", &server.to_string()]).await.map(drop)
    }

    /// Comes back when it is ready.
    pub async fn start_server(&self, server: usize) -> Result<(), LoadTestError> {
        self.run(&["start", &server.to_string()]).await.map(drop)
    }

    /// The standby is the primary when this comes back.
    pub async fn fail_over(&self, how: PrimaryFailure) -> Result<(), LoadTestError> {
        let words: &[&str] = match how {
            PrimaryFailure::Dies => &["failover"],
            PrimaryFailure::FallsSilent => &["failover", "silent"],
        };
        self.run(words).await.map(drop)
    }

    /// The former primary is a standby again, and has everything.
    pub async fn rejoin(&self) -> Result<(), LoadTestError> {
        self.run(&["rejoin"]).await.map(drop)
    }

    /// What the primary answers: a line for each row, `|` between columns.
    pub async fn query(&self, sql: &str) -> Result<String, LoadTestError> {
        self.run(&["psql", "-c", sql]).await
    }

    async fn run(&self, words: &[&str]) -> Result<String, LoadTestError> {
        let failed =
            |why: String| LoadTestError::Machine(format!("{SCRIPT} {}: {why}", words.join(" ")));
        let output = Command::new(SCRIPT)
            .args(words)
            .envs(self.environment.iter().cloned())
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .await
            .map_err(|error| failed(error.to_string()))?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
            false => Err(failed(output.status.to_string())),
        }
    }
}

impl Drop for ExampleCluster {
    fn drop(&mut self) {
        // Nobody is left to tell.
        let _ = std::process::Command::new(SCRIPT)
            .arg("stop")
            .envs(self.environment.iter().cloned())
            .status();
    }
}

fn address(port: u16) -> Result<Address, LoadTestError> {
    format!("http://127.0.0.1:{port}")
        .parse()
        .map_err(|why| LoadTestError::Machine(format!("port {port}: {why}")))
}

/// Below those that the kernel gives to clients, so that each is still free when its process comes back.
async fn free_ports(count: usize) -> Result<Vec<u16>, LoadTestError> {
    let from = 20_000 + (std::process::id() % 500) as u16 * MAX_PORTS;
    let mut free = Vec::with_capacity(count);
    for port in from..from + 1_000 {
        if free.len() == count {
            break;
        }
        if TcpListener::bind(("127.0.0.1", port)).await.is_ok() {
            free.push(port);
        }
    }
    Ok(free)
}

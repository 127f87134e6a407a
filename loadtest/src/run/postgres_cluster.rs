//! A PostgreSQL of its own, in a folder that goes with it.

use std::env;
use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use tokio::process::Command;
use tokio::time::sleep;

use super::children::{output_of, send_signal};
use crate::error::LoadTestError;
use crate::faults::children;
use crate::server::free_port;

/// Where Debian has one folder for each version.
const DEBIAN_VERSIONS: &str = "/usr/lib/postgresql";

const READY_LOOK: Duration = Duration::from_millis(100);

/// Stopped at once when it is dropped, also one that stands still.
pub struct PostgresCluster {
    server: Child,
    port: u16,
}

impl PostgresCluster {
    /// Comes back when it is ready.
    pub async fn start(folder: &Path) -> Result<Self, LoadTestError> {
        let programs = find_programs()?;
        let cluster = folder.join("cluster");
        let user = ServerUser::find().await?;
        user.make_folder(&cluster).await?;

        let mut initdb = user.command(&programs.join("initdb"));
        initdb.args(["-D", "data", "-U", "postgres", "-A", "trust"]);
        initdb.args(["-E", "UTF8", "--locale=C"]);
        output_of(initdb.current_dir(&cluster)).await?;

        let port = free_port().await?;
        let log = folder.join("postgres.log");
        let unusable = |error| LoadTestError::Machine(format!("{}: {error}", log.display()));
        let output = File::create(&log).map_err(unusable)?;
        let mut postgres = user.command(&programs.join("postgres"));
        postgres.args(["-D", "data", "-c", "listen_addresses=127.0.0.1"]);
        postgres.args(["-p", &port.to_string(), "-k"]).arg(&cluster);
        postgres
            .current_dir(&cluster)
            .stdin(Stdio::null())
            .stdout(output.try_clone().map_err(unusable)?)
            .stderr(output);
        let server = postgres
            .as_std_mut()
            .spawn()
            .map_err(|error| LoadTestError::Machine(format!("postgres: {error}")))?;
        let mut cluster = Self { server, port };
        cluster.wait_until_ready(&programs, &log).await?;
        Ok(cluster)
    }

    async fn wait_until_ready(&mut self, programs: &Path, log: &Path) -> Result<(), LoadTestError> {
        let mut is_ready = Command::new(programs.join("pg_isready"));
        is_ready.args(["-q", "-h", "127.0.0.1", "-p", &self.port.to_string()]);
        while output_of(&mut is_ready).await.is_err() {
            if let Ok(Some(status)) = self.server.try_wait() {
                let text = fs::read_to_string(log).unwrap_or_default();
                return Err(LoadTestError::Machine(format!(
                    "postgres: {status}\n{text}"
                )));
            }
            sleep(READY_LOOK).await;
        }
        Ok(())
    }

    /// Of an empty database.
    pub fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// Of the first of its processes.
    pub fn pid(&self) -> u32 {
        self.server.id()
    }
}

impl Drop for PostgresCluster {
    fn drop(&mut self) {
        let mut processes = children(self.pid()).unwrap_or_default();
        processes.push(self.pid());
        send_signal("CONT", &processes);
        send_signal("QUIT", &[self.pid()]);
        let _ = self.server.wait();
    }
}

/// The newest version of those that are installed.
fn find_programs() -> Result<PathBuf, LoadTestError> {
    let has_both =
        |folder: &PathBuf| folder.join("initdb").exists() && folder.join("postgres").exists();
    let path = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&path).find(has_both);
    let versions = fs::read_dir(DEBIAN_VERSIONS)
        .into_iter()
        .flatten()
        .flatten();
    let mut versions: Vec<PathBuf> = versions.map(|entry| entry.path().join("bin")).collect();
    versions.sort();
    let newest = versions.into_iter().rfind(has_both);
    newest.or(on_path).ok_or_else(|| {
        LoadTestError::Machine(
            "PostgreSQL's programs initdb and postgres are missing: run .ci/tools".to_owned(),
        )
    })
}

/// PostgreSQL refuses root.
struct ServerUser {
    is_postgres: bool,
}

impl ServerUser {
    async fn find() -> Result<Self, LoadTestError> {
        let uid = output_of(Command::new("id").arg("-u")).await?;
        Ok(Self {
            is_postgres: uid.trim() == "0",
        })
    }

    fn command(&self, program: &Path) -> Command {
        if !self.is_postgres {
            return Command::new(program);
        }
        let mut command = Command::new("setpriv");
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
        command.arg("--").arg(program);
        command
    }

    /// One that this user may write in, and reach.
    async fn make_folder(&self, folder: &Path) -> Result<(), LoadTestError> {
        let failed = |error| LoadTestError::Machine(format!("{}: {error}", folder.display()));
        fs::create_dir(folder).map_err(failed)?;
        if !self.is_postgres {
            return Ok(());
        }
        if let Some(parent) = folder.parent() {
            fs::set_permissions(parent, Permissions::from_mode(0o755)).map_err(failed)?;
        }
        let owned = output_of(Command::new("chown").arg("postgres").arg(folder)).await;
        owned.map(drop)
    }
}

//! The scenario `torture` on each database: SQLite under a library that fails its writes and syncs, and a
//! PostgreSQL whose processes are killed and stopped.

use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, value_parser};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use tokio::process::Command;

use super::children::{BROKEN_PROMISE, Binaries, ChildProcess, KEPT_PROMISES, output_of};
use super::postgres_cluster::PostgresCluster;
use crate::error::LoadTestError;
use crate::work_folder::WorkFolder;

/// From the project's folder, where this is run.
const FAULTY_IO: &str = "server/tests/faulty-io.c";

/// Of a line by this program among those of the server's log.
const OWN_LINE: &str = "loadtest: ";

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub enum Database {
    Sqlite,
    Postgres,
}

#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Folder of the binaries `dispatch` and `loadtest`
    #[arg(value_name = "FOLDER")]
    pub binaries: PathBuf,

    /// What has the faults [default: both, one after the other]
    #[arg(value_name = "DATABASE")]
    pub databases: Vec<Database>,

    /// Faults of each database
    #[arg(long, value_name = "N", env = "TORTURE_ROUNDS", default_value_t = 200)]
    pub rounds: u32,

    /// Makes the same faults again [default: another one each time]
    #[arg(long, value_name = "N", env = "TORTURE_SEED")]
    pub seed: Option<u64>,

    /// How long a screen that says it is live may be without an acknowledged change
    #[arg(long, value_name = "SECONDS", env = "TORTURE_GRACE", default_value_t = 5, value_parser = value_parser!(u64).range(1..=600))]
    pub grace_seconds: u64,

    /// Keep the server's log, too, as FILE.sqlite and FILE.postgres
    #[arg(long, value_name = "FILE", env = "TORTURE_LOG")]
    pub log: Option<PathBuf>,
}

/// Whether every promise was kept.
pub async fn run(options: &Options) -> Result<bool, LoadTestError> {
    let seed = options.seed.unwrap_or_else(random_seed);
    println!(
        "TORTURE_SEED={seed} TORTURE_ROUNDS={} TORTURE_GRACE={}",
        options.rounds, options.grace_seconds
    );
    let folder = WorkFolder::create("torture")?;
    let torture = Torture {
        options,
        seed,
        binaries: Binaries::in_folder(&options.binaries)?,
        folder: folder.path(),
    };
    let databases = match options.databases.is_empty() {
        true => Database::value_variants(),
        false => &options.databases,
    };
    let mut is_good = true;
    let mut untested = Vec::new();
    for database in databases {
        println!("== {database}");
        match torture.run_on(*database).await? {
            Some(KEPT_PROMISES) => {}
            Some(BROKEN_PROMISE) => is_good = false,
            _ => untested.push(database.to_string()),
        }
    }
    match untested.is_empty() {
        true => Ok(is_good),
        false => Err(LoadTestError::Untested(untested.join(", "))),
    }
}

/// Short enough to be typed.
pub fn random_seed() -> u64 {
    StdRng::from_os_rng().random_range(0..32_768)
}

impl fmt::Display for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        })
    }
}

struct Torture<'a> {
    options: &'a Options,
    seed: u64,
    binaries: Binaries,
    folder: &'a Path,
}

impl Torture<'_> {
    /// The scenario's exit code; none when it was killed.
    async fn run_on(&self, database: Database) -> Result<Option<i32>, LoadTestError> {
        let mut command = Command::new(&self.binaries.loadtest);
        match database {
            Database::Sqlite => {
                let library = self.compile_faulty_io().await?;
                command.args(["torture", "--faulty-io"]).arg(library);
                self.run_scenario(command, database).await
            }
            Database::Postgres => {
                let cluster = PostgresCluster::start(self.folder).await?;
                let (url, pid) = (cluster.url(), cluster.pid().to_string());
                command.args(["torture", "--database-url", &url, "--postgres-pid", &pid]);
                self.run_scenario(command, database).await
            }
        }
    }

    async fn compile_faulty_io(&self) -> Result<PathBuf, LoadTestError> {
        let library = self.folder.join("faulty-io.so");
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O1", FAULTY_IO, "-o"]);
        output_of(compiler.arg(&library)).await?;
        Ok(library)
    }

    async fn run_scenario(
        &self,
        mut command: Command,
        database: Database,
    ) -> Result<Option<i32>, LoadTestError> {
        let log = self.folder.join(format!("{database}.log"));
        let unusable = |error| LoadTestError::Machine(format!("{}: {error}", log.display()));
        command
            .arg("--server")
            .arg(&self.binaries.dispatch)
            .arg("--data-dir")
            .arg(self.folder.join(format!("data-{database}")))
            .args(["--rounds", &self.options.rounds.to_string()])
            .args(["--seed", &self.seed.to_string()])
            .args(["--grace-seconds", &self.options.grace_seconds.to_string()])
            .stderr(File::create(&log).map_err(unusable)?);
        let ended = ChildProcess::spawn(&mut command)?.wait().await;
        let status = ended.map_err(unusable)?;

        let text = fs::read(&log).map_err(unusable)?;
        tell_log(&String::from_utf8_lossy(&text));
        if let Some(kept) = &self.options.log {
            let kept = format!("{}.{database}", kept.display());
            fs::copy(&log, &kept)
                .map_err(|error| LoadTestError::Machine(format!("{kept}: {error}")))?;
        }
        Ok(status.code())
    }
}

/// The server's lines are many: how many, and what was found.
fn tell_log(text: &str) {
    let lines = text.lines().filter(|line| !line.is_empty());
    let (found, server): (Vec<_>, Vec<_>) = lines.partition(|line| line.starts_with(OWN_LINE));
    println!("{} lines of the server's log", server.len());
    for line in found {
        eprintln!("{line}");
    }
}

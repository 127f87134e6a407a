//! The server under load: `comparison` with its peers where they can be built, and its `own_scenarios`.

mod comparison;
mod own_scenarios;

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use clap::{Args, ValueEnum, value_parser};
use serde_json::Value;
use tokio::process::Command;

use super::children::{Binaries, Cores, RunningServer, words};
use super::machine;
use super::round_figures::RoundFigures;
use super::shop::{OWNER, ShopMaker, copy_data};
use crate::error::LoadTestError;
use crate::work_folder::WorkFolder;

const PASSWORD: &str = "load-only-here-4389";

/// Ours first.
const SIDES: [&str; 3] = ["dispatch", "node", "socketioxide"];

const OPEN_ORDERS: u64 = 1_000;

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub enum LoadScenario {
    Fanout,
    Write,
    Many,
    Storm,
    Kill,
    Slow,
    Chaos,
    Day,
}

#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Folder of the binaries `dispatch` and `loadtest`
    #[arg(value_name = "FOLDER")]
    pub binaries: PathBuf,

    /// What is measured [default: all of them]
    #[arg(value_name = "SCENARIO")]
    pub scenarios: Vec<LoadScenario>,

    /// 10 takes a tenth of the readers and of the time, to try the measurement itself
    #[arg(long, value_name = "N", env = "LOAD_SCALE", default_value_t = 1, value_parser = value_parser!(u64).range(1..))]
    pub scale: u64,

    /// How often each server is measured in turn
    #[arg(long, value_name = "N", env = "LOAD_ROUNDS", default_value_t = 3)]
    pub rounds: u32,

    /// Folder of the peers
    #[arg(
        long,
        value_name = "DIR",
        env = "LOAD_PEERS",
        default_value = "loadtest/peers"
    )]
    pub peers: PathBuf,
}

/// Whether every promise was kept and every figure measured.
pub async fn run(options: &Options) -> Result<bool, LoadTestError> {
    // A session is an open file on either side.
    rlimit::increase_nofile_limit(u64::MAX)
        .map_err(|error| LoadTestError::Machine(format!("the limit of open files: {error}")))?;
    let folder = WorkFolder::create("load")?;
    let mut load = Load {
        options,
        binaries: Binaries::in_folder(&options.binaries)?,
        cores: Cores::find().await,
        folder: folder.path(),
        figures: RoundFigures::default(),
        failures: Vec::new(),
    };
    load.measure().await?;
    for failure in &load.failures {
        eprintln!("failed: {failure}");
    }
    Ok(load.failures.is_empty())
}

struct Load<'a> {
    options: &'a Options,
    binaries: Binaries,
    cores: Cores,
    folder: &'a Path,
    figures: RoundFigures,
    failures: Vec<String>,
}

impl Load<'_> {
    async fn measure(&mut self) -> Result<(), LoadTestError> {
        println!(
            "{}",
            machine::describe_cores(self.cores.description(), &self.binaries).await?
        );
        self.make_shop().await?;
        let all = LoadScenario::value_variants().to_vec();
        let scenarios = match self.options.scenarios.is_empty() {
            true => all,
            false => self.options.scenarios.clone(),
        };
        let is_compared =
            |it: &LoadScenario| [LoadScenario::Fanout, LoadScenario::Write].contains(it);
        let (compared, alone): (Vec<_>, Vec<_>) = scenarios.into_iter().partition(is_compared);
        if !compared.is_empty() {
            self.write_rows().await?;
            let sides = self.find_peers().await;
            self.compare(&compared, &sides).await;
        }
        for scenario in alone {
            self.run_alone(scenario).await;
        }
        Ok(())
    }

    async fn make_shop(&self) -> Result<(), LoadTestError> {
        let maker = ShopMaker {
            binaries: &self.binaries,
            folder: self.folder,
            password: PASSWORD,
        };
        let orders = maker.write_orders(OPEN_ORDERS, 0, &[]).await?;
        let data_dir = self.folder.join("shop");
        maker.import(&orders, &data_dir).await?;
        maker.add_owner(&data_dir).await?;
        maker.add_technicians(&orders, &data_dir).await
    }

    /// A fresh server of that make with the same orders.
    async fn start(&self, side: &str) -> Result<RunningServer, LoadTestError> {
        let log = self.folder.join("server.out");
        if side == "dispatch" {
            let data_dir = self.folder.join("data");
            copy_data(&self.folder.join("shop"), &data_dir).await?;
            let mut command = self.cores.server(&self.binaries.dispatch);
            command
                .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
                .arg(data_dir);
            return RunningServer::start(command, &log).await;
        }
        let database = self.folder.join("peer.db");
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let _ = std::fs::remove_file(self.folder.join(format!("peer.db{suffix}")));
        }
        let mut command = self
            .cores
            .server(&self.options.peers.join(side).join("run"));
        command
            .arg("0")
            .arg(self.folder.join("rows.json"))
            .arg(database);
        RunningServer::start(command, &log).await
    }

    /// What a scenario measured; a broken promise is a failure of the whole.
    async fn report(&mut self, name: &str, server: &RunningServer, arguments: &str) -> Value {
        let mut command = self.loadtest(&words(arguments));
        command.args(["--json", "--url", &server.url, "--pid", &server.pid()]);
        let child = command.stdout(Stdio::piped()).kill_on_drop(true).spawn();
        let ended = match child {
            Ok(child) => child.wait_with_output().await,
            Err(error) => Err(error),
        };
        match ended {
            Ok(output) => {
                if !output.status.success() {
                    self.fail(name, &output.status);
                }
                serde_json::from_slice(&output.stdout).unwrap_or_default()
            }
            Err(error) => {
                self.fail(name, &error);
                Value::Null
            }
        }
    }

    fn loadtest(&self, arguments: &[&str]) -> Command {
        let mut command = self.cores.load(&self.binaries.loadtest);
        command.args(arguments);
        command.envs([("LOADTEST_EMAIL", OWNER), ("LOADTEST_PASSWORD", PASSWORD)]);
        command
    }

    fn fail(&mut self, name: &str, why: &dyn Display) {
        self.failures.push(format!("{name} ({why})"));
    }

    /// Readers or seconds, or as many as the scale leaves.
    fn part(&self, number: u64) -> u64 {
        number.div_ceil(self.options.scale)
    }
}

//! The server under load, and its peers in turn with the same calls where they can be built.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use clap::{Args, ValueEnum, value_parser};
use serde_json::Value;

use super::children::{Binaries, Cores, RunningServer, output_of};
use super::machine;
use super::shop::{OWNER, ShopMaker, copy_data, create_file};
use super::table::RoundFigures;
use crate::trouble::Trouble;
use crate::work_folder::WorkFolder;

const PASSWORD: &str = "load-only-here-4389";

/// Ours first.
const SIDES: [&str; 3] = ["dispatch", "node", "socketioxide"];

/// Messages a second in all.
const MESSAGES_PER_SECOND: u64 = 20_000;

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
pub fn run(options: &Options) -> Result<bool, Trouble> {
    // A session is an open file on either side.
    rlimit::increase_nofile_limit(u64::MAX)
        .map_err(|error| Trouble::Machine(format!("the limit of open files: {error}")))?;
    let folder = WorkFolder::create("load")?;
    let mut load = Load {
        options,
        binaries: Binaries::in_folder(&options.binaries)?,
        cores: Cores::find(),
        folder: folder.path(),
        figures: RoundFigures::default(),
        failures: Vec::new(),
    };
    load.measure()?;
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
    fn measure(&mut self) -> Result<(), Trouble> {
        println!(
            "{}",
            machine::description(self.cores.description(), &self.binaries)?
        );
        self.make_shop()?;
        let all = LoadScenario::value_variants().to_vec();
        let scenarios = match self.options.scenarios.is_empty() {
            true => all,
            false => self.options.scenarios.clone(),
        };
        let is_compared =
            |it: &LoadScenario| [LoadScenario::Fanout, LoadScenario::Write].contains(it);
        let (compared, alone): (Vec<_>, Vec<_>) = scenarios.into_iter().partition(is_compared);
        if !compared.is_empty() {
            self.write_rows()?;
            let sides = self.find_peers();
            self.compare(&compared, &sides);
        }
        alone
            .into_iter()
            .for_each(|scenario| self.run_alone(scenario));
        Ok(())
    }

    fn make_shop(&self) -> Result<(), Trouble> {
        let maker = ShopMaker {
            binaries: &self.binaries,
            folder: self.folder,
            password: PASSWORD,
        };
        let orders = maker.write_orders(OPEN_ORDERS, 0)?;
        let data_dir = self.folder.join("shop");
        maker.import(&orders, &data_dir)?;
        maker.add_owner(&data_dir)?;
        maker.add_technicians(&orders, &data_dir)
    }

    /// What the peers answer with.
    fn write_rows(&self) -> Result<(), Trouble> {
        let server = self.start("dispatch")?;
        let mut command = self.loadtest(&["rows", "--url", &server.url, "--out"]);
        output_of(command.arg(self.folder.join("rows.json"))).map(|_| ())
    }

    /// Those that can be built here; what cannot is told, and we are measured without it.
    fn find_peers(&self) -> Vec<&'static str> {
        let can_be_built = |side: &&'static str| {
            let folder = self.options.peers.join(side);
            if !folder.join("run").exists() {
                eprintln!("no {}/run: measured without {side}", folder.display());
                return false;
            }
            let build = folder.join("build");
            match build.exists().then(|| output_of(&mut Command::new(build))) {
                Some(Err(trouble)) => {
                    eprintln!(
                        "{trouble}\n{} cannot be built: measured without {side}",
                        folder.display()
                    );
                    false
                }
                _ => true,
            }
        };
        let [ours, peers @ ..] = SIDES;
        std::iter::once(ours)
            .chain(peers.into_iter().filter(can_be_built))
            .collect()
    }

    fn compare(&mut self, scenarios: &[LoadScenario], sides: &[&'static str]) {
        let rounds = self.options.rounds;
        for round in 1..=rounds {
            for side in sides {
                let started = Instant::now();
                let server = match self.start(side) {
                    Ok(server) => server,
                    Err(trouble) => {
                        self.failures
                            .push(format!("{side} did not start: {trouble}"));
                        continue;
                    }
                };
                for scenario in scenarios {
                    match scenario {
                        LoadScenario::Write => self.write_round(side, &server),
                        _ => self.fanout_round(side, &server),
                    }
                }
                let seconds = started.elapsed().as_secs();
                eprintln!("round {round} of {rounds}, {side}: {seconds} s");
            }
        }
        self.print_table();
    }

    fn fanout_round(&mut self, side: &'static str, server: &RunningServer) {
        // The many first: memory is looked at while the server is fresh.
        for sessions in [5_000, 1_000] {
            let rate = MESSAGES_PER_SECOND / sessions;
            let changes = rate * self.part(10);
            let settle = if sessions == 5_000 { 4 } else { 0 };
            let common = format!(
                "fanout --readers {} --writers 4 --rate {rate} --changes {changes}",
                self.part(sessions)
            );
            let fanout = self.report("fanout", server, &format!("{common} --settle {settle}"));
            let burst = self.report("burst", server, &format!("{common} --burst 12 --settle 0"));
            let mut note = |row: &str, report: &Value, pointer: &str| {
                let value = report.pointer(pointer).and_then(Value::as_f64);
                self.figures.note(&format!("{row}-{sessions}"), side, value);
            };
            note("cpu", &fanout, "/serverCpuPerDeliveryMicros");
            note("load", &fanout, "/loadShareOfCore");
            note("p99", &fanout, "/commitToDeliveryMs/p99");
            note("request-p50", &fanout, "/requestMs/p50");
            note("request-p99", &fanout, "/requestMs/p99");
            note("bytes", &fanout, "/bytesPerSession");
            note("burst", &burst, "/serverCpuPerDeliveryMicros");
        }
    }

    fn write_round(&mut self, side: &'static str, server: &RunningServer) {
        let arguments = format!("write --writers 64 --seconds {}", self.part(6));
        let report = self.report("write", server, &arguments);
        for (row, pointer) in [
            ("changes", "/changesPerSecond"),
            ("each", "/serverCpuPerChangeMicros"),
            ("request-p50", "/requestMs/p50"),
            ("request-p99", "/requestMs/p99"),
        ] {
            let value = report.pointer(pointer).and_then(Value::as_f64);
            self.figures.note(row, side, value);
        }
    }

    fn print_table(&self) {
        let rounds = self.options.rounds;
        println!("\nMedians of {rounds} rounds in turn, 1,000 ROs, SQLite on disk:\n");
        println!("| | Dispatch | Node socket.io | socketioxide | of Node's | of socketioxide's |");
        println!("|---|---|---|---|---|---|");
        let row = |name: &str, text: String, digits: usize| {
            if let Some(row) = self.figures.row(name, &text, digits, SIDES) {
                println!("{row}");
            }
        };
        let at = |sessions: u64| {
            let (part, rate) = (self.part(sessions), MESSAGES_PER_SECOND / sessions);
            format!("{part} sessions x {rate} changes/s")
        };
        let both = [1_000, 5_000];
        for sessions in both {
            let text = format!("server CPU per message, {}, us", at(sessions));
            row(&format!("cpu-{sessions}"), text, 2);
        }
        for sessions in both {
            let part = self.part(sessions);
            let text = format!("the same, 12 changes in a request, {part} sessions, us");
            row(&format!("burst-{sessions}"), text, 2);
        }
        row("bytes-5000", "bytes per idle session".to_owned(), 0);
        row(
            "changes",
            "durable changes a second, 64 writers".to_owned(),
            0,
        );
        row("each", "server CPU per change, us".to_owned(), 0);
        for percentile in ["p50", "p99"] {
            let text = format!("request {percentile}, 64 writers, ms");
            row(&format!("request-{percentile}"), text, 1);
        }
        for sessions in both {
            for percentile in ["p50", "p99"] {
                let text = format!("request {percentile}, {}, ms", at(sessions));
                row(&format!("request-{percentile}-{sessions}"), text, 1);
            }
        }
        for sessions in [5_000, 1_000] {
            let text = format!("commit to delivery p99, {}, ms", at(sessions));
            row(&format!("p99-{sessions}"), text, 1);
        }
        let many = self.part(5_000);
        let text = format!("the load's share of its core meanwhile, {many} sessions");
        row("load-5000", text, 2);
    }

    /// A run with a table of its own, against a fresh server.
    fn run_alone(&mut self, scenario: LoadScenario) {
        let part = |number| self.part(number);
        let arguments = match scenario {
            LoadScenario::Many => format!(
                "fanout --readers {} --rate 2 --changes {} --settle 3",
                part(10_000),
                2 * part(20)
            ),
            LoadScenario::Storm => format!("storm --readers {} --rate 4", part(5_000)),
            LoadScenario::Slow => {
                format!(
                    "slow --readers {} --rate 20 --seconds {}",
                    part(1_000),
                    part(25)
                )
            }
            LoadScenario::Day => format!(
                "day --boards {} --night {} --seconds {}",
                part(200),
                part(120),
                part(30)
            ),
            LoadScenario::Kill => format!(
                "chaos --readers {} --rate 4 --every 4 --kills 1 --seconds {}",
                part(5_000),
                part(15)
            ),
            LoadScenario::Chaos => format!(
                "chaos --readers {} --rate 50 --every 3 --seconds {}",
                part(200),
                part(30)
            ),
            LoadScenario::Fanout | LoadScenario::Write => return,
        };
        println!();
        let ran = match scenario {
            LoadScenario::Kill | LoadScenario::Chaos => self.run_mortal(&arguments),
            _ => self.run_against_a_server(&arguments),
        };
        let name = scenario.to_possible_value();
        let name = name.as_ref().map_or("", |name| name.get_name());
        if let Err(trouble) = ran {
            self.fail(name, &trouble);
        }
    }

    fn run_against_a_server(&self, arguments: &str) -> Result<(), Trouble> {
        let server = self.start("dispatch")?;
        let mut command = self.loadtest(&words(arguments));
        command.args(["--url", &server.url, "--pid", &server.pid()]);
        succeed(&mut command)
    }

    /// The scenario starts and kills the server itself.
    fn run_mortal(&self, arguments: &str) -> Result<(), Trouble> {
        let data_dir = self.folder.join("data");
        copy_data(&self.folder.join("shop"), &data_dir)?;
        let server = self.folder.join("dispatch");
        self.write_pinned_server(&server)?;
        let mut command = self.loadtest(&words(arguments));
        command
            .arg("--server")
            .arg(server)
            .arg("--data-dir")
            .arg(data_dir);
        succeed(&mut command)
    }

    fn write_pinned_server(&self, path: &Path) -> Result<(), Trouble> {
        use std::io::Write;
        use std::os::unix::fs::PermissionsExt;

        let failed = |error| Trouble::Machine(format!("{}: {error}", path.display()));
        let (prefix, dispatch) = (self.cores.server_prefix(), self.binaries.dispatch.display());
        let mut file = create_file(path)?;
        write!(file, "#!/bin/sh\nexec {prefix}{dispatch} \"$@\"\n").map_err(failed)?;
        let executable = std::fs::Permissions::from_mode(0o755);
        file.set_permissions(executable).map_err(failed)
    }

    /// A fresh server of that make with the same orders.
    fn start(&self, side: &str) -> Result<RunningServer, Trouble> {
        let log = self.folder.join("server.out");
        if side == "dispatch" {
            let data_dir = self.folder.join("data");
            copy_data(&self.folder.join("shop"), &data_dir)?;
            let mut command = self.cores.server(&self.binaries.dispatch);
            command
                .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
                .arg(data_dir);
            return RunningServer::start(command, &log);
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
        RunningServer::start(command, &log)
    }

    /// What a scenario measured; a broken promise is a failure of the whole.
    fn report(&mut self, name: &str, server: &RunningServer, arguments: &str) -> Value {
        let mut command = self.loadtest(&words(arguments));
        command.args(["--json", "--url", &server.url, "--pid", &server.pid()]);
        let ran = command.stderr(Stdio::inherit()).output();
        match ran {
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

fn words(arguments: &str) -> Vec<&str> {
    arguments.split_whitespace().collect()
}

fn succeed(command: &mut Command) -> Result<(), Trouble> {
    let status = command
        .status()
        .map_err(|error| Trouble::Machine(error.to_string()))?;
    match status.success() {
        true => Ok(()),
        false => Err(Trouble::Machine(status.to_string())),
    }
}

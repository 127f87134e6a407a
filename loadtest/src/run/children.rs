//! The processes that a measurement starts: a server until it is stopped, and commands to their end.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tokio::process::{Child, Command};
use tokio::time::sleep;

use crate::error::LoadTestError;
use crate::process::Process;

const READY_LOOK: Duration = Duration::from_millis(50);

/// What a server prints before its address.
const READY: &str = "ready at ";

/// Lines of a server's log that are shown when it does not start.
const COMPLAINT_LINES: usize = 5;

/// A process that is asked to end and has not by then is killed.
const STOP_TIMEOUT: Duration = Duration::from_secs(30);
const STOP_LOOK: Duration = Duration::from_millis(5);

/// Exit codes of this program.
pub const KEPT_PROMISES: i32 = 0;
pub const BROKEN_PROMISE: i32 = 1;

/// `dispatch` and this program, as they were built together.
#[derive(Clone, Debug)]
pub struct Binaries {
    pub dispatch: PathBuf,
    pub loadtest: PathBuf,
}

impl Binaries {
    pub fn in_folder(folder: &Path) -> Result<Self, LoadTestError> {
        let binary = |name: &str| {
            let path = folder.join(name);
            path.canonicalize()
                .map_err(|error| LoadTestError::Options(format!("{}: {error}", path.display())))
        };
        Ok(Self {
            dispatch: binary("dispatch")?,
            loadtest: binary("loadtest")?,
        })
    }

    pub async fn version(&self) -> Result<String, LoadTestError> {
        let version = output_of(Command::new(&self.dispatch).arg("--version")).await?;
        Ok(version.trim().to_owned())
    }
}

/// A core for the server and one for the load, where there are two and `taskset`.
#[derive(Clone, Copy, Debug)]
pub struct Cores {
    are_apart: bool,
}

impl Cores {
    pub async fn find() -> Self {
        let count = thread::available_parallelism().map_or(1, |count| count.get());
        let taskset = Command::new("taskset").arg("--version").output().await;
        Self {
            are_apart: count >= 2 && taskset.is_ok(),
        }
    }

    pub fn description(self) -> &'static str {
        match self.are_apart {
            true => "server on core 0, load on core 1",
            false => "server and load on the same cores",
        }
    }

    pub fn server(self, program: &Path) -> Command {
        self.command("0", program)
    }

    pub fn load(self, program: &Path) -> Command {
        self.command("1", program)
    }

    /// The words before a program that put it on the server's core.
    pub fn server_prefix(self) -> &'static str {
        if self.are_apart { "taskset -c 0 " } else { "" }
    }

    fn command(self, core: &str, program: &Path) -> Command {
        if !self.are_apart {
            return Command::new(program);
        }
        let mut command = Command::new("taskset");
        command.args(["-c", core]).arg(program);
        command
    }
}

/// Asked to end when it is dropped, as an administrator would: what it has started in turn ends with it.
pub struct ChildProcess(Child);

impl ChildProcess {
    pub fn spawn(command: &mut Command) -> Result<Self, LoadTestError> {
        let child = command.spawn();
        child
            .map(Self)
            .map_err(|error| LoadTestError::Machine(format!("{}: {error}", program_of(command))))
    }

    /// None when it has ended.
    pub fn pid(&self) -> Option<u32> {
        self.0.id()
    }

    /// None while it runs.
    pub fn exit_status(&mut self) -> Option<ExitStatus> {
        self.0.try_wait().ok().flatten()
    }

    pub async fn wait(&mut self) -> io::Result<ExitStatus> {
        self.0.wait().await
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        if let Some(pid) = self.pid() {
            send_signal("TERM", &[pid]);
        }
        let started = Instant::now();
        while self.pid().is_some() && self.exit_status().is_none() {
            if started.elapsed() > STOP_TIMEOUT {
                // One that ended meanwhile cannot be killed, which is as good.
                let _ = self.0.start_kill();
            }
            thread::sleep(STOP_LOOK);
        }
    }
}

/// For what is dropped, where nothing can be awaited. A process that has ended needs no signal.
pub fn send_signal(name: &str, processes: &[u32]) {
    let _ = std::process::Command::new("kill")
        .arg(format!("-{name}"))
        .args(processes.iter().map(u32::to_string))
        .stderr(Stdio::null())
        .status();
}

/// Stopped when it is dropped.
pub struct RunningServer {
    process: ChildProcess,
    pub url: String,
}

impl RunningServer {
    /// Comes back when it has said where it is ready. `log` is where its output goes, and its
    /// complaints beside it.
    pub async fn start(mut command: Command, log: &Path) -> Result<Self, LoadTestError> {
        let complaints = log.with_extension("err");
        let create = |path: &Path| {
            File::create(path)
                .map_err(|error| LoadTestError::Machine(format!("{}: {error}", path.display())))
        };
        command
            .stdin(Stdio::null())
            .stdout(create(log)?)
            .stderr(create(&complaints)?);
        let mut process = ChildProcess::spawn(&mut command)?;
        loop {
            let output = fs::read_to_string(log).unwrap_or_default();
            // A line that is not whole has half an address.
            let line = output
                .split_inclusive('\n')
                .find(|line| line.ends_with('\n') && line.contains(READY));
            if let Some((_, url)) = line.and_then(|line| line.split_once(READY)) {
                return Ok(Self {
                    process,
                    url: url.trim().to_owned(),
                });
            }
            if let Some(status) = process.exit_status() {
                let text = fs::read_to_string(&complaints).unwrap_or_default();
                let lines: Vec<&str> = text.lines().collect();
                let last = lines[lines.len().saturating_sub(COMPLAINT_LINES)..].join("\n");
                return Err(LoadTestError::Machine(format!(
                    "the server ended: {status}\n{last}"
                )));
            }
            sleep(READY_LOOK).await;
        }
    }

    /// As an option of a command; 0 when it has ended.
    pub fn pid(&self) -> String {
        self.process.pid().unwrap_or_default().to_string()
    }

    pub fn process(&self) -> Result<Process, LoadTestError> {
        let ended = || LoadTestError::Machine(format!("the server at {} ended", self.url));
        self.process.pid().map(Process).ok_or_else(ended)
    }
}

/// Runs a command to its end; what it printed.
pub async fn output_of(command: &mut Command) -> Result<String, LoadTestError> {
    let program = program_of(command);
    let failed = |why: String| LoadTestError::Machine(format!("{program}: {why}"));
    let output = command.kill_on_drop(true).output().await;
    let output = output.map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        return Err(failed(format!("{}\n{stdout}{stderr}", output.status)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a scenario of this program, which prints for itself: whether every promise was kept.
pub async fn keeps_promises(scenario: &mut Command) -> Result<bool, LoadTestError> {
    let ended = ChildProcess::spawn(scenario)?.wait().await;
    let failed = |why: String| LoadTestError::Machine(format!("{}: {why}", program_of(scenario)));
    let status = ended.map_err(|error| failed(error.to_string()))?;
    match status.code() {
        Some(KEPT_PROMISES) => Ok(true),
        Some(BROKEN_PROMISE) => Ok(false),
        _ => Err(failed(status.to_string())),
    }
}

/// Runs a command that prints for itself.
pub async fn succeed(command: &mut Command) -> Result<(), LoadTestError> {
    let ended = ChildProcess::spawn(command)?.wait().await;
    let failed = |why: String| LoadTestError::Machine(format!("{}: {why}", program_of(command)));
    match ended {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(failed(status.to_string())),
        Err(error) => Err(failed(error.to_string())),
    }
}

pub fn words(arguments: &str) -> Vec<&str> {
    arguments.split_whitespace().collect()
}

fn program_of(command: &Command) -> String {
    let command = command.as_std();
    let words = command.get_args().map(OsStr::to_string_lossy);
    let words = std::iter::once(command.get_program().to_string_lossy()).chain(words.take(2));
    words.collect::<Vec<_>>().join(" ")
}

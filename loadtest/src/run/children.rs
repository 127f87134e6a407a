//! The programs that a measurement runs: a server until it is stopped, and commands to their end.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::trouble::Trouble;

const READY_LOOK: Duration = Duration::from_millis(50);

/// What a server prints before its address.
const READY: &str = "ready at ";

/// Lines of a server's complaints that are told when it does not start.
const COMPLAINT_LINES: usize = 5;

/// `dispatch` and this program, as they were built together.
#[derive(Clone, Debug)]
pub struct Binaries {
    pub dispatch: PathBuf,
    pub loadtest: PathBuf,
}

impl Binaries {
    pub fn in_folder(folder: &Path) -> Result<Self, Trouble> {
        let binary = |name: &str| {
            let path = folder.join(name);
            path.canonicalize()
                .map_err(|error| Trouble::Options(format!("{}: {error}", path.display())))
        };
        Ok(Self {
            dispatch: binary("dispatch")?,
            loadtest: binary("loadtest")?,
        })
    }

    pub fn version(&self) -> Result<String, Trouble> {
        Ok(output_of(Command::new(&self.dispatch).arg("--version"))?
            .trim()
            .to_owned())
    }
}

/// A core for the server and one for the load, where there are two and `taskset`.
#[derive(Clone, Copy, Debug)]
pub struct Cores {
    are_apart: bool,
}

impl Cores {
    pub fn find() -> Self {
        let count = std::thread::available_parallelism().map_or(1, |count| count.get());
        let taskset = Command::new("taskset").arg("--version").output();
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

/// Stopped when it is dropped.
pub struct RunningServer {
    child: Child,
    pub url: String,
}

impl RunningServer {
    /// Comes back when it has said where it is ready. `log` is where its output goes, and its
    /// complaints beside it.
    pub fn start(mut command: Command, log: &Path) -> Result<Self, Trouble> {
        let complaints = log.with_extension("err");
        let create = |path: &Path| {
            File::create(path)
                .map_err(|error| Trouble::Machine(format!("{}: {error}", path.display())))
        };
        let mut child = command
            .stdin(Stdio::null())
            .stdout(create(log)?)
            .stderr(create(&complaints)?)
            .spawn()
            .map_err(|error| Trouble::Machine(format!("{command:?}: {error}")))?;
        loop {
            let said = fs::read_to_string(log).unwrap_or_default();
            // A line that is not whole has half an address.
            let line = said
                .split_inclusive('\n')
                .find(|line| line.ends_with('\n') && line.contains(READY));
            if let Some((_, url)) = line.and_then(|line| line.split_once(READY)) {
                return Ok(Self {
                    child,
                    url: url.trim().to_owned(),
                });
            }
            if let Ok(Some(status)) = child.try_wait() {
                let text = fs::read_to_string(&complaints).unwrap_or_default();
                let lines: Vec<&str> = text.lines().collect();
                let last = lines[lines.len().saturating_sub(COMPLAINT_LINES)..].join("\n");
                return Err(Trouble::Machine(format!(
                    "the server ended: {status}\n{last}"
                )));
            }
            sleep(READY_LOOK);
        }
    }

    pub fn pid(&self) -> String {
        self.child.id().to_string()
    }
}

impl Drop for RunningServer {
    /// As an administrator would. One that is gone already needs nothing.
    fn drop(&mut self) {
        let _ = Command::new("kill")
            .arg(self.pid())
            .stderr(Stdio::null())
            .status();
        let _ = self.child.wait();
    }
}

/// Runs a command to its end; what it printed.
pub fn output_of(command: &mut Command) -> Result<String, Trouble> {
    let program = program_of(command);
    let failed = |why: String| Trouble::Machine(format!("{program}: {why}"));
    let output = command
        .output()
        .map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        return Err(failed(format!("{}\n{stdout}{stderr}", output.status)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn program_of(command: &Command) -> String {
    let words = command.get_args().map(OsStr::to_string_lossy);
    let words = std::iter::once(command.get_program().to_string_lossy()).chain(words.take(2));
    words.collect::<Vec<_>>().join(" ")
}

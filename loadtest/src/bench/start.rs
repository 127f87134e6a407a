//! How long a server takes to start on the database it has, and how much memory it then needs.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use clap::{Args, value_parser};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, Command};
use tokio::time::{sleep, timeout};

use super::Output;
use super::audience::Audience;
use super::figures::{Figures, median, megabytes, milliseconds};
use super::process::{Memory, Process};
use crate::clock::Clock;
use crate::desk::Desk;
use crate::target::{Address, SignIn};
use crate::trouble::Trouble;
use crate::writer::{Turns, write_together};

const READY_MS: f64 = 300.0;
/// In kilobytes of 1,024.
const MEMORY: u64 = 120 * 1_024;

const LOOK: Duration = Duration::from_millis(2);
const PATIENCE: Duration = Duration::from_secs(60);
/// After it is ready, and after work, until memory is looked at.
const REST: Duration = Duration::from_millis(500);
/// A server that is asked to stop and has not by then is killed.
const STOP: Duration = Duration::from_secs(10);

const WRITERS: usize = 4;
/// Lists fetched by the screens that open: more than one, so that what a list leaves shows.
const LISTS: u32 = 10;

#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The server's binary
    #[arg(long, value_name = "FILE")]
    pub server: PathBuf,

    /// The data folder it is started on; its open repair orders are changed
    #[arg(long, value_name = "DIR")]
    pub data_dir: PathBuf,

    #[command(flatten)]
    pub who: SignIn,

    /// Starts
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = value_parser!(u32).range(1..=100))]
    pub rounds: u32,

    /// Open screens after each start
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = value_parser!(u32).range(..=10_000))]
    pub readers: u32,

    /// Changes that they hear
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = value_parser!(u32).range(..=1_000_000))]
    pub changes: u32,

    #[command(flatten)]
    pub output: Output,
}

struct Round {
    ready: Duration,
    started: Memory,
    worked: Memory,
    open: usize,
}

pub async fn run(options: &Options) -> Result<Figures, Trouble> {
    let clock = Clock::start();
    let mut rounds = Vec::new();
    for _ in 0..options.rounds {
        rounds.push(round(options, clock).await?);
    }
    let open = rounds.last().map_or(0, |round| round.open);
    let mut figures = Figures::new(format!(
        "start: {open} open ROs, {} starts, files in the system's cache",
        options.rounds
    ));
    let of = |value: fn(&Round) -> f64| median(rounds.iter().map(value).collect());
    let ready = of(|round| round.ready.as_secs_f64() * 1_000.0);
    let slowest = rounds.iter().map(|round| round.ready).max();
    figures.goal(
        "from start to ready",
        milliseconds(ready),
        format!("under {READY_MS} ms"),
        ready < READY_MS,
    );
    figures.value(
        "slowest start",
        milliseconds(slowest.unwrap_or_default().as_secs_f64() * 1_000.0),
    );
    let mut memory = |what: String, kilobytes: f64| {
        let kilobytes = kilobytes as u64;
        let value = megabytes(kilobytes);
        figures.goal(what, value, "under 120 MB", kilobytes < MEMORY);
    };
    memory(
        "memory after start".to_owned(),
        of(|round| round.started.resident as f64),
    );
    let work = format!(
        "memory after {LISTS} lists and {} changes before {} screens",
        options.changes, options.readers
    );
    memory(work, of(|round| round.worked.resident as f64));
    memory(
        "memory at most, until then".to_owned(),
        of(|round| round.worked.peak as f64),
    );
    Ok(figures)
}

async fn round(options: &Options, clock: Clock) -> Result<Round, Trouble> {
    let address = free_address().await?;
    let asked = Instant::now();
    let mut server = Command::new(&options.server)
        .args(["serve", "--listen", &address.authority(), "--data-dir"])
        .arg(&options.data_dir)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| Trouble::Machine(format!("{}: {error}", options.server.display())))?;
    let pid = server
        .id()
        .ok_or_else(|| Trouble::Machine("the server ended at once".to_owned()))?;
    until_ready(&mut server, &address).await?;
    let ready = asked.elapsed();

    sleep(REST).await;
    let started = Process(pid).memory()?;
    let open = work(options, &address, clock).await?;
    let worked = Process(pid).memory()?;
    stop(server, pid).await?;
    Ok(Round {
        ready,
        started,
        worked,
        open,
    })
}

/// A port that is free now; the server takes it right after.
async fn free_address() -> Result<Address, Trouble> {
    let trouble = |error: std::io::Error| Trouble::Machine(error.to_string());
    let listener = TcpListener::bind("127.0.0.1:0").await.map_err(trouble)?;
    let port = listener.local_addr().map_err(trouble)?.port();
    format!("http://127.0.0.1:{port}")
        .parse()
        .map_err(|why| Trouble::Machine(format!("a free port: {why}")))
}

async fn until_ready(server: &mut Child, address: &Address) -> Result<(), Trouble> {
    let ready = async {
        loop {
            if is_ready(address).await {
                return Ok(());
            }
            if let Ok(Some(status)) = server.try_wait() {
                return Err(Trouble::Machine(format!("the server ended: {status}")));
            }
            sleep(LOOK).await;
        }
    };
    timeout(PATIENCE, ready)
        .await
        .unwrap_or_else(|_| Err(Trouble::Machine("the server did not get ready".to_owned())))
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

/// Screens open, get their lists and hear changes. How many orders are open.
async fn work(options: &Options, address: &Address, clock: Clock) -> Result<usize, Trouble> {
    let desk = Desk::sign_in(address, &options.who).await?;
    let screens = Audience::join(address, desk.token(), clock, options.readers).await?;
    for _ in 0..LISTS {
        desk.fetch_list(None).await?;
    }
    let orders = desk.list().await?.orders;
    let open = orders.len();
    let turns = Turns::new(options.changes, None, PATIENCE);
    let written = write_together(&desk, clock, &turns, orders.into_values(), WRITERS).await;
    if let Some(why) = written.iter().find_map(|written| written.failures.first()) {
        return Err(Trouble::Unexpected {
            what: "a change",
            why: why.clone(),
        });
    }
    let heard = screens.leave(REST).await?;
    if let Some(why) = heard.lost.first() {
        return Err(Trouble::Unexpected {
            what: "an open screen",
            why: why.clone(),
        });
    }
    Ok(open)
}

/// As an administrator would, so that the next start finds the database closed.
async fn stop(mut server: Child, pid: u32) -> Result<(), Trouble> {
    let machine = |error: std::io::Error| Trouble::Machine(format!("stopping it: {error}"));
    Command::new("kill")
        .arg(pid.to_string())
        .status()
        .await
        .map_err(machine)?;
    if timeout(STOP, server.wait()).await.is_err() {
        server.kill().await.map_err(machine)?;
    }
    Ok(())
}

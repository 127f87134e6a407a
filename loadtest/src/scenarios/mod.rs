//! The scenarios, one module each. All begin with a sign-in and readers, and end with the same
//! check: every reader's picture is the list's, and every acknowledged change came once to each.

mod agreement;
pub mod chaos;
pub mod chaos_cluster;
pub mod cluster;
pub mod cluster_write;
pub mod day;
pub mod fanout;
pub mod slow;
pub mod storm;
pub mod torture;
pub mod write;

use std::rc::Rc;
use std::time::{Duration, Instant};

use clap::Args;

use crate::clock::Clock;
use crate::crowd::Crowd;
use crate::desk::Desk;
use crate::error::LoadTestError;
use crate::order::{List, Order};
use crate::process::{Process, Ran};
use crate::reader::Role;
use crate::reader_context::ReaderContext;
use crate::report::{Report, event_count, newest};
use crate::target::{Address, SignIn, Target};
use crate::writer::Written;

/// How long readers may make no progress before events that they lack count as missing.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// How long nothing may happen before a reader that went away counts as not coming back.
const RETURN: Duration = Duration::from_secs(60);

/// The running server, for scenarios that do not start one.
#[derive(Clone, Debug, Args)]
pub struct ServerOptions {
    #[command(flatten)]
    pub target: Target,

    /// The server's process: also tell its processor time and memory
    #[arg(long, value_name = "PID")]
    pub pid: Option<u32>,

    #[command(flatten)]
    pub common: CommonOptions,
}

#[derive(Clone, Debug, Args)]
pub struct CommonOptions {
    /// Print the result as one JSON object
    #[arg(long)]
    pub json: bool,

    /// Another seed makes other pauses and other moments
    #[arg(long, value_name = "N", default_value_t = 4389)]
    pub seed: u64,
}

/// For scenarios whose readers come back.
#[derive(Clone, Debug, Args)]
pub struct Recovery {
    /// A reader that comes back and has to load the list again is a fault
    #[arg(long)]
    pub must_recover: bool,
}

/// A run under way.
struct Run {
    clock: Clock,
    address: Address,
    desk: Rc<Desk>,
    context: Rc<ReaderContext>,
    crowd: Crowd,
}

impl Run {
    async fn begin(address: &Address, account: &SignIn, seed: u64) -> Result<Self, LoadTestError> {
        let clock = Clock::start();
        let desk = Rc::new(Desk::sign_in(address, account).await?);
        Ok(Self::with(address, desk.clone(), desk, clock, seed))
    }

    /// Readers at one server and writers at another.
    async fn begin_apart(
        readers: &Address,
        writers: &Address,
        account: &SignIn,
        seed: u64,
    ) -> Result<Self, LoadTestError> {
        let clock = Clock::start();
        let here = Rc::new(Desk::sign_in(readers, account).await?);
        let there = Rc::new(Desk::sign_in(writers, account).await?);
        Ok(Self::with(readers, here, there, clock, seed))
    }

    fn with(address: &Address, readers: Rc<Desk>, desk: Rc<Desk>, clock: Clock, seed: u64) -> Self {
        let context = ReaderContext::new(address, &readers, clock, seed);
        Self {
            clock,
            address: address.clone(),
            crowd: Crowd::new(&context),
            desk,
            context,
        }
    }

    /// What everybody has on the screen before the first change.
    async fn open(&self, faults: &mut Vec<String>) -> Result<List, LoadTestError> {
        let list = self.desk.list().await?;
        faults.extend(stale_list_fault(
            &list,
            self.crowd.hello(),
            "was told by hello",
        ));
        self.crowd.load(&list);
        Ok(list)
    }

    /// After the last change: all must have heard it, and have on their screens what the list
    /// says. Events since `start` that nobody was acknowledged for.
    async fn end(
        self,
        report: &mut Report,
        written: &[Written],
        start: &List,
    ) -> Result<i64, LoadTestError> {
        let acknowledged = newest(written);
        // Nothing that comes from now on may make pictures newer than the list.
        self.context.held_back.set(true);
        let end = self.desk.list().await?;
        report.faults.extend(stale_list_fault(
            &end,
            acknowledged,
            "had been acknowledged",
        ));
        let top = end.seq.max(acknowledged);
        self.crowd.all_heard(top, ANSWER_TIMEOUT).await;
        let verdicts = self.crowd.leave(&end, top).await;
        report.heard(&verdicts);
        let others = (end.seq - start.seq - event_count(written)).max(0);
        report.value("eventsOfOthers", "events of others", others);
        Ok(others)
    }
}

/// Readers that do not come back.
fn steady() -> Role {
    Role {
        measured: true,
        ..Role::default()
    }
}

/// Readers that do.
fn returning() -> Role {
    Role {
        returns: true,
        ..steady()
    }
}

/// The orders to be changed: `wanted` of them, if that many are open.
fn orders(list: &List, wanted: Option<u32>, writers: u32) -> Result<Vec<Order>, LoadTestError> {
    let open = list.orders.len();
    let wanted = wanted.map_or(open, |wanted| wanted as usize);
    let writers = writers as usize;
    if open.min(wanted) < writers {
        return Err(LoadTestError::Options(format!(
            "{writers} writers need a repair order each, and {} are open",
            open.min(wanted)
        )));
    }
    if open < wanted {
        return Err(LoadTestError::Options(format!(
            "{wanted} repair orders are to be changed, and {open} are open"
        )));
    }
    Ok(list.orders.values().take(wanted).cloned().collect())
}

/// A list must contain every event that any client knew before it was requested.
fn stale_list_fault(list: &List, seq: i64, channel: &str) -> Option<String> {
    (list.seq < seq).then(|| {
        format!(
            "a list of repair orders was true for event {}, but event {seq} {channel} before",
            list.seq
        )
    })
}

/// What a server used while something was measured.
struct Meter {
    process: Process,
    ran: Ran,
    /// Of this program.
    own: Ran,
    since: Instant,
    frames: u64,
}

impl Meter {
    /// None where no process was named.
    fn start(pid: Option<u32>, context: &ReaderContext) -> Result<Option<Self>, LoadTestError> {
        let Some(pid) = pid else {
            return Ok(None);
        };
        let process = Process(pid);
        Ok(Some(Self {
            process,
            ran: process.ran()?,
            own: this().ran()?,
            since: Instant::now(),
            frames: context.frames.get(),
        }))
    }

    fn stop(
        self,
        context: &ReaderContext,
        changes: usize,
        report: &mut Report,
    ) -> Result<(), LoadTestError> {
        let ran = self.process.ran()?.since(&self.ran);
        let micros = ran.as_secs_f64() * 1e6;
        let frames = context.frames.get() - self.frames;
        report.value("serverCpuSeconds", "server CPU, seconds", ran.as_secs_f64());
        report.value("framesDelivered", "messages delivered", frames);
        report.value(
            "serverCpuPerDeliveryMicros",
            "server CPU per message, us",
            micros / (frames as f64).max(1.0),
        );
        report.value(
            "serverCpuPerChangeMicros",
            "server CPU per change, us",
            micros / (changes as f64).max(1.0),
        );
        // Near 1, latencies are those of this program.
        let own = this().ran()?.since(&self.own).as_secs_f64();
        let share = own / self.since.elapsed().as_secs_f64();
        report.value("loadShareOfCore", "load's share of a core", share);
        let memory = self.process.memory()?;
        report.value("serverResidentKb", "server resident, kB", memory.resident);
        report.value("serverPeakKb", "server resident at most, kB", memory.peak);
        Ok(())
    }
}

/// How long a server has been at work, where its process was named.
fn ran(pid: Option<u32>) -> Result<Option<Ran>, LoadTestError> {
    pid.map(|pid| Process(pid).ran()).transpose()
}

fn this() -> Process {
    Process(std::process::id())
}

/// Changes that were acknowledged.
fn changes(written: &[Written]) -> usize {
    written
        .iter()
        .map(|written| written.acknowledged.len())
        .sum()
}

/// Of changes a second, from the command line.
fn rate(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(rate) if (0.01..=100_000.0).contains(&rate) => Ok(rate),
        _ => Err("a rate is a number from 0.01 to 100000".to_owned()),
    }
}

//! What is below the server breaks again and again, under writers who insist and readers who come
//! back. Nothing acknowledged may be lost, and nobody's screen may be wrong while it says that it
//! is live.

use std::collections::{BTreeMap, HashMap};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use clap::{Args, value_parser};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use reqwest::Url;
use tokio::time::{Instant, interval, sleep, timeout};

use super::{RETURN, Run, Telling, orders, returning};
use crate::desk::Desk;
use crate::error::LoadTestError;
use crate::faults::{Fault, Storage};
use crate::proxy::Proxy;
use crate::reader::State;
use crate::report::Report;
use crate::room::Room;
use crate::server::{Server, free_address};
use crate::settled::Settled;
use crate::target::{Address, SignIn};
use crate::writer::{Acknowledged, Manner, Turns, Written, write_together};

/// The share of faults of disk and database during which the server is killed besides.
const KILLED_TOO: f64 = 0.2;

/// How often every screen is looked at.
const LOOK: Duration = Duration::from_millis(100);

/// Faults of one kind that are written out.
const MAX_SHOWN_FAULTS: usize = 10;

/// Longer than any rounds take.
const MAX_DURATION: Duration = Duration::from_secs(86_400);

/// As a service manager waits before it starts what has ended.
const RESTART: Duration = Duration::from_millis(200);

/// To be right again after the last round.
const RECOVERY: Duration = Duration::from_secs(60);

#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The server's binary
    #[arg(long, value_name = "FILE")]
    pub server: PathBuf,

    /// An empty folder for its data: a demo that stands still
    #[arg(long, value_name = "DIR")]
    pub data_dir: PathBuf,

    #[command(flatten)]
    pub faulty: FaultyStorage,

    #[command(flatten)]
    pub who: SignIn,

    #[command(flatten)]
    pub telling: Telling,

    /// Faults, one after the other
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub rounds: u32,

    /// Readers that come back each time
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = value_parser!(u32).range(1..=1_000))]
    pub readers: u32,

    /// Writers that work at the same time, each on repair orders of its own
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = value_parser!(u32).range(1..=100))]
    pub writers: u32,

    /// Changes a second that all writers make together, while they can
    #[arg(long, value_name = "N", default_value = "50", value_parser = super::rate)]
    pub rate: f64,

    /// How long a screen may be without an acknowledged change while it says that it is live
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = value_parser!(u64).range(1..=600))]
    pub grace_seconds: u64,
}

#[derive(Clone, Debug, Args)]
#[group(required = true, multiple = true)]
pub struct FaultyStorage {
    /// The library of server/tests/faulty-io.c: SQLite in the data folder has the faults
    #[arg(long, value_name = "FILE", conflicts_with_all = ["database_url", "postgres_pid"])]
    pub faulty_io: Option<PathBuf>,

    /// An empty PostgreSQL database, which has the faults
    #[arg(long, value_name = "URL", requires = "postgres_pid")]
    pub database_url: Option<String>,

    /// The first of PostgreSQL's processes
    #[arg(long, value_name = "PID", requires = "database_url")]
    pub postgres_pid: Option<u32>,
}

/// A server, where it listens, and how it is started again.
struct RestartableServer {
    server: Server,
    address: Address,
    start: Start,
}

struct Start {
    binary: PathBuf,
    data_dir: PathBuf,
    arguments: Vec<String>,
    environment: Vec<(&'static str, PathBuf)>,
}

impl Start {
    /// As often as it takes: a server ends again when its database is not there yet.
    async fn at(&self, address: &Address) -> Result<Server, LoadTestError> {
        let until = Instant::now() + RECOVERY;
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        let environment: Vec<(&str, &Path)> = self
            .environment
            .iter()
            .map(|(name, path)| (*name, path.as_path()))
            .collect();
        loop {
            let (binary, data_dir) = (&self.binary, &self.data_dir);
            match Server::start_with(binary, data_dir, address, &arguments, &environment).await {
                Err(_) if Instant::now() < until => sleep(RESTART).await,
                started => return started,
            }
        }
    }
}

impl RestartableServer {
    async fn open(start: Start) -> Result<Self, LoadTestError> {
        let address = free_address().await?;
        Ok(Self {
            server: start.at(&address).await?,
            address,
            start,
        })
    }

    /// Kills it, does something and starts it again.
    async fn kill_and(
        self,
        between: impl Future<Output = Result<(), LoadTestError>>,
    ) -> Result<Self, LoadTestError> {
        self.server.kill().await?;
        between.await?;
        let server = self.start.at(&self.address).await?;
        Ok(Self { server, ..self })
    }

    async fn is_well(&self) -> Result<(), LoadTestError> {
        let ready = self.server.until_ready(&self.address);
        timeout(RECOVERY, ready)
            .await
            .map_err(|_| LoadTestError::Unexpected {
                what: "to be ready after the last fault",
                why: format!("/readyz said no for {} s", RECOVERY.as_secs()),
            })
    }
}

/// What is tortured: one server on SQLite for everybody, or on PostgreSQL one for the readers and one
/// for the writers.
struct Shop {
    readers: RestartableServer,
    writers: Option<RestartableServer>,
    storage: Storage,
}

impl Shop {
    async fn open(options: &Options) -> Result<Self, LoadTestError> {
        let start = |name: &str, database: Option<String>| Start {
            binary: options.server.clone(),
            data_dir: options.data_dir.join(name),
            arguments: std::iter::once("--demo=still".to_owned())
                .chain(
                    database
                        .into_iter()
                        .flat_map(|url| ["--database-url".to_owned(), url]),
                )
                .collect(),
            environment: Vec::new(),
        };
        let FaultyStorage {
            faulty_io,
            database_url,
            postgres_pid,
        } = options.faulty.clone();
        if let (Some(url), Some(id)) = (database_url, postgres_pid) {
            let proxy = Proxy::to(database_address(&url)?).await?;
            // The first fills the database.
            let writers = RestartableServer::open(start("writers", Some(url.clone()))).await?;
            let by_proxy = with_address(&url, proxy.address)?;
            return Ok(Self {
                readers: RestartableServer::open(start("readers", Some(by_proxy))).await?,
                writers: Some(writers),
                storage: Storage::Postgres { id, proxy },
            });
        }
        let control = options.data_dir.join("fault");
        let mut start = start("all", None);
        let library = faulty_io.map(|library| ("LD_PRELOAD", library));
        start.environment.extend(library);
        start.environment.push(("FAULTY_IO", control.clone()));
        Ok(Self {
            readers: RestartableServer::open(start).await?,
            writers: None,
            storage: Storage::Sqlite { control },
        })
    }

    fn writers_address(&self) -> &Address {
        &self.writers.as_ref().unwrap_or(&self.readers).address
    }

    /// One fault after the other, and how often there was each.
    async fn break_things(
        mut self,
        options: &Options,
    ) -> Result<(Self, BTreeMap<&'static str, u32>), LoadTestError> {
        let mut seeds = StdRng::seed_from_u64(options.telling.seed);
        let mut made = BTreeMap::new();
        for _ in 0..options.rounds {
            // Each round has chances of its own: how many numbers a fault draws may depend on how many
            // connections there are.
            let mut rng = StdRng::from_rng(&mut seeds);
            let fault = self.storage.choose(&mut rng);
            *made.entry(fault.name()).or_default() += 1;
            let length = fault.length(&mut rng);
            let rest = Duration::from_millis(rng.random_range(300..1_500));
            let is_killed = fault == Fault::Kill || rng.random_bool(KILLED_TOO);
            let is_writers = rng.random_bool(0.5);
            self.storage.begin(fault, &mut rng).await?;
            sleep(length).await;
            let end = self.storage.end(fault);
            match self.writers {
                Some(writers) if is_killed && is_writers => {
                    self.writers = Some(writers.kill_and(end).await?);
                }
                _ if is_killed => self.readers = self.readers.kill_and(end).await?,
                _ => end.await?,
            }
            sleep(rest).await;
        }
        for place in [Some(&self.readers), self.writers.as_ref()]
            .into_iter()
            .flatten()
        {
            place.is_well().await?;
        }
        Ok((self, made))
    }

    /// All of it dies and comes back.
    async fn die(self) -> Result<Self, LoadTestError> {
        let nothing = || std::future::ready(Ok(()));
        Ok(Self {
            readers: self.readers.kill_and(nothing()).await?,
            writers: match self.writers {
                Some(writers) => Some(writers.kill_and(nothing()).await?),
                None => None,
            },
            storage: self.storage,
        })
    }

    async fn stop(self) -> Result<(), LoadTestError> {
        self.readers.server.stop().await?;
        match self.writers {
            Some(writers) => writers.server.stop().await,
            None => Ok(()),
        }
    }
}

fn database_address(url: &str) -> Result<SocketAddr, LoadTestError> {
    let addresses = Url::parse(url).ok();
    let addresses = addresses.and_then(|url| url.socket_addrs(|| Some(5_432)).ok());
    let address = addresses.and_then(|addresses| addresses.first().copied());
    address.ok_or_else(|| LoadTestError::Options(format!("{url} has no address")))
}

fn with_address(url: &str, address: SocketAddr) -> Result<String, LoadTestError> {
    let mut with =
        Url::parse(url).map_err(|why| LoadTestError::Options(format!("{url}: {why}")))?;
    let is_set =
        with.set_ip_host(address.ip()).is_ok() && with.set_port(Some(address.port())).is_ok();
    if !is_set {
        return Err(LoadTestError::Options(format!("{url} has no address")));
    }
    Ok(with.into())
}

pub async fn run(options: &Options) -> Result<Report, LoadTestError> {
    let seed = options.telling.seed;
    let made = std::fs::create_dir_all(&options.data_dir);
    made.map_err(|error| LoadTestError::Machine(error.to_string()))?;
    let shop = Shop::open(options).await?;
    let writers_address = shop.writers_address().clone();
    let mut run =
        Run::begin_apart(&shop.readers.address, &writers_address, &options.who, seed).await?;
    let mut report = Report::new(format!(
        "{}: {} rounds, {} readers, {} writers, seed {seed}",
        shop.readers.address, options.rounds, options.readers, options.writers
    ));
    run.crowd.join(options.readers, &returning()).await?;
    let first = run.open(&mut report.faults).await?;

    let settled = Rc::new(Settled::new(Duration::from_secs(options.grace_seconds)));
    let turns = Turns::new(u32::MAX, Some(options.rate), MAX_DURATION).noted_in(&settled);
    let manner = Manner {
        together: 1,
        insists: true,
    };
    let (writing, writers) = (orders(&first, None, options.writers)?, options.writers);
    let (writing, writers) = (writing.into_iter(), writers as usize);
    let writing = write_together(&run.desk, run.clock, &turns, writing, writers, manner);
    let mut screens = Screens::new(run.crowd.each(), &run.room, &settled);
    let breaking = async {
        let broken = shop.break_things(options).await;
        turns.stop();
        broken
    };
    let (written, broken) = tokio::select! {
        () = screens.watch() => return Err(LoadTestError::Machine("the clock stopped".to_owned())),
        worked = async { tokio::join!(writing, breaking) } => worked,
    };
    let (shop, made) = broken?;
    for (fault, times) in made {
        report.value(fault, fault, times);
    }
    screens.tell(&mut report);

    // What was acknowledged is there after another death.
    run.crowd.all_back(RETURN).await;
    let shop = shop.die().await?;
    run.crowd.all_back(RETURN).await;
    let lost = lost(&run.desk, &written).await?;
    report.value("lost", "acknowledged and lost", lost.len());
    report.faults.extend(shortened(lost));
    report.written(&written, None);
    let overtaken: usize = written.iter().map(|written| written.overtaken).sum();
    if overtaken > 0 {
        let fault = "requests that were sent again were taken for others";
        report.faults.push(format!("{overtaken} {fault}"));
    }
    let room = run.room.clone();
    let others = run.end(&mut report, &written, &first).await?;
    if others > 0 {
        let fault = "events that no answer was about: something was done twice";
        report.faults.push(format!("{others} {fault}"));
    }
    report.came_back(&room.tallies, false);
    report.latency("awayMs", "away", &room.returns.borrow());
    shop.stop().await?;
    Ok(report)
}

/// What every reader shows, held against what was acknowledged.
struct Screens<'a> {
    readers: Vec<Rc<State>>,
    /// Since when each has said that it is live.
    live_since: Vec<Option<Instant>>,
    room: &'a Room,
    settled: &'a Settled,
    looks: u64,
    live: u64,
    /// By reader and order: told once.
    wrong: HashMap<(usize, i64), String>,
}

impl<'a> Screens<'a> {
    fn new(readers: Vec<Rc<State>>, room: &'a Room, settled: &'a Settled) -> Self {
        Self {
            live_since: vec![None; readers.len()],
            readers,
            room,
            settled,
            looks: 0,
            live: 0,
            wrong: HashMap::new(),
        }
    }

    /// For as long as it is polled.
    async fn watch(&mut self) {
        let mut often = interval(LOOK);
        loop {
            often.tick().await;
            self.look();
        }
    }

    fn look(&mut self) {
        for (place, reader) in self.readers.iter().enumerate() {
            self.looks += 1;
            let says_live = reader.says_live();
            self.live += u64::from(says_live);
            let since = &mut self.live_since[place];
            if !says_live {
                *since = None;
            } else if since.get_or_insert_with(Instant::now).elapsed() > self.settled.grace {
                let (hearing, mut places) =
                    (reader.hearing.borrow(), self.room.places.borrow_mut());
                self.settled.each(|settled| {
                    let shown = hearing.shows(places.of(settled.number));
                    if shown < settled.version {
                        self.wrong
                            .entry((place, settled.number))
                            .or_insert_with(|| wrong(place, shown, settled, self.settled.grace));
                    }
                });
            }
        }
    }

    fn tell(self, report: &mut Report) {
        let share = self.live as f64 / (self.looks as f64).max(1.0);
        report.value("liveShare", "share of time that screens said live", share);
        report.value("wrongWhileLive", "wrong while they did", self.wrong.len());
        let mut wrong: Vec<String> = self.wrong.into_values().collect();
        wrong.sort_unstable();
        report.faults.extend(shortened(wrong));
    }
}

fn wrong(place: usize, shown: i64, settled: &Acknowledged, grace: Duration) -> String {
    let Acknowledged {
        number,
        version,
        last,
        ..
    } = settled;
    let seconds = grace.as_secs();
    format!(
        "reader {} said live and showed order {number} at {shown}, {seconds} s after version {version} (event {last}) was acknowledged",
        place + 1
    )
}

fn shortened(mut faults: Vec<String>) -> Vec<String> {
    if faults.len() > MAX_SHOWN_FAULTS {
        let more = faults.split_off(MAX_SHOWN_FAULTS).len();
        faults.push(format!("{more} more of these"));
    }
    faults
}

/// Acknowledged changes that are in no history, or newer than their order's row on the list.
async fn lost(desk: &Desk, written: &[Written]) -> Result<Vec<String>, LoadTestError> {
    let mut by_order: BTreeMap<i64, Vec<&Acknowledged>> = BTreeMap::new();
    for acknowledged in written.iter().flat_map(|written| &written.acknowledged) {
        by_order
            .entry(acknowledged.number)
            .or_default()
            .push(acknowledged);
    }
    let mut lost = Vec::new();
    let list = desk.list().await?;
    for (number, acknowledged) in by_order {
        // None of these changes closes an order.
        let listed = list.orders.get(&number).map(|order| order.version);
        let newest = acknowledged.iter().map(|change| change.version).max();
        if listed < newest {
            lost.push(format!(
                "order {number}: version {newest:?} was acknowledged, the list has {listed:?}"
            ));
        }
        let history = desk.history(number).await?;
        for change in acknowledged {
            let (version, last) = (change.version, change.last);
            match history.get(&version) {
                Some(seq) if *seq == last => {}
                kept => lost.push(format!(
                    "order {number}: version {version} was acknowledged as event {last}, its history has {kept:?}"
                )),
            }
        }
    }
    Ok(lost)
}

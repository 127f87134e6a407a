//! The servers that are tortured, the storage below them, and how both break and come back.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use reqwest::Url;
use tokio::time::{Instant, sleep, timeout};

use super::{FaultyStorage, Options};
use crate::error::LoadTestError;
use crate::faults::{Fault, Storage};
use crate::proxy::Proxy;
use crate::server::{Server, free_address};
use crate::target::Address;

/// The share of faults of disk and database during which the server is killed besides.
const KILL_SHARE: f64 = 0.2;

/// As a service manager waits before it starts what has ended.
const RESTART_INTERVAL: Duration = Duration::from_millis(200);

/// To be right again after the last round.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(60);

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
        let until = Instant::now() + RECOVERY_TIMEOUT;
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        let environment: Vec<(&str, &Path)> = self
            .environment
            .iter()
            .map(|(name, path)| (*name, path.as_path()))
            .collect();
        loop {
            let (binary, data_dir) = (&self.binary, &self.data_dir);
            match Server::start_with(binary, data_dir, address, &arguments, &environment).await {
                Err(_) if Instant::now() < until => sleep(RESTART_INTERVAL).await,
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
        timeout(RECOVERY_TIMEOUT, ready)
            .await
            .map_err(|_| LoadTestError::Unexpected {
                what: "to be ready after the last fault",
                why: format!("/readyz said no for {} s", RECOVERY_TIMEOUT.as_secs()),
            })
    }
}

/// What is tortured: one server on SQLite for everybody, or on PostgreSQL one for the readers and one
/// for the writers.
pub struct TorturedServers {
    readers: RestartableServer,
    writers: Option<RestartableServer>,
    storage: Storage,
}

impl TorturedServers {
    pub async fn open(options: &Options) -> Result<Self, LoadTestError> {
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

    pub fn readers_address(&self) -> &Address {
        &self.readers.address
    }

    pub fn writers_address(&self) -> &Address {
        &self.writers.as_ref().unwrap_or(&self.readers).address
    }

    /// One fault after the other, and how often there was each.
    pub async fn break_things(
        mut self,
        options: &Options,
    ) -> Result<(Self, BTreeMap<&'static str, u32>), LoadTestError> {
        let mut seeds = StdRng::seed_from_u64(options.common.seed);
        let mut made = BTreeMap::new();
        for _ in 0..options.rounds {
            // Each round has chances of its own: how many numbers a fault draws may depend on how many
            // connections there are.
            let mut rng = StdRng::from_rng(&mut seeds);
            let fault = self.storage.choose(&mut rng);
            *made.entry(fault.name()).or_default() += 1;
            let length = fault.length(&mut rng);
            let rest = Duration::from_millis(rng.random_range(300..1_500));
            let is_killed = fault == Fault::Kill || rng.random_bool(KILL_SHARE);
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
    pub async fn die(self) -> Result<Self, LoadTestError> {
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

    pub async fn stop(self) -> Result<(), LoadTestError> {
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

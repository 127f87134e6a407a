//! What the server runs with: the command line, else the environment, else `dispatch.toml`, else
//! the default.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use dispatch_actors::committer::GROUP;
use dispatch_actors::store::{DatabaseUrl, Unreachable};
use jiff::tz::TimeZone;
use serde::Deserialize;

use crate::cli::{Demo, Place, Serve};
use crate::socket::Origin;

pub const DEFAULT_DATA_DIR: &str = "data";

#[derive(Clone, Debug)]
pub struct Config {
    pub shop: Shop,
    pub listen: SocketAddr,
    pub brand_name: String,
    pub support_email: Option<String>,
    /// The watched folder.
    pub intake_dir: Option<PathBuf>,
    pub demo: Option<Demo>,
    /// Pages of other hosts that may open the stream.
    pub allowed_origins: Vec<Origin>,
    /// Decisions in one transaction at most.
    pub commit_group: usize,
}

/// Where the data is, and the zone its naive times are in.
#[derive(Clone, Debug)]
pub struct Shop {
    pub data_dir: PathBuf,
    pub database: DatabaseUrl,
    pub time_zone: TimeZone,
}

#[derive(Debug, thiserror::Error)]
pub enum BadConfig {
    #[error("cannot read {}: {why}", path.display())]
    Unreadable { path: PathBuf, why: String },
    #[error("{}: {why}", path.display())]
    Syntax { path: PathBuf, why: String },
    #[error("'{0}' is not a time zone; use a name such as America/Chicago")]
    TimeZone(String),
    #[error("a demo shop listens on this machine only, since everybody knows its passwords: use --listen 127.0.0.1:{}", .0.port())]
    PublicDemo(SocketAddr),
    #[error(transparent)]
    Database(#[from] Unreachable),
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
struct File {
    data_dir: Option<PathBuf>,
    database_url: Option<String>,
    time_zone: Option<String>,
    listen: Option<SocketAddr>,
    brand_name: Option<String>,
    support_email: Option<String>,
    intake_dir: Option<PathBuf>,
    demo: Option<Demo>,
    allow_origin: Vec<Origin>,
    commit_group: Option<u16>,
}

impl Config {
    pub fn new(serve: Serve) -> Result<Self, BadConfig> {
        let file = File::read(serve.place.config.as_deref())?;
        let listen = serve
            .listen
            .or(file.listen)
            .unwrap_or_else(|| SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)));
        let demo = serve.demo.or(file.demo);
        if demo.is_some() && !listen.ip().is_loopback() {
            return Err(BadConfig::PublicDemo(listen));
        }
        Ok(Self {
            listen,
            demo,
            allowed_origins: match serve.allowed_origins {
                given if given.is_empty() => file.allow_origin.clone(),
                given => given,
            },
            commit_group: serve
                .commit_group
                .or(file.commit_group)
                .map_or(GROUP, usize::from),
            intake_dir: serve.intake_dir.or_else(|| file.intake_dir.clone()),
            support_email: serve.support_email.or_else(|| file.support_email.clone()),
            brand_name: serve
                .brand_name
                .or_else(|| file.brand_name.clone())
                .unwrap_or_else(|| "the product".to_owned()),
            shop: Shop::merge(serve.place, file)?,
        })
    }
}

impl Shop {
    pub fn new(place: Place) -> Result<Self, BadConfig> {
        let file = File::read(place.config.as_deref())?;
        Self::merge(place, file)
    }

    fn merge(place: Place, file: File) -> Result<Self, BadConfig> {
        let data_dir = place
            .data_dir
            .or(file.data_dir)
            .unwrap_or_else(|| PathBuf::from(DEFAULT_DATA_DIR));
        let database = match place.database_url.or(file.database_url) {
            Some(url) => url.parse()?,
            None => DatabaseUrl::Sqlite(data_dir.join("dispatch.sqlite")),
        };
        let time_zone = match place.time_zone.or(file.time_zone) {
            Some(name) => TimeZone::get(&name).map_err(|_| BadConfig::TimeZone(name))?,
            None => machine_zone(),
        };
        Ok(Self {
            data_dir,
            database,
            time_zone,
        })
    }

    /// The zone's name, for the screens.
    pub fn time_zone_name(&self) -> &str {
        self.time_zone.iana_name().unwrap_or("UTC")
    }
}

/// The machine's zone where it has a name that browsers know, else UTC.
fn machine_zone() -> TimeZone {
    let zone = TimeZone::system();
    if zone.iana_name().is_some() {
        zone
    } else {
        TimeZone::UTC
    }
}

impl File {
    fn read(path: Option<&Path>) -> Result<Self, BadConfig> {
        let fallback = Path::new("dispatch.toml");
        let path = match path {
            Some(path) => path,
            None if fallback.exists() => fallback,
            None => return Ok(Self::default()),
        };
        let text = std::fs::read_to_string(path).map_err(|error| BadConfig::Unreadable {
            path: path.to_owned(),
            why: error.to_string(),
        })?;
        toml::from_str(&text).map_err(|error| BadConfig::Syntax {
            path: path.to_owned(),
            why: error.to_string().trim().replace('\n', " "),
        })
    }
}

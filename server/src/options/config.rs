//! What the server runs with: the command line, else the environment, else the file of options,
//! else the default.

mod backups;
mod error;
mod file;
mod identity;
mod retention;
mod safety_options;
mod shop;
mod syntax;

use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use dispatch_actors::committer::GROUP;
use dispatch_actors::store::DatabaseUrl;
use url::Url;

use crate::backup::BackupSchedule;
use crate::files::folder_retention::RetentionLimits;
use crate::http::address::Network;
use crate::http::host_check::HostName;
use crate::log_lines::LogFormat;
use crate::options::cli::{DemoMode, Serve};
use crate::public_url::is_loopback;
use crate::push::PushService;
use crate::retention::RetentionTerms;
use crate::server_status::LowDiskLimit;
use crate::socket::Origin;
use crate::tech_story::StoryOptions;
use crate::traces::OtlpEndpoint;
use file::ConfigFile;

pub use backups::passphrase as backup_passphrase;
pub use error::ConfigError;
pub use file::{secret_options_in, unknown_options_in};
pub use identity::{Google, HostedLeftOut, IdentityConfig};
pub use shop::{DEFAULT_DATA_DIR, Shop};

#[derive(Clone, Debug)]
pub struct Config {
    pub shop: Shop,
    /// The file of options that was read.
    pub options_file: Option<PathBuf>,
    pub listen: SocketAddr,
    /// Where Prometheus asks; none: nowhere.
    pub metrics_listen: Option<SocketAddr>,
    pub support_email: Option<String>,
    /// The watched folder.
    pub intake_dir: Option<PathBuf>,
    pub demo: Option<DemoMode>,
    /// Names that the server answers to, besides its own.
    pub allowed_hosts: Vec<HostName>,
    /// Pages of other hosts that may open the stream.
    pub allowed_origins: Vec<Origin>,
    /// Push services besides those of the known browsers.
    pub push_services: Vec<PushService>,
    pub stories: StoryOptions,
    /// The most decisions in one transaction.
    pub commit_group: usize,
    /// For how long the server goes on when it is told to stop; none: as the other servers ask for.
    pub drain_time: Option<Duration>,
    /// How long files are kept that the server deletes in the end.
    pub retention: RetentionLimits,
    /// How long old rows of the database are kept.
    pub keep: RetentionTerms,
    pub low_disk: LowDiskLimit,
    /// None: the server writes no backups.
    pub backups: Option<BackupSchedule>,
    pub test_page: bool,
    pub trusted_proxies: Vec<Network>,
}

impl Config {
    pub fn new(serve: Serve) -> Result<Self, ConfigError> {
        let mut file = ConfigFile::read(serve.data.config.as_deref())?;
        let listen = serve
            .listen
            .or(file.listen)
            .unwrap_or_else(|| SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)));
        let demo = serve.demo.or(file.demo);
        let backups = std::mem::take(&mut file.backups);
        let mut config = Self {
            backups: None,
            options_file: file.path.take(),
            listen,
            metrics_listen: serve.metrics_listen.or(file.metrics_listen),
            demo,
            allowed_hosts: match serve.allowed_hosts {
                empty if empty.is_empty() => file.allowed_host.clone(),
                args => args,
            },
            allowed_origins: match serve.allowed_origins {
                empty if empty.is_empty() => file.allow_origin.clone(),
                args => args,
            },
            push_services: match serve.push_services {
                empty if empty.is_empty() => file.push_service.clone(),
                args => args,
            },
            stories: StoryOptions::new(serve.stories, std::mem::take(&mut file.stories))?,
            commit_group: serve
                .commit_group
                .or(file.commit_group)
                .map_or(GROUP, usize::from),
            drain_time: serve
                .drain_seconds
                .or(file.drain_seconds)
                .map(|seconds| Duration::from_secs(seconds.into())),
            retention: retention_limits(
                serve.keep_files_days.or(file.keep_files_days),
                serve.keep_files_mb.or(file.keep_files_mb),
            ),
            keep: retention::terms(serve.keep, std::mem::take(&mut file.keep))?,
            low_disk: LowDiskLimit::new(serve.low_disk_mb.or(file.low_disk_mb)),
            intake_dir: serve.intake_dir.or_else(|| file.intake_dir.clone()),
            support_email: serve.support_email.or_else(|| file.support_email.clone()),
            test_page: serve.test_page || file.test_page || demo.is_some(),
            trusted_proxies: match serve.trusted_proxies {
                empty if empty.is_empty() => file.trusted_proxy.clone(),
                args => args,
            },
            shop: Shop {
                name: serve.brand_name.or_else(|| file.brand_name.take()),
                ..Shop::merge(serve.data, serve.identity, file, demo.is_some())?
            },
        };
        config.backups = backups::schedule(serve.backups, backups, &config.shop.database)?;
        if config.demo.is_some() {
            config.refuse_demo_elsewhere()?;
        }
        Ok(config)
    }

    /// Where the server keeps files of its own, each with what it is called.
    pub fn own_folders(&self) -> Vec<(&'static str, PathBuf)> {
        let data_dir = &self.shop.data_dir;
        let mut own = vec![("data", data_dir.clone()), ("mail", data_dir.join("mail"))];
        if let DatabaseUrl::Sqlite(file) = &self.shop.database {
            let folder = file
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty());
            own.push(("database", folder.unwrap_or(Path::new(".")).to_owned()));
        }
        if let Some(schedule) = &self.backups {
            own.push(("backup", schedule.folder.clone()));
        }
        own
    }

    /// A demo's accounts are for whoever sits at this machine: not for those whom a proxy brings, either.
    pub fn refuse_demo_elsewhere(&self) -> Result<(), ConfigError> {
        if !self.listen.ip().is_loopback() {
            return Err(ConfigError::PublicDemo(self.listen));
        }
        let public_url = self.shop.identity.public_url.as_ref();
        let option = if let Some(url) = public_url.filter(|url| is_elsewhere(url)) {
            format!("--public-url {url}")
        } else if let Some(proxy) = self.trusted_proxies.first() {
            format!("--trusted-proxy {proxy}")
        } else if let Some(host) = self.allowed_hosts.first() {
            format!("--allowed-host {host}")
        } else {
            return Ok(());
        };
        Err(ConfigError::ProxiedDemo(option))
    }
}

/// What a server says of its work, and to whom.
#[derive(Clone, Debug, Default)]
pub struct ReportOptions {
    pub log_format: LogFormat,
    /// The collector of traces; none: nothing is traced.
    pub otlp_endpoint: Option<OtlpEndpoint>,
}

impl ReportOptions {
    /// A file of options that cannot be read is no matter here: whoever reads the rest of it says so.
    pub fn new(serve: &Serve) -> Self {
        let file = ConfigFile::read(serve.data.config.as_deref()).unwrap_or_default();
        Self {
            log_format: serve.log_format.or(file.log_format).unwrap_or_default(),
            otlp_endpoint: serve.otlp_endpoint.clone().or(file.otlp_endpoint),
        }
    }
}

/// Whether browsers come by another address than this machine's own.
pub fn is_elsewhere(public_url: &Url) -> bool {
    public_url.has_host() && !is_loopback(public_url)
}

const DEFAULT_KEEP_FILES_DAYS: u32 = 90;
const DEFAULT_KEEP_FILES_MB: u32 = 1_024;

fn retention_limits(days: Option<NonZeroU32>, megabytes: Option<NonZeroU32>) -> RetentionLimits {
    let megabytes = megabytes.map_or(DEFAULT_KEEP_FILES_MB, NonZeroU32::get);
    RetentionLimits {
        days: days.map_or(DEFAULT_KEEP_FILES_DAYS, NonZeroU32::get),
        bytes: u64::from(megabytes) * 1024 * 1024,
    }
}

//! `dispatch serve`.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Deserialize;

use super::{
    DataOptions, IdentityOptions, InterviewOptions, RetentionOptions, ScheduledBackupOptions,
};
use crate::http::address::Network;
use crate::http::host_check::HostName;
use crate::log_lines::LogFormat;
use crate::push::PushService;
use crate::socket::Origin;
use crate::traces::OtlpEndpoint;

#[derive(Clone, Debug, Args)]
pub struct Serve {
    #[command(flatten)]
    pub data: DataOptions,

    #[command(flatten)]
    pub identity: IdentityOptions,

    #[command(flatten)]
    pub stories: InterviewOptions,

    #[command(flatten)]
    pub backups: ScheduledBackupOptions,

    #[command(flatten)]
    pub keep: RetentionOptions,

    /// The debug page /test, which shows the staff collection to owners [default: only with --demo]
    #[arg(long, env = "DISPATCH_TEST_PAGE")]
    pub test_page: bool,

    /// A proxy whose X-Forwarded-For is believed: an address or a network such as 10.0.0.0/8; may
    /// be given several times, or with commas
    #[arg(
        long = "trusted-proxy",
        value_name = "NETWORK",
        env = "DISPATCH_TRUSTED_PROXY",
        value_delimiter = ','
    )]
    pub trusted_proxies: Vec<Network>,

    /// Address and port to listen on; port 0 takes a free one [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR:PORT", env = "DISPATCH_LISTEN")]
    pub listen: Option<SocketAddr>,

    /// Address and port at which Prometheus finds /metrics, for nobody else to reach [default: none]
    #[arg(long, value_name = "ADDR:PORT", env = "DISPATCH_METRICS_LISTEN")]
    pub metrics_listen: Option<SocketAddr>,

    /// How the log is written to standard error: as text, or as one JSON object a line [default:
    /// text]
    #[arg(long, value_name = "FORMAT", env = "DISPATCH_LOG_FORMAT")]
    pub log_format: Option<LogFormat>,

    /// OpenTelemetry collector that gets traces of requests by OTLP over HTTP, such as
    /// http://127.0.0.1:4318 [default: none]
    #[arg(long, value_name = "URL", env = "DISPATCH_OTLP_ENDPOINT")]
    pub otlp_endpoint: Option<OtlpEndpoint>,

    /// What the product is called on its screens [default: the product]
    #[arg(long, value_name = "NAME", env = "DISPATCH_BRAND_NAME")]
    pub brand_name: Option<String>,

    /// Who users write to for help, from the sign-in screen
    #[arg(long, value_name = "EMAIL", env = "DISPATCH_SUPPORT_EMAIL")]
    pub support_email: Option<String>,

    /// Folder whose files are taken in as they arrive, and then moved to done/ or rejected/ in it
    #[arg(long, value_name = "DIR", env = "DISPATCH_INTAKE_DIR")]
    pub intake_dir: Option<PathBuf>,

    /// Fill an empty database with a sample shop; `still` leaves out its movement. Listens on this
    /// machine only, since everybody knows the passwords
    #[arg(
        long,
        value_name = "MODE",
        env = "DISPATCH_DEMO",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "moving"
    )]
    pub demo: Option<DemoMode>,

    /// A name by which browsers ask for this server, such as desk.example.com, besides the public
    /// URL's, localhost and the machine's own; may be given several times, or with commas
    #[arg(
        long = "allowed-host",
        value_name = "NAME",
        env = "DISPATCH_ALLOWED_HOST",
        value_delimiter = ','
    )]
    pub allowed_hosts: Vec<HostName>,

    /// A page of another host that may open the stream, such as https://desk.example.com; may be
    /// given several times, or with commas
    #[arg(
        long = "allow-origin",
        value_name = "ORIGIN",
        env = "DISPATCH_ALLOW_ORIGIN",
        value_delimiter = ','
    )]
    pub allowed_origins: Vec<Origin>,

    /// A push service besides those of the known browsers, such as https://push.example.com: pushes
    /// are sent to no other host; may be given several times, or with commas
    #[arg(
        long = "push-service",
        value_name = "ORIGIN",
        env = "DISPATCH_PUSH_SERVICE",
        value_delimiter = ','
    )]
    pub push_services: Vec<PushService>,

    /// Changes that are made durable together at most; 1 makes each by itself, which is slower
    /// [default: 256]
    #[arg(
        long,
        value_name = "NUMBER",
        env = "DISPATCH_COMMIT_GROUP",
        value_parser = clap::value_parser!(u16).range(1..=1024)
    )]
    pub commit_group: Option<u16>,

    /// Seconds for which the server goes on when it is told to stop (SIGTERM): /readyz answers 503 at once, and in the
    /// second half the open pages move to other servers [default: 10 beside other servers, else 0]
    #[arg(long, value_name = "SECONDS", env = "DISPATCH_DRAIN_SECONDS")]
    pub drain_seconds: Option<u16>,

    /// Days for which files are kept in done/ of the intake folder and in mail/ of the data folder; in
    /// rejected/ twice as long [default: 90]
    #[arg(long, value_name = "DAYS", env = "DISPATCH_KEEP_FILES_DAYS")]
    pub keep_files_days: Option<NonZeroU32>,

    /// Megabytes that each of these folders may hold, the oldest files are deleted first; rejected/
    /// twice as many [default: 1024]
    #[arg(long, value_name = "MB", env = "DISPATCH_KEEP_FILES_MB")]
    pub keep_files_mb: Option<NonZeroU32>,

    /// Megabytes on a disk below which owners are warned [default: a twentieth of the disk, 200 at
    /// least and 2048 at most]
    #[arg(long, value_name = "MB", env = "DISPATCH_LOW_DISK_MB")]
    pub low_disk_mb: Option<NonZeroU32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DemoMode {
    /// The shop works: orders arrive, change and leave.
    Moving,
    /// The same shop, in which nothing happens by itself.
    Still,
}

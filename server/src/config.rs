//! What the server runs with: the command line, else the environment, else the file of options,
//! else the default.

mod safety_options;

use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use clap::Args;
use dispatch_actors::committer::GROUP;
use dispatch_actors::store::{DatabaseUrl, Unreachable};
use jiff::tz::TimeZone;
use serde::Deserialize;

use url::Url;

use crate::address::Network;
use crate::cli::{Demo, IdentityName, People, Place, Serve, StaffName, Stories};
use crate::folder_retention::RetentionLimits;
use crate::host_check::HostName;
use crate::identity::oidc::OidcOptions;
use crate::mail::{BadServer, Mail, SmtpServer};
use crate::options_file::{OptionsFile, SYSTEM_FILE, UnreadableOptions};
use crate::push::PushService;
use crate::server_status::LowDiskLimit;
use crate::socket::Origin;
use crate::tech_story::{BadStories, StoryOptions};

pub const DEFAULT_DATA_DIR: &str = "data";

#[derive(Clone, Debug)]
pub struct Config {
    pub shop: Shop,
    /// The file of options that was read.
    pub options_file: Option<PathBuf>,
    pub listen: SocketAddr,
    pub brand_name: String,
    pub support_email: Option<String>,
    /// The watched folder.
    pub intake_dir: Option<PathBuf>,
    pub demo: Option<Demo>,
    /// Names that the server answers to, besides its own.
    pub allowed_hosts: Vec<HostName>,
    /// Pages of other hosts that may open the stream.
    pub allowed_origins: Vec<Origin>,
    /// Besides the known ones.
    pub push_services: Vec<PushService>,
    pub stories: StoryOptions,
    /// Decisions in one transaction at most.
    pub commit_group: usize,
    /// Of files that are kept for a while only.
    pub retention: RetentionLimits,
    pub low_disk: LowDiskLimit,
    pub test_page: bool,
    pub trusted_proxies: Vec<Network>,
}

/// Where the data is, and the zone its naive times are in.
#[derive(Clone, Debug)]
pub struct Shop {
    pub data_dir: PathBuf,
    pub database: DatabaseUrl,
    pub time_zone: TimeZone,
    pub people: WhoIsWho,
}

/// Who people are and how they sign in.
#[derive(Clone, Debug)]
pub struct WhoIsWho {
    /// None: the address listened on.
    pub public_url: Option<Url>,
    pub mail: Mail,
    pub password_min_length: u32,
    pub refuse_common_passwords: bool,
    pub sign_in_limit: Option<NonZeroU32>,
    pub identity: IdentityName,
    pub staff: StaffName,
    pub google: Google,
    pub oidc: Option<OidcOptions>,
}

/// A Google Cloud project.
#[derive(Clone, Debug, Default)]
pub struct Google {
    pub project: Option<String>,
    pub credentials: Option<PathBuf>,
    pub firebase_api_key: Option<String>,
    pub firebase_emulator: Option<SocketAddr>,
    pub firestore_emulator: Option<SocketAddr>,
}

/// What OWASP's ASVS 5.0 asks for at least (6.2.1).
const PASSWORD_MIN_LENGTH: u32 = 8;

impl WhoIsWho {
    fn merge(given: People, file: People) -> Result<Self, BadConfig> {
        let google = Google {
            project: given.google_project.or(file.google_project),
            credentials: given.google_credentials.or(file.google_credentials),
            firebase_api_key: given.firebase_api_key.or(file.firebase_api_key),
            firebase_emulator: given.firebase_emulator.or(file.firebase_emulator),
            firestore_emulator: given.firestore_emulator.or(file.firestore_emulator),
        };
        for emulator in [google.firebase_emulator, google.firestore_emulator] {
            if let Some(address) = emulator
                && !address.ip().is_loopback()
            {
                return Err(BadConfig::EmulatorElsewhere(address));
            }
        }
        let issuer = given.oidc_issuer.or(file.oidc_issuer);
        let client_id = given.oidc_client_id.or(file.oidc_client_id);
        let client_secret = given.oidc_client_secret.or(file.oidc_client_secret);
        let oidc = match (issuer, client_id) {
            (Some(issuer), Some(client_id)) => Some(OidcOptions {
                name: given
                    .oidc_name
                    .or(file.oidc_name)
                    .unwrap_or_else(|| issuer.host().to_owned()),
                issuer,
                client_id,
                client_secret,
                roles_claim: given.oidc_roles_claim.or(file.oidc_roles_claim),
            }),
            (None, None) => None,
            _ => return Err(BadConfig::HalfOpenId),
        };
        let public_url = given.public_url.or(file.public_url);
        if let Some(url) = &public_url
            && !is_a_site(url)
        {
            return Err(BadConfig::PublicUrl(url.clone()));
        }
        let config = Self {
            public_url,
            mail: mail(
                given.smtp_url.or(file.smtp_url),
                given.mail_from.or(file.mail_from),
            )?,
            password_min_length: given
                .password_min_length
                .or(file.password_min_length)
                .unwrap_or(PASSWORD_MIN_LENGTH),
            refuse_common_passwords: given.refuse_common_passwords
                || file.refuse_common_passwords
                || !(given.allow_common_passwords || file.allow_common_passwords),
            sign_in_limit: given.sign_in_limit.or(file.sign_in_limit),
            identity: given
                .identity
                .or(file.identity)
                .unwrap_or(IdentityName::Embedded),
            staff: given.staff.or(file.staff).unwrap_or(StaffName::Embedded),
            google,
            oidc,
        };
        config.require_hosted(cfg!(feature = "hosted"))?;
        Ok(config)
    }

    /// A build without the hosted providers takes none of their options.
    fn require_hosted(&self, is_built_in: bool) -> Result<(), HostedLeftOut> {
        if is_built_in {
            return Ok(());
        }
        let google = &self.google;
        let given = [
            (
                self.identity == IdentityName::Firebase,
                "--identity firebase",
            ),
            (self.staff == StaffName::Firestore, "--staff firestore"),
            (google.project.is_some(), "--google-project"),
            (google.credentials.is_some(), "--google-credentials"),
            (google.firebase_api_key.is_some(), "--firebase-api-key"),
            (google.firebase_emulator.is_some(), "--firebase-emulator"),
            (google.firestore_emulator.is_some(), "--firestore-emulator"),
        ];
        match given.into_iter().find(|(is_given, _)| *is_given) {
            Some((_, option)) => Err(HostedLeftOut(option)),
            None => Ok(()),
        }
    }
}

/// An option of the hosted providers, given to a build without them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "this dispatch was built without the hosted providers: leave out {0}, or use a dispatch built with its \
     feature 'hosted', as it is by default"
)]
pub struct HostedLeftOut(pub &'static str);

fn mail(server: Option<Url>, from: Option<String>) -> Result<Mail, BadConfig> {
    let from = from.map(|text| {
        let parsed = text.parse();
        parsed.map_err(|_| BadConfig::MailFrom(text))
    });
    let from = from.transpose()?;
    match server {
        None => Ok(Mail::Folder { from }),
        Some(url) => Ok(Mail::Server {
            server: SmtpServer::new(&url)?,
            from: from.ok_or(BadConfig::NoMailFrom)?,
        }),
    }
}

/// The page's own addresses begin at the root.
fn is_a_site(url: &Url) -> bool {
    let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
    let is_root = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    is_web && is_root && url.username().is_empty() && url.password().is_none()
}

#[derive(Debug, thiserror::Error)]
pub enum BadConfig {
    #[error(transparent)]
    Unreadable(#[from] UnreadableOptions),
    #[error("{}: {why}", path.display())]
    Syntax { path: PathBuf, why: String },
    #[error(
        "'{0}' is not a time zone (--time-zone, DISPATCH_TIME_ZONE): use a name such as \
         America/Chicago"
    )]
    TimeZone(String),
    #[error("a demo shop listens on this machine only, since everybody knows its passwords: use --listen 127.0.0.1:{}", .0.port())]
    PublicDemo(SocketAddr),
    #[error(
        "a demo shop is for this machine only, since everybody knows its passwords: leave out {0}, or use \
         another --data-dir"
    )]
    ProxiedDemo(String),
    #[error("an emulator lets everybody in, so it must be on this machine: {0} is not")]
    EmulatorElsewhere(SocketAddr),
    #[error(
        "--public-url {0} is not where browsers can find a whole site; write it as https://desk.example.com"
    )]
    PublicUrl(Url),
    #[error(transparent)]
    HostedLeftOut(#[from] HostedLeftOut),
    #[error("an OpenID Connect provider needs both --oidc-issuer and --oidc-client-id")]
    HalfOpenId,
    #[error(
        "a mail server takes mail from somebody: say who with --mail-from, such as 'Dispatch <dispatch@example.com>'"
    )]
    NoMailFrom,
    #[error(
        "'{0}' cannot be --mail-from: use an address, such as 'Dispatch <dispatch@example.com>'"
    )]
    MailFrom(String),
    #[error(transparent)]
    MailServer(#[from] BadServer),
    #[error(transparent)]
    Stories(#[from] BadStories),
    #[error(transparent)]
    Database(#[from] Unreachable),
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
struct File {
    /// Where it was read; none where there is none.
    #[serde(skip)]
    path: Option<PathBuf>,
    data_dir: Option<PathBuf>,
    database_url: Option<String>,
    time_zone: Option<String>,
    listen: Option<SocketAddr>,
    brand_name: Option<String>,
    support_email: Option<String>,
    intake_dir: Option<PathBuf>,
    demo: Option<Demo>,
    allowed_host: Vec<HostName>,
    allow_origin: Vec<Origin>,
    push_service: Vec<PushService>,
    commit_group: Option<u16>,
    keep_files_days: Option<NonZeroU32>,
    keep_files_mb: Option<NonZeroU32>,
    low_disk_mb: Option<NonZeroU32>,
    test_page: bool,
    trusted_proxy: Vec<Network>,
    /// Read beside the rest: serde cannot both flatten and refuse what it does not know.
    #[serde(skip)]
    people: People,
    #[serde(skip)]
    stories: Stories,
}

impl Config {
    pub fn new(serve: Serve) -> Result<Self, BadConfig> {
        let mut file = File::read(serve.place.config.as_deref())?;
        let listen = serve
            .listen
            .or(file.listen)
            .unwrap_or_else(|| SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)));
        let demo = serve.demo.or(file.demo);
        let config = Self {
            options_file: file.path.take(),
            listen,
            demo,
            allowed_hosts: match serve.allowed_hosts {
                given if given.is_empty() => file.allowed_host.clone(),
                given => given,
            },
            allowed_origins: match serve.allowed_origins {
                given if given.is_empty() => file.allow_origin.clone(),
                given => given,
            },
            push_services: match serve.push_services {
                given if given.is_empty() => file.push_service.clone(),
                given => given,
            },
            stories: StoryOptions::new(serve.stories, std::mem::take(&mut file.stories))?,
            commit_group: serve
                .commit_group
                .or(file.commit_group)
                .map_or(GROUP, usize::from),
            retention: retention(
                serve.keep_files_days.or(file.keep_files_days),
                serve.keep_files_mb.or(file.keep_files_mb),
            ),
            low_disk: LowDiskLimit::new(serve.low_disk_mb.or(file.low_disk_mb)),
            intake_dir: serve.intake_dir.or_else(|| file.intake_dir.clone()),
            support_email: serve.support_email.or_else(|| file.support_email.clone()),
            brand_name: serve
                .brand_name
                .or_else(|| file.brand_name.clone())
                .unwrap_or_else(|| "the product".to_owned()),
            test_page: serve.test_page || file.test_page || demo.is_some(),
            trusted_proxies: match serve.trusted_proxies {
                given if given.is_empty() => file.trusted_proxy.clone(),
                given => given,
            },
            shop: Shop::merge(serve.place, serve.people, file)?,
        };
        if config.demo.is_some() {
            config.refuse_demo_elsewhere()?;
        }
        Ok(config)
    }

    /// A demo's accounts are for whoever sits at this machine: not for those whom a proxy brings, either.
    pub fn refuse_demo_elsewhere(&self) -> Result<(), BadConfig> {
        if !self.listen.ip().is_loopback() {
            return Err(BadConfig::PublicDemo(self.listen));
        }
        let public_url = self.shop.people.public_url.as_ref();
        let option = if let Some(url) = public_url.filter(|url| is_elsewhere(url)) {
            format!("--public-url {url}")
        } else if let Some(proxy) = self.trusted_proxies.first() {
            format!("--trusted-proxy {proxy}")
        } else if let Some(host) = self.allowed_hosts.first() {
            format!("--allowed-host {host}")
        } else {
            return Ok(());
        };
        Err(BadConfig::ProxiedDemo(option))
    }
}

/// Whether browsers come by another address than this machine's own.
pub fn is_elsewhere(public_url: &Url) -> bool {
    match public_url.host() {
        Some(url::Host::Domain(name)) => name != "localhost",
        Some(url::Host::Ipv4(address)) => !address.is_loopback(),
        Some(url::Host::Ipv6(address)) => !address.is_loopback(),
        None => false,
    }
}

const DEFAULT_KEEP_FILES_DAYS: u32 = 90;
const DEFAULT_KEEP_FILES_MB: u32 = 1_024;

fn retention(days: Option<NonZeroU32>, megabytes: Option<NonZeroU32>) -> RetentionLimits {
    let megabytes = megabytes.map_or(DEFAULT_KEEP_FILES_MB, NonZeroU32::get);
    RetentionLimits {
        days: days.map_or(DEFAULT_KEEP_FILES_DAYS, NonZeroU32::get),
        bytes: u64::from(megabytes) * 1024 * 1024,
    }
}

impl Shop {
    pub fn new(place: Place, people: People) -> Result<Self, BadConfig> {
        let file = File::read(place.config.as_deref())?;
        Self::merge(place, people, file)
    }

    fn merge(place: Place, people: People, file: File) -> Result<Self, BadConfig> {
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
            people: WhoIsWho::merge(people, file.people)?,
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
        let file = OptionsFile::read(path, Path::new(SYSTEM_FILE))?;
        OptionsFile::warn_of_another(file.as_ref().map(|file| &*file.path));
        let Some(OptionsFile { path, text }) = file else {
            return Ok(Self::default());
        };
        match Self::parse(&text) {
            Ok(options) => Ok(Self {
                path: Some(path),
                ..options
            }),
            Err(error) => Err(BadConfig::Syntax {
                path,
                why: error.to_string().trim().replace('\n', " "),
            }),
        }
    }

    fn parse(text: &str) -> Result<Self, toml::de::Error> {
        let all: toml::Table = toml::from_str(text)?;
        let (people, rest) = options_of::<People>(all);
        let (stories, rest) = options_of::<Stories>(rest);
        Ok(Self {
            people: people.try_into()?,
            stories: stories.try_into()?,
            ..rest.try_into()?
        })
    }
}

/// Those that are a group's, and the rest.
fn options_of<Group: Args>(all: toml::Table) -> (toml::Table, toml::Table) {
    let options = Group::augment_args(clap::Command::new("group"));
    let names: Vec<&str> = options
        .get_arguments()
        .filter_map(|option| option.get_long())
        .collect();
    all.into_iter()
        .partition(|(name, _)| names.contains(&name.as_str()))
}

#[cfg(test)]
mod tests;

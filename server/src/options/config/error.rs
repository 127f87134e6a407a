//! Why the options cannot be used; each is one line for the person at the keyboard.

use dispatch_actors::promise::BadShopHours;
use std::net::SocketAddr;
use std::path::PathBuf;

use dispatch_actors::store::{DatabaseUrl, Unreachable};
use url::Url;

use super::HostedLeftOut;
use crate::backup::{OffsiteLeftOut, PassphraseError, S3LocationError};
use crate::mail::SmtpUrlError;
use crate::options::options_file::UnreadableOptions;
use crate::tech_story::StoryOptionsError;

#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error(transparent)]
    Unreadable(#[from] UnreadableOptions),
    #[error("{}: {why}", path.display())]
    Syntax { path: PathBuf, why: String },
    #[error(
        "'{0}' is not a time zone (--time-zone, DISPATCH_TIME_ZONE): use a name such as \
         America/Chicago"
    )]
    TimeZone(String),
    #[error("{0} (--shop-hours, DISPATCH_SHOP_HOURS)")]
    ShopHours(#[from] BadShopHours),
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
    #[error("--database-connections is 4 at least and 500 at most, and not {0}")]
    DatabaseConnections(u32),
    #[error(transparent)]
    HostedLeftOut(#[from] HostedLeftOut),
    #[error(
        "--backup-dir is for a SQLite database; {0} is PostgreSQL's, which makes its own backups: pg_dump \
         --format=custom, by a timer of the machine"
    )]
    BackupOfPostgres(DatabaseUrl),
    #[error(transparent)]
    BackupStore(#[from] S3LocationError),
    #[error(transparent)]
    Passphrase(#[from] PassphraseError),
    #[error(transparent)]
    OffsiteLeftOut(#[from] OffsiteLeftOut),
    #[error(
        "--{name} is {min} at least: what the server still counts with is not deleted before; or it is forever"
    )]
    KeptTooShort { name: &'static str, min: u32 },
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
    MailServer(#[from] SmtpUrlError),
    #[error(transparent)]
    Stories(#[from] StoryOptionsError),
    #[error(transparent)]
    Database(#[from] Unreachable),
}

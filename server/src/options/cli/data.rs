//! Where the shop's data is: options of every command that works with it.

use std::path::PathBuf;

use clap::Args;
use serde::Deserialize;

use super::IdentityOptions;

/// Where the shop's data is.
#[derive(Clone, Debug, Default, Args, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct DataOptions {
    /// Folder of the database, the lock and the local socket [default: data]
    #[arg(long, value_name = "DIR", env = "DISPATCH_DATA_DIR")]
    pub data_dir: Option<PathBuf>,

    /// Another database than the SQLite file in the data folder: sqlite:PATH or
    /// postgres://USER:PASSWORD@HOST/NAME
    #[arg(
        long,
        value_name = "URL",
        env = "DISPATCH_DATABASE_URL",
        hide_env_values = true
    )]
    pub database_url: Option<String>,

    /// Connections to PostgreSQL that this process takes at most, 4 to 500 [default: 16]
    #[arg(long, value_name = "NUMBER", env = "DISPATCH_DATABASE_CONNECTIONS")]
    pub database_connections: Option<u32>,

    /// The shop's time zone, as America/Chicago: times without one are read and shown in it
    /// [default: the machine's]
    #[arg(long, value_name = "ZONE", env = "DISPATCH_TIME_ZONE")]
    pub time_zone: Option<String>,

    /// When the shop works, by which promises and the hours left of a day are judged
    /// [default: Mon-Fri 07:00-18:00, Sat 08:00-16:00; with --demo: Mon-Sun 07:00-18:00]
    #[arg(long, value_name = "HOURS", env = "DISPATCH_SHOP_HOURS")]
    pub shop_hours: Option<String>,

    /// File with these options, one `name = "value"` a line [default:
    /// /etc/dispatch/dispatch.toml, if it is there]
    #[arg(long, value_name = "FILE", env = "DISPATCH_CONFIG")]
    #[serde(skip)]
    pub config: Option<PathBuf>,
}

/// Where the shop's data is, and who knows its users.
#[derive(Clone, Debug, Args)]
pub struct ShopOptions {
    #[command(flatten)]
    pub data: DataOptions,

    #[command(flatten)]
    pub identity: IdentityOptions,
}

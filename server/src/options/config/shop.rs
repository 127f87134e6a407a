//! Where the shop's data is.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use dispatch_actors::promise::ShopHours;
use dispatch_actors::store::{DatabaseUrl, POSTGRES_CONNECTIONS};
use jiff::tz::TimeZone;

use super::file::ConfigFile;
use super::{ConfigError, IdentityConfig};
use crate::options::cli::{DataOptions, IdentityOptions};

pub const DEFAULT_DATA_DIR: &str = "data";

/// With fewer a change would wait for readers.
const CONNECTIONS: RangeInclusive<u32> = 4..=500;

/// Where the data is, and what the options say of the shop.
#[derive(Clone, Debug)]
pub struct Shop {
    pub data_dir: PathBuf,
    pub database: DatabaseUrl,
    /// Connections to PostgreSQL at most.
    pub database_connections: u32,
    /// What the product is called on its screens; none: as the database has it.
    pub name: Option<String>,
    /// The zone its naive times are in; none: as the database has it.
    pub time_zone: Option<TimeZone>,
    /// When the shop works, by which promises are judged.
    pub hours: ShopHours,
    pub identity: IdentityConfig,
}

impl Shop {
    pub fn new(data: DataOptions, identity: IdentityOptions) -> Result<Self, ConfigError> {
        let file = ConfigFile::read(data.config.as_deref())?;
        Self::merge(data, identity, file, false)
    }

    /// `is_demo`: a sample shop, in which somebody works on whichever day it is looked at.
    pub(super) fn merge(
        data: DataOptions,
        identity: IdentityOptions,
        file: ConfigFile,
        is_demo: bool,
    ) -> Result<Self, ConfigError> {
        let data_dir = data
            .data_dir
            .or(file.data_dir)
            .unwrap_or_else(|| PathBuf::from(DEFAULT_DATA_DIR));
        let database = match data.database_url.or(file.database_url) {
            Some(url) => url.parse()?,
            None => DatabaseUrl::Sqlite(data_dir.join("dispatch.sqlite")),
        };
        let time_zone = match data.time_zone.or(file.time_zone) {
            Some(name) => {
                let zone = TimeZone::get(&name);
                Some(zone.map_err(|_| ConfigError::TimeZone(name))?)
            }
            None => None,
        };
        let hours = match data.shop_hours.or(file.shop_hours) {
            Some(text) => text.parse()?,
            None if is_demo => ShopHours::every_day(),
            None => ShopHours::default(),
        };
        let connections = data.database_connections.or(file.database_connections);
        let connections = connections.unwrap_or(POSTGRES_CONNECTIONS);
        if !CONNECTIONS.contains(&connections) {
            return Err(ConfigError::DatabaseConnections(connections));
        }
        Ok(Self {
            data_dir,
            database,
            database_connections: connections,
            name: None,
            time_zone,
            hours,
            identity: IdentityConfig::merge(identity, file.identity)?,
        })
    }
}

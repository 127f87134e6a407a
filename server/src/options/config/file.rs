//! The file of options.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Deserialize;

use super::ConfigError;
use crate::http::address::Network;
use crate::http::host_check::HostName;
use crate::options::cli::{DemoMode, IdentityOptions, InterviewOptions};
use crate::options::options_file::{OptionsFile, SYSTEM_FILE};
use crate::push::PushService;
use crate::socket::Origin;

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct ConfigFile {
    /// Where it was read; none where there is none.
    #[serde(skip)]
    pub(super) path: Option<PathBuf>,
    pub(super) data_dir: Option<PathBuf>,
    pub(super) database_url: Option<String>,
    pub(super) time_zone: Option<String>,
    pub(super) listen: Option<SocketAddr>,
    pub(super) brand_name: Option<String>,
    pub(super) support_email: Option<String>,
    pub(super) intake_dir: Option<PathBuf>,
    pub(super) demo: Option<DemoMode>,
    pub(super) allowed_host: Vec<HostName>,
    pub(super) allow_origin: Vec<Origin>,
    pub(super) push_service: Vec<PushService>,
    pub(super) commit_group: Option<u16>,
    pub(super) keep_files_days: Option<NonZeroU32>,
    pub(super) keep_files_mb: Option<NonZeroU32>,
    pub(super) low_disk_mb: Option<NonZeroU32>,
    pub(super) test_page: bool,
    pub(super) trusted_proxy: Vec<Network>,
    /// Read beside the rest: serde cannot both flatten and refuse what it does not know.
    #[serde(skip)]
    pub(super) identity: IdentityOptions,
    #[serde(skip)]
    pub(super) stories: InterviewOptions,
}

impl ConfigFile {
    pub(super) fn read(path: Option<&Path>) -> Result<Self, ConfigError> {
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
            Err(error) => Err(ConfigError::Syntax {
                path,
                why: error.to_string().trim().replace('\n', " "),
            }),
        }
    }

    pub(super) fn parse(text: &str) -> Result<Self, toml::de::Error> {
        let all: toml::Table = toml::from_str(text)?;
        let (identity, rest) = options_of::<IdentityOptions>(all);
        let (stories, rest) = options_of::<InterviewOptions>(rest);
        Ok(Self {
            identity: identity.try_into()?,
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

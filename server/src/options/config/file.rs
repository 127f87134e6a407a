//! The file of options.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Deserialize;
use serde::de::Error;

use super::{ConfigError, syntax};
use crate::http::address::Network;
use crate::http::host_check::HostName;
use crate::log_lines::LogFormat;
use crate::options::cli::{
    DemoMode, IdentityOptions, InterviewOptions, RetentionOptions, ScheduledBackupOptions, Serve,
};
use crate::options::options_file::{OptionsFile, SYSTEM_FILE};
use crate::options::suggestions::{option_names, unknown_option};
use crate::push::PushService;
use crate::socket::Origin;
use crate::traces::OtlpEndpoint;

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct ConfigFile {
    /// Where it was read; none where there is none.
    #[serde(skip)]
    pub(super) path: Option<PathBuf>,
    pub(super) data_dir: Option<PathBuf>,
    pub(super) database_url: Option<String>,
    pub(super) database_connections: Option<u32>,
    pub(super) time_zone: Option<String>,
    pub(super) shop_hours: Option<String>,
    pub(super) listen: Option<SocketAddr>,
    pub(super) metrics_listen: Option<SocketAddr>,
    pub(super) log_format: Option<LogFormat>,
    pub(super) otlp_endpoint: Option<OtlpEndpoint>,
    pub(super) brand_name: Option<String>,
    pub(super) support_email: Option<String>,
    pub(super) intake_dir: Option<PathBuf>,
    pub(super) demo: Option<DemoMode>,
    pub(super) allowed_host: Vec<HostName>,
    pub(super) allow_origin: Vec<Origin>,
    pub(super) push_service: Vec<PushService>,
    pub(super) commit_group: Option<u16>,
    pub(super) drain_seconds: Option<u16>,
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
    #[serde(skip)]
    pub(super) backups: ScheduledBackupOptions,
    #[serde(skip)]
    pub(super) keep: RetentionOptions,
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
                why: syntax::sentence(&text, &error),
            }),
        }
    }

    pub(super) fn parse(text: &str) -> Result<Self, toml::de::Error> {
        let all: toml::Table = toml::from_str(text)?;
        refuse_unknown(&all)?;
        let (identity, rest) = options_of::<IdentityOptions>(all);
        let (stories, rest) = options_of::<InterviewOptions>(rest);
        let (backups, rest) = options_of::<ScheduledBackupOptions>(rest);
        let (keep, rest) = options_of::<RetentionOptions>(rest);
        Ok(Self {
            identity: identity.try_into()?,
            stories: stories.try_into()?,
            backups: backups.try_into()?,
            keep: keep.try_into()?,
            ..rest.try_into()?
        })
    }
}

/// The file's own place is no option of its.
const NOT_IN_FILE: &str = "config";

fn refuse_unknown(all: &toml::Table) -> Result<(), toml::de::Error> {
    match unknown_in(all).next() {
        Some(sentence) => Err(Error::custom(sentence)),
        None => Ok(()),
    }
}

/// A sentence for each name in a file of options that is no option; or, as the error, what cannot be read.
pub fn unknown_options_in(text: &str) -> Result<Vec<String>, String> {
    let all: toml::Table = toml::from_str(text).map_err(|error| syntax::sentence(text, &error))?;
    Ok(unknown_in(&all).collect())
}

/// The options in a file of options that nobody but the server is to read.
pub fn secret_options_in(text: &str) -> Vec<String> {
    let all: toml::Table = toml::from_str(text).unwrap_or_default();
    let serve = Serve::augment_args(clap::Command::new("serve"));
    let secret = serve
        .get_arguments()
        .filter(|option| option.is_hide_env_values_set());
    let secret = secret.filter_map(|option| option.get_long());
    secret
        .filter(|name| all.contains_key(*name))
        .map(str::to_owned)
        .collect()
}

fn unknown_in(all: &toml::Table) -> impl Iterator<Item = String> {
    let serve = Serve::augment_args(clap::Command::new("serve"));
    let names = option_names(&serve).filter(|name| *name != NOT_IN_FILE);
    let names: Vec<String> = names.map(str::to_owned).collect();
    let typed = all.keys().filter(|name| !names.contains(name));
    let sentences: Vec<String> = typed.map(|name| unknown_option(name, &names)).collect();
    sentences.into_iter()
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
mod tests {
    use super::*;

    #[test]
    fn every_option_of_a_server_can_be_in_the_file() {
        let serve = Serve::augment_args(clap::Command::new("serve"));
        for name in option_names(&serve).filter(|name| *name != NOT_IN_FILE) {
            // No option's value: what is known is refused for that alone, if at all.
            let parsed = ConfigFile::parse(&format!("{name} = 1979-05-27"));
            let error = parsed.err().map(|error| error.to_string());
            let error = error.unwrap_or_default();
            let is_unknown = error.contains("no option") || error.contains("unknown field");
            assert!(!is_unknown, "{name}: {error}");
        }
    }

    #[test]
    fn an_unknown_option_is_refused_with_those_that_can_be_meant() {
        for (line, says) in [
            ("lisen = 1", "there is no option lisen; did you mean listen"),
            ("story-providr = 1", "did you mean story-provider"),
            (
                "config = 1",
                "there is no option config; there are allow-common-passwords, ",
            ),
        ] {
            let error = ConfigFile::parse(line).err().map(|error| error.to_string());
            let error = error.unwrap_or_default();
            assert!(error.contains(says), "{error}");
        }
        let serve = Serve::augment_args(clap::Command::new("serve"));
        let all = ConfigFile::parse("config = 1").err();
        let all = all.map(|error| error.to_string()).unwrap_or_default();
        for name in option_names(&serve).filter(|name| *name != NOT_IN_FILE) {
            assert!(all.contains(name), "{name} is not in: {all}");
        }
    }
}

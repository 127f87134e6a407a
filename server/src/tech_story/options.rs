//! Which interviewer the operator has chosen, and how it is reached.

use std::fmt;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use dispatch_actors::repair_order::InterviewerId;
use url::{Host, Url};

use super::language_model::gemini;
use crate::options::cli::{InterviewOptions, InterviewerName};

const CALLS_AN_HOUR: NonZeroU32 = NonZeroU32::new(30).expect("not zero");
const TIMEOUT_SECONDS: u32 = 60;

#[derive(Clone, Debug)]
pub struct StoryOptions {
    /// None: the built-in interviewer alone.
    pub provider: Option<Provider>,
    /// Of one person, to a provider.
    pub calls_an_hour: NonZeroU32,
}

impl Default for StoryOptions {
    fn default() -> Self {
        Self {
            provider: None,
            calls_an_hour: CALLS_AN_HOUR,
        }
    }
}

/// A language model at an endpoint.
#[derive(Clone, Debug)]
pub struct Provider {
    pub id: InterviewerId,
    pub model: String,
    /// Base address.
    pub url: Url,
    pub key: Option<Secret>,
    /// For one reply, attempts and all.
    pub timeout: Duration,
}

/// Says itself to nobody by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

#[derive(Debug, thiserror::Error)]
pub enum StoryOptionsError {
    #[error("--story-provider {0} needs {1}")]
    Missing(&'static str, &'static str),
    #[error("{0} is for a provider: say which with --story-provider gemini or openai")]
    NoProvider(&'static str),
    #[error(
        "the key is given twice: by --story-key (or DISPATCH_STORY_KEY) and by --story-key-file"
    )]
    TwoKeys,
    #[error("cannot read the key file {}: {why}", path.display())]
    Unreadable { path: PathBuf, why: String },
    #[error("the key has characters that no key has; is {} the right file?", .0.display())]
    NoKey(PathBuf),
    #[error("the key has characters that no key has")]
    BadKey,
    #[error(
        "--story-url {0} cannot be used: it must be https, or http to this machine or a private \
         address such as 192.168.1.20, without a password, a query or a fragment"
    )]
    Url(Url),
    #[error("--story-timeout {0} cannot be: it is 1 to 600 seconds")]
    Timeout(u32),
    #[error("'{0}' cannot be --story-model: use letters, digits and . - _ : /")]
    Model(String),
}

impl StoryOptions {
    /// `arguments` on the command line or in the environment counts more than the `file`.
    pub fn new(
        arguments: InterviewOptions,
        file: InterviewOptions,
    ) -> Result<Self, StoryOptionsError> {
        let calls_an_hour = arguments.story_calls_an_hour.or(file.story_calls_an_hour);
        let name = arguments.story_provider.or(file.story_provider);
        let model = arguments.story_model.or(file.story_model);
        let url = arguments.story_url.or(file.story_url);
        let seconds = arguments.story_timeout.or(file.story_timeout);
        // A key of the command line stands instead of the file's, whichever way each is given.
        let keys = match (arguments.story_key, arguments.story_key_file) {
            (None, None) => (file.story_key, file.story_key_file),
            keys => keys,
        };
        let (id, name) = match name {
            None | Some(InterviewerName::BuiltIn) => {
                for (is_set, option) in [
                    (model.is_some(), "--story-model"),
                    (url.is_some(), "--story-url"),
                    (keys.1.is_some(), "--story-key-file"),
                ] {
                    if is_set && name.is_none() {
                        return Err(StoryOptionsError::NoProvider(option));
                    }
                }
                return Ok(Self {
                    calls_an_hour: calls_an_hour.unwrap_or(CALLS_AN_HOUR),
                    ..Self::default()
                });
            }
            Some(InterviewerName::Gemini) => (InterviewerId::Gemini, "gemini"),
            Some(InterviewerName::Openai) => (InterviewerId::Openai, "openai"),
        };
        let key = key(keys)?;
        let (model, url) = match id {
            InterviewerId::Gemini if key.is_none() => {
                let what = "a key: --story-key-file, or DISPATCH_STORY_KEY";
                return Err(StoryOptionsError::Missing(name, what));
            }
            InterviewerId::Gemini => (
                model.unwrap_or_else(|| gemini::MODEL.to_owned()),
                url.unwrap_or_else(|| gemini::ADDRESS.parse().expect("it is an address")),
            ),
            _ => (
                model.ok_or(StoryOptionsError::Missing(name, "--story-model"))?,
                url.ok_or(StoryOptionsError::Missing(
                    name,
                    "--story-url, such as https://api.openai.com/v1 or http://127.0.0.1:11434/v1",
                ))?,
            ),
        };
        if !may_be_asked(&url) {
            return Err(StoryOptionsError::Url(url));
        }
        let is_model =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '/');
        if model.is_empty() || !model.chars().all(is_model) {
            return Err(StoryOptionsError::Model(model));
        }
        let seconds = seconds.unwrap_or(TIMEOUT_SECONDS);
        if !(1..=600).contains(&seconds) {
            return Err(StoryOptionsError::Timeout(seconds));
        }
        Ok(Self {
            provider: Some(Provider {
                id,
                model,
                url,
                key,
                timeout: Duration::from_secs(seconds.into()),
            }),
            calls_an_hour: calls_an_hour.unwrap_or(CALLS_AN_HOUR),
        })
    }
}

/// A key goes over the wire only where nobody can read it, or in the house.
fn may_be_asked(url: &Url) -> bool {
    let near = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => is_near(address.into()),
        Some(Host::Ipv6(address)) => is_near(address.into()),
        None => false,
    };
    let is_safe = match url.scheme() {
        "https" => url.has_host(),
        "http" => near,
        _ => false,
    };
    let is_plain = url.username().is_empty() && url.password().is_none();
    is_safe && is_plain && url.query().is_none() && url.fragment().is_none()
}

fn is_near(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            address.is_loopback() || address.is_private() || address.is_link_local()
        }
        IpAddr::V6(address) => {
            address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local()
        }
    }
}

fn key(
    (argument, file): (Option<String>, Option<PathBuf>),
) -> Result<Option<Secret>, StoryOptionsError> {
    let (key, bad) = match (argument, file) {
        (Some(_), Some(_)) => return Err(StoryOptionsError::TwoKeys),
        (Some(key), None) => (key, StoryOptionsError::BadKey),
        (None, Some(path)) => (read(&path)?, StoryOptionsError::NoKey(path)),
        (None, None) => return Ok(None),
    };
    let key = key.trim();
    if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(bad);
    }
    Ok(Some(Secret(key.to_owned())))
}

fn read(path: &Path) -> Result<String, StoryOptionsError> {
    std::fs::read_to_string(path).map_err(|error| StoryOptionsError::Unreadable {
        path: path.to_owned(),
        why: error.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_goes_over_https_or_stays_in_the_house() {
        for (url, may) in [
            ("https://api.openai.com/v1", true),
            ("http://127.0.0.1:11434/v1", true),
            ("http://localhost:11434/v1", true),
            ("http://192.168.1.20:8000/v1", true),
            ("http://[::1]:8000/v1", true),
            ("http://api.openai.com/v1", false),
            ("http://8.8.8.8/v1", false),
            ("https://user@api.openai.com/v1", false),
            ("https://api.openai.com/v1?key=1", false),
            ("ftp://127.0.0.1/", false),
        ] {
            assert_eq!(may_be_asked(&url.parse().unwrap()), may, "{url}");
        }
    }

    #[test]
    fn a_secret_is_in_no_debug_text() {
        let secret = Secret("sk-very-secret".to_owned());
        assert_eq!(format!("{secret:?}"), "Secret");
    }
}

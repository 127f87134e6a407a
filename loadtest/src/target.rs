//! The server under test, and who signs in. Only this machine: a load test aimed at somebody's
//! shop by a slip of the fingers would change every repair order in it.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use clap::Args;
use reqwest::Url;

#[derive(Clone, Debug, Args)]
pub struct Target {
    /// The running server, on this machine: its open repair orders are changed
    #[arg(
        long,
        value_name = "URL",
        env = "LOADTEST_URL",
        default_value = "http://127.0.0.1:8080"
    )]
    pub url: Address,

    #[command(flatten)]
    pub sign_in: SignIn,
}

/// The account that desks and readers use.
#[derive(Clone, Debug, Args)]
pub struct SignIn {
    /// Who signs in, once for all; needs to be allowed to change status and priority
    #[arg(
        long,
        value_name = "EMAIL",
        env = "LOADTEST_EMAIL",
        default_value = "owner@example.com"
    )]
    pub email: String,

    /// The password; the default is the demo's
    #[arg(
        long,
        value_name = "PASSWORD",
        env = "LOADTEST_PASSWORD",
        hide_env_values = true,
        default_value = "dispatch-demo"
    )]
    pub password: String,
}

/// `http://HOST:PORT` on this machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Address {
    host: String,
    port: u16,
}

#[derive(Debug, PartialEq, thiserror::Error)]
pub enum BadAddress {
    #[error("write it as http://127.0.0.1:8080")]
    Unreadable,
    #[error("load is put on this machine only: use 127.0.0.1, [::1] or localhost")]
    NotThisMachine,
}

impl FromStr for Address {
    type Err = BadAddress;

    fn from_str(text: &str) -> Result<Self, BadAddress> {
        let url = Url::parse(text.trim()).map_err(|_| BadAddress::Unreadable)?;
        let host = url.host_str().ok_or(BadAddress::Unreadable)?;
        let port = url.port_or_known_default().ok_or(BadAddress::Unreadable)?;
        let address: Option<IpAddr> = host.trim_matches(['[', ']']).parse().ok();
        if !address.map_or(host == "localhost", |address| address.is_loopback()) {
            return Err(BadAddress::NotThisMachine);
        }
        let plain = url.scheme() == "http"
            && url.path() == "/"
            && url.query().is_none()
            && url.username().is_empty();
        if !plain {
            return Err(BadAddress::Unreadable);
        }
        Ok(Self {
            host: host.to_owned(),
            port,
        })
    }
}

impl Address {
    pub fn http(&self, path: &str) -> String {
        format!("{self}{path}")
    }

    /// Where the stream is.
    pub const fn websocket_path(&self) -> &'static str {
        "/ws?EIO=4&transport=websocket"
    }

    /// Host and port as a connect call wants them.
    pub fn authority(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http://{}:{}", self.host, self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_several_names() {
        for url in [
            "http://127.0.0.1:8080",
            "http://127.8.8.8:1/",
            "http://[::1]:8080",
            "http://localhost",
        ] {
            let address: Address = url.parse().unwrap();
            assert!(url.starts_with(address.to_string().trim_end_matches(":80")));
        }
    }

    #[test]
    fn other_machines_are_refused() {
        for url in [
            "http://10.0.0.5:8080",
            "http://dealer.example",
            "http://0.0.0.0:8080",
            "http://localhost.example:8080",
            "http://127.0.0.1.example:8080",
            "https://example.com",
        ] {
            assert_eq!(url.parse::<Address>(), Err(BadAddress::NotThisMachine));
        }
    }

    #[test]
    fn a_malformed_address_is_refused() {
        for url in [
            "",
            "127.0.0.1:8080",
            "https://127.0.0.1:8080",
            "http://127.0.0.1:8080/api",
            "http://me@127.0.0.1:8080",
        ] {
            assert_eq!(url.parse::<Address>(), Err(BadAddress::Unreadable), "{url}");
        }
    }
}

//! The names this server answers to. A foreign page can have a name of its own lead to
//! this server, and is then, to the browser, a page of the server's own (DNS rebinding). It needs a
//! name for that: a request by address comes from this machine, or from a browser that was given
//! the address.

use std::collections::BTreeSet;
use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use actix_http::RequestHead;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{ACCEPT, HOST};
use actix_web::middleware::Next;
use actix_web::{HttpResponse, ResponseError, web};
use serde::Deserialize;
use url::Url;

use crate::error::{ApiError, ErrorCode};
use crate::public_url::machine_name;

/// The probes of monitors, answered under any host name.
const PROBES: [&str; 2] = ["/healthz", "/readyz"];

/// Between two lines of the log about a name that is not answered.
const LOG_INTERVAL: Duration = Duration::from_secs(60 * 60);

/// Names that get a line within the interval.
const MAX_LOGGED: usize = 64;

/// Characters of a name that are repeated.
const MAX_SHOWN: usize = 100;

/// A host by its name, without a port.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct HostName(String);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not the name of a host: write it like desk.example.com")]
pub struct InvalidHostName(String);

impl FromStr for HostName {
    type Err = InvalidHostName;

    fn from_str(text: &str) -> Result<Self, InvalidHostName> {
        let name = text.trim().trim_end_matches('.').to_ascii_lowercase();
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        let is_name = !name.is_empty() && name.len() <= 253 && name.chars().all(fits);
        is_name
            .then_some(Self(name))
            .ok_or_else(|| InvalidHostName(text.to_owned()))
    }
}

impl fmt::Display for HostName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for HostName {
    type Error = InvalidHostName;

    fn try_from(text: String) -> Result<Self, InvalidHostName> {
        text.parse()
    }
}

/// Cheap to clone: all clones are the same.
#[derive(Clone, Debug)]
pub struct AnsweredHosts {
    /// None: every name.
    names: Option<Arc<BTreeSet<HostName>>>,
    logged: Arc<Mutex<LoggedNames>>,
}

impl AnsweredHosts {
    /// Whatever the name is: for layers that are tested by themselves.
    pub fn any() -> Self {
        Self {
            names: None,
            logged: Arc::default(),
        }
    }

    /// The public URL's, this machine's own, and those that are allowed besides.
    pub fn new(public_url: &str, allowed: &[HostName]) -> Self {
        let mut names: BTreeSet<HostName> = allowed.iter().cloned().collect();
        let public: Option<Url> = public_url.parse().ok();
        let public = public.as_ref().and_then(Url::host_str);
        let public = public.filter(|host| !is_address(host));
        names.extend(public.and_then(|host| host.parse().ok()));
        names.extend("localhost".parse());
        names.extend(names_of_machine());
        Self {
            names: Some(Arc::new(names)),
            logged: Arc::default(),
        }
    }

    /// For the operator, at the start.
    pub fn log(&self) {
        if let Some(names) = &self.names {
            let names: Vec<&str> = names.iter().map(|HostName(name)| name.as_str()).collect();
            tracing::info!(
                "answers to {} and to addresses; name others with --allowed-host",
                names.join(", ")
            );
        }
    }

    /// 421 `unknown-host`. A client that names no host is not a browser.
    pub fn check(&self, head: &RequestHead) -> Result<(), ApiError> {
        let Some(names) = &self.names else {
            return Ok(());
        };
        if PROBES.contains(&head.uri.path()) {
            return Ok(());
        }
        // Where a request line names a host, too, that counts for some and the header for others.
        let written = head.uri.authority().map(|authority| authority.as_str());
        let mut hosts = head
            .headers()
            .get_all(HOST)
            .map(|host| host.to_str().unwrap_or_default())
            .chain(written);
        match hosts.find(|host| !is_answered(host, names)) {
            Some(host) => Err(self.refusal(host)),
            None => Ok(()),
        }
    }

    fn refusal(&self, host: &str) -> ApiError {
        let shown: String = host.chars().take(MAX_SHOWN).collect();
        let mut logged = self.logged.lock().unwrap_or_else(PoisonError::into_inner);
        if logged.is_due(&shown, Instant::now()) {
            tracing::warn!(
                "a request for {shown:?} was refused, which is no name of this server; if it is one, \
                 start the server with --allowed-host or --public-url"
            );
        }
        let sentence = match name_of(&shown) {
            Some(HostName(name)) => format!(
                "This server does not answer to the name {name}; whoever runs it can start it with \
                 --allowed-host {name}"
            ),
            None => {
                "This server does not answer to that name; whoever runs it can name others with \
                     --allowed-host"
                    .to_owned()
            }
        };
        ApiError::new(ErrorCode::UnknownHost, sentence)
    }
}

/// Names that were logged within the interval, each with when. Malformed names share a line, so that a
/// scanner's nonsense hides none that the shop uses; invented names are logged up to [`MAX_LOGGED`].
#[derive(Debug, Default)]
struct LoggedNames(Vec<(String, Instant)>);

impl LoggedNames {
    fn is_due(&mut self, host: &str, now: Instant) -> bool {
        self.0
            .retain(|(_, at)| now.duration_since(*at) < LOG_INTERVAL);
        let name = name_of(host).map_or_else(String::new, |HostName(name)| name);
        if self.0.len() >= MAX_LOGGED || self.0.iter().any(|(logged, _)| *logged == name) {
            return false;
        }
        self.0.push((name, now));
        true
    }
}

/// As in a Host header: a name or an address, and perhaps a port.
fn is_answered(host: &str, names: &BTreeSet<HostName>) -> bool {
    if host.parse::<SocketAddr>().is_ok() || host.parse::<Ipv4Addr>().is_ok() {
        return true;
    }
    if let Some(address) = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
    {
        return address.parse::<Ipv6Addr>().is_ok();
    }
    name_of(host).is_some_and(|name| names.contains(&name))
}

/// None for a malformed name.
fn name_of(host: &str) -> Option<HostName> {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        Some(_) => return None,
        None => host,
    };
    name.parse().ok()
}

fn is_address(host: &str) -> bool {
    host.starts_with('[') || host.parse::<Ipv4Addr>().is_ok()
}

/// What the machine is called, and what its network calls it without anybody's help.
fn names_of_machine() -> Vec<HostName> {
    let Some(name) = machine_name() else {
        return Vec::new();
    };
    let first = name.split('.').next().unwrap_or_default();
    let names = [name.clone(), first.to_owned(), format!("{first}.local")];
    names.iter().filter_map(|name| name.parse().ok()).collect()
}

/// Middleware. Answers 421 `unknown-host` to requests for another host; a browser gets the sentence
/// alone.
pub async fn refuse(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let hosts = request.app_data::<web::Data<AnsweredHosts>>();
    if let Some(Err(refused)) = hosts.map(|hosts| hosts.check(request.head())) {
        let answer = if asks_for_page(request.head()) {
            HttpResponse::build(refused.status)
                .content_type("text/plain; charset=utf-8")
                .body(format!("{}.\n", refused.error))
        } else {
            refused.error_response()
        };
        return Ok(request.into_response(answer).map_into_right_body());
    }
    next.call(request)
        .await
        .map(ServiceResponse::map_into_left_body)
}

fn asks_for_page(head: &RequestHead) -> bool {
    let accept = head.headers().get(ACCEPT);
    accept.is_some_and(|accept| {
        accept
            .to_str()
            .is_ok_and(|types| types.contains("text/html"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_logged_once_an_hour_and_nonsense_hides_none() {
        let (mut logged, start) = (LoggedNames::default(), Instant::now());
        assert!(logged.is_due("a b", start));
        for nonsense in ["", "::1", "c:d:e"] {
            assert!(!logged.is_due(nonsense, start), "{nonsense}");
        }
        assert!(logged.is_due("server.shop.local", start));
        assert!(!logged.is_due("Server.shop.local:8080", start));
        let names = (0..1_000).filter(|number| logged.is_due(&format!("n{number}"), start));
        assert_eq!(names.count(), MAX_LOGGED - 2);
        assert!(logged.is_due("server.shop.local", start + LOG_INTERVAL));
    }

    fn names(names: &[&str]) -> BTreeSet<HostName> {
        names.iter().map(|name| name.parse().unwrap()).collect()
    }

    #[test]
    fn addresses_and_known_names_are_answered_whatever_the_port() {
        let names = names(&["desk.example.com", "localhost"]);
        for host in [
            "127.0.0.1",
            "127.0.0.1:8080",
            "192.0.2.7:80",
            "[::1]",
            "[::1]:8080",
            "localhost:8080",
            "desk.example.com",
            "Desk.Example.Com:443",
            "desk.example.com.",
            "desk.example.com.:8080",
        ] {
            assert!(is_answered(host, &names), "{host}");
        }
    }

    #[test]
    fn similar_names_are_not_answered() {
        let names = names(&["desk.example.com", "localhost"]);
        for host in [
            "",
            ":8080",
            "evil.example",
            "evil.example:8080",
            "desk.example.com.evil.example",
            "evil-desk.example.com",
            "127.0.0.1.evil.example",
            "127.0.0.1:8080.evil.example",
            "2130706433",
            "localhost@evil.example",
            "evil.example@localhost",
            "localhost:80:80",
            "[::1].evil.example",
            "::1",
            "localhost evil.example",
            "localhost,evil.example",
        ] {
            assert!(!is_answered(host, &names), "{host}");
        }
    }

    #[test]
    fn a_name_is_read_as_it_is_written_by_people() {
        assert_eq!(
            "Desk.Example.com.".parse::<HostName>().unwrap().0,
            "desk.example.com"
        );
        for bad in [
            "",
            ".",
            "https://desk.example.com",
            "desk.example.com:80",
            "a b",
            "*",
        ] {
            assert!(bad.parse::<HostName>().is_err(), "{bad}");
        }
    }
}

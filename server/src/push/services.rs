//! Which hosts the server sends pushes to. A browser names its push service itself, so that anybody
//! with a technician's account could name any address: only known services are asked, and those that
//! the configuration names.

use std::str::FromStr;

use serde::Deserialize;
use url::{Host, Origin, Url};

use crate::public_url::is_loopback;

/// Of Chrome and its kin, of Firefox, of Safari, of older Edge. Those that begin with a dot stand for
/// everything below them.
const KNOWN: [&str; 4] = [
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    ".push.apple.com",
    ".notify.windows.com",
];

/// A push service besides the known ones, by its origin: https, or http on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct PushService(Origin);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not a push service's origin: write it as https://push.example.com; http is for this machine alone"
)]
pub struct PushServiceError(String);

impl FromStr for PushService {
    type Err = PushServiceError;

    fn from_str(text: &str) -> Result<Self, PushServiceError> {
        let bad = || PushServiceError(text.to_owned());
        let url: Url = text.trim().parse().map_err(|_| bad())?;
        let is_bare = url.path() == "/"
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none();
        let is_safe = match url.scheme() {
            "https" => url.has_host(),
            "http" => is_loopback(&url),
            _ => false,
        };
        if is_bare && is_safe {
            Ok(Self(url.origin()))
        } else {
            Err(bad())
        }
    }
}

impl TryFrom<String> for PushService {
    type Error = PushServiceError;

    fn try_from(text: String) -> Result<Self, PushServiceError> {
        text.parse()
    }
}

/// The address, where it is one of a push service that may be asked.
pub fn allowed_endpoint(endpoint: &str, named: &[PushService]) -> Option<Url> {
    let url: Url = endpoint.parse().ok()?;
    if !url.username().is_empty() || url.password().is_some() {
        return None;
    }
    let is_known = url.scheme() == "https"
        && url.port().is_none()
        && matches!(url.host(), Some(Host::Domain(name)) if is_known_name(name));
    let is_named = named.iter().any(|service| service.0 == url.origin());
    (is_known || is_named).then_some(url)
}

fn is_known_name(name: &str) -> bool {
    KNOWN.iter().any(|service| match service.strip_prefix('.') {
        Some(_) => name.len() > service.len() && name.ends_with(service),
        None => name == *service,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_push_services_are_known() {
        for endpoint in [
            "https://fcm.googleapis.com/fcm/send/abc",
            "https://updates.push.services.mozilla.com/wpush/v2/abc",
            "https://web.push.apple.com/abc",
            "https://WNS2-db5p.notify.windows.com/w/?token=abc",
        ] {
            assert!(allowed_endpoint(endpoint, &[]).is_some(), "{endpoint}");
        }
        for endpoint in [
            "http://fcm.googleapis.com/fcm/send/abc",
            "https://fcm.googleapis.com:8443/fcm/send/abc",
            "https://fcm.googleapis.com.example.com/abc",
            "https://fcm.googleapis.com@example.com/abc",
            "https://ann@fcm.googleapis.com/abc",
            "https://evilpush.apple.com/abc",
            "https://push.apple.com/abc",
            "https://.push.apple.com.example.com/abc",
            "https://example.com/push.apple.com",
            "https://127.0.0.1/abc",
            "https://[::1]/abc",
            "https://localhost/abc",
            "ftp://fcm.googleapis.com/abc",
            "file:///etc/passwd",
            "fcm.googleapis.com",
            "",
        ] {
            assert_eq!(allowed_endpoint(endpoint, &[]), None, "{endpoint}");
        }
    }

    #[test]
    fn a_named_service_is_known_by_scheme_host_and_port() {
        let named = ["https://push.example.com", "http://127.0.0.1:9001/"];
        let named = named.map(|origin| origin.parse().unwrap());
        for (endpoint, is_known) in [
            ("https://push.example.com/abc", true),
            ("https://push.example.com:443/abc", true),
            ("https://push.example.com:8443/abc", false),
            ("http://push.example.com/abc", false),
            ("https://ann:secret@push.example.com/abc", false),
            ("http://127.0.0.1:9001/abc", true),
            ("http://127.0.0.1:9002/abc", false),
            ("http://127.0.0.2:9001/abc", false),
        ] {
            assert_eq!(
                allowed_endpoint(endpoint, &named).is_some(),
                is_known,
                "{endpoint}"
            );
        }
    }

    #[test]
    fn a_text_that_is_not_an_origin_cannot_be_named() {
        for text in [
            "push.example.com",
            "http://push.example.com",
            "http://10.0.0.1",
            "https://push.example.com/path",
            "https://push.example.com/?q",
            "https://ann@push.example.com",
            "ftp://127.0.0.1",
            "",
        ] {
            assert!(text.parse::<PushService>().is_err(), "{text}");
        }
    }
}

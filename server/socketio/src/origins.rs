//! Which pages may open the stream: the server's own, and those the configuration names. A client
//! that is not a browser sends no Origin and is admitted.

use std::fmt;
use std::str::FromStr;

use actix_http::RequestHead;
use actix_web::http::Uri;
use actix_web::http::header::{self, HeaderMap, HeaderValue};
use serde::Deserialize;

use crate::handshake::Refusal;

/// Scheme, host and port of a page, as browsers send it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Origin(String);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not an origin: write it as https://desk.example.com")]
pub struct InvalidOrigin(String);

impl FromStr for Origin {
    type Err = InvalidOrigin;

    fn from_str(text: &str) -> Result<Self, InvalidOrigin> {
        let bad = || InvalidOrigin(text.to_owned());
        let origin = text.trim().trim_end_matches('/').to_ascii_lowercase();
        let uri: Uri = origin.parse().map_err(|_| bad())?;
        let plain = matches!(uri.scheme_str(), Some("http" | "https"))
            && uri.authority().is_some_and(|at| !at.as_str().contains('@'))
            && matches!(uri.path(), "" | "/")
            && uri.query().is_none();
        plain.then_some(Self(origin)).ok_or_else(bad)
    }
}

impl TryFrom<String> for Origin {
    type Error = InvalidOrigin;

    fn try_from(text: String) -> Result<Self, InvalidOrigin> {
        text.parse()
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The origin to be named in the answer, where a page of another one asks and may. 403 for one
/// that may not.
pub(crate) fn judge<'a>(
    head: &'a RequestHead,
    allowed: &[Origin],
) -> Result<Option<&'a HeaderValue>, Refusal> {
    let mut origins = head.headers.get_all(header::ORIGIN);
    let Some(origin) = origins.next() else {
        return Ok(None);
    };
    // No browser sends two, and others may read another one than we do.
    if origins.next().is_some() {
        return Err(Refusal::Forbidden);
    }
    let text = origin.to_str().map_err(|_| Refusal::Forbidden)?;
    if is_own(text, head) {
        return Ok(None);
    }
    let text = text.to_ascii_lowercase();
    if allowed.iter().any(|allowed| allowed.0 == text) {
        Ok(Some(origin))
    } else {
        Err(Refusal::Forbidden)
    }
}

/// Whether the caller is not a page, or the server's own page, or a page of a named origin.
pub fn is_origin_allowed(head: &RequestHead, allowed: &[Origin]) -> bool {
    judge(head, allowed).is_ok()
}

/// Whether the page came from the host that is asked now.
fn is_own(origin: &str, head: &RequestHead) -> bool {
    let host = head
        .headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let authority = origin
        .strip_prefix("http://")
        .or_else(|| origin.strip_prefix("https://"));
    matches!((authority, host), (Some(page), Some(host)) if page.eq_ignore_ascii_case(host))
}

/// Lets a page of that origin read the answer.
pub(crate) fn allow(answer: &mut HeaderMap, origin: &HeaderValue) {
    answer.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    answer.insert(
        header::ACCESS_CONTROL_ALLOW_CREDENTIALS,
        HeaderValue::from_static("true"),
    );
    answer.append(header::VARY, HeaderValue::from_static("Origin"));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn head(origin: Option<&str>) -> RequestHead {
        let mut head = RequestHead::default();
        head.headers
            .insert(header::HOST, HeaderValue::from_static("desk.example:8080"));
        if let Some(origin) = origin {
            head.headers
                .insert(header::ORIGIN, HeaderValue::from_str(origin).unwrap());
        }
        head
    }

    fn allowed(origin: Option<&str>) -> Result<bool, Refusal> {
        let list = ["https://board.example".parse().unwrap()];
        judge(&head(origin), &list).map(|named| named.is_some())
    }

    #[test]
    fn the_servers_own_page_and_programs_are_admitted() {
        assert_eq!(allowed(None), Ok(false));
        assert_eq!(allowed(Some("http://desk.example:8080")), Ok(false));
        assert_eq!(allowed(Some("https://Desk.example:8080")), Ok(false));
    }

    #[test]
    fn other_pages_are_admitted_only_when_they_are_named() {
        assert_eq!(allowed(Some("https://board.example")), Ok(true));
        for origin in [
            "http://board.example",
            "https://board.example:8443",
            "https://board.example.evil",
            "http://desk.example",
            "null",
            "",
        ] {
            assert_eq!(allowed(Some(origin)), Err(Refusal::Forbidden), "{origin}");
        }
    }

    #[test]
    fn a_request_with_two_origins_is_refused() {
        let mut head = head(Some("http://desk.example:8080"));
        for second in ["https://evil.example", "http://desk.example:8080"] {
            let second = HeaderValue::from_static(second);
            head.headers.append(header::ORIGIN, second);
            assert_eq!(judge(&head, &[]), Err(Refusal::Forbidden));
        }
    }

    #[test]
    fn an_origin_is_a_scheme_and_a_host() {
        for good in [
            "https://a.example",
            "HTTP://A.example:80/",
            " http://[::1]:80",
        ] {
            assert!(good.parse::<Origin>().is_ok(), "{good}");
        }
        for bad in [
            "",
            "*",
            "a.example",
            "https://a.example/x",
            "https://me@a",
            "ftp://a",
        ] {
            assert!(bad.parse::<Origin>().is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn any_text_that_is_an_origin_stays_the_same(text in "(https?|ftp)://[a-zA-Z0-9.:@/?-]{0,20}/?|\\PC{0,20}") {
            if let Ok(origin) = text.parse::<Origin>() {
                prop_assert_eq!(origin.to_string().parse(), Ok(origin));
            }
        }

        #[test]
        fn only_the_servers_own_page_and_named_pages_are_admitted(
            scheme in "https?://|HTTPS://|",
            host in "(desk|board|Board)\\.example(:80|:8080|:443)?|[ -~]{0,10}",
            more in "|/|\\.evil|,https://board\\.example",
        ) {
            let origin = format!("{scheme}{host}{more}");
            let is_own = ["http://desk.example:8080", "https://desk.example:8080"];
            let expected = match &*origin {
                own if is_own.contains(&own) => Ok(false),
                named if named.eq_ignore_ascii_case("https://board.example") => Ok(true),
                _ => Err(Refusal::Forbidden),
            };
            prop_assert_eq!(allowed(Some(&origin)), expected);
        }
    }
}

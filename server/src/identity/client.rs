//! Where a sign-in session is used: what its holder is shown to tell their browsers apart.

use std::net::IpAddr;

use actix_web::HttpRequest;
use actix_web::http::header::USER_AGENT;

use super::sign_in::device_cookie;
use crate::http::address::address_of;

/// Characters of a User-Agent that are kept.
const MAX_USER_AGENT_CHARS: usize = 300;

/// Who a request for a session comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    pub(super) user_agent: Option<String>,
    pub(super) address: IpAddr,
    /// What the browser brought as its device cookie.
    pub(super) device: Option<String>,
}

impl Client {
    pub(crate) fn of(request: &HttpRequest) -> Self {
        let user_agent = request.headers().get(USER_AGENT);
        let user_agent = user_agent.and_then(|agent| agent.to_str().ok());
        Self {
            user_agent: user_agent.map(|agent| agent.chars().take(MAX_USER_AGENT_CHARS).collect()),
            address: address_of(request),
            device: device_cookie::cookie_of(request),
        }
    }
}

/// A short name made of a User-Agent, such as "Firefox on Windows".
pub(super) fn browser(user_agent: &str) -> Option<String> {
    // Every browser names those before it: the first that is found is the one.
    let browser = first_in(
        user_agent,
        &[
            ("Edg", "Edge"),
            ("OPR/", "Opera"),
            ("SamsungBrowser/", "Samsung Internet"),
            ("Firefox/", "Firefox"),
            ("FxiOS/", "Firefox"),
            ("CriOS/", "Chrome"),
            ("Chrome/", "Chrome"),
            ("Safari/", "Safari"),
        ],
    )?;
    let system = first_in(
        user_agent,
        &[
            ("iPhone", "iPhone"),
            ("iPad", "iPad"),
            ("Android", "Android"),
            ("CrOS", "ChromeOS"),
            ("Windows", "Windows"),
            ("Macintosh", "Mac"),
            ("Linux", "Linux"),
        ],
    );
    Some(match system {
        Some(system) => format!("{browser} on {system}"),
        None => browser.to_owned(),
    })
}

fn first_in(text: &str, names: &[(&str, &'static str)]) -> Option<&'static str> {
    let found = names.iter().find(|(part, _)| text.contains(part));
    found.map(|&(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_has_a_short_name() {
        for (agent, name) in [
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
                Some("Firefox on Windows"),
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
                Some("Edge on Windows"),
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
                Some("Chrome on Android"),
            ),
            (
                "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
                Some("Safari on iPad"),
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
                Some("Safari on Mac"),
            ),
            ("Firefox/1", Some("Firefox")),
            ("curl/8.5.0", None),
            ("", None),
        ] {
            assert_eq!(browser(agent).as_deref(), name, "{agent}");
        }
    }
}

//! What requests give away about the way here that the configuration does not know: a proxy that is
//! not trusted, by which everybody is one caller, and HTTPS in front without a public URL. It is
//! reported in the log, at first sight and once an hour, and in the server status. It changes
//! nothing: anybody can write these headers.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use actix_http::RequestHead;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, ORIGIN};
use actix_web::middleware::Next;
use actix_web::web;
use jiff::Timestamp;

use crate::http::address::TrustedProxies;

/// Between two lines of the log about the same.
const LOG_INTERVAL: Duration = Duration::from_secs(60 * 60);

/// For how long an observation is reported after it was last made.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// A shop has one or two. While there are so many, others are not looked at.
const MAX_PROXIES: usize = 32;

/// What proxies add about their caller.
const FORWARDING: [HeaderName; 4] = [
    HeaderName::from_static("x-forwarded-for"),
    HeaderName::from_static("forwarded"),
    HeaderName::from_static("x-real-ip"),
    HeaderName::from_static("x-forwarded-proto"),
];

/// Cheap to clone: all clones are the same.
#[derive(Clone, Debug)]
pub struct ProxyNotices {
    is_public_url_https: bool,
    observations: Arc<Mutex<Observations>>,
}

#[derive(Debug, Default)]
struct Observations {
    proxies: BTreeMap<IpAddr, LastSeen>,
    https: Option<LastSeen>,
}

#[derive(Clone, Copy, Debug)]
struct LastSeen {
    at: Timestamp,
    /// By a clock that nobody sets.
    last: Instant,
    logged: Instant,
}

/// What the operator should correct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProxyNotice {
    UntrustedProxy { address: IpAddr, at: Timestamp },
    HttpsWithoutPublicUrl { at: Timestamp },
}

impl ProxyNotices {
    pub fn new(public_url: &str) -> Self {
        Self {
            is_public_url_https: public_url.starts_with("https:"),
            observations: Arc::default(),
        }
    }

    /// Of the last day.
    pub fn list(&self) -> Vec<ProxyNotice> {
        let observations = self.observations();
        let is_kept = |last_seen: &LastSeen| last_seen.last.elapsed() < KEPT;
        let proxies = observations.proxies.iter().filter(|(_, one)| is_kept(one));
        let proxies = proxies.map(
            |(address, LastSeen { at, .. })| ProxyNotice::UntrustedProxy {
                address: *address,
                at: *at,
            },
        );
        let https = observations.https.iter().filter(|one| is_kept(one));
        let https = https.map(|one| ProxyNotice::HttpsWithoutPublicUrl { at: one.at });
        proxies.chain(https).collect()
    }

    fn look_at(&self, head: &RequestHead, trusted: &TrustedProxies) {
        let Some(peer) = head.peer_addr.map(|peer| peer.ip().to_canonical()) else {
            return;
        };
        if !trusted.trusts(peer) && is_near(peer) && is_forwarded(head) && self.saw_proxy(peer) {
            tracing::warn!(
                "requests come by way of a proxy at {peer} that is not trusted: limits count all who \
                 are behind it as one. If it is yours, start the server with --trusted-proxy {peer}"
            );
        }
        if !self.is_public_url_https && is_https(head, trusted) && self.saw_https() {
            tracing::warn!(
                "browsers reach this server by HTTPS and --public-url does not say so: mailed links \
                 lead elsewhere. Start the server with --public-url https://..."
            );
        }
    }

    /// Whether it is time to log it.
    fn saw_proxy(&self, address: IpAddr) -> bool {
        let mut observations = self.observations();
        if let Some(last_seen) = observations.proxies.get_mut(&address) {
            return last_seen.again();
        }
        if observations.proxies.len() >= MAX_PROXIES {
            observations
                .proxies
                .retain(|_, one| one.last.elapsed() < LOG_INTERVAL);
        }
        let has_room = observations.proxies.len() < MAX_PROXIES;
        if has_room {
            observations.proxies.insert(address, LastSeen::first());
        }
        has_room
    }

    fn saw_https(&self) -> bool {
        let mut observations = self.observations();
        match &mut observations.https {
            Some(last_seen) => last_seen.again(),
            none => {
                *none = Some(LastSeen::first());
                true
            }
        }
    }

    fn observations(&self) -> MutexGuard<'_, Observations> {
        self.observations
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl LastSeen {
    fn first() -> Self {
        let now = Instant::now();
        Self {
            at: Timestamp::now(),
            last: now,
            logged: now,
        }
    }

    fn again(&mut self) -> bool {
        let Self { logged, .. } = *self;
        *self = Self {
            logged,
            ..Self::first()
        };
        let is_due = logged.elapsed() >= LOG_INTERVAL;
        if is_due {
            self.logged = self.last;
        }
        is_due
    }
}

/// Whether a browser reached the proxy in front by HTTPS: a trusted proxy says so, or the request's
/// page was loaded so. A client that lies only gets a cookie that its browser keeps to itself.
pub fn is_https(head: &RequestHead, trusted: &TrustedProxies) -> bool {
    let origin = head.headers().get(ORIGIN);
    let is_page = origin.is_some_and(|origin| origin.as_bytes().starts_with(b"https://"));
    let peer = head.peer_addr;
    is_page || peer.is_some_and(|peer| trusted.trusts(peer.ip()) && says_https(head))
}

fn says_https(head: &RequestHead) -> bool {
    let values = |name| {
        let values = head.headers().get_all(name);
        values.filter_map(|value: &actix_web::http::header::HeaderValue| value.to_str().ok())
    };
    let proto = values("x-forwarded-proto")
        .flat_map(|text| text.split(','))
        .any(|proto| proto.trim().eq_ignore_ascii_case("https"));
    proto
        || values("forwarded")
            .flat_map(|text| text.split([',', ';']))
            .filter_map(|pair| pair.trim().split_once('='))
            .any(|(name, value)| {
                name.eq_ignore_ascii_case("proto")
                    && value.trim_matches('"').eq_ignore_ascii_case("https")
            })
}

fn is_forwarded(head: &RequestHead) -> bool {
    FORWARDING
        .iter()
        .any(|name| head.headers().contains_key(name))
}

/// On this machine or in this house, where a proxy of one's own is; a stranger from further away who
/// writes these headers is not asked to be trusted.
fn is_near(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let [first, second, ..] = address.octets();
            let is_shared = first == 100 && (64..128).contains(&second);
            address.is_loopback() || address.is_private() || address.is_link_local() || is_shared
        }
        IpAddr::V6(address) => {
            address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local()
        }
    }
}

/// Middleware.
pub async fn notice_proxies(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let notices = request.app_data::<web::Data<ProxyNotices>>();
    let trusted = request.app_data::<web::Data<TrustedProxies>>();
    if let (Some(notices), Some(trusted)) = (notices, trusted) {
        notices.look_at(request.head(), trusted);
    }
    next.call(request).await
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn request(peer: &str, headers: &[(&'static str, &'static str)]) -> actix_web::HttpRequest {
        let mut request = TestRequest::post().peer_addr(format!("{peer}:4711").parse().unwrap());
        for header in headers {
            request = request.append_header(*header);
        }
        request.to_http_request()
    }

    fn noticed(trusted: &[&str], peer: &str, headers: &[(&'static str, &'static str)]) -> usize {
        let networks = trusted.iter().map(|text| text.parse().unwrap());
        let trusted = TrustedProxies::new(networks.collect());
        let notices = ProxyNotices::new("http://127.0.0.1:8080");
        notices.look_at(request(peer, headers).head(), &trusted);
        notices.list().len()
    }

    #[test]
    fn an_untrusted_proxy_in_the_local_network_is_noticed() {
        for header in [
            ("X-Forwarded-For", "203.0.113.7"),
            ("Forwarded", "for=203.0.113.7"),
            ("X-Real-IP", "203.0.113.7"),
        ] {
            for peer in ["127.0.0.1", "10.1.2.3", "100.64.0.1", "[::1]", "[fd00::1]"] {
                assert_eq!(noticed(&[], peer, &[header]), 1, "{peer} {header:?}");
            }
            assert_eq!(noticed(&["127.0.0.1"], "127.0.0.1", &[header]), 0);
            assert_eq!(noticed(&[], "203.0.113.9", &[header]), 0, "a stranger");
        }
        assert_eq!(noticed(&[], "127.0.0.1", &[]), 0);
    }

    #[test]
    fn https_is_recognized_by_a_trusted_proxys_header_or_the_origin() {
        let is = |trusted: &[&str], header| {
            let networks = trusted.iter().map(|text| text.parse().unwrap());
            let trusted = TrustedProxies::new(networks.collect());
            is_https(request("127.0.0.1", &[header]).head(), &trusted)
        };
        let ours: &[&str] = &["127.0.0.1"];
        assert!(is(ours, ("X-Forwarded-Proto", "https")));
        assert!(is(ours, ("X-Forwarded-Proto", "http, HTTPS")));
        assert!(is(ours, ("Forwarded", "for=1.2.3.4;proto=\"https\"")));
        assert!(is(&[], ("Origin", "https://desk.example.com")));
        assert!(!is(&[], ("X-Forwarded-Proto", "https")));
        for header in [
            ("X-Forwarded-Proto", "http"),
            ("Forwarded", "for=https;proto=http"),
            ("Origin", "http://https"),
        ] {
            assert!(!is(ours, header), "{header:?}");
        }
    }

    #[test]
    fn many_proxies_take_no_memory_without_end_and_each_is_logged_once() {
        let notices = ProxyNotices::new("https://desk.example.com");
        let address = |number: u8| IpAddr::from([10, 0, 0, number]);
        let logged = (0..=255).filter(|number| notices.saw_proxy(address(*number)));
        assert_eq!(logged.count(), MAX_PROXIES);
        assert!(!notices.saw_proxy(address(0)));
        assert_eq!(notices.list().len(), MAX_PROXIES);
    }
}

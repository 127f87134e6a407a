//! Where browsers reach this server, and which addresses are on this machine.

use std::ops::Deref;
use std::sync::Arc;

use url::{Host, Url};

/// Without a slash at the end.
#[derive(Clone, Debug)]
pub struct PublicUrl(Arc<str>);

impl PublicUrl {
    pub fn new(url: &str) -> Self {
        Self(url.trim_end_matches('/').into())
    }

    pub fn is_https(&self) -> bool {
        self.0.starts_with("https:")
    }
}

impl Deref for PublicUrl {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// Whether it is on this machine: what is sent there leaves it by no network.
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

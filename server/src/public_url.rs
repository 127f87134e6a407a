//! Where browsers reach this server, and which addresses are on this machine.

use std::net::SocketAddr;
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

/// Where browsers find a server that listens at an address, unless somebody says otherwise with a public URL.
/// Links in mails begin with it and carry secrets, so that it is never what a request says in its Host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnAddresses {
    /// For browsers on this machine.
    pub here: String,
    /// For browsers elsewhere: the same, unless the server listens on all addresses of this machine.
    pub elsewhere: String,
}

impl OwnAddresses {
    pub fn new(listen: SocketAddr) -> Self {
        Self::with_machine(listen, machine_name().as_deref())
    }

    fn with_machine(listen: SocketAddr, name: Option<&str>) -> Self {
        if !listen.ip().is_unspecified() {
            let address = format!("http://{listen}");
            return Self {
                here: address.clone(),
                elsewhere: address,
            };
        }
        let port = listen.port();
        let here = format!("http://localhost:{port}");
        // As browsers write it.
        let by_name = name.map(|name| format!("http://{}:{port}", name.to_ascii_lowercase()));
        Self {
            elsewhere: by_name
                .filter(|url| is_found_by_name(url))
                .unwrap_or_else(|| here.clone()),
            here,
        }
    }

    /// The one for this machine first.
    pub fn all(&self) -> Vec<&str> {
        let elsewhere = (self.elsewhere != self.here).then_some(&*self.elsewhere);
        [&*self.here].into_iter().chain(elsewhere).collect()
    }
}

/// What the machine is called.
pub fn machine_name() -> Option<String> {
    let name = rustix::system::uname();
    name.nodename().to_str().ok().map(str::to_owned)
}

/// A machine may be called anything, `localhost` and what no browser takes for a name included.
fn is_found_by_name(url: &str) -> bool {
    let url = Url::parse(url).ok();
    let host = url.as_ref().and_then(Url::host);
    matches!(host, Some(Host::Domain(name)) if name.split('.').next() != Some("localhost"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_never_leads_to_the_unspecified_address() {
        let (shop, local) = (Some("shop-pc"), "http://localhost:8080");
        for (listen, name, here, elsewhere) in [
            (
                "127.0.0.1:8080",
                shop,
                "http://127.0.0.1:8080",
                "http://127.0.0.1:8080",
            ),
            ("[::1]:80", shop, "http://[::1]:80", "http://[::1]:80"),
            ("0.0.0.0:8080", shop, local, "http://shop-pc:8080"),
            ("[::]:8080", Some("Shop-PC"), local, "http://shop-pc:8080"),
            (
                "[::]:8080",
                Some("desk.shop.example"),
                local,
                "http://desk.shop.example:8080",
            ),
            ("0.0.0.0:8080", None, local, local),
            ("0.0.0.0:8080", Some("localhost"), local, local),
            ("0.0.0.0:8080", Some("localhost.localdomain"), local, local),
            // As a browser reads it, this is an address of somebody else's.
            ("0.0.0.0:8080", Some("3232235777"), local, local),
            ("0.0.0.0:8080", Some("a b"), local, local),
        ] {
            let found = OwnAddresses::with_machine(listen.parse().unwrap(), name);
            assert_eq!(
                (&*found.here, &*found.elsewhere),
                (here, elsewhere),
                "{listen} {name:?}"
            );
            assert_eq!(found.all().len(), if here == elsewhere { 1 } else { 2 });
        }
    }
}

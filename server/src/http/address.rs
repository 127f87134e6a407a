//! Where a request comes from: the connection's other end, or what the trusted proxies in between
//! say of it. Nobody else is believed: anybody can write `X-Forwarded-For`.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use actix_web::http::header::{HeaderMap, HeaderName};
use actix_web::{HttpRequest, web};
use ipnet::IpNet;
use serde::Deserialize;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The proxies in front of this server that say truly who asked them.
#[derive(Clone, Debug, Default)]
pub struct TrustedProxies(Vec<Network>);

impl TrustedProxies {
    pub fn new(networks: Vec<Network>) -> Self {
        Self(networks)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn trusts(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(address))
    }

    /// The address a request is counted by.
    pub fn address(&self, peer: Option<SocketAddr>, headers: &HeaderMap) -> IpAddr {
        let unspecified = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        peer.map_or(unspecified, |peer| self.caller(peer.ip(), headers))
    }

    /// Each proxy adds its caller at the right. So the list is read from the right, for as long as
    /// the proxy that added an entry is trusted; everything left of the first stranger may be
    /// invented.
    fn caller(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut caller = peer.to_canonical();
        if !self.trusts(caller) {
            return caller;
        }
        let lines: Vec<&[u8]> = headers
            .get_all(FORWARDED_FOR)
            .map(|line| line.as_bytes())
            .collect();
        for hop in lines
            .into_iter()
            .rev()
            .flat_map(|line| line.rsplit(|byte| *byte == b','))
        {
            let Some(before) = address_in(hop) else {
                break;
            };
            caller = before;
            if !self.trusts(caller) {
                break;
            }
        }
        caller
    }
}

/// Some proxies write the port, too.
fn address_in(hop: &[u8]) -> Option<IpAddr> {
    let hop = std::str::from_utf8(hop).ok()?.trim();
    let address = hop
        .parse::<IpAddr>()
        .or_else(|_| hop.parse::<SocketAddr>().map(|address| address.ip()))
        .or_else(|_| hop.trim_matches(['[', ']']).parse::<IpAddr>());
    Some(address.ok()?.to_canonical())
}

/// The address a request is counted by.
pub fn address_of(request: &HttpRequest) -> IpAddr {
    let (peer, headers) = (request.peer_addr(), request.headers());
    match request.app_data::<web::Data<TrustedProxies>>() {
        Some(trusted) => trusted.address(peer, headers),
        None => TrustedProxies::default().address(peer, headers),
    }
}

/// An address, or a network of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Network(IpNet);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is neither an address nor a network; write it like 10.0.0.1 or 10.0.0.0/8")]
pub struct NoNetwork(String);

impl FromStr for Network {
    type Err = NoNetwork;

    fn from_str(text: &str) -> Result<Self, NoNetwork> {
        let text = text.trim();
        let network = text
            .parse()
            .or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
        network.map(Self).map_err(|_| NoNetwork(text.to_owned()))
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.addr() {
            address if self.0.prefix_len() == self.0.max_prefix_len() => address.fmt(f),
            _ => self.0.fmt(f),
        }
    }
}

impl TryFrom<String> for Network {
    type Error = NoNetwork;

    fn try_from(text: String) -> Result<Self, NoNetwork> {
        text.parse()
    }
}

impl Network {
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

/// One subscriber has a whole /64 of IPv6 addresses.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    with_prefix(address, 64)
}

/// The largest block that one subscriber is given, a /48 of IPv6: it has 65,536 networks.
pub(crate) fn site(address: IpAddr) -> IpAddr {
    with_prefix(address, 48)
}

fn with_prefix(address: IpAddr, bits: u32) -> IpAddr {
    let rest = 128 - bits;
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> rest << rest)),
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;
    use proptest::prelude::*;

    use super::*;

    fn caller(peer: &str, trusted: &[&str], lines: &[&str]) -> String {
        let trusted = trusted.iter().map(|text| text.parse().unwrap());
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(FORWARDED_FOR, HeaderValue::from_str(line).unwrap());
        }
        TrustedProxies::new(trusted.collect())
            .caller(peer.parse().unwrap(), &headers)
            .to_string()
    }

    #[test]
    fn without_trusted_proxies_the_connection_alone_counts() {
        assert_eq!(caller("192.0.2.1", &[], &["198.51.100.7"]), "192.0.2.1");
        assert_eq!(
            caller("192.0.2.1", &["10.0.0.0/8"], &["198.51.100.7"]),
            "192.0.2.1",
            "a stranger who writes the header is not believed"
        );
    }

    #[test]
    fn a_trusted_proxy_is_believed_about_its_own_caller_and_no_further() {
        let trusted = ["127.0.0.1", "10.0.0.0/8"];
        assert_eq!(
            caller("127.0.0.1", &trusted, &["198.51.100.7"]),
            "198.51.100.7"
        );
        assert_eq!(
            caller("127.0.0.1", &trusted, &["203.0.113.9, 198.51.100.7"]),
            "198.51.100.7",
            "what the caller wrote themselves stays where it is"
        );
        assert_eq!(
            caller("127.0.0.1", &trusted, &["198.51.100.7, 10.1.2.3"]),
            "198.51.100.7",
            "a second proxy"
        );
        assert_eq!(
            caller(
                "127.0.0.1",
                &trusted,
                &["203.0.113.9", "198.51.100.7,10.1.2.3"]
            ),
            "198.51.100.7",
            "over several lines"
        );
    }

    #[test]
    fn a_proxy_that_names_no_valid_address_is_itself_the_caller() {
        let trusted = ["127.0.0.1", "10.0.0.0/8"];
        assert_eq!(caller("127.0.0.1", &trusted, &[]), "127.0.0.1");
        for rubbish in [
            "",
            "unknown",
            "198.51.100.7, ",
            "198.51.100.7 10.0.0.1",
            "_x",
        ] {
            assert_eq!(
                caller("127.0.0.1", &trusted, &[rubbish]),
                "127.0.0.1",
                "{rubbish}"
            );
        }
        assert_eq!(
            caller("127.0.0.1", &trusted, &["198.51.100.7, what, 10.0.0.1"]),
            "10.0.0.1"
        );
        assert_eq!(
            caller("127.0.0.1", &trusted, &["10.0.0.5, 10.0.0.1"]),
            "10.0.0.5",
            "somebody inside"
        );
    }

    #[test]
    fn addresses_are_read_in_every_way_they_are_written() {
        let trusted = ["::1", "127.0.0.1"];
        for (written, meant) in [
            ("198.51.100.7:4711", "198.51.100.7"),
            ("::ffff:198.51.100.7", "198.51.100.7"),
            ("2001:db8::1", "2001:db8::1"),
            ("[2001:db8::1]:443", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
        ] {
            assert_eq!(caller("::1", &trusted, &[written]), meant, "{written}");
        }
        assert_eq!(
            caller("::ffff:127.0.0.1", &trusted, &["198.51.100.7"]),
            "198.51.100.7",
            "a proxy that is asked over IPv6"
        );
    }

    #[test]
    fn a_network_is_an_address_or_several() {
        let contains = |network: &str, address: &str| {
            let network: Network = network.parse().unwrap();
            network.contains(address.parse().unwrap())
        };
        assert!(contains("192.0.2.7", "192.0.2.7") && !contains("192.0.2.7", "192.0.2.8"));
        assert!(contains(" 10.1.2.3/8 ", "10.9.9.9"));
        assert!(contains("10.0.0.0/8", "::ffff:10.9.9.9"));
        assert!(contains("fd00::/8", "fd12::1") && !contains("fd00::/8", "fe80::1"));
        for text in ["", "proxy.example", "10.0.0.0/33", "10.0.0", "*"] {
            let refused = text.parse::<Network>().unwrap_err().to_string();
            assert!(refused.contains(text), "{refused}");
        }
    }

    proptest! {
        /// Whatever a caller writes, their own address is what the last trusted proxy adds.
        #[test]
        fn a_caller_cannot_pretend_to_have_another_address(written in "[0-9a-f.:, \\[\\]x]{0,60}") {
            let line = format!("{written},198.51.100.7");
            prop_assert_eq!(caller("10.0.0.1", &["10.0.0.0/8"], &[&line]), "198.51.100.7");
            let above = caller("10.0.0.1", &["10.0.0.0/8"], &[&written, "198.51.100.7, 10.0.0.2"]);
            prop_assert_eq!(above, "198.51.100.7");
        }
    }

    #[test]
    fn addresses_of_one_ipv6_subscriber_count_as_one() {
        let parse = |text: &str| text.parse::<IpAddr>().unwrap();
        let networks = |one, other| network(parse(one)) == network(parse(other));
        let sites = |one, other| site(parse(one)) == site(parse(other));
        assert!(networks("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::1"));
        assert!(!networks("2001:db8:1:2::1", "2001:db8:1:3::1"));
        assert!(sites("2001:db8:1:2::1", "2001:db8:1:ffff::1"));
        assert!(!sites("2001:db8:1:2::1", "2001:db8:2:2::1"));
        for of in [network, site] {
            assert_eq!(of(parse("::ffff:192.0.2.1")), parse("192.0.2.1"));
            assert_ne!(of(parse("192.0.2.2")), parse("192.0.2.1"));
        }
    }
}

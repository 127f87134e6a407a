//! Where browsers find the server: the public URL, and the proxy in front. What a proxy says in `X-Forwarded-For` is seen
//! by the running server alone, which tells owners and its log when it meets one that it does not trust.

use std::net::IpAddr;

use url::Url;

use super::Patient;
use super::finding::Finding;
use super::probe::{Answer, ask};
use crate::http::address::Network;
use crate::http::page::build;
use crate::options::config::{Config, is_elsewhere};
use crate::public_url::OwnAddresses;

const CHECK: &str = "public URL";

pub(super) async fn check(patient: &Patient) -> Vec<Finding> {
    let config = &patient.config;
    let Some(url) = &config.shop.identity.public_url else {
        return vec![none_given(config), proxy(config, None)];
    };
    let mut findings = vec![scheme(url)];
    findings.push(answers(url, patient.server.is_some()).await);
    findings.push(proxy(config, Some(url)));
    findings
}

fn none_given(config: &Config) -> Finding {
    let address = config.listen;
    let begins = OwnAddresses::new(address).elsewhere;
    let found = if config.shop.identity.mails_without_public_url() {
        format!("none is named, though mails go out: their links begin with {begins}")
    } else if address.ip().is_loopback() {
        let found = format!("none: for this machine only, at http://{address}");
        return Finding::ok(CHECK, found);
    } else {
        format!(
            "none is named, and {address} is for other machines, too: links begin with {begins}"
        )
    };
    Finding::warning(
        CHECK,
        found,
        "say where browsers find the server, such as --public-url https://desk.example.com: mailed links \
         begin with it",
    )
}

fn scheme(url: &Url) -> Finding {
    match url.scheme() == "https" || !is_elsewhere(url) {
        true => Finding::ok(CHECK, format!("{url}")),
        false => Finding::warning(
            CHECK,
            format!("{url} is not HTTPS: passwords cross the network as they are"),
            "put a proxy that speaks HTTPS in front, and name its address with --public-url https://...",
        ),
    }
}

/// Whether this server is found there.
async fn answers(url: &Url, has_server: bool) -> Finding {
    const CHECK: &str = "public address";
    let (host, port) = (
        url.host_str().unwrap_or_default(),
        url.port_or_known_default(),
    );
    let host = host.trim_start_matches('[').trim_end_matches(']');
    if let Err(why) = tokio::net::lookup_host((host, port.unwrap_or(443))).await {
        let advice = "correct the name in --public-url, or the DNS entry of the name";
        return Finding::wrong(CHECK, format!("{host} has no address: {why}"), advice);
    }
    let found = match ask(url).await {
        Ok(found) => found,
        Err(why) if has_server => {
            let found = format!("{url} does not answer from here: {why}");
            let advice = "check the proxy, its certificate and the firewall; where only this machine cannot reach \
                          it, open it in a browser elsewhere";
            return Finding::warning(CHECK, found, advice);
        }
        Err(why) => {
            let found = format!("no server runs here, and {url} does not answer: {why}");
            return Finding::skipped(CHECK, found);
        }
    };
    match found {
        Answer::Dispatch(Some(there)) if there == build() => {
            Finding::ok(CHECK, format!("{url} answers, and is this build ({there})"))
        }
        Answer::Dispatch(Some(there)) => Finding::warning(
            CHECK,
            format!(
                "{url} answers with the build {there}, and this dispatch is {}",
                build()
            ),
            "restart the server after an update; else the proxy leads to another server",
        ),
        Answer::Dispatch(None) => Finding::ok(CHECK, format!("a dispatch answers at {url}")),
        Answer::Other => Finding::wrong(
            CHECK,
            format!("{url} answers, but is no dispatch"),
            "let the proxy hand every path on to the address of --listen, and correct --public-url",
        ),
    }
}

/// What can be known from the options.
fn proxy(config: &Config, url: Option<&Url>) -> Finding {
    const CHECK: &str = "trusted proxy";
    let trusted = &config.trusted_proxies;
    if trusted.iter().any(is_nearly_everybody) {
        let found = "nearly every address is trusted: anybody can say to be anybody";
        let advice = "name the address of the proxy alone, such as --trusted-proxy 127.0.0.1";
        return Finding::wrong(CHECK, found, advice);
    }
    let has_proxy = url.is_some_and(|url| url.scheme() == "https" || is_elsewhere(url));
    match (has_proxy, trusted.is_empty()) {
        (true, true) if config.listen.ip().is_loopback() => Finding::warning(
            CHECK,
            "none is named, though the public URL leads to one: limits count everybody as one",
            "name its address, such as --trusted-proxy 127.0.0.1",
        ),
        (_, true) => Finding::ok(CHECK, "none is named"),
        (_, false) => {
            let named: Vec<String> = trusted.iter().map(ToString::to_string).collect();
            Finding::ok(CHECK, format!("{} may say who asks", named.join(", ")))
        }
    }
}

/// By two addresses that nobody has, far from each other: of IPv4, and of IPv6.
fn is_nearly_everybody(network: &Network) -> bool {
    let nobodys: [[IpAddr; 2]; 2] = [
        [[198, 51, 100, 1].into(), [203, 0, 113, 1].into()],
        [
            [0x2001, 0xdb8, 0, 0, 0, 0, 0, 1].into(),
            [0x3fff, 0, 0, 0, 0, 0, 0, 1].into(),
        ],
    ];
    let has_all = |pair: &[IpAddr; 2]| pair.iter().all(|address| network.contains(*address));
    nobodys.iter().any(has_all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_of_nearly_everybody_is_told_from_a_shops_own() {
        for (network, is_everybody) in [
            ("0.0.0.0/0", true),
            ("192.0.0.0/4", true),
            ("::/0", true),
            ("2000::/3", true),
            ("10.0.0.0/8", false),
            ("fd00::/8", false),
            ("::1", false),
        ] {
            let parsed: Network = network.parse().unwrap();
            assert_eq!(is_nearly_everybody(&parsed), is_everybody, "{network}");
        }
    }
}

//! The address to listen on: that it is free, or this server's.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use url::Url;

use super::Patient;
use super::finding::Finding;
use super::probe::{Answer, ask};
use crate::http;

const CHECK: &str = "listen";

pub(super) async fn check(patient: &Patient) -> Finding {
    let address = patient.config.listen;
    if address.port() == 0 {
        return Finding::ok(CHECK, format!("{address} takes a free port at each start"));
    }
    let there = dispatch_at(address).await;
    match (patient.server.is_some(), there) {
        (true, Some(build)) => {
            Finding::ok(CHECK, format!("a dispatch answers at {address} {build}"))
        }
        (true, None) => Finding::warning(
            CHECK,
            format!("the server that runs does not answer at {address}"),
            "it was started with another --listen: run the doctor with the options of the server",
        ),
        (false, Some(build)) => Finding::wrong(
            CHECK,
            format!("{address} is held by a dispatch of another data folder {build}"),
            "stop that one, or use another --listen or --data-dir",
        ),
        (false, None) => try_to_listen(address),
    }
}

/// Nobody runs who could be disturbed by it: it is held for a moment.
fn try_to_listen(address: SocketAddr) -> Finding {
    let why = match http::bind(address) {
        Ok(_listener) => return Finding::ok(CHECK, format!("{address} is free")),
        Err(why) => why,
    };
    let advice = http::bind_advice(&why, "--listen");
    Finding::wrong(CHECK, format!("cannot listen on {address}: {why}"), advice)
}

/// Where this machine reaches what listens there.
pub(super) fn url_of(address: SocketAddr) -> Option<Url> {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    let address = SocketAddr::new(ip, address.port());
    format!("http://{address}").parse().ok()
}

/// The build of a dispatch that listens there, in brackets.
async fn dispatch_at(address: SocketAddr) -> Option<String> {
    let url = url_of(address)?;
    match ask(&url).await.ok()? {
        Answer::Dispatch(build) => Some(format!("({})", build.as_deref().unwrap_or("no page"))),
        Answer::Other => None,
    }
}

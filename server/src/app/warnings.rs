//! Warnings at start, for options that do not fit together.

use std::net::SocketAddr;

use crate::http::address::TrustedProxies;
use crate::options::config::{Config, is_elsewhere};
use crate::public_url::PublicUrl;

pub(super) fn warn_without_public_url(config: &Config, public_url: &PublicUrl) {
    let people = &config.shop.identity;
    let is_for_others = people.public_url.is_none() && !config.listen.ip().is_loopback();
    if is_for_others || people.mails_without_public_url() {
        tracing::warn!(
            "without --public-url, mailed links begin with {}, which other machines may not find, and \
             the sign-in cookie is not Secure",
            &**public_url
        );
    }
}

pub(super) fn warn_without_trusted_proxy(
    listen: SocketAddr,
    public_url: &PublicUrl,
    trusted: &TrustedProxies,
) {
    if trusted.is_empty()
        && listen.ip().is_loopback()
        && public_url.parse().is_ok_and(|url| is_elsewhere(&url))
    {
        tracing::warn!(
            "--public-url is not on this machine, so there is a proxy in front, and none is trusted: \
             limits count everybody as one. Start the server with --trusted-proxy and its address, \
             such as --trusted-proxy 127.0.0.1"
        );
    }
}

//! The link to the set-up page, for as long as nobody can sign in.

use std::net::SocketAddr;

use super::Assembly;
use crate::error::ApiError;
use crate::options::cli::{IdentityName, StaffName};
use crate::options::config::IdentityConfig;

/// A link that makes the first owner; none where there are accounts, or where they are kept elsewhere.
pub(super) async fn offer(
    assembly: &Assembly,
    options: &IdentityConfig,
    address: SocketAddr,
) -> Result<Option<String>, ApiError> {
    let is_kept_here =
        options.identity == IdentityName::Embedded && options.staff == StaffName::Embedded;
    if !is_kept_here {
        return Ok(None);
    }
    let (identity, shop) = (&assembly.identity, &assembly.shop);
    let Some(token) = identity.offer_set_up(shop).await? else {
        return Ok(None);
    };
    let begins = match &options.public_url {
        Some(_) => assembly.public_url.to_string(),
        None => here(address),
    };
    // In the fragment, which browsers keep for themselves: no proxy's log has it.
    let link = format!("{begins}/set-up#token={token}");
    tracing::info!("nobody can sign in yet; the first owner is made at {link}");
    actix::spawn(identity.clone().follow_set_up(shop.clone()));
    Ok(Some(link))
}

/// A server that listens everywhere is found at this machine, too.
pub(super) fn here(address: SocketAddr) -> String {
    if address.ip().is_unspecified() {
        format!("http://localhost:{}", address.port())
    } else {
        format!("http://{address}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_an_address_that_a_browser_can_open() {
        for (address, leads) in [
            ("127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("[::1]:8080", "http://[::1]:8080"),
            ("0.0.0.0:80", "http://localhost:80"),
            ("[::]:8080", "http://localhost:8080"),
        ] {
            assert_eq!(here(address.parse().unwrap()), leads);
        }
    }
}

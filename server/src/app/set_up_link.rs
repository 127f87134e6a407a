//! The links to the set-up page, for as long as nobody can sign in.

use super::Assembly;
use crate::error::ApiError;
use crate::options::cli::{IdentityName, StaffName};
use crate::options::config::IdentityConfig;
use crate::public_url::OwnAddresses;

/// Links that make the first owner, the one for a browser of this machine first: all of them are the same but for where
/// the server is found. None where there are accounts, or where they are kept elsewhere.
pub(super) async fn offer(
    assembly: &Assembly,
    options: &IdentityConfig,
    own: &OwnAddresses,
) -> Result<Vec<String>, ApiError> {
    let is_kept_here =
        options.identity == IdentityName::Embedded && options.staff == StaffName::Embedded;
    if !is_kept_here {
        return Ok(Vec::new());
    }
    let (identity, shop) = (&assembly.identity, &assembly.shop);
    let Some(token) = identity.offer_set_up(shop).await? else {
        return Ok(Vec::new());
    };
    let begins = match &options.public_url {
        Some(_) => vec![&*assembly.public_url],
        None => own.all(),
    };
    // In the fragment, which browsers keep for themselves: no proxy's log has it.
    let links: Vec<String> = begins
        .iter()
        .map(|begins| format!("{begins}/set-up#token={token}"))
        .collect();
    let listed = links.join(" or ");
    tracing::info!("nobody can sign in yet; the first owner is made at {listed}");
    actix::spawn(identity.clone().follow_set_up(shop.clone()));
    Ok(links)
}

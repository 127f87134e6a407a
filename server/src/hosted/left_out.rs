//! What stands for the hosted providers in a build without them. The configuration refuses their options
//! before anybody asks here.

use std::sync::Arc;

use crate::identity::IdentityProvider;
use crate::options::config::{Google, HostedLeftOut};
use crate::staff::StaffCollection;

pub type HostedError = HostedLeftOut;

pub fn identity_provider(
    _google: &Google,
    _public_url: &str,
) -> Result<Arc<dyn IdentityProvider>, HostedError> {
    Err(HostedLeftOut("--identity firebase"))
}

pub async fn staff_collection(_google: &Google) -> Result<Arc<dyn StaffCollection>, HostedError> {
    Err(HostedLeftOut("--staff firestore"))
}

//! The providers of a build that has them.

mod firebase;
mod firestore;
mod staff_fields;

use std::sync::Arc;

use dispatch_hosted::{OpenError, Project};

use crate::identity::IdentityProvider;
use crate::options::config::Google;
use crate::staff::StaffCollection;

pub use firebase::Firebase;
pub use firestore::Firestore;

/// Why a hosted provider cannot be used at all; one line for the person at the keyboard.
#[derive(Debug, thiserror::Error)]
pub enum HostedError {
    #[error("{0} needs --google-project, the id of the Google Cloud project")]
    NoProject(&'static str),
    #[error("--identity firebase needs --firebase-api-key, the project's Web API key")]
    NoApiKey,
    #[error(transparent)]
    Open(#[from] OpenError),
}

/// Firebase Authentication. `public_url`: where browsers reach this server.
pub fn identity_provider(
    google: &Google,
    public_url: &str,
) -> Result<Arc<dyn IdentityProvider>, HostedError> {
    Ok(Arc::new(Firebase::open(google, public_url)?))
}

/// Cloud Firestore.
pub async fn staff_collection(google: &Google) -> Result<Arc<dyn StaffCollection>, HostedError> {
    Ok(Arc::new(Firestore::open(google).await?))
}

/// `option`: the one that asks for a project.
fn project(google: &Google, option: &'static str) -> Result<Project, HostedError> {
    let id = google.project.clone();
    Ok(Project {
        id: id.ok_or(HostedError::NoProject(option))?,
        credentials: google.credentials.clone(),
    })
}

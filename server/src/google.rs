//! Credentials for Google's services: a service account's key or a user's own, from a file or from
//! where the machine keeps them. Emulators take the word `owner` for one.

use std::path::{Path, PathBuf};

use google_cloud_auth::build_errors;
use google_cloud_auth::credentials::{
    Builder, CacheableResource, Credentials, CredentialsProvider, EntityTag, impersonated,
    service_account, user_account,
};
use google_cloud_auth::errors::CredentialsError;
use http::header::AUTHORIZATION;
use http::{Extensions, HeaderMap, HeaderValue};

use crate::config::Google;

/// Why a Google project cannot be used at all; one line for the person at the keyboard.
#[derive(Debug, thiserror::Error)]
pub enum BadGoogle {
    #[error("{0} needs --google-project, the id of the Google Cloud project")]
    NoProject(&'static str),
    #[error("--identity firebase needs --firebase-api-key, the project's Web API key")]
    NoApiKey,
    #[error("cannot read the Google credentials {}: {why}", path.display())]
    Unreadable { path: PathBuf, why: String },
    #[error("{} holds credentials of the kind '{kind}'; use a service account's key file", path.display())]
    UnknownKind { path: PathBuf, kind: String },
    #[error("the Google credentials cannot be used: {0}")]
    Credentials(#[from] build_errors::Error),
    #[error("no HTTPS connection can be made: {0}")]
    Http(#[from] reqwest::Error),
    #[error("Firestore cannot be reached: {0}")]
    Firestore(String),
}

impl Google {
    pub(crate) fn project(&self, who_asks: &'static str) -> Result<&str, BadGoogle> {
        self.project
            .as_deref()
            .ok_or(BadGoogle::NoProject(who_asks))
    }

    /// Of the file that is named, else those of the machine (the variable
    /// GOOGLE_APPLICATION_CREDENTIALS, gcloud's own, or Google Cloud's metadata service).
    pub(crate) fn credentials(&self) -> Result<Credentials, BadGoogle> {
        match &self.credentials {
            Some(path) => from_file(path),
            None => Ok(Builder::default().build()?),
        }
    }
}

/// What an emulator takes; it asks nobody.
pub(crate) fn emulator_credentials() -> Credentials {
    Credentials::from(Owner(EntityTag::new()))
}

fn from_file(path: &Path) -> Result<Credentials, BadGoogle> {
    let unreadable = |why: String| BadGoogle::Unreadable {
        path: path.to_owned(),
        why,
    };
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
    let key: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
    let kind = key["type"].as_str().unwrap_or_default().to_owned();
    Ok(match kind.as_str() {
        "service_account" => service_account::Builder::new(key).build()?,
        "authorized_user" => user_account::Builder::new(key).build()?,
        "impersonated_service_account" => impersonated::Builder::new(key).build()?,
        _ => {
            return Err(BadGoogle::UnknownKind {
                path: path.to_owned(),
                kind,
            });
        }
    })
}

#[derive(Debug)]
struct Owner(EntityTag);

impl CredentialsProvider for Owner {
    async fn headers(
        &self,
        known: Extensions,
    ) -> Result<CacheableResource<HeaderMap>, CredentialsError> {
        if known.get() == Some(&self.0) {
            return Ok(CacheableResource::NotModified);
        }
        let mut data = HeaderMap::new();
        data.insert(AUTHORIZATION, HeaderValue::from_static("Bearer owner"));
        Ok(CacheableResource::New {
            entity_tag: self.0.clone(),
            data,
        })
    }

    async fn universe_domain(&self) -> Option<String> {
        None
    }
}

//! A Google Cloud project and the credentials for it: a service account's key or a user's own, from a
//! file or from where the machine keeps them. Emulators take the word `owner` for one.

use std::path::{Path, PathBuf};

use google_cloud_auth::build_errors;
use google_cloud_auth::credentials::{
    Builder, CacheableResource, Credentials, CredentialsProvider, EntityTag, impersonated,
    service_account, user_account,
};
use google_cloud_auth::errors::CredentialsError;
use http::header::AUTHORIZATION;
use http::{Extensions, HeaderMap, HeaderValue};

/// A Google Cloud project, and who asks it.
#[derive(Clone, Debug)]
pub struct Project {
    pub id: String,
    /// A file with credentials; without one the machine's own are used (the variable
    /// GOOGLE_APPLICATION_CREDENTIALS, gcloud's own, or Google Cloud's metadata service).
    pub credentials: Option<PathBuf>,
}

/// Why a service cannot be used at all; one line for the person at the keyboard.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("cannot read the Google credentials {}: {why}", path.display())]
    UnreadableCredentials { path: PathBuf, why: String },
    #[error("{} holds credentials of the kind '{kind}'; use a service account's key file", path.display())]
    UnknownCredentials { path: PathBuf, kind: String },
    #[error("the Google credentials cannot be used: {0}")]
    Credentials(#[from] build_errors::Error),
    #[error("no HTTPS connection can be made: {0}")]
    Http(#[from] reqwest::Error),
    #[error("Firestore cannot be reached: {0}")]
    Firestore(String),
}

impl Project {
    pub(crate) fn credentials(&self) -> Result<Credentials, OpenError> {
        match &self.credentials {
            Some(path) => credentials_from_file(path),
            None => Ok(Builder::default().build()?),
        }
    }
}

/// What an emulator takes; it asks nobody.
pub(crate) fn emulator_credentials() -> Credentials {
    Credentials::from(EmulatorOwner(EntityTag::new()))
}

fn credentials_from_file(path: &Path) -> Result<Credentials, OpenError> {
    let unreadable = |why: String| OpenError::UnreadableCredentials {
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
            return Err(OpenError::UnknownCredentials {
                path: path.to_owned(),
                kind,
            });
        }
    })
}

#[derive(Debug)]
struct EmulatorOwner(EntityTag);

impl CredentialsProvider for EmulatorOwner {
    async fn headers(
        &self,
        extensions: Extensions,
    ) -> Result<CacheableResource<HeaderMap>, CredentialsError> {
        if extensions.get() == Some(&self.0) {
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

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    use rsa::RsaPrivateKey;
    use rsa::pkcs8::{EncodePrivateKey, LineEnding};
    use serde_json::{Value, json};

    use super::*;

    fn project(key: &Value) -> (tempfile::TempDir, Project) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key.json");
        std::fs::write(&path, key.to_string()).unwrap();
        let project = Project {
            id: "shop-4389".to_owned(),
            credentials: Some(path),
        };
        (folder, project)
    }

    async fn bearer(credentials: &Credentials) -> String {
        match credentials.headers(Extensions::new()).await.unwrap() {
            CacheableResource::New { data, .. } => data[AUTHORIZATION].to_str().unwrap().to_owned(),
            CacheableResource::NotModified => panic!("nothing was known before"),
        }
    }

    #[tokio::test]
    async fn a_service_account_signs_for_itself() {
        // Another test may have been first.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let key = RsaPrivateKey::new(&mut rsa::rand_core::OsRng, 2_048).unwrap();
        let account = "dispatch@shop-4389.iam.gserviceaccount.com";
        let (_folder, project) = project(&json!({
            "type": "service_account",
            "project_id": "shop-4389",
            "private_key_id": "one",
            "private_key": key.to_pkcs8_pem(LineEnding::LF).unwrap().as_str(),
            "client_email": account,
            "token_uri": "https://oauth2.googleapis.com/token",
        }));
        let bearer = bearer(&project.credentials().unwrap()).await;
        let claims = bearer.split('.').nth(1).unwrap();
        let claims: Value =
            serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).unwrap()).unwrap();
        assert_eq!(claims["iss"], account);
        assert_eq!(
            claims["scope"],
            "https://www.googleapis.com/auth/cloud-platform"
        );
    }

    #[tokio::test]
    async fn an_emulator_gets_its_one_word() {
        assert_eq!(bearer(&emulator_credentials()).await, "Bearer owner");
    }

    #[test]
    fn credentials_of_another_kind_are_refused() {
        let (_folder, project) = project(&json!({ "type": "web", "client_id": "id" }));
        let refused = project.credentials().unwrap_err();
        assert!(
            refused
                .to_string()
                .ends_with("holds credentials of the kind 'web'; use a service account's key file"),
            "{refused}"
        );
    }
}

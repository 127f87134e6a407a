//! The calls of Google's identity services (Identity Toolkit and Secure Token), or of their emulator.

use std::net::SocketAddr;
use std::time::Duration;

use google_cloud_auth::credentials::{CacheableResource, Credentials};
use http::Extensions;
use reqwest::{Client, RequestBuilder};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, json};

use super::error::AuthenticationError;
use super::password_rules::PasswordRules;
use crate::project::{OpenError, Project, emulator_credentials};

/// What clients of the identity services wait for an answer on a desktop's network.
const TIMEOUT: Duration = Duration::from_secs(30);

const TOOLKIT_HOST: &str = "identitytoolkit.googleapis.com";
const TOKEN_HOST: &str = "securetoken.googleapis.com";

pub(super) struct IdentityToolkit {
    http: Client,
    /// Before the services' names: `https:/`, or an emulator's address.
    base: String,
    api_key: String,
    project: String,
    admin: Credentials,
}

/// The answer to a right password.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TokenAnswer {
    pub(super) local_id: String,
    #[serde(default)]
    pub(super) email: String,
    /// None while a second factor with Google is pending.
    pub(super) id_token: Option<String>,
    pub(super) refresh_token: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct RefreshAnswer {
    pub(super) id_token: String,
    pub(super) refresh_token: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CreateAnswer {
    local_id: String,
}

#[derive(Deserialize)]
struct ResetAnswer {
    email: String,
}

#[derive(Deserialize)]
struct LookupAnswer {
    #[serde(default)]
    users: Vec<FoundUser>,
}

#[derive(Deserialize)]
struct FoundUser {
    #[serde(default)]
    disabled: bool,
}

impl IdentityToolkit {
    pub(super) fn open(project: &Project, api_key: &str) -> Result<Self, OpenError> {
        Ok(Self {
            http: Client::builder()
                .timeout(TIMEOUT)
                .https_only(true)
                .build()?,
            base: "https:/".to_owned(),
            api_key: api_key.to_owned(),
            project: project.id.clone(),
            admin: project.credentials()?,
        })
    }

    /// An emulator takes any key.
    pub(super) fn at_emulator(project: &Project, address: SocketAddr) -> Result<Self, OpenError> {
        Ok(Self {
            http: Client::builder().timeout(TIMEOUT).no_proxy().build()?,
            base: format!("http://{address}"),
            api_key: "emulator".to_owned(),
            project: project.id.clone(),
            admin: emulator_credentials(),
        })
    }

    pub(super) fn http(&self) -> Client {
        self.http.clone()
    }

    pub(super) async fn sign_in(
        &self,
        email: &str,
        password: &str,
    ) -> Result<TokenAnswer, AuthenticationError> {
        let body = json!({ "email": email, "password": password, "returnSecureToken": true });
        answer(self.with_key("signInWithPassword").json(&body)).await
    }

    pub(super) async fn mail_reset_link(
        &self,
        email: &str,
        language: &str,
        continue_url: Option<&str>,
    ) -> Result<(), AuthenticationError> {
        let mut body = json!({ "requestType": "PASSWORD_RESET", "email": email });
        if let Some(page) = continue_url {
            body["continueUrl"] = page.into();
        }
        let call = self.with_key("sendOobCode");
        let call = call.header("X-Firebase-Locale", language).json(&body);
        answer::<IgnoredAny>(call).await?;
        Ok(())
    }

    /// Gives the email of the account.
    pub(super) async fn reset_password(
        &self,
        code: &str,
        password: &str,
    ) -> Result<String, AuthenticationError> {
        let body = json!({ "oobCode": code, "newPassword": password });
        let reset: ResetAnswer = answer(self.with_key("resetPassword").json(&body)).await?;
        Ok(reset.email)
    }

    pub(super) async fn set_password(
        &self,
        id_token: &str,
        password: &str,
    ) -> Result<(), AuthenticationError> {
        let body = json!({ "idToken": id_token, "password": password, "returnSecureToken": false });
        answer::<IgnoredAny>(self.with_key("update").json(&body)).await?;
        Ok(())
    }

    pub(super) async fn refresh(
        &self,
        refresh_token: &str,
    ) -> Result<RefreshAnswer, AuthenticationError> {
        let call = self
            .http
            .post(format!("{}/{TOKEN_HOST}/v1/token", self.base));
        let form = [
            ("grant_type", "refresh_token"),
            ("refresh_token", refresh_token),
        ];
        let call = call.query(&[("key", &self.api_key)]).form(&form);
        answer(call).await
    }

    pub(super) async fn password_rules(&self) -> Result<PasswordRules, AuthenticationError> {
        let url = format!("{}/{TOOLKIT_HOST}/v2/passwordPolicy", self.base);
        match answer(self.http.get(url).query(&[("key", &self.api_key)])).await {
            Err(AuthenticationError::NotEmulated) => Ok(PasswordRules::default()),
            rules => rules,
        }
    }

    /// As an administrator; gives the user id. `account` may lack a password.
    pub(super) async fn create(&self, account: Value) -> Result<String, AuthenticationError> {
        let created: CreateAnswer = answer(self.as_admin("").await?.json(&account)).await?;
        Ok(created.local_id)
    }

    pub(super) async fn is_enabled(&self, uid: &str) -> Result<bool, AuthenticationError> {
        let call = self.as_admin(":lookup").await?;
        let found: LookupAnswer = answer(call.json(&json!({ "localId": [uid] }))).await?;
        Ok(found.users.first().is_some_and(|user| !user.disabled))
    }

    pub(super) async fn delete(&self, uid: &str) -> Result<(), AuthenticationError> {
        let call = self.as_admin(":delete").await?;
        answer::<IgnoredAny>(call.json(&json!({ "localId": uid }))).await?;
        Ok(())
    }

    fn with_key(&self, method: &str) -> RequestBuilder {
        let url = format!("{}/{TOOLKIT_HOST}/v1/accounts:{method}", self.base);
        self.http.post(url).query(&[("key", &self.api_key)])
    }

    async fn as_admin(&self, method: &str) -> Result<RequestBuilder, AuthenticationError> {
        let headers = match self.admin.headers(Extensions::new()).await {
            Ok(CacheableResource::New { data, .. }) => data,
            // Only who names what it has can be told that.
            Ok(CacheableResource::NotModified) => http::HeaderMap::new(),
            Err(error) if error.is_transient() => {
                return Err(AuthenticationError::Unreachable(error.to_string()));
            }
            Err(error) => return Err(AuthenticationError::Failed(error.to_string())),
        };
        let Self { base, project, .. } = self;
        let url = format!("{base}/{TOOLKIT_HOST}/v1/projects/{project}/accounts{method}");
        Ok(self.http.post(url).headers(headers))
    }
}

/// The key is in the address, which must not get into a log.
fn unreachable(error: reqwest::Error) -> AuthenticationError {
    use std::error::Error;
    let error = error.without_url();
    match error.source() {
        Some(why) => AuthenticationError::Unreachable(format!("{error}: {why}")),
        None => AuthenticationError::Unreachable(error.to_string()),
    }
}

async fn answer<T: DeserializeOwned>(call: RequestBuilder) -> Result<T, AuthenticationError> {
    let answer = call.send().await.map_err(unreachable)?;
    let status = answer.status();
    let body = answer.bytes().await.map_err(unreachable)?;
    if !status.is_success() {
        return Err(AuthenticationError::from_answer(status.as_u16(), &body));
    }
    serde_json::from_slice(&body).map_err(|error| {
        AuthenticationError::Unreachable(format!("an answer cannot be read: {error}"))
    })
}

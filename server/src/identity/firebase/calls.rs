//! The calls to Google's identity services, or to their emulator.

use std::time::Duration;

use google_cloud_auth::credentials::{CacheableResource, Credentials};
use http::Extensions;
use reqwest::{Client, RequestBuilder};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, json};

use super::policy::StrengthRules;
use super::refusals::Refusal;
use crate::config::Google;
use crate::google::{BadGoogle, emulator_credentials};

/// What clients of the identity services wait for an answer on a desktop's network.
const TIME_OUT: Duration = Duration::from_secs(30);

const TOOLKIT: &str = "identitytoolkit.googleapis.com";
const TOKENS: &str = "securetoken.googleapis.com";

pub(super) struct Calls {
    http: Client,
    /// Before the services' names: `https:/`, or an emulator's address.
    base: String,
    api_key: String,
    project: String,
    admin: Credentials,
}

/// Somebody whose password was right.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SignedIn {
    pub(super) local_id: String,
    #[serde(default)]
    pub(super) email: String,
    /// None while a second factor with Google is pending.
    pub(super) id_token: Option<String>,
    pub(super) refresh_token: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Refreshed {
    pub(super) id_token: String,
    pub(super) refresh_token: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Created {
    local_id: String,
}

#[derive(Deserialize)]
struct Confirmed {
    email: String,
}

#[derive(Deserialize)]
struct Found {
    #[serde(default)]
    users: Vec<FoundUser>,
}

#[derive(Deserialize)]
struct FoundUser {
    #[serde(default)]
    disabled: bool,
}

impl Calls {
    pub(super) fn open(google: &Google, project: &str) -> Result<Self, BadGoogle> {
        let http = Client::builder().timeout(TIME_OUT);
        let (http, base, admin) = match google.firebase_emulator {
            Some(address) => (
                http.no_proxy(),
                format!("http://{address}"),
                emulator_credentials(),
            ),
            None => (
                http.https_only(true),
                "https:/".to_owned(),
                google.credentials()?,
            ),
        };
        let api_key = match (&google.firebase_api_key, google.firebase_emulator) {
            (Some(key), _) => key.clone(),
            // It takes any.
            (None, Some(_)) => "emulator".to_owned(),
            (None, None) => return Err(BadGoogle::NoApiKey),
        };
        Ok(Self {
            http: http.build()?,
            base,
            api_key,
            project: project.to_owned(),
            admin,
        })
    }

    pub(super) fn http(&self) -> Client {
        self.http.clone()
    }

    pub(super) async fn sign_in(&self, email: &str, password: &str) -> Result<SignedIn, Refusal> {
        let body = json!({ "email": email, "password": password, "returnSecureToken": true });
        answer(self.with_key("signInWithPassword").json(&body)).await
    }

    pub(super) async fn send_reset_mail(
        &self,
        email: &str,
        language: &str,
        continue_url: Option<&str>,
    ) -> Result<(), Refusal> {
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
    ) -> Result<String, Refusal> {
        let body = json!({ "oobCode": code, "newPassword": password });
        let confirmed: Confirmed = answer(self.with_key("resetPassword").json(&body)).await?;
        Ok(confirmed.email)
    }

    pub(super) async fn set_password(&self, id_token: &str, password: &str) -> Result<(), Refusal> {
        let body = json!({ "idToken": id_token, "password": password, "returnSecureToken": false });
        answer::<IgnoredAny>(self.with_key("update").json(&body)).await?;
        Ok(())
    }

    pub(super) async fn refresh(&self, refresh_token: &str) -> Result<Refreshed, Refusal> {
        let call = self.http.post(format!("{}/{TOKENS}/v1/token", self.base));
        let form = [
            ("grant_type", "refresh_token"),
            ("refresh_token", refresh_token),
        ];
        let call = call.query(&[("key", &self.api_key)]).form(&form);
        answer(call).await
    }

    pub(super) async fn password_rules(&self) -> Result<StrengthRules, Refusal> {
        let url = format!("{}/{TOOLKIT}/v2/passwordPolicy", self.base);
        match answer(self.http.get(url).query(&[("key", &self.api_key)])).await {
            Err(Refusal::NotEmulated) => Ok(StrengthRules::default()),
            rules => rules,
        }
    }

    /// As an administrator; gives the user id. `account` may lack a password.
    pub(super) async fn create(&self, account: Value) -> Result<String, Refusal> {
        let created: Created = answer(self.as_admin("").await?.json(&account)).await?;
        Ok(created.local_id)
    }

    pub(super) async fn is_enabled(&self, uid: &str) -> Result<bool, Refusal> {
        let call = self.as_admin(":lookup").await?;
        let found: Found = answer(call.json(&json!({ "localId": [uid] }))).await?;
        Ok(found.users.first().is_some_and(|user| !user.disabled))
    }

    pub(super) async fn delete(&self, uid: &str) -> Result<(), Refusal> {
        let call = self.as_admin(":delete").await?;
        answer::<IgnoredAny>(call.json(&json!({ "localId": uid }))).await?;
        Ok(())
    }

    fn with_key(&self, method: &str) -> RequestBuilder {
        let url = format!("{}/{TOOLKIT}/v1/accounts:{method}", self.base);
        self.http.post(url).query(&[("key", &self.api_key)])
    }

    async fn as_admin(&self, method: &str) -> Result<RequestBuilder, Refusal> {
        let headers = match self.admin.headers(Extensions::new()).await {
            Ok(CacheableResource::New { data, .. }) => data,
            // Only who names what it has can be told that.
            Ok(CacheableResource::NotModified) => http::HeaderMap::new(),
            Err(error) if error.is_transient() => {
                return Err(Refusal::Unreachable(error.to_string()));
            }
            Err(error) => return Err(Refusal::Broken(error.to_string())),
        };
        let Self { base, project, .. } = self;
        let url = format!("{base}/{TOOLKIT}/v1/projects/{project}/accounts{method}");
        Ok(self.http.post(url).headers(headers))
    }
}

/// The key is in the address, which must not get into a log.
fn unreachable(error: reqwest::Error) -> Refusal {
    use std::error::Error;
    let error = error.without_url();
    match error.source() {
        Some(why) => Refusal::Unreachable(format!("{error}: {why}")),
        None => Refusal::Unreachable(error.to_string()),
    }
}

async fn answer<T: DeserializeOwned>(call: RequestBuilder) -> Result<T, Refusal> {
    let answer = call.send().await.map_err(unreachable)?;
    let status = answer.status();
    let body = answer.bytes().await.map_err(unreachable)?;
    if !status.is_success() {
        return Err(Refusal::of(status.as_u16(), &body));
    }
    serde_json::from_slice(&body)
        .map_err(|error| Refusal::Unreachable(format!("an answer cannot be read: {error}")))
}

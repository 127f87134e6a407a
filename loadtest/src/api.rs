//! The server's HTTP API, as far as a load test needs it.

use std::net::IpAddr;
use std::time::Duration;

use dispatch_actors::repair_order::Status;
use dispatch_actors::store::Seq;
use reqwest::Url;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::Trouble;

#[derive(Clone)]
pub struct Api {
    http: reqwest::Client,
    url: Url,
    token: String,
}

/// A row of the list, as far as it is compared.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    pub repair_order_number: i64,
    pub version: i64,
}

/// Open orders, true for event number `seq`.
#[derive(Clone, Debug, Deserialize)]
pub struct List {
    pub result: Vec<Row>,
    pub seq: Seq,
}

#[derive(Deserialize)]
struct SignedIn {
    result: SignedInResult,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SignedInResult {
    id_token: String,
}

#[derive(Deserialize)]
struct Changed {
    result: Vec<ChangedEntry>,
}

#[derive(Deserialize)]
struct ChangedEntry {
    seq: Option<Seq>,
}

impl Api {
    pub async fn sign_in(url: &str, email: &str, password: &str) -> Result<Self, Trouble> {
        let url = here(url)?;
        let http = reqwest::Client::builder()
            .timeout(Duration::from_secs(30))
            .tcp_nodelay(true)
            .build()
            .map_err(|error| Trouble::Unanswered(error.to_string()))?;
        let call = http
            .post(join(&url, "/api/auth/sign-in"))
            .json(&json!({ "email": email, "password": password }));
        let signed_in: SignedIn = answered(call).await?;
        Ok(Self {
            http,
            url,
            token: signed_in.result.id_token,
        })
    }

    pub fn token(&self) -> &str {
        &self.token
    }

    /// Where the stream is.
    pub fn stream(&self) -> String {
        let mut url = join(&self.url, "/ws/");
        url.set_query(Some("EIO=4&transport=websocket"));
        url.as_str().replacen("http", "ws", 1)
    }

    pub async fn list(&self) -> Result<List, Trouble> {
        let call = self.http.get(join(&self.url, "/api/repair-orders"));
        answered(call.bearer_auth(&self.token)).await
    }

    /// The number of the newest event the change made; none when the order was so already.
    pub async fn change_status(&self, number: i64, status: Status) -> Result<Option<Seq>, Trouble> {
        let entry =
            json!({ "repairOrderNumber": number.to_string(), "idStatus": status.id().to_string() });
        let call = self
            .http
            .post(join(&self.url, "/api/repair-orders/update-status"))
            .json(&json!({ "data": [entry] }));
        let changed: Changed = answered(call.bearer_auth(&self.token)).await?;
        Ok(changed.result.first().and_then(|entry| entry.seq))
    }
}

/// Only this machine: a load test must never find somebody else's server.
fn here(text: &str) -> Result<Url, Trouble> {
    let url = Url::parse(text).map_err(|_| Trouble::BadUrl(text.to_owned()))?;
    let host = url.host_str().unwrap_or_default();
    let address: Option<IpAddr> = host.trim_matches(['[', ']']).parse().ok();
    match (url.scheme(), address) {
        ("http", _) if host == "localhost" => Ok(url),
        ("http", Some(address)) if address.is_loopback() => Ok(url),
        ("http", _) => Err(Trouble::NotHere(text.to_owned())),
        _ => Err(Trouble::BadUrl(text.to_owned())),
    }
}

fn join(url: &Url, path: &str) -> Url {
    let mut url = url.clone();
    url.set_path(path);
    url
}

async fn answered<T: DeserializeOwned>(call: reqwest::RequestBuilder) -> Result<T, Trouble> {
    let lost = |error: reqwest::Error| Trouble::Unanswered(error.to_string());
    let answer = call.send().await.map_err(lost)?;
    if !answer.status().is_success() {
        let status = answer.status();
        let body = answer.text().await.unwrap_or_default();
        return Err(Trouble::Refused(format!("{status} {body}")));
    }
    answer.json().await.map_err(lost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_spoken_to() {
        for url in [
            "http://127.0.0.1:8080",
            "http://127.9.9.9",
            "http://localhost:1",
            "http://[::1]:8080/",
        ] {
            assert!(here(url).is_ok(), "{url}");
        }
        for url in [
            "http://10.0.0.1",
            "http://example.com",
            "http://192.168.1.1:8080",
            "http://0.0.0.0",
        ] {
            assert!(matches!(here(url), Err(Trouble::NotHere(_))), "{url}");
        }
        for url in ["", "127.0.0.1:8080", "https://127.0.0.1", "ftp://127.0.0.1"] {
            assert!(matches!(here(url), Err(Trouble::BadUrl(_))), "{url}");
        }
    }
}

//! A signed-in desk: the calls a writer makes over HTTP, on connections that are kept. `change_outcomes` reads
//! the answers to changes.

mod change_outcomes;

pub use change_outcomes::{Outcome, describe_answer};

use std::collections::BTreeMap;
use std::time::Duration;

use reqwest::header::{ACCEPT_ENCODING, ETAG, HeaderMap, IF_NONE_MATCH};
use reqwest::{Client, RequestBuilder, StatusCode, redirect};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::json;
use serde_json::value::RawValue;

use self::change_outcomes::{change_entry, outcomes};
use crate::error::{LoadTestError, root_cause};
use crate::http::{Answer, Connections, Post};
use crate::order::{Change, List, Order, Row};
use crate::target::{Address, SignIn};

/// A list that takes longer than this does not come.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Entries of a history that are asked for at once.
const PAGE_SIZE: usize = 500;

/// Which calls may be sent again.
const KEY_HEADER: &str = "Idempotency-Key";

pub struct Desk {
    http: Client,
    /// Of changes; the rest goes the general way.
    connections: Connections,
    address: Address,
    token: String,
}

/// The list as it came over the wire.
#[derive(Debug)]
pub struct Fetched {
    /// False: what the caller knows is still so.
    pub modified: bool,
    pub etag: Option<String>,
    /// Head and body, the body as it was compressed.
    pub bytes: usize,
}

/// A page of a search's answer.
#[derive(Debug)]
pub struct FoundPage {
    pub orders: usize,
    /// None: it is the last page.
    pub next: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SignedIn {
    result: Token,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Token {
    id_token: String,
}

#[derive(Deserialize)]
struct Rows {
    result: Vec<Row>,
    seq: i64,
}

#[derive(Deserialize)]
struct Found {
    result: FoundOrders,
}

#[derive(Deserialize)]
struct FoundOrders {
    orders: Vec<IgnoredAny>,
    next: Option<String>,
}

#[derive(Deserialize)]
struct Assignments {
    result: Receipts,
}

#[derive(Deserialize)]
struct Receipts {
    receipts: Vec<Receipt>,
}

/// Of an assignment, by the event that made it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    pub ro_number: i64,
    pub technician_id: i64,
    pub seq: i64,
    pub accepted_at: Option<String>,
}

#[derive(Deserialize)]
struct History {
    result: Vec<HistoryEntry>,
}

#[derive(Deserialize)]
struct HistoryEntry {
    version: i64,
    seq: i64,
}

impl Desk {
    pub async fn sign_in(address: &Address, account: &SignIn) -> Result<Self, LoadTestError> {
        let address = address.clone();
        let http = Client::builder()
            // Never somebody else's machine, whatever the environment or the server says.
            .no_proxy()
            .redirect(redirect::Policy::none())
            // A list's bytes are counted as they come; a crate of the server's turns this feature of reqwest on.
            .no_gzip()
            .timeout(ANSWER_TIMEOUT)
            .connect_timeout(CONNECT_TIMEOUT)
            .build()
            .map_err(|error| LoadTestError::Machine(root_cause(&error)))?;
        let credentials = json!({ "email": account.email, "password": account.password });
        let request = http
            .post(address.http("/api/auth/sign-in"))
            .json(&credentials);
        let SignedIn { result } = fetch(&address, "the sign-in", request).await?;
        Ok(Self {
            http,
            connections: Connections::new(&address),
            address,
            token: result.id_token,
        })
    }

    /// For the socket.
    pub fn token(&self) -> &str {
        &self.token
    }

    pub async fn list(&self) -> Result<List, LoadTestError> {
        let request = self
            .http
            .get(self.address.http("/api/repair-orders"))
            .bearer_auth(&self.token);
        let Rows { result, seq } =
            fetch(&self.address, "the list of repair orders", request).await?;
        Ok(List::new(seq, &result))
    }

    /// How many orders are on the first page.
    /// Closed orders alone or open ones alone, both without it; `page` is what the page before gave as `next`.
    pub async fn search(
        &self,
        words: &str,
        closed: Option<bool>,
        page: Option<&str>,
    ) -> Result<FoundPage, LoadTestError> {
        let request = self
            .http
            .get(self.address.http("/api/repair-orders/search"))
            .query(&[("q", words)])
            .query(&closed.map(|closed| [("closed", closed)]))
            .query(&page.map(|page| [("cursor", page)]))
            .bearer_auth(&self.token);
        let Found { result } = fetch(&self.address, "a search", request).await?;
        Ok(FoundPage {
            orders: result.orders.len(),
            next: result.next,
        })
    }

    /// The events of an order, by the version it had after each.
    pub async fn history(&self, number: i64) -> Result<BTreeMap<i64, i64>, LoadTestError> {
        let mut events = BTreeMap::new();
        let mut before = String::new();
        loop {
            let path = format!("/api/repair-orders/{number}/history?limit={PAGE_SIZE}{before}");
            let request = self.http.get(self.address.http(&path));
            let request = request.bearer_auth(&self.token);
            let page: History = fetch(&self.address, "an order's history", request).await?;
            let is_last = page.result.len() < PAGE_SIZE;
            events.extend(page.result.iter().map(|entry| (entry.version, entry.seq)));
            match events.first_key_value() {
                Some((oldest, _)) if !is_last => before = format!("&before={oldest}"),
                _ => return Ok(events),
            }
        }
    }

    /// How far the news of every assignment has come.
    pub async fn receipts(&self) -> Result<Vec<Receipt>, LoadTestError> {
        let request = self.http.get(self.address.http("/api/assignments"));
        let request = request.bearer_auth(&self.token);
        let Assignments { result } = fetch(&self.address, "the receipts", request).await?;
        Ok(result.receipts)
    }

    /// The list as it is answered.
    pub async fn raw_list(&self) -> Result<Vec<u8>, LoadTestError> {
        let request = self
            .http
            .get(self.address.http("/api/repair-orders"))
            .bearer_auth(&self.token);
        let what = "the list of repair orders";
        let raw: Box<RawValue> = fetch(&self.address, what, request).await?;
        Ok(raw.get().as_bytes().to_vec())
    }

    /// The list as a browser fetches it, unread: compressed, and only if it is not `etag`.
    pub async fn fetch_list(&self, etag: Option<&str>) -> Result<Fetched, LoadTestError> {
        const WHAT: &str = "the list of repair orders";
        let mut request = self
            .http
            .get(self.address.http("/api/repair-orders"))
            .bearer_auth(&self.token)
            .header(ACCEPT_ENCODING, "gzip");
        if let Some(etag) = etag {
            request = request.header(IF_NONE_MATCH, etag);
        }
        let unreachable = |error: reqwest::Error| LoadTestError::Unreachable {
            address: self.address.to_string(),
            why: root_cause(&error),
        };
        let answer = request.send().await.map_err(unreachable)?;
        let status = answer.status();
        let etag = answer
            .headers()
            .get(ETAG)
            .and_then(|etag| etag.to_str().ok());
        let etag = etag.map(str::to_owned);
        let head = head_bytes(answer.headers());
        let body = answer.bytes().await.map_err(unreachable)?;
        match status {
            StatusCode::OK | StatusCode::NOT_MODIFIED => Ok(Fetched {
                modified: status == StatusCode::OK,
                etag,
                bytes: head + body.len(),
            }),
            _ => Err(LoadTestError::Refused {
                what: WHAT,
                answer: refused(status, &body),
            }),
        }
    }

    /// Asks for a change of the order as it was last seen, so that an acknowledgement tells exactly
    /// which events are ours: as many as the version rose. With a `key` the same request may be
    /// sent again, and is answered as the first time.
    pub async fn change(&self, order: &Order, change: Change, key: Option<&str>) -> Outcome {
        let changes = [(order, change)];
        match self.change_together(&changes, key).await {
            Ok(outcomes) => outcomes
                .into_iter()
                .next()
                .unwrap_or_else(|| Outcome::Unknown("an answer without a result".to_owned())),
            Err(why) => Outcome::Unknown(why),
        }
    }

    /// Several orders in one request, all in their status or all in their priority; an outcome for
    /// each. An error is for all of them.
    pub async fn change_together(
        &self,
        changes: &[(&Order, Change)],
        key: Option<&str>,
    ) -> Result<Vec<Outcome>, String> {
        let path = match changes.first() {
            Some((_, Change::Status(_))) => "/api/repair-orders/update-status",
            Some((_, Change::Priority(_))) => "/api/repair-orders/update-priority",
            None => return Ok(Vec::new()),
        };
        let entries: Vec<_> = changes
            .iter()
            .map(|(order, change)| change_entry(order, *change))
            .collect();
        let body = json!({ "data": entries }).to_string();
        let answer = self.post(path, key, &body).await?;
        Ok(outcomes(changes, &answer))
    }

    /// JSON to any call. An error says that there was no answer.
    pub async fn post(&self, path: &str, key: Option<&str>, body: &str) -> Result<Answer, String> {
        let headers: Vec<_> = key.map(|key| (KEY_HEADER, key)).into_iter().collect();
        let post = Post {
            path,
            token: &self.token,
            headers: &headers,
            body: body.as_bytes(),
            content_type: "application/json",
        };
        self.connections.post(&post).await
    }

    /// Whatever it is, it is to be gone.
    pub async fn delete(&self, path: &str) -> Result<(), LoadTestError> {
        const WHAT: &str = "a deletion";
        let request = self.http.delete(self.address.http(path));
        let answer = send(request.bearer_auth(&self.token)).await;
        match answer {
            Ok((StatusCode::OK, _)) => Ok(()),
            Ok((status, body)) => Err(LoadTestError::Refused {
                what: WHAT,
                answer: refused(status, &body),
            }),
            Err(error) => Err(LoadTestError::Unreachable {
                address: self.address.to_string(),
                why: root_cause(&error),
            }),
        }
    }

    /// A file of orders, as a dealer's system brings it, with an intake key.
    pub async fn post_intake(&self, intake_key: &str, ndjson: &[u8]) -> Result<Answer, String> {
        let post = Post {
            path: "/api/intake/repair-orders",
            token: intake_key,
            headers: &[],
            body: ndjson,
            content_type: "application/x-ndjson",
        };
        self.connections.post(&post).await
    }
}

async fn fetch<T: DeserializeOwned>(
    address: &Address,
    what: &'static str,
    request: RequestBuilder,
) -> Result<T, LoadTestError> {
    let (status, body) = send(request)
        .await
        .map_err(|error| LoadTestError::Unreachable {
            address: address.to_string(),
            why: root_cause(&error),
        })?;
    if status != StatusCode::OK {
        let answer = refused(status, &body);
        return Err(LoadTestError::Refused { what, answer });
    }
    serde_json::from_slice(&body).map_err(|error| LoadTestError::Unexpected {
        what,
        why: error.to_string(),
    })
}

async fn send(request: RequestBuilder) -> Result<(StatusCode, Vec<u8>), reqwest::Error> {
    let answer = request.send().await?;
    Ok((answer.status(), answer.bytes().await?.into()))
}

/// As HTTP/1.1 writes them: `name: value` lines between the status line and an empty one.
fn head_bytes(headers: &HeaderMap) -> usize {
    const STATUS_LINE: usize = "HTTP/1.1 200 OK\r\n".len();
    let lines = headers.iter();
    let lines = lines.map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len());
    STATUS_LINE + lines.sum::<usize>() + "\r\n".len()
}

fn refused(status: StatusCode, body: &[u8]) -> String {
    describe_answer(status.as_u16(), body)
}

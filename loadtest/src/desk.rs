//! A signed-in desk: the calls a writer makes over HTTP, on connections that are kept.

use std::time::Duration;

use reqwest::header::{ACCEPT_ENCODING, ETAG, HeaderMap, IF_NONE_MATCH};
use reqwest::{Client, RequestBuilder, StatusCode, redirect};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::order::{Change, List, Order, Row};
use crate::target::{Address, SignIn};
use crate::trouble::{Trouble, root_cause};

/// A change that takes longer than this has no known outcome.
const ANSWER: Duration = Duration::from_secs(30);
const CONNECT: Duration = Duration::from_secs(5);

pub struct Desk {
    http: Client,
    address: Address,
    token: String,
}

/// What became of a change.
#[derive(Debug)]
pub enum Outcome {
    /// Durable; events `first` to `last` are its own.
    Acknowledged {
        first: i64,
        last: i64,
        order: Option<Order>,
    },
    /// Somebody else changed the order first; this is what it is now. Nothing was changed.
    Stale(Option<Order>),
    /// The order is closed. Nothing was changed.
    Closed,
    /// Refused or unanswered; it may have been done all the same.
    Failed(String),
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

/// The answer to a change of one order.
#[derive(Deserialize)]
struct Changes {
    result: [Changed; 1],
}

#[derive(Deserialize)]
struct Changed {
    version: i64,
    seq: Option<i64>,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Refusal {
    error: String,
    code: String,
    current: Option<Current>,
}

#[derive(Deserialize)]
struct Current {
    rows: Vec<Row>,
}

impl Desk {
    pub async fn sign_in(address: &Address, who: &SignIn) -> Result<Self, Trouble> {
        let address = address.clone();
        let http = Client::builder()
            // Never somebody else's machine, whatever the environment or the server says.
            .no_proxy()
            .redirect(redirect::Policy::none())
            .timeout(ANSWER)
            .connect_timeout(CONNECT)
            .build()
            .map_err(|error| Trouble::Machine(root_cause(&error)))?;
        let credentials = json!({ "email": who.email, "password": who.password });
        let request = http
            .post(address.http("/api/auth/sign-in"))
            .json(&credentials);
        let SignedIn { result } = fetch(&address, "the sign-in", request).await?;
        Ok(Self {
            http,
            address,
            token: result.id_token,
        })
    }

    /// For the socket.
    pub fn token(&self) -> &str {
        &self.token
    }

    pub async fn list(&self) -> Result<List, Trouble> {
        let request = self
            .http
            .get(self.address.http("/api/repair-orders"))
            .bearer_auth(&self.token);
        let Rows { result, seq } =
            fetch(&self.address, "the list of repair orders", request).await?;
        Ok(List::new(seq, &result))
    }

    /// The list as a browser fetches it, unread: compressed, and only if it is not `known`.
    pub async fn fetch_list(&self, known: Option<&str>) -> Result<Fetched, Trouble> {
        const WHAT: &str = "the list of repair orders";
        let mut request = self
            .http
            .get(self.address.http("/api/repair-orders"))
            .bearer_auth(&self.token)
            .header(ACCEPT_ENCODING, "gzip");
        if let Some(known) = known {
            request = request.header(IF_NONE_MATCH, known);
        }
        let unreachable = |error: reqwest::Error| Trouble::Unreachable {
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
            _ => Err(Trouble::Refused {
                what: WHAT,
                answer: refused(status, &body),
            }),
        }
    }

    /// Asks for a change of the order as it was last seen, so that an acknowledgement tells exactly
    /// which events are ours: as many as the version rose.
    pub async fn change(&self, order: &Order, change: Change) -> Outcome {
        let (path, entry) = match change {
            Change::Status(status) => (
                "/api/repair-orders/update-status",
                json!({
                    "repairOrderNumber": order.number,
                    "idStatus": status.id(),
                    "expectedVersion": order.version,
                }),
            ),
            Change::Priority(priority) => (
                "/api/repair-orders/update-priority",
                json!({
                    "roNumber": order.number,
                    "priorityLevel": priority.level(),
                    "expectedVersion": order.version,
                }),
            ),
        };
        let request = self
            .http
            .post(self.address.http(path))
            .bearer_auth(&self.token)
            .json(&json!({ "data": [entry] }));
        match send(request).await {
            Ok((status, body)) => outcome(order, status, &body),
            Err(error) => Outcome::Failed(root_cause(&error)),
        }
    }
}

fn outcome(order: &Order, status: StatusCode, body: &[u8]) -> Outcome {
    if status == StatusCode::OK {
        return match serde_json::from_slice(body) {
            Ok(Changes { result: [changed] }) => acknowledged(order, &changed),
            Err(error) => Outcome::Failed(format!("an answer that cannot be read: {error}")),
        };
    }
    match serde_json::from_slice::<Refusal>(body) {
        Ok(refusal) if refusal.code == "stale-version" => {
            let rows = refusal.current.map(|current| current.rows);
            Outcome::Stale(rows.and_then(|rows| rows.first().map(Order::from)))
        }
        Ok(refusal) if refusal.code == "repair-order-closed" => Outcome::Closed,
        _ => Outcome::Failed(refused(status, body)),
    }
}

fn acknowledged(order: &Order, changed: &Changed) -> Outcome {
    match (changed.seq, changed.version - order.version) {
        (Some(last), events @ 1..) => Outcome::Acknowledged {
            first: last - events + 1,
            last,
            order: changed.rows.first().map(Order::from),
        },
        (seq, _) => Outcome::Failed(format!(
            "order {} at version {} was changed, but the answer has version {} and event {seq:?}",
            order.number, order.version, changed.version
        )),
    }
}

async fn fetch<T: DeserializeOwned>(
    address: &Address,
    what: &'static str,
    request: RequestBuilder,
) -> Result<T, Trouble> {
    let (status, body) = send(request).await.map_err(|error| Trouble::Unreachable {
        address: address.to_string(),
        why: root_cause(&error),
    })?;
    if status != StatusCode::OK {
        let answer = refused(status, &body);
        return Err(Trouble::Refused { what, answer });
    }
    serde_json::from_slice(&body).map_err(|error| Trouble::Unexpected {
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
    match serde_json::from_slice::<Refusal>(body) {
        Ok(refusal) => format!("{} {}", status.as_u16(), refusal.error),
        Err(_) => status.to_string(),
    }
}

//! The two servers: each on its own copy of one demo shop, so that they have the same data to the
//! last id and moment.

use std::collections::BTreeMap;
use std::fs;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use tokio::time::sleep;
use totp_rs::{Builder, Secret};

use super::exchange::{ApiAnswer, Exchange};
use super::requests::{Choice, RecordedRequest};
use crate::error::LoadTestError;
use crate::server::{Server, free_address};
use crate::target::Address;

/// A fixed zone, and no limit of an account's sign-ins.
const OPTIONS: [&str; 5] = [
    "--demo=still",
    "--time-zone",
    "America/Chicago",
    "--sign-in-limit",
    "1000000",
];

/// Until a mail is there.
const MAIL_LOOKS: u32 = 100;
const MAIL_LOOK_INTERVAL: Duration = Duration::from_millis(100);

pub struct ServerPair {
    pub old: ApiServer,
    pub new: ApiServer,
}

pub struct ApiServer {
    address: Address,
    started: Timestamp,
    /// What answers had, for later requests.
    kept: BTreeMap<String, Value>,
    data_dir: PathBuf,
    server: Server,
}

impl ServerPair {
    /// `folder` is empty. The old binary makes the shop, and each server gets a copy.
    pub async fn start(old: &Path, new: &Path, folder: &Path) -> Result<Self, LoadTestError> {
        let shop = folder.join("shop");
        let (old_data, new_data) = (folder.join("old"), folder.join("new"));
        start_server(old, &shop).await?.1.stop().await?;
        copy_files(&shop, &old_data)?;
        copy_files(&shop, &new_data)?;
        let started = Timestamp::now();
        Ok(Self {
            old: ApiServer::start(old, &old_data, started).await?,
            new: ApiServer::start(new, &new_data, started).await?,
        })
    }

    /// Both at the same time, so that their clocks say the same. `number` says from where.
    pub async fn send(
        &mut self,
        request: &RecordedRequest,
        number: usize,
    ) -> Result<(ApiAnswer, ApiAnswer), LoadTestError> {
        let (old, new) = tokio::join!(
            self.old.send(request, number),
            self.new.send(request, number)
        );
        Ok((old?, new?))
    }

    pub async fn stop(self) -> Result<(), LoadTestError> {
        self.old.server.stop().await?;
        self.new.server.stop().await
    }
}

async fn start_server(binary: &Path, data_dir: &Path) -> Result<(Address, Server), LoadTestError> {
    let address = free_address().await?;
    let quiet = [("RUST_LOG", Path::new("off"))];
    let server = Server::start_with(binary, data_dir, &address, &OPTIONS, &quiet).await?;
    Ok((address, server))
}

/// Sockets and locks are no files to copy.
fn copy_files(from: &Path, to: &Path) -> Result<(), LoadTestError> {
    let copying = |error| LoadTestError::Machine(format!("copying {}: {error}", from.display()));
    fs::create_dir_all(to).map_err(copying)?;
    for entry in fs::read_dir(from).map_err(copying)? {
        let entry = entry.map_err(copying)?;
        let kind = entry.file_type().map_err(copying)?;
        let target = to.join(entry.file_name());
        if kind.is_dir() {
            copy_files(&entry.path(), &target)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), target).map_err(copying)?;
        }
    }
    Ok(())
}

impl ApiServer {
    async fn start(
        binary: &Path,
        data_dir: &Path,
        started: Timestamp,
    ) -> Result<Self, LoadTestError> {
        let (address, server) = start_server(binary, data_dir).await?;
        Ok(Self {
            address,
            started,
            kept: BTreeMap::new(),
            data_dir: data_dir.to_owned(),
            server,
        })
    }

    async fn send(
        &mut self,
        request: &RecordedRequest,
        number: usize,
    ) -> Result<ApiAnswer, LoadTestError> {
        let body = match (&request.body, &request.text) {
            (Some(body), _) => Some(self.filled_body(body).to_string()),
            (None, text) => text.as_deref().map(|text| self.filled(text)),
        };
        let exchange = Exchange {
            method: request.method(),
            target: &self.filled(&request.target()),
            headers: &self.headers(request),
            body: body.as_deref().map(str::as_bytes),
        };
        // A network of its own for each request, or the limits of networks would be all there is.
        let [.., high, low] = number.to_be_bytes();
        let from = Ipv4Addr::new(127, high, low, 2);
        let answer = exchange.perform(&self.address, from).await;
        let answer = answer.map_err(|error| LoadTestError::Unreachable {
            address: format!("{} for {}", self.address, request.name()),
            why: error.to_string(),
        })?;
        self.keep(request, &answer).await;
        Ok(answer)
    }

    fn headers(&self, request: &RecordedRequest) -> Vec<(String, String)> {
        let mut headers = Vec::new();
        if request.body.is_some() && !request.headers.contains_key("content-type") {
            headers.push(("content-type".to_owned(), "application/json".to_owned()));
        }
        if let Some(name) = &request.signed_in_as {
            let token = self.filled(&format!("Bearer ${{token:{name}}}"));
            headers.push(("authorization".to_owned(), token));
        }
        for (name, value) in &request.headers {
            headers.push((name.clone(), self.filled(value)));
        }
        headers
    }

    async fn keep(&mut self, request: &RecordedRequest, answer: &ApiAnswer) {
        let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        for (name, from) in &request.keep {
            let value = match from.split_once(':') {
                Some(("cookie", cookie)) => answer.cookie(cookie).map(Value::from),
                Some(("fragment", pointer)) => fragment_value(&body, pointer).map(Value::from),
                Some(("mail", to)) => self.mailed_token(to).await.map(Value::from),
                _ => body.pointer(from).cloned(),
            };
            if let Some(value) = value {
                self.kept.insert(name.clone(), value);
            }
        }
        for (name, choice) in &request.choose {
            if let Some(value) = choice.value_in(&body) {
                self.kept.insert(name.clone(), value.clone());
            }
        }
    }

    /// Of the link in the newest mail to somebody. Mails are written after the answer.
    async fn mailed_token(&self, to: &str) -> Option<String> {
        for _ in 0..MAIL_LOOKS {
            let token = newest_mail(&self.data_dir.join("mail"), to)
                .and_then(|mail| mail.split_once("#token=").map(|(_, rest)| rest.to_owned()))
                .map(|rest| rest.chars().take_while(|it| is_token_char(*it)).collect());
            if token.is_some() {
                return token;
            }
            sleep(MAIL_LOOK_INTERVAL).await;
        }
        None
    }

    /// Names that no answer kept stay as they are, which the server then refuses.
    fn filled(&self, text: &str) -> String {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            filled.push_str(before);
            let Some((name, after)) = after.split_once('}') else {
                filled.push_str("${");
                rest = after;
                continue;
            };
            match self.value(name) {
                Some(Value::String(text)) => filled.push_str(&text),
                Some(value) => filled.push_str(&value.to_string()),
                None => filled.push_str(name),
            }
            rest = after;
        }
        filled + rest
    }

    fn filled_body(&self, body: &Value) -> Value {
        match body {
            Value::String(text) => {
                let name = text
                    .strip_prefix("${")
                    .and_then(|text| text.strip_suffix('}'));
                match name.and_then(|name| self.value(name)) {
                    Some(value) => value,
                    None => self.filled(text).into(),
                }
            }
            Value::Array(entries) => entries.iter().map(|it| self.filled_body(it)).collect(),
            Value::Object(fields) => fields
                .iter()
                .map(|(name, it)| (name.clone(), self.filled_body(it)))
                .collect(),
            other => other.clone(),
        }
    }

    fn value(&self, name: &str) -> Option<Value> {
        if let Some(value) = self.kept.get(name) {
            return Some(value.clone());
        }
        if let Some(secret) = name.strip_prefix("totp:") {
            let secret = self.kept.get(secret)?.as_str()?;
            return one_time_code(secret).map(Value::from);
        }
        let offset: SignedDuration = name.parse().ok()?;
        let moment = self.started.checked_add(offset).ok()?;
        Some(moment.to_string().into())
    }
}

/// What a URL in an answer has behind `#name=`.
fn fragment_value<'a>(body: &'a Value, pointer: &str) -> Option<&'a str> {
    let (_, fragment) = body.pointer(pointer)?.as_str()?.split_once('#')?;
    Some(fragment.split_once('=')?.1)
}

fn is_token_char(char: char) -> bool {
    char.is_ascii_alphanumeric() || "_-".contains(char)
}

fn newest_mail(folder: &Path, to: &str) -> Option<String> {
    let mut mails: Vec<PathBuf> = fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .collect();
    // Their names begin with when they were written.
    mails.sort();
    let texts = mails
        .iter()
        .rev()
        .filter_map(|path| fs::read_to_string(path).ok());
    let mut to_them = texts.filter(|text| text.contains(to) && text.contains("#token="));
    to_them.next()
}

/// What an authenticator app shows now.
fn one_time_code(secret: &str) -> Option<String> {
    let secret = Secret::try_from_base32(secret.replace(' ', "")).ok()?;
    let totp = Builder::new().with_secret(secret).build().ok()?;
    let seconds = Timestamp::now().as_second().try_into().ok()?;
    Some(totp.generate(seconds).to_string())
}

impl Choice {
    fn value_in<'a>(&self, body: &'a Value) -> Option<&'a Value> {
        let entries = body.pointer(&self.from)?.as_array()?;
        let mut fitting = entries.iter().filter(|entry| {
            let mut wanted = self.with.iter();
            wanted.all(|(pointer, value)| entry.pointer(pointer).unwrap_or(&Value::Null) == value)
        });
        fitting.nth(self.index)?.pointer(&self.take)
    }
}

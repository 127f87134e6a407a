//! Asks an address whether a dispatch answers there, and which build.

use std::error::Error;
use std::time::Duration;

use reqwest::redirect::Policy;
use url::Url;

use crate::http::page::build_in;
use crate::options::config::is_elsewhere;

const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

pub(super) enum Answer {
    /// With its build; none of one that was built without its page.
    Dispatch(Option<String>),
    Other,
}

/// Why the server there is not ready to work, as it says itself; none where it is, and where nobody answers.
pub(super) async fn not_ready(url: &Url) -> Option<String> {
    let client = reqwest::Client::builder()
        .redirect(Policy::none())
        .timeout(ANSWER_TIMEOUT)
        .no_proxy()
        .build()
        .ok()?;
    let answer = client.get(url.join("/readyz").ok()?).send().await.ok()?;
    let says = answer.status() == reqwest::StatusCode::SERVICE_UNAVAILABLE;
    let answer: serde_json::Value = answer.json().await.ok()?;
    let sentence = answer["error"].as_str().filter(|_| says)?;
    Some(sentence.to_owned())
}

/// Follows no redirect, which would be another address.
pub(super) async fn ask(url: &Url) -> Result<Answer, String> {
    let client = reqwest::Client::builder()
        .redirect(Policy::none())
        .timeout(ANSWER_TIMEOUT);
    let client = match is_elsewhere(url) {
        true => client,
        false => client.no_proxy(),
    };
    let client = client.build().map_err(innermost)?;
    let get = async |path: &str| {
        let at = url.join(path).map_err(|error| error.to_string())?;
        let answer = client.get(at).send().await.map_err(innermost)?;
        let is_success = answer.status().is_success();
        let text = answer.text().await.map_err(innermost)?;
        Ok::<_, String>(Some(text).filter(|_| is_success))
    };
    let alive = get("/healthz").await?;
    if !alive.is_some_and(|answer| answer.contains("\"alive\"")) {
        return Ok(Answer::Other);
    }
    let board = get("/board").await?.unwrap_or_default();
    Ok(Answer::Dispatch(build_in(&board)))
}

/// reqwest itself says only that something failed.
fn innermost(error: reqwest::Error) -> String {
    if error.is_timeout() {
        return "it took too long".to_owned();
    }
    let mut cause: &dyn Error = &error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

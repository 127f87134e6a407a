//! Requests whose `data` has several entries: how many it may have, and how they are answered.

use actix_web::HttpResponse;
use actix_web::http::header::ContentType;
use serde::Serialize;

use crate::error::ApiError;

/// Entries in one `data`; more is refused whole, so that nobody holds the desk up.
pub const ENTRIES: usize = 500;

/// Bytes of the answer to one entry.
const ENTRY_ANSWER: usize = 2_048;

/// As many entries as one request may have.
pub fn counted<T>(entries: Vec<T>) -> Result<Vec<T>, ApiError> {
    match entries.len() {
        0 => Err(ApiError::invalid("data is empty: send at least one entry")),
        1..=ENTRIES => Ok(entries),
        many => Err(ApiError::invalid(format!(
            "data has {many} entries; send at most {ENTRIES} at once"
        ))),
    }
}

#[derive(Serialize)]
struct Answer<T> {
    ok: bool,
    result: Vec<T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
}

/// One entry answers with its own status, several with 200 and a result each. `refused` says what
/// became of an entry that was refused, by its place.
pub fn answer<T: Serialize>(
    mut entries: Vec<Result<T, ApiError>>,
    refused: impl Fn(usize, ApiError) -> T,
) -> Result<HttpResponse, ApiError> {
    if let [Err(_)] = entries.as_slice()
        && let Some(Err(error)) = entries.pop()
    {
        return Err(error);
    }
    let all = entries.len();
    let failed = entries.iter().filter(|entry| entry.is_err()).count();
    let result = entries
        .into_iter()
        .enumerate()
        .map(|(place, entry)| entry.unwrap_or_else(|error| refused(place, error)))
        .collect();
    let answer = Answer {
        ok: failed == 0,
        result,
        error: (failed > 0).then(|| format!("{failed} of {all} entries were refused")),
        code: (failed > 0).then_some("some-refused"),
    };
    // An entry's answer seldom is longer: a buffer that grows step by step is copied each time.
    let mut json = Vec::with_capacity(all * ENTRY_ANSWER);
    serde_json::to_writer(&mut json, &answer).map_err(|error| {
        tracing::error!(%error, "an answer could not be written");
        ApiError::unavailable()
    })?;
    Ok(HttpResponse::Ok()
        .content_type(ContentType::json())
        .body(json))
}

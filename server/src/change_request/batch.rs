//! Executing the entries of a request, each once, and answering them.

use actix_web::HttpResponse;
use actix_web::http::header::ContentType;
use dispatch_actors::store::Store;
use futures_util::future::join_all;
use serde::Serialize;
use serde_json::value::RawValue;

use super::idempotency::{AnswerKeeper, IdempotencyKey, IdempotencyRecords};
use crate::answer::BatchAnswer;
use crate::error::ApiError;

/// Entries in one `data`; more is refused whole, so that nobody holds the desk up.
pub const MAX_ENTRIES: usize = 500;

/// Bytes of the answer to one entry.
const ENTRY_ANSWER_BYTES: usize = 2_048;

/// How the entries of a batch are executed.
pub struct BatchOptions<E> {
    /// Entries under way at once.
    pub concurrency: usize,
    /// Of two entries with the same target the second waits for the first.
    pub is_same_target: fn(&E, &E) -> bool,
    pub refusals: Refusals,
}

impl<E> BatchOptions<E> {
    pub fn one_by_one(refusals: Refusals) -> Self {
        Self {
            concurrency: 1,
            is_same_target: |_, _| true,
            refusals,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Refusals {
    /// A refusal is an answer: the same request is refused again.
    Kept,
    /// The same request is tried again.
    Retried,
}

/// The result of one entry.
#[derive(Serialize)]
#[serde(untagged)]
pub enum EntryAnswer<T> {
    New(T),
    /// As it was the first time.
    Kept(Box<RawValue>),
}

#[derive(Serialize)]
struct SingleBody<T> {
    ok: bool,
    result: T,
}

#[derive(Serialize)]
#[serde(untagged)]
enum EntryBody<T, R> {
    Executed(EntryAnswer<T>),
    Refused(R),
}

/// As many entries as one request may have.
pub fn check_batch_size<T>(entries: Vec<T>) -> Result<Vec<T>, ApiError> {
    match entries.len() {
        0 => Err(ApiError::invalid("data is empty: send at least one entry")),
        1..=MAX_ENTRIES => Ok(entries),
        many => Err(ApiError::invalid(format!(
            "data has {many} entries; send at most {MAX_ENTRIES} at once"
        ))),
    }
}

/// Executes each entry and keeps its answer with it, or gives the answer that the same request was
/// given before. The results are in the order of the entries.
pub async fn execute_batch<E, T>(
    records: &IdempotencyRecords,
    entries: Vec<E>,
    options: BatchOptions<E>,
    change: impl AsyncFn(E, AnswerKeeper) -> Result<T, ApiError>,
) -> Vec<Result<EntryAnswer<T>, ApiError>> {
    let mut results = Vec::with_capacity(entries.len());
    let mut together: Vec<E> = Vec::new();
    let execute_together = async |together: &mut Vec<E>, results: &mut Vec<_>| {
        let under_way = together
            .drain(..)
            .zip(results.len()..)
            .map(|(entry, place)| {
                let place = i32::try_from(place).unwrap_or(i32::MAX);
                execute_entry(records, place, entry, &change)
            });
        results.extend(join_all(under_way).await);
    };
    for entry in entries {
        let must_wait = together
            .iter()
            .any(|other| (options.is_same_target)(other, &entry));
        if must_wait || together.len() == options.concurrency {
            execute_together(&mut together, &mut results).await;
        }
        together.push(entry);
    }
    execute_together(&mut together, &mut results).await;
    settle_refusals(records, &mut results, options.refusals).await;
    results
}

async fn execute_entry<E, T>(
    records: &IdempotencyRecords,
    place: i32,
    entry: E,
    change: &impl AsyncFn(E, AnswerKeeper) -> Result<T, ApiError>,
) -> Result<EntryAnswer<T>, ApiError> {
    match records.answer(place) {
        Some(answer) => answer.map(EntryAnswer::Kept),
        None => change(entry, records.keeper(place))
            .await
            .map(EntryAnswer::New),
    }
}

/// Where the same request was under way at the same time and an entry was answered there, that is its
/// answer here.
async fn settle_refusals<T>(
    records: &IdempotencyRecords,
    results: &mut [Result<EntryAnswer<T>, ApiError>],
    refusals: Refusals,
) {
    if !records.has_key() || results.iter().all(Result::is_ok) {
        return;
    }
    let meanwhile = match refusals {
        Refusals::Kept => {
            let errors = results.iter().map(|result| result.as_ref().err());
            let refused = (0..).zip(errors);
            let refused = refused.filter_map(|(place, error)| Some((place, error?)));
            records.keep_refusals(refused).await
        }
        Refusals::Retried => records.read().await,
    };
    for (place, result) in (0..).zip(results) {
        let Err(refusal) = result else { continue };
        let is_kept = refusals == Refusals::Kept && !refusal.status.is_server_error();
        match &meanwhile {
            Ok(answers) => {
                if let Some(answer) = answers.answer(place) {
                    *result = answer.map(EntryAnswer::Kept);
                }
            }
            // The key belongs to another request, or the database is gone: nobody is told something
            // that another try would not confirm.
            Err(error) if is_kept || refusals == Refusals::Retried => *result = Err(error.clone()),
            Err(_) => {}
        }
    }
}

/// Executes the one change of a request and keeps its answer with it, or gives the answer that the
/// same request was given before.
pub async fn execute<T: Serialize>(
    store: &Store,
    uid: &str,
    key: Option<IdempotencyKey>,
    change: impl AsyncFnOnce(AnswerKeeper) -> Result<T, ApiError>,
) -> Result<HttpResponse, ApiError> {
    let records = IdempotencyRecords::open(store, uid, key).await?;
    let options = BatchOptions::one_by_one(Refusals::Retried);
    let results = execute_batch(&records, vec![change], options, async |change, keeper| {
        change(keeper).await
    });
    answer_one(results.await)
}

/// The answer of a request that has one entry.
pub fn answer_one<T: Serialize>(
    mut results: Vec<Result<EntryAnswer<T>, ApiError>>,
) -> Result<HttpResponse, ApiError> {
    let result = results.pop().ok_or_else(ApiError::unavailable)??;
    Ok(HttpResponse::Ok().json(SingleBody { ok: true, result }))
}

/// One entry answers with its own status, several with 200 and a result each. `refused` says what
/// became of an entry that was refused, by its place.
pub fn answer_batch<T: Serialize, R: Serialize>(
    mut results: Vec<Result<EntryAnswer<T>, ApiError>>,
    refused: impl Fn(usize, ApiError) -> R,
) -> Result<HttpResponse, ApiError> {
    if let [Err(_)] = results.as_slice()
        && let Some(Err(error)) = results.pop()
    {
        return Err(error);
    }
    let all = results.len();
    let failed = results.iter().filter(|result| result.is_err()).count();
    let entry = |(place, result)| match result {
        Ok(answer) => EntryBody::Executed(answer),
        Err(error) => EntryBody::Refused(refused(place, error)),
    };
    let body = BatchAnswer {
        ok: failed == 0,
        result: results.into_iter().enumerate().map(entry).collect(),
        error: (failed > 0).then(|| format!("{failed} of {all} entries were refused")),
        code: (failed > 0).then_some("some-refused"),
    };
    // An entry's answer seldom is longer: a buffer that grows step by step is copied each time.
    let mut json = Vec::with_capacity(all * ENTRY_ANSWER_BYTES);
    serde_json::to_writer(&mut json, &body).map_err(|error| {
        tracing::error!(%error, "an answer could not be written");
        ApiError::unavailable()
    })?;
    Ok(HttpResponse::Ok()
        .content_type(ContentType::json())
        .body(json))
}

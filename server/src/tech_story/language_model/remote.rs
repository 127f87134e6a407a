//! A language model at an endpoint, asked for a reply: tried again where the fault may pass, for a
//! minute at most, and read as it comes where somebody watches. What it is asked is
//! [`Prompt`](super::prompt::Prompt); how it wants to be asked is its [`Wire`].

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use dispatch_actors::repair_order::InterviewerId;
use dispatch_stories::{Interview, Language, Reply};
use futures_util::StreamExt;
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{RequestBuilder, Response, StatusCode};
use serde_json::Value;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use url::Url;

use super::super::api_types::Interviewer as InterviewerInfo;
use super::super::interview::{Failure, Interviewer};
use super::super::options::{Provider, Secret};
use super::call_counts::StoryCallCounts;
use super::prompt::Prompt;
use super::reply_parser;
use super::server_sent::Events;
use super::{gemini, openai};

const MAX_ATTEMPTS: u32 = 3;
/// Before the second attempt; half as long again before the next.
const MIN_PAUSE: Duration = Duration::from_secs(1);
const BACKOFF_FACTOR: f64 = 1.5;
const MAX_PAUSE: Duration = Duration::from_secs(10);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Bytes of an answer: many times the longest story.
const MAX_ANSWER_BYTES: usize = 1024 * 1024;

/// How an endpoint is asked, and how its answer is read.
pub struct Wire {
    pub name: &'static str,
    /// Path behind the base address, headers and body.
    pub ask: fn(RequestTo, &Prompt) -> RequestBuilder,
    /// The text in an answer, or in one event of a stream.
    pub text: fn(&Value) -> Option<String>,
    /// Whether an event says that the text has come to its end.
    pub is_end: fn(&Value) -> bool,
}

/// What a request is made of.
pub struct RequestTo<'a> {
    pub client: &'a reqwest::Client,
    pub base: &'a Url,
    pub model: &'a str,
    pub key: Option<&'a str>,
    pub streamed: bool,
}

impl RequestTo<'_> {
    /// A POST to a path behind the base address.
    pub fn post(&self, path: &str) -> RequestBuilder {
        let base = self.base.as_str().trim_end_matches('/');
        self.client.post(format!("{base}/{path}"))
    }
}

pub struct Remote {
    id: InterviewerId,
    wire: &'static Wire,
    client: reqwest::Client,
    base: Url,
    model: String,
    key: Option<Secret>,
    within: Duration,
    counts: Arc<StoryCallCounts>,
}

/// What became of one attempt.
enum Fault {
    /// It may pass: tried again after a pause, or after what the provider says.
    Passing(Option<Duration>),
    /// It was not what was asked for: tried again at once.
    UnreadableReply,
    /// The same again would be refused again.
    Final,
}

impl Remote {
    pub fn new(provider: &Provider, counts: Arc<StoryCallCounts>) -> Result<Self, reqwest::Error> {
        let client = reqwest::Client::builder()
            // A redirect could take the key elsewhere.
            .redirect(Policy::none())
            .connect_timeout(CONNECT_TIMEOUT);
        // On this machine and in this house there is no proxy between.
        let client = if provider.url.scheme() == "http" {
            client.no_proxy()
        } else {
            client
        };
        Ok(Self {
            id: provider.id,
            wire: match provider.id {
                InterviewerId::Gemini => &gemini::WIRE,
                _ => &openai::WIRE,
            },
            client: client.build()?,
            base: provider.url.clone(),
            model: provider.model.clone(),
            key: provider.key.clone(),
            within: provider.timeout,
            counts,
        })
    }

    async fn insist(
        &self,
        interview: &Interview,
        progress: &watch::Sender<String>,
    ) -> Result<Reply, Failure> {
        let prompt = Prompt::new(interview);
        let mut failure = Failure::Unavailable;
        for attempt in 0..MAX_ATTEMPTS {
            let outcome = self.attempt(&prompt, interview.language, progress).await;
            self.count(&outcome);
            let fault = match outcome {
                Ok(Reply::Question { .. }) if interview.must_end() => {
                    failure = Failure::TooManyQuestions;
                    Fault::UnreadableReply
                }
                Ok(reply) => return Ok(reply),
                Err(fault) => {
                    failure = match fault {
                        Fault::UnreadableReply => Failure::UnreadableReply,
                        Fault::Passing(_) | Fault::Final => Failure::Unavailable,
                    };
                    fault
                }
            };
            match fault {
                Fault::Final => break,
                Fault::Passing(after) if attempt + 1 < MAX_ATTEMPTS => {
                    sleep(after.unwrap_or_else(|| pause(attempt)).min(MAX_PAUSE)).await;
                }
                Fault::Passing(_) | Fault::UnreadableReply => {}
            }
            progress.send_replace(String::new());
        }
        Err(failure)
    }

    fn count(&self, outcome: &Result<Reply, Fault>) {
        let counts = &self.counts;
        match outcome {
            Ok(_) => counts.answered.increment(),
            Err(Fault::UnreadableReply) => counts.unreadable.increment(),
            Err(Fault::Passing(_)) => counts.unavailable.increment(),
            Err(Fault::Final) => counts.refused.increment(),
        }
    }

    async fn attempt(
        &self,
        prompt: &Prompt,
        language: Language,
        progress: &watch::Sender<String>,
    ) -> Result<Reply, Fault> {
        let streamed = progress.receiver_count() > 0;
        let to = RequestTo {
            client: &self.client,
            base: &self.base,
            model: &self.model,
            key: self.key.as_ref().map(Secret::reveal),
            streamed,
        };
        let answer = (self.wire.ask)(to, prompt).send().await.map_err(|error| {
            // Without the address, which is the operator's own business; the key is in no address.
            let error = error.without_url();
            tracing::warn!(interviewer = self.wire.name, %error, "the interviewer cannot be reached");
            Fault::Passing(None)
        })?;
        let status = answer.status();
        if !status.is_success() {
            tracing::warn!(interviewer = self.wire.name, %status, "the interviewer refused");
            return Err(refused(status, &answer));
        }
        let is_stream = answer
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .is_some_and(|kind| kind.starts_with("text/event-stream"));
        let text = if is_stream {
            self.read_stream(answer, progress).await?
        } else {
            self.read(answer).await?
        };
        reply_parser::reply(&text, language).ok_or_else(|| {
            tracing::warn!(
                interviewer = self.wire.name,
                "the interviewer said neither a question nor a story"
            );
            Fault::UnreadableReply
        })
    }

    async fn read(&self, answer: Response) -> Result<String, Fault> {
        let mut pieces = answer.bytes_stream();
        let mut bytes = Vec::new();
        while let Some(piece) = pieces.next().await {
            bytes.extend_from_slice(&piece.map_err(|_| Fault::Passing(None))?);
            if bytes.len() > MAX_ANSWER_BYTES {
                return Err(Fault::UnreadableReply);
            }
        }
        let answer: Value = serde_json::from_slice(&bytes).map_err(|_| Fault::UnreadableReply)?;
        (self.wire.text)(&answer).ok_or(Fault::UnreadableReply)
    }

    /// A stream that ends before the provider has said that it does was cut.
    async fn read_stream(
        &self,
        answer: Response,
        progress: &watch::Sender<String>,
    ) -> Result<String, Fault> {
        let mut pieces = answer.bytes_stream();
        let mut events = Events::default();
        let mut text = String::new();
        let mut ended = false;
        let mut read = 0;
        while let Some(piece) = pieces.next().await {
            let piece = piece.map_err(|_| Fault::Passing(None))?;
            read += piece.len();
            if read > MAX_ANSWER_BYTES {
                return Err(Fault::UnreadableReply);
            }
            for data in events.take(&piece) {
                if data == "[DONE]" {
                    ended = true;
                    continue;
                }
                let event: Value =
                    serde_json::from_str(&data).map_err(|_| Fault::UnreadableReply)?;
                text.push_str(&(self.wire.text)(&event).unwrap_or_default());
                ended |= (self.wire.is_end)(&event);
            }
            progress.send_if_modified(|sent_text| {
                let now = reply_parser::so_far(&text);
                let grew = now != *sent_text;
                *sent_text = now;
                grew
            });
        }
        if ended {
            Ok(text)
        } else {
            Err(Fault::Passing(None))
        }
    }
}

/// 429 and 5xx may pass. Everything else is about the request, the model or the key, and stays so.
fn refused(status: StatusCode, answer: &Response) -> Fault {
    if status != StatusCode::TOO_MANY_REQUESTS && !status.is_server_error() {
        return Fault::Final;
    }
    let seconds = answer.headers().get(RETRY_AFTER);
    let seconds = seconds.and_then(|value| value.to_str().ok()?.trim().parse().ok());
    Fault::Passing(seconds.map(Duration::from_secs))
}

fn pause(attempt: u32) -> Duration {
    MIN_PAUSE.mul_f64(BACKOFF_FACTOR.powi(i32::try_from(attempt).unwrap_or(0)))
}

#[async_trait]
impl Interviewer for Remote {
    fn info(&self) -> InterviewerInfo {
        InterviewerInfo {
            id: self.id,
            name: self.wire.name.to_owned(),
            model: Some(self.model.clone()),
        }
    }

    async fn reply(
        &self,
        interview: &Interview,
        progress: &watch::Sender<String>,
    ) -> Result<Reply, Failure> {
        let reply = timeout(self.within, self.insist(interview, progress)).await;
        reply.unwrap_or_else(|_| {
            self.counts.timed_out.increment();
            tracing::warn!(
                interviewer = self.wire.name,
                "the interviewer took too long"
            );
            Err(Failure::Unavailable)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_by_half() {
        let pauses = [0, 1, 2].map(|attempt| pause(attempt).as_millis());
        assert_eq!(pauses, [1_000, 1_500, 2_250]);
    }
}

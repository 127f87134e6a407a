//! One message on its way to one browser: retried while that is useful, and given up when the
//! subscription has ended or the message is out of date.

use std::sync::Arc;
use std::time::{Duration, Instant};

use dispatch_actors::repair_order::TechnicianId;
use dispatch_actors::store::Seq;
use jiff::Timestamp;
use jiff::fmt::rfc2822;
use rand::Rng;
use reqwest::header::{
    AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER,
};
use reqwest::redirect::Policy;
use reqwest::{Response, StatusCode};

use super::gather::{PushTurn, end_if_last};
use super::message::PushMessage;
use super::seal::{self, BrowserKeys};
use super::state::PushState;
use super::subscriptions::{self, Subscription};
use super::{Push, TTL, gather, services};
use crate::error::ApiError;
use crate::public_url::is_loopback;
use crate::receipts::{AssignmentSelector, Reached};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// Before the second attempt; doubled before each further one.
const MIN_RETRY_WAIT: Duration = Duration::from_secs(1);
const MAX_RETRY_WAIT: Duration = Duration::from_secs(5 * 60);

/// How push services are asked: no redirect is followed, which could lead anywhere.
pub struct PushWorkers {
    outside: reqwest::Client,
    /// On this machine there is no proxy between.
    here: reqwest::Client,
}

impl PushWorkers {
    pub fn new() -> Result<Self, reqwest::Error> {
        let client = || {
            reqwest::Client::builder()
                .redirect(Policy::none())
                .connect_timeout(CONNECT_TIMEOUT)
                .timeout(ANSWER_TIMEOUT)
        };
        Ok(Self {
            outside: client().build()?,
            here: client().no_proxy().build()?,
        })
    }
}

/// A message for all browsers of a technician.
pub struct PushJob {
    text: Vec<u8>,
    topic: Option<String>,
    technician: TechnicianId,
    /// The events it is about, where it gives orders.
    seqs: Vec<Seq>,
    born: Instant,
}

impl PushJob {
    pub fn new(
        message: &PushMessage,
        topic: Option<String>,
        technician: TechnicianId,
        seqs: Vec<Seq>,
    ) -> Option<Self> {
        let text = serde_json::to_vec(message).ok()?;
        if text.len() > seal::MAX_PLAINTEXT_BYTES {
            tracing::error!(technician, "a message for a browser is too long");
            return None;
        }
        Some(Self {
            text,
            topic,
            technician,
            seqs,
            born: Instant::now(),
        })
    }

    /// How long it is still worth delivering.
    fn left(&self) -> Duration {
        TTL.saturating_sub(self.born.elapsed())
    }
}

/// What a push service made of a message.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Taken,
    /// It knows the browser no more.
    Gone,
    /// Trying again may help, after this long if it said so.
    Later(Option<Duration>),
    Refused(String),
}

/// Sees to one browser's, and waits for nothing.
pub(super) fn deliver(
    state: &PushState,
    browser: Subscription,
    job: Arc<PushJob>,
    turn: Arc<PushTurn>,
) {
    let waiting = Arc::clone(&state.push.inner.waiting);
    let Ok(place) = waiting.try_acquire_owned() else {
        state.push.counts().left_out.increment();
        tracing::warn!("too many messages for browsers are under way; one was left out");
        return;
    };
    let state = state.clone();
    actix::spawn(async move {
        if let Err(error) = see_to(&state, &browser, &job).await {
            tracing::error!(%error, "a message for a browser was given up");
        }
        end_if_last(&state, turn).await;
        drop(place);
    });
}

async fn see_to(state: &PushState, browser: &Subscription, job: &PushJob) -> Result<(), ApiError> {
    let push = &state.push;
    let counts = push.counts();
    let mut wait = MIN_RETRY_WAIT;
    loop {
        if !until_answered(job, async || has_turn(state, job).await).await? {
            return Ok(());
        }
        let pause = match push.attempt(browser, job).await {
            Outcome::Taken => {
                counts.sent.increment();
                return until_answered(job, async || record_sent(state, job).await).await;
            }
            Outcome::Gone => {
                counts.gone.increment();
                subscriptions::forget(&push.inner.store, browser).await?;
                return Ok(());
            }
            Outcome::Refused(why) => {
                counts.refused.increment();
                // Anyone with the address can write to the browser: only its host is logged.
                tracing::warn!(
                    host = host(browser),
                    why,
                    "a push service refused a message"
                );
                return Ok(());
            }
            Outcome::Later(delay) => delay.unwrap_or_else(|| jittered(wait)).max(MIN_RETRY_WAIT),
        };
        wait = (wait * 2).min(MAX_RETRY_WAIT);
        if pause >= job.left() {
            counts.expired.increment();
            tracing::warn!(
                host = host(browser),
                "a push service took a message at no time"
            );
            return Ok(());
        }
        tokio::time::sleep(pause).await;
        let is_still_news = async || is_still_news(state, browser, job).await;
        if !until_answered(job, is_still_news).await? {
            return Ok(());
        }
    }
}

/// Asks again while the database is away, for as long as the message is worth delivering.
async fn until_answered<T>(
    job: &PushJob,
    ask: impl AsyncFn() -> Result<T, ApiError>,
) -> Result<T, ApiError> {
    loop {
        match ask().await {
            Err(_) if !job.left().is_zero() => tokio::time::sleep(MIN_RETRY_WAIT).await,
            answered => return answered,
        }
    }
}

async fn record_sent(state: &PushState, job: &PushJob) -> Result<(), ApiError> {
    if let (Some(first), Some(last)) = (job.seqs.iter().min(), job.seqs.iter().max()) {
        let meant = AssignmentSelector::Events(*first, *last);
        let receipts = &state.receipts;
        receipts
            .reach_all(job.technician, meant, Reached::Sent)
            .await?;
    }
    Ok(())
}

/// Another server has taken over what this one was to tell of, where it was not heard of for a while.
async fn has_turn(state: &PushState, job: &PushJob) -> Result<bool, ApiError> {
    if job.seqs.is_empty() {
        return Ok(true);
    }
    let receipts = &state.receipts;
    Ok(receipts.has_push_turn(job.technician, &job.seqs).await?)
}

/// The browser is still signed in, its technician on the clock, and the news not known yet.
async fn is_still_news(
    state: &PushState,
    browser: &Subscription,
    job: &PushJob,
) -> Result<bool, ApiError> {
    if !state.clocks.is_on(job.technician)
        || !subscriptions::is_there(&state.push.inner.store, browser).await?
    {
        return Ok(false);
    }
    if job.seqs.is_empty() {
        return Ok(true);
    }
    let unseen = gather::unseen(state, job.technician, &job.seqs).await?;
    Ok(!unseen.is_empty())
}

impl Push {
    async fn attempt(&self, browser: &Subscription, job: &PushJob) -> Outcome {
        let inner = &self.inner;
        // The service was known when the browser subscribed; the configuration may have changed
        // since.
        let Some(endpoint) = services::allowed_endpoint(&browser.endpoint, &inner.named) else {
            return Outcome::Refused("it is none that may be asked".to_owned());
        };
        let keys = BrowserKeys::parse(&browser.p256dh, &browser.auth);
        let body = keys.ok().and_then(|keys| keys.seal(&job.text).ok());
        let headers = inner.vapid.authorization(&endpoint);
        let headers = headers.and_then(|authorization| job.headers(&authorization));
        let (Some(body), Some(headers)) = (body, headers) else {
            return Outcome::Refused("the message could not be sealed".to_owned());
        };
        let client = match is_loopback(&endpoint) {
            true => &inner.couriers.here,
            false => &inner.couriers.outside,
        };
        // Never closed.
        let _turn = inner.at_once.acquire().await;
        match client
            .post(endpoint)
            .headers(headers)
            .body(body)
            .send()
            .await
        {
            Ok(answer) => outcome(&answer),
            Err(_unreachable) => Outcome::Later(None),
        }
    }
}

impl PushJob {
    fn headers(&self, authorization: &str) -> Option<HeaderMap> {
        let mut headers = HeaderMap::new();
        let mut authorization: HeaderValue = authorization.parse().ok()?;
        authorization.set_sensitive(true);
        headers.insert(AUTHORIZATION, authorization);
        headers.insert(
            CONTENT_TYPE,
            HeaderValue::from_static("application/octet-stream"),
        );
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("aes128gcm"));
        headers.insert("TTL", self.left().as_secs().into());
        headers.insert("Urgency", HeaderValue::from_static("high"));
        if let Some(topic) = &self.topic {
            headers.insert("Topic", topic.parse().ok()?);
        }
        Some(headers)
    }
}

fn outcome(answer: &Response) -> Outcome {
    match answer.status() {
        status if status.is_success() => Outcome::Taken,
        StatusCode::NOT_FOUND | StatusCode::GONE => Outcome::Gone,
        status if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() => {
            Outcome::Later(retry_after(answer.headers()))
        }
        status => Outcome::Refused(status.to_string()),
    }
}

/// In seconds, or a date.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let header = headers.get(RETRY_AFTER)?.to_str().ok()?;
    if let Ok(seconds) = header.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let at = rfc2822::parse(header).ok()?.timestamp();
    Some(
        at.duration_since(Timestamp::now())
            .try_into()
            .unwrap_or_default(),
    )
}

/// So that those who were refused together do not come back together.
fn jittered(wait: Duration) -> Duration {
    wait.mul_f64(rand::rng().random_range(1.0..1.5))
}

fn host(browser: &Subscription) -> String {
    let url = url::Url::parse(&browser.endpoint).ok();
    url.and_then(|url| url.host_str().map(str::to_owned))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_long_to_wait_is_read_in_seconds_and_as_a_date() {
        let headers = |header: &str| HeaderMap::from_iter([(RETRY_AFTER, header.parse().unwrap())]);
        assert_eq!(retry_after(&headers("120")), Some(Duration::from_secs(120)));
        let elapsed = retry_after(&headers("Wed, 21 Oct 2015 07:28:00 GMT"));
        assert_eq!(elapsed, Some(Duration::ZERO));
        let coming = Timestamp::now() + Duration::from_secs(60);
        let coming = coming.to_zoned(jiff::tz::TimeZone::UTC);
        let coming = coming.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
        let wait = retry_after(&headers(&coming)).unwrap();
        assert!((30..=60).contains(&wait.as_secs()), "{wait:?}");
        assert_eq!(retry_after(&headers("soon")), None);
        assert_eq!(retry_after(&HeaderMap::new()), None);
    }
}

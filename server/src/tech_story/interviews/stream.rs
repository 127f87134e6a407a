//! An answer that is told as it comes into being: a stream of server-sent events.

use std::convert::Infallible;
use std::pin::Pin;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap};
use bytes::Bytes;
use futures_util::stream::{self, Stream};
use tokio::sync::watch;
use tokio::time::{Interval, MissedTickBehavior, interval};

use super::super::api_types::{StoryProgress, StoryReply};
use super::super::language_model::server_sent::event;
use crate::answer::Answer;
use crate::error::{ApiError, ErrorBody};

const MIME: &str = "text/event-stream";

/// A sign of life this often, so that nothing between takes the connection for dead.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(10);

type Asking = Pin<Box<dyn Future<Output = Result<StoryReply, ApiError>>>>;

/// Whether the caller wants to watch.
pub fn is_wanted(headers: &HeaderMap) -> bool {
    let accepts = headers
        .get_all(ACCEPT)
        .filter_map(|value| value.to_str().ok());
    accepts.flat_map(|value| value.split(',')).any(|kind| {
        let kind = kind.split(';').next().unwrap_or_default();
        kind.trim().eq_ignore_ascii_case(MIME)
    })
}

/// `progress` as it grows, and last `reply` or `refused`. When the caller goes away, `asking` is
/// dropped.
pub fn answer(asking: Asking, progress: watch::Receiver<String>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, MIME))
        .insert_header((CACHE_CONTROL, "no-store"))
        // Compressed it would come in one piece, and a proxy may hold it back, too.
        .insert_header((CONTENT_ENCODING, "identity"))
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(events(asking, progress))
}

struct Watched {
    asking: Asking,
    progress: watch::Receiver<String>,
    alive: Interval,
}

fn events(
    asking: Asking,
    progress: watch::Receiver<String>,
) -> impl Stream<Item = Result<Bytes, Infallible>> {
    let mut alive = interval(KEEP_ALIVE_INTERVAL);
    alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let watched = Watched {
        asking,
        progress,
        alive,
    };
    stream::unfold(Some(watched), async |watched| {
        let mut watched = watched?;
        tokio::select! {
            biased;
            reply = &mut watched.asking => Some((Ok(Bytes::from(last(reply))), None)),
            Ok(()) = watched.progress.changed() => {
                let text = watched.progress.borrow_and_update().clone();
                let event = event("progress", &StoryProgress { text });
                Some((Ok(Bytes::from(event)), Some(watched)))
            }
            _ = watched.alive.tick() => Some((Ok(Bytes::from_static(b":\n\n")), Some(watched))),
        }
    })
}

fn last(reply: Result<StoryReply, ApiError>) -> String {
    match reply {
        Ok(result) => event("reply", &Answer::new(result)),
        Err(error) => event(
            "refused",
            &ErrorBody {
                ok: false,
                error: &error.error,
                code: error.code,
                more: error.more.as_deref(),
            },
        ),
    }
}

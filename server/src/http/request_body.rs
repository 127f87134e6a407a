//! What a request's body may be, before any handler reads it: not packed, and whole within a time.
//! The caller is checked only once the body is there: their rights are those of that moment, not of when they
//! began to send. Intake takes packed bodies of any length, and has limits of its own. A client that still
//! sends after the answer is disconnected.

use std::cell::RefCell;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_http::{Request, Response};
use actix_service::Service;
use actix_web::HttpMessage;
use actix_web::body::{BodySize, EitherBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::error::PayloadError;
use actix_web::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, TRANSFER_ENCODING};
use actix_web::middleware::Next;
use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt, stream};
use tokio::time::{Instant, timeout_at};

use crate::error::{ApiError, ErrorCode};
use crate::intake::routes::PACKED_BODIES;
use crate::limits::JSON_BODY;
use crate::socket::STREAM;

/// For all of a body, on a slow telephone too.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// For all of a body of intake's, which may be a shop's whole past.
const INTAKE_TIMEOUT: Duration = Duration::from_secs(60 * 60);

/// How long the rest of a body is read and dropped after the answer, so that the client gets to read
/// the answer.
pub const UNREAD_TIMEOUT: Duration = Duration::from_secs(2);

/// Middleware. 415 `unsupported-encoding`; a body that takes longer than [`BODY_TIMEOUT`] breaks
/// off.
pub async fn limit(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let is_intake = request.path() == PACKED_BODIES;
    if !is_intake && is_packed(&request) {
        let refused = ApiError::new(
            ErrorCode::UnsupportedEncoding,
            "Send the request without Content-Encoding",
        );
        return Ok(request.error_response(refused).map_into_right_body());
    }
    let headers = request.headers();
    if headers.contains_key(CONTENT_LENGTH) || headers.contains_key(TRANSFER_ENCODING) {
        let time = if is_intake {
            INTAKE_TIMEOUT
        } else {
            BODY_TIMEOUT
        };
        let mut payload = within(request.take_payload(), Instant::now() + time).boxed_local();
        if !(is_intake || is_the_streams(&request) || is_too_large(&request)) {
            payload = arrived(payload).await.boxed_local();
        }
        request.set_payload(Payload::Stream { payload });
    }
    next.call(request)
        .await
        .map(ServiceResponse::map_into_left_body)
}

/// Whose packets each say who sends them.
fn is_the_streams(request: &ServiceRequest) -> bool {
    let rest = request.path().strip_prefix(STREAM);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A body whose length alone makes its reader refuse it.
fn is_too_large(request: &ServiceRequest) -> bool {
    let length = request.headers().get(CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    length.is_some_and(|length| length > JSON_BODY)
}

/// A body once it has arrived: whole, broken off, or longer than anybody reads.
async fn arrived(
    mut payload: impl Stream<Item = Result<Bytes, PayloadError>> + Unpin,
) -> impl Stream<Item = Result<Bytes, PayloadError>> {
    let mut bytes = BytesMut::new();
    let mut broken_off = None;
    while bytes.len() <= JSON_BODY {
        match payload.next().await {
            Some(Ok(piece)) => bytes.extend_from_slice(&piece),
            Some(Err(error)) => {
                broken_off = Some(Err(error));
                break;
            }
            None => break,
        }
    }
    let begun = std::iter::once(Ok(bytes.freeze())).chain(broken_off);
    stream::iter(begun).chain(payload)
}

fn is_packed(request: &ServiceRequest) -> bool {
    request
        .headers()
        .get_all(CONTENT_ENCODING)
        .any(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity"))
}

/// The same bytes, and an error where they are not all there in time.
fn within(
    payload: impl Stream<Item = Result<Bytes, PayloadError>> + Unpin,
    deadline: Instant,
) -> impl Stream<Item = Result<Bytes, PayloadError>> {
    stream::try_unfold(payload, move |mut payload| async move {
        match timeout_at(deadline, payload.next()).await {
            Ok(next) => Ok(next.transpose()?.map(|bytes| (bytes, payload))),
            Err(_) => Err(PayloadError::Io(io::ErrorKind::TimedOut.into())),
        }
    })
}

/// Around everything that answers, also around what answers without reading. actix reads on to the end
/// of a chunked body that nobody holds any more, however long that takes; of one that is held until the
/// answer is sent it reads for [`UNREAD_TIMEOUT`], and then closes the connection.
pub fn close_if_unread<S, B>(
    mut request: Request,
    service: &S,
) -> impl Future<Output = Result<Response<AnswerBody<B>>, actix_web::Error>> + use<S, B>
where
    S: Service<Request, Response = ServiceResponse<B>, Error = actix_web::Error>,
    B: MessageBody,
{
    let unread = match request.take_payload() {
        Payload::None => None,
        payload => {
            let shared = SharedPayload(Rc::new(RefCell::new(payload)));
            *request.payload() = Payload::Stream {
                payload: Box::pin(shared.clone()),
            };
            Some(shared)
        }
    };
    let answered = service.call(request);
    async move {
        let response: Response<EitherBody<B>> = match answered.await {
            Ok(response) => {
                let response: Response<B> = response.into();
                response.map_body(|_, body| EitherBody::left(body))
            }
            Err(error) => {
                let response: Response<_> = error.error_response().into();
                response.map_body(|_, body| EitherBody::right(body))
            }
        };
        Ok(response.map_body(|_, body| AnswerBody {
            body: Box::pin(body),
            _unread: unread,
        }))
    }
}

#[derive(Clone)]
struct SharedPayload(Rc<RefCell<Payload>>);

impl Stream for SharedPayload {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut *self.0.borrow_mut()).poll_next(cx)
    }
}

/// Holds the request's body until it is sent itself.
pub struct AnswerBody<B> {
    body: Pin<Box<EitherBody<B>>>,
    _unread: Option<SharedPayload>,
}

impl<B: MessageBody + 'static> MessageBody for AnswerBody<B> {
    type Error = <EitherBody<B> as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        self.body.as_mut().poll_next(cx)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::TryStreamExt;

    use super::*;

    #[tokio::test]
    async fn a_body_that_never_ends_is_cut_off() {
        let begun = || stream::iter(["a", "b"]).map(|piece| Ok(Bytes::from(piece)));
        let whole = within(begun(), Instant::now() + BODY_TIMEOUT);
        let pieces: Vec<Bytes> = whole.try_collect().await.unwrap();
        assert_eq!(pieces, ["a", "b"]);

        let soon = Instant::now() + Duration::from_millis(50);
        let endless = within(begun().chain(stream::pending()), soon);
        let broken_off: Result<Vec<Bytes>, _> = endless.try_collect().await;
        assert!(
            matches!(&broken_off, Err(PayloadError::Io(error)) if error.kind() == io::ErrorKind::TimedOut),
            "{broken_off:?}"
        );
    }
}

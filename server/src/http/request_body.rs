//! What a request's body may be, before any handler reads it: not packed, and whole within a time.
//! The caller is checked only once the body is there: their rights are those of that moment, not of when they
//! began to send. So anybody can have the server hold what they have sent: all that is held together has a
//! limit ([`ArrivingBodies`]). Intake takes packed bodies of any length, and has limits of its own. A client
//! that still sends after the answer is disconnected.

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
use futures_util::{FutureExt, Stream, StreamExt, stream};
use tokio::time::{Instant, timeout_at};

use crate::capacity::arriving_bodies::{ArrivingBodies, ArrivingBody};
use crate::error::{ApiError, ErrorCode};
use crate::http::address::address_of;
use crate::http::paths::routed_path;
use crate::intake::routes::PACKED_BODIES;
use crate::limits::{JSON_BODY, UNROUTED_BODY};
use crate::socket::STREAM;

/// For all of a body, on a slow telephone too.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// For all of a body of intake's, which may be a shop's whole past.
const INTAKE_TIMEOUT: Duration = Duration::from_secs(60 * 60);

/// Of the error that ends a body for which there is no room. The stream's reader knows it, too, which is in
/// another crate.
const NO_ROOM: io::ErrorKind = io::ErrorKind::ResourceBusy;

/// How long the rest of a body is read and dropped after the answer, so that the client gets to read
/// the answer.
pub const UNREAD_TIMEOUT: Duration = Duration::from_secs(2);

/// Middleware. 415 `unsupported-encoding`; 503 `busy` where there is no room for the body; one that takes
/// longer than [`BODY_TIMEOUT`] breaks off.
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
        let received = receive_body(&mut request, is_intake).await;
        if let Err(refused) = received {
            return Ok(request.error_response(refused).map_into_right_body());
        }
    }
    next.call(request)
        .await
        .map(ServiceResponse::map_into_left_body)
}

/// Puts in place of the body one that is limited in time and memory, and has arrived where it must before the
/// request goes on.
async fn receive_body(request: &mut ServiceRequest, is_intake: bool) -> Result<(), ApiError> {
    let payload = request.take_payload();
    let payload = if is_intake {
        // It is read piece by piece, by whoever has a key.
        within(payload, Instant::now() + INTAKE_TIMEOUT).boxed_local()
    } else {
        let counted = counted(payload, begin_body(request)).boxed_local();
        let payload = within(counted, Instant::now() + BODY_TIMEOUT).boxed_local();
        if is_the_streams(request) || is_too_large(request) {
            payload
        } else {
            arrived(payload, max_size(request)).await?.boxed_local()
        }
    };
    request.set_payload(Payload::Stream { payload });
    Ok(())
}

fn begin_body(request: &ServiceRequest) -> ArrivingBody {
    let bodies = request.app_data::<ArrivingBodies>().cloned();
    let address = address_of(request.request());
    bodies.unwrap_or_default().begin(address)
}

/// Whose packets each say who sends them.
fn is_the_streams(request: &ServiceRequest) -> bool {
    let rest = request.path().strip_prefix(STREAM);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A body whose length alone makes its reader refuse it.
fn is_too_large(request: &ServiceRequest) -> bool {
    content_length(request).is_some_and(|length| length > JSON_BODY)
}

fn content_length(request: &ServiceRequest) -> Option<usize> {
    let length = request.headers().get(CONTENT_LENGTH)?;
    length.to_str().ok()?.parse().ok()
}

/// Up to which length a body is received before the request goes on.
fn max_size(request: &ServiceRequest) -> usize {
    // Only a long one is worth the search for its route.
    if content_length(request).is_some_and(|length| length <= UNROUTED_BODY) {
        return JSON_BODY;
    }
    let path = routed_path(request.request());
    match request.resource_map().has_resource(path) {
        true => JSON_BODY,
        false => UNROUTED_BODY,
    }
}

/// A body once it has arrived: whole, broken off, or longer than anybody reads. 503 `busy` where there was no
/// room for it.
async fn arrived(
    mut payload: impl Stream<Item = Result<Bytes, PayloadError>> + Unpin,
    max_size: usize,
) -> Result<impl Stream<Item = Result<Bytes, PayloadError>>, ApiError> {
    let mut bytes = BytesMut::new();
    let mut broken_off = None;
    while bytes.len() <= max_size {
        match payload.next().await {
            Some(Ok(piece)) => bytes.extend_from_slice(&piece),
            Some(Err(PayloadError::Io(error))) if error.kind() == NO_ROOM => {
                return Err(ApiError::new(
                    ErrorCode::Busy,
                    "More is being sent to the server than it can take at once; please try again in a few \
                     seconds",
                ));
            }
            Some(Err(error)) => {
                broken_off = Some(Err(error));
                break;
            }
            None => break,
        }
    }
    if broken_off.is_none() && bytes.len() > max_size && max_size < JSON_BODY {
        // Nobody reads it. Whoever did would have to read it whole, before they ask who sends it.
        broken_off = Some(Err(PayloadError::Overflow));
    }
    let begun = std::iter::once(Ok(bytes.freeze())).chain(broken_off);
    Ok(stream::iter(begun).chain(payload))
}

/// The same bytes. While more of them are awaited those that have come count as held, and an error of the kind
/// [`NO_ROOM`] ends them where there is no room for them.
fn counted(
    payload: impl Stream<Item = Result<Bytes, PayloadError>> + Unpin,
    body: ArrivingBody,
) -> impl Stream<Item = Result<Bytes, PayloadError>> {
    let state = (payload, body, 0_usize);
    stream::try_unfold(state, |(mut payload, mut body, received)| async move {
        let next = next_piece(&mut payload, &mut body, received).await;
        next.map(|piece| {
            piece.map(|piece| {
                let received = received + piece.len();
                (piece, (payload, body, received))
            })
        })
    })
}

async fn next_piece(
    payload: &mut (impl Stream<Item = Result<Bytes, PayloadError>> + Unpin),
    body: &mut ArrivingBody,
    received: usize,
) -> Result<Option<Bytes>, PayloadError> {
    // What comes together with its request is never held, and so it is never refused for want of room.
    if let Some(piece) = payload.next().now_or_never() {
        return piece.transpose();
    }
    let no_room = || PayloadError::Io(NO_ROOM.into());
    body.hold(received).map_err(|_| no_room())?;
    tokio::select! {
        biased;
        piece = payload.next() => piece.transpose(),
        () = body.turned_away() => Err(no_room()),
    }
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
    use std::net::{IpAddr, Ipv4Addr};
    use std::sync::Arc;

    use futures_util::TryStreamExt;

    use super::*;

    const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    #[tokio::test]
    async fn a_body_that_comes_at_once_needs_no_room_and_one_that_is_awaited_does() {
        let begun = || stream::iter(["a", "b"]).map(|piece| Ok(Bytes::from(piece)));
        let no_room = ArrivingBodies::new(0, Arc::default());
        let whole = counted(begun(), no_room.begin(ADDRESS)).boxed_local();
        let whole = arrived(whole, JSON_BODY).await.unwrap();
        let pieces: Vec<Bytes> = whole.try_collect().await.unwrap();
        assert_eq!(pieces, ["ab"]);

        let awaited = begun().chain(stream::pending());
        let awaited = counted(awaited, no_room.begin(ADDRESS)).boxed_local();
        let refused = arrived(awaited, JSON_BODY).await.err().unwrap();
        assert_eq!(
            (refused.code, refused.status.as_u16()),
            (ErrorCode::Busy, 503)
        );
    }

    #[tokio::test]
    async fn a_body_that_is_held_is_refused_when_another_address_needs_its_room() {
        let bodies = ArrivingBodies::new(UNROUTED_BODY, Arc::default());
        let begun = stream::iter(["a"]).map(|piece| Ok(Bytes::from(piece)));
        let held = begun.chain(stream::pending());
        let held = counted(held, bodies.begin(ADDRESS)).boxed_local();
        let mut held = Box::pin(arrived(held, JSON_BODY));
        assert!(held.as_mut().now_or_never().is_none(), "it is awaited");
        let mut other = bodies.begin(IpAddr::V4(Ipv4Addr::BROADCAST));
        other.hold(1).unwrap();
        let refused = held.await.err().unwrap();
        assert_eq!(refused.code, ErrorCode::Busy);
    }

    #[tokio::test]
    async fn of_a_body_that_nobody_reads_only_the_beginning_is_received() {
        let begun = stream::iter([vec![0_u8; UNROUTED_BODY], vec![0_u8]]);
        let begun = begun.map(|piece| Ok(Bytes::from(piece)));
        let payload = begun.chain(stream::pending());
        let mut received = arrived(payload, UNROUTED_BODY).await.unwrap().boxed_local();
        let piece = received.next().await.unwrap().unwrap();
        assert_eq!(piece.len(), UNROUTED_BODY + 1);
        let end = received.next().await.unwrap();
        assert!(matches!(end, Err(PayloadError::Overflow)), "{end:?}");
    }

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

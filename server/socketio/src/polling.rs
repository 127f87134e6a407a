//! HTTP long-polling: for clients behind something that lets no WebSocket through. A request may
//! reach any thread; the one that has the session answers it.

use std::io;
use std::rc::Rc;
use std::str;

use actix_web::error::PayloadError;
use actix_web::http::{Method, header};
use actix_web::{HttpRequest, HttpResponse, web};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use engineioxide_core::Sid;
use futures_util::StreamExt;
use tokio::sync::oneshot;

use crate::engine_session::{EngineSession, OutPacket, PollResult, PollSender};
use crate::feed::Feed;
use crate::handshake::{Query, Refusal, Transport};
use crate::hub::Hub;
use crate::hub_actor::{HubActor, PollingRequest};
use crate::mount::Mount;
use crate::origins;

/// Between the packets of one payload.
const SEPARATOR: u8 = 0x1e;

/// The packet that ends a session.
const CLOSE: &str = "1";

/// What a POST is answered with.
const OK: Bytes = Bytes::from_static(b"ok");

/// Packets of one POST.
const MAX_PACKETS: usize = 64;

pub(crate) async fn serve<F: Feed>(
    request: HttpRequest,
    body: web::Payload,
    mount: &Mount<F>,
) -> HttpResponse {
    let origin = request.headers().get(header::ORIGIN);
    let allowed = match origins::judge(request.head(), &mount.origins) {
        Ok(allowed) => allowed,
        Err(refusal) => return refusal.into_answer(),
    };
    let mut answer = if request.method() == Method::OPTIONS && origin.is_some() {
        preflight()
    } else {
        answer(&request, body, mount)
            .await
            .unwrap_or_else(Refusal::into_answer)
    };
    if let Some(origin) = allowed {
        origins::allow(answer.headers_mut(), origin);
    }
    answer
}

async fn answer<F: Feed>(
    request: &HttpRequest,
    body: web::Payload,
    mount: &Mount<F>,
) -> Result<HttpResponse, Refusal> {
    let (query, transport) = Query::parse(request.query_string())?;
    let sid = match &query.sid {
        Some(sid) => Some(sid.parse::<Sid>().map_err(|_| Refusal::UnknownSession)?),
        None => None,
    };
    match (request.method(), transport, sid) {
        (_, Transport::WebSocket, _) => Err(Refusal::BadRequest),
        (&Method::GET, _, None) => open(mount, request),
        (&Method::GET, _, Some(sid)) => poll(mount, sid).await,
        (&Method::POST, _, Some(sid)) => post(mount, sid, body).await,
        (_, _, _) => Err(Refusal::BadMethod),
    }
}

fn open<F: Feed>(mount: &Mount<F>, request: &HttpRequest) -> Result<HttpResponse, Refusal> {
    let address = mount.address_of(request.peer_addr(), request.headers());
    if !mount.hub.admission.admits(address) {
        return Err(Refusal::Busy);
    }
    let session = mount.hub.open(None, address);
    let (poll, mut opened) = oneshot::channel();
    session.poll(poll);
    match opened.try_recv() {
        Ok(opened) => opened.map(text),
        Err(_) => Err(Refusal::BadRequest),
    }
}

/// Tells the session when the request is dropped before its answer.
struct WaitingPoll<F: Feed> {
    hub: actix::Addr<HubActor<F>>,
    sid: Sid,
    answered: bool,
}

impl<F: Feed> Drop for WaitingPoll<F> {
    fn drop(&mut self) {
        if !self.answered {
            // A hub that has no room for it finds out by the heartbeat.
            let _ = self.hub.try_send(PollingRequest::Dropped(self.sid));
        }
    }
}

async fn poll<F: Feed>(mount: &Mount<F>, sid: Sid) -> Result<HttpResponse, Refusal> {
    let hub = mount.hub_of(&sid).ok_or(Refusal::UnknownSession)?;
    let (poll, polled) = oneshot::channel();
    let mut waiting = WaitingPoll {
        hub,
        sid,
        answered: false,
    };
    let sent = waiting.hub.send(PollingRequest::Get(sid, poll)).await;
    sent.map_err(|_| Refusal::Busy)?;
    let polled = polled.await;
    waiting.answered = true;
    polled.unwrap_or(Err(Refusal::UnknownSession)).map(text)
}

async fn post<F: Feed>(
    mount: &Mount<F>,
    sid: Sid,
    body: web::Payload,
) -> Result<HttpResponse, Refusal> {
    let hub = mount.hub_of(&sid).ok_or(Refusal::UnknownSession)?;
    // First: nothing is received for a session that there is not.
    ask(&hub, |reply| PollingRequest::BeginPost(sid, reply)).await?;
    let body = receive(body, mount.limits.max_payload).await?;
    let answer = ask(&hub, |reply| PollingRequest::Post(sid, body, reply)).await;
    answer.map(text)
}

/// What the thread of a session answers.
async fn ask<F: Feed>(
    hub: &actix::Addr<HubActor<F>>,
    request: impl FnOnce(PollSender) -> PollingRequest,
) -> PollResult {
    let (reply, answer) = oneshot::channel();
    let sent = hub.send(request(reply)).await;
    sent.map_err(|_| Refusal::Busy)?;
    answer.await.unwrap_or(Err(Refusal::UnknownSession))
}

async fn receive(mut body: web::Payload, max_size: usize) -> Result<Bytes, Refusal> {
    let mut whole = Vec::new();
    while let Some(piece) = body.next().await {
        let piece = piece.map_err(refusal_of)?;
        if whole.len() + piece.len() > max_size {
            return Err(Refusal::TooLarge);
        }
        whole.extend_from_slice(&piece);
    }
    Ok(whole.into())
}

/// The server around this may limit how much it holds of bodies: it ends one with this kind of error then.
fn refusal_of(error: PayloadError) -> Refusal {
    match error {
        PayloadError::Io(error) if error.kind() == io::ErrorKind::ResourceBusy => Refusal::Busy,
        _ => Refusal::BadRequest,
    }
}

/// Handles a request in the thread of its session.
pub(crate) fn handle<F: Feed>(hub: &Rc<Hub<F>>, request: PollingRequest) {
    match request {
        PollingRequest::Get(sid, poll) => match hub.session(&sid) {
            Some(session) => session.poll(poll),
            // The poll's client may be gone.
            None => drop(poll.send(Err(Refusal::UnknownSession))),
        },
        PollingRequest::BeginPost(sid, reply) => {
            // The request's client may be gone.
            let _ = reply.send(session_for_post(hub, &sid).map(|_| OK));
        }
        PollingRequest::Post(sid, body, reply) => {
            // The poll's client may be gone.
            let _ = reply.send(receive_post(hub, &sid, &body));
        }
        PollingRequest::Dropped(sid) => {
            if let Some(session) = hub.session(&sid) {
                session.poll_dropped();
            }
        }
    }
}

fn session_for_post<F: Feed>(hub: &Rc<Hub<F>>, sid: &Sid) -> Result<Rc<EngineSession<F>>, Refusal> {
    let session = hub.session(sid).ok_or(Refusal::UnknownSession)?;
    match session.takes_posts() {
        true => Ok(session),
        false => Err(Refusal::BadRequest),
    }
}

fn receive_post<F: Feed>(hub: &Rc<Hub<F>>, sid: &Sid, body: &[u8]) -> PollResult {
    let session = session_for_post(hub, sid)?;
    let Some(packets) = packets(body) else {
        session.close();
        return Err(Refusal::BadRequest);
    };
    for packet in packets {
        session.receive_text(packet);
        if !session.is_open() {
            // Packets after the end are ignored.
            let said_so = packet == CLOSE;
            return said_so.then_some(OK).ok_or(Refusal::BadRequest);
        }
    }
    Ok(OK)
}

/// The packets of a body; none when it is not text, or has too many.
fn packets(body: &[u8]) -> Option<Vec<&str>> {
    let body = str::from_utf8(body).ok()?;
    let mut packets = body.split(char::from(SEPARATOR));
    let batch = packets.by_ref().take(MAX_PACKETS).collect();
    packets.next().is_none().then_some(batch)
}

/// Packets as one body.
pub(crate) fn payload<'a>(packets: impl Iterator<Item = &'a OutPacket>) -> Bytes {
    let mut payload = Vec::new();
    for packet in packets {
        if !payload.is_empty() {
            payload.push(SEPARATOR);
        }
        match packet {
            OutPacket::Text(text) => payload.extend_from_slice(text.as_bytes()),
            OutPacket::Binary(bytes) => {
                payload.push(b'b');
                payload.extend_from_slice(STANDARD.encode(bytes).as_bytes());
            }
            OutPacket::Frame(frame) => payload.extend_from_slice(frame.packet()),
        }
    }
    payload.into()
}

fn text(body: Bytes) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/plain; charset=UTF-8")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .body(body)
}

fn preflight() -> HttpResponse {
    HttpResponse::NoContent()
        .insert_header((header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST"))
        .insert_header((
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            "Content-Type, Authorization",
        ))
        .insert_header((header::ACCESS_CONTROL_MAX_AGE, "86400"))
        .finish()
}

#[cfg(test)]
mod tests {
    use engineioxide_core::{Packet, ProtocolVersion};
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn out() -> impl Strategy<Value = OutPacket> {
        prop_oneof![
            "4[^\u{1e}]{0,20}".prop_map(|text| OutPacket::Text(text.into())),
            vec(any::<u8>(), 0..20).prop_map(|bytes| OutPacket::Binary(bytes.into())),
        ]
    }

    #[test]
    fn a_body_for_which_the_server_has_no_room_is_answered_busy() {
        let no_room = PayloadError::Io(io::ErrorKind::ResourceBusy.into());
        assert_eq!(refusal_of(no_room), Refusal::Busy);
        let broken_off = PayloadError::Io(io::ErrorKind::TimedOut.into());
        assert_eq!(refusal_of(broken_off), Refusal::BadRequest);
    }

    proptest! {
    #[test]
    fn a_body_is_taken_apart_into_the_packets_it_was_made_of(outs in vec(out(), 1..=MAX_PACKETS)) {
    let body = payload(outs.iter());
    let packets = packets(&body).unwrap();
    prop_assert_eq!(packets.len(), outs.len());
    for (packet, out) in packets.into_iter().zip(&outs) {
    match (Packet::parse(ProtocolVersion::V4, packet.to_owned()).unwrap(), out) {
    (Packet::Message(text), OutPacket::Text(sent)) => prop_assert_eq!(&*text, &sent[1..]),
    (Packet::Binary(bytes), OutPacket::Binary(sent)) => prop_assert_eq!(&bytes, sent),
    other => prop_assert!(false, "{:?}", other),
    }
    }
    }

    #[test]
    fn any_body_is_taken_apart_without_a_byte_lost(body in vec(any::<u8>(), 0..200)) {
    match (packets(&body), str::from_utf8(&body)) {
    (Some(packets), Ok(text)) => prop_assert_eq!(packets.join("\u{1e}"), text),
    (None, Ok(text)) => prop_assert!(text.split(char::from(SEPARATOR)).count() > MAX_PACKETS),
    (packets, Err(_)) => prop_assert_eq!(packets, None),
    }
    }

    #[test]
    fn any_packet_is_understood_or_refused(packet in "[0-7b][ -~]{0,20}|\\PC{0,20}") {
    let _ = Packet::parse(ProtocolVersion::V4, packet);
    }
    }
}

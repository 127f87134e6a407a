//! Requests to upgrade to a WebSocket. The connection leaves the HTTP server for good, buffers and
//! all, and belongs to its session.

use std::io;
use std::net::IpAddr;

use actix_codec::Framed;
use actix_http::h1::{Codec, SendResponse};
use actix_http::{ConnectionType, Request, Response, StatusCode, ws};
use actix_web::body::BodySize;
use actix_web::http::header::{CONTENT_TYPE, HeaderValue};
use actix_web::rt::net::TcpStream;
use bytes::Bytes;
use engineioxide_core::Sid;
use futures_util::SinkExt;

use crate::feed::Feed;
use crate::handshake::{Query, Refusal, Transport};
use crate::hub_actor::AdoptConnection;
use crate::mount::Mount;
use crate::origins;
use crate::ws_session;
use crate::ws_writer::WsWriter;

/// Bytes that the kernel keeps for a client that does not read; the rest stays in the ring, once for
/// all.
const SEND_BUFFER: usize = 128 * 1024;

impl<F: Feed> Mount<F> {
    /// Serves a request to upgrade that is at this mount. Fails only where the client is gone
    /// meanwhile.
    pub async fn upgrade(
        &self,
        request: Request,
        framed: Framed<TcpStream, Codec>,
    ) -> io::Result<()> {
        let admitted = match admit(&request, self) {
            Ok(Admitted { sid: Some(sid), .. }) if !self.expects(sid).await => {
                Err(Refusal::UnknownSession)
            }
            admitted => admitted,
        };
        match admitted {
            Ok(Admitted {
                sid,
                address,
                response,
            }) => {
                let (tcp, first) = hand_over(framed, response).await?;
                match sid {
                    None => ws_session::open(&self.hub, WsWriter::new(tcp), first, address),
                    Some(sid) => adopt_socket(self, sid, tcp, first).await?,
                }
            }
            Err(refusal) => refuse(framed, refusal.into_raw_answer()).await,
        }
        Ok(())
    }
}

struct Admitted {
    /// Of the polling session that it is to take over.
    sid: Option<Sid>,
    address: IpAddr,
    response: Response<()>,
}

fn admit<F: Feed>(request: &Request, mount: &Mount<F>) -> Result<Admitted, Refusal> {
    let head = request.head();
    origins::judge(head, &mount.origins)?;
    let (query, transport) = Query::parse(request.uri().query().unwrap_or_default())?;
    if transport != Transport::WebSocket {
        return Err(Refusal::BadRequest);
    }
    let sid = match &query.sid {
        Some(sid) => Some(sid.parse().map_err(|_| Refusal::UnknownSession)?),
        None => None,
    };
    let response = ws::handshake(head)
        .map_err(|_| Refusal::BadRequest)?
        .finish();
    let address = mount.address_of(request.peer_addr(), &head.headers);
    if sid.is_none() && !mount.hub.admission.admits(address) {
        return Err(Refusal::Busy);
    }
    Ok(Admitted {
        sid,
        address,
        response: response.drop_body(),
    })
}

/// The connection once the handshake is written, and what was read with it already.
async fn hand_over(
    mut framed: Framed<TcpStream, Codec>,
    response: Response<()>,
) -> io::Result<(TcpStream, Bytes)> {
    framed.send((response, BodySize::None).into()).await?;
    let parts = framed.into_parts();
    #[cfg(unix)]
    {
        let socket = socket2::SockRef::from(&parts.io);
        // Without it the kernel only keeps more than it needs to.
        let _ = socket.set_send_buffer_size(SEND_BUFFER);
    }
    Ok((parts.io, parts.read_buf.freeze()))
}

/// A polling session's WebSocket goes to the thread that has the session.
async fn adopt_socket<F: Feed>(
    mount: &Mount<F>,
    sid: Sid,
    tcp: TcpStream,
    first: Bytes,
) -> io::Result<()> {
    let hub = mount.hub_of(&sid).ok_or(io::ErrorKind::NotFound)?;
    let tcp = tcp.into_std()?;
    hub.send(AdoptConnection { sid, tcp, first })
        .await
        .map_err(|_| io::ErrorKind::ConnectionAborted.into())
}

/// Answers a request to upgrade, and closes its connection.
pub async fn refuse(framed: Framed<TcpStream, Codec>, mut answer: Response<Bytes>) {
    answer.head_mut().set_connection_type(ConnectionType::Close);
    // A client that disconnected needs no answer.
    let _ = SendResponse::new(framed, answer).await;
}

pub(crate) fn json(status: StatusCode, body: &serde_json::Value) -> Response<Bytes> {
    let mut answer = Response::with_body(status, Bytes::from(body.to_string()));
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answer
}

//! From an HTTP connection to a WebSocket: the connection leaves the HTTP server here, buffers and
//! all, and belongs to its session.

use std::io;
use std::net::IpAddr;
use std::rc::Rc;

use actix_codec::Framed;
use actix_http::h1::{Codec, SendResponse};
use actix_http::{ConnectionType, Request, Response, StatusCode, ws};
use actix_web::body::BodySize;
use actix_web::http::header::{CONTENT_TYPE, HeaderValue};
use actix_web::rt::net::TcpStream;
use bytes::Bytes;
use engineioxide_core::Sid;
use futures_util::SinkExt;

use super::engine::{Query, Refusal, Transport};
use super::hub::Adopt;
use super::mount::Mount;
use super::origins;
use super::session;
use super::wire::Wire;
use crate::error::ApiError;
use crate::host_check::AnsweredHosts;

/// What the kernel keeps for a client that does not read; the rest stays in the ring, once for all.
const SEND_BUFFER: usize = 128 * 1024;

/// Serves every request to upgrade. Fails only where the client is gone meanwhile.
pub(super) async fn serve(
    request: Request,
    framed: Framed<TcpStream, Codec>,
    mounts: Rc<[Rc<Mount>]>,
    hosts: &AnsweredHosts,
) -> io::Result<()> {
    if let Err(refused) = hosts.check(request.head()) {
        refuse(framed, Refused::Host(refused)).await;
        return Ok(());
    }
    let admitted = match admit(&request, &mounts) {
        Ok(Admitted {
            mount,
            sid: Some(sid),
            ..
        }) if !mount.expects(sid).await => Err(Refused::By(Refusal::UnknownSession)),
        admitted => admitted,
    };
    match admitted {
        Ok(Admitted {
            mount,
            sid,
            address,
            response,
        }) => {
            let (wire, first) = hand_over(framed, response).await?;
            match sid {
                None => session::open(&mount.hub, Wire::new(wire), first, address),
                Some(sid) => take_over(&mount, sid, wire, first).await?,
            }
        }
        Err(refusal) => refuse(framed, refusal).await,
    }
    Ok(())
}

enum Refused {
    NotHere,
    Host(ApiError),
    By(Refusal),
}

struct Admitted {
    mount: Rc<Mount>,
    /// Of the polling session that it is to take over.
    sid: Option<Sid>,
    address: IpAddr,
    response: Response<()>,
}

fn admit(request: &Request, mounts: &[Rc<Mount>]) -> Result<Admitted, Refused> {
    let mount = mounts
        .iter()
        .find(|mount| mount.is_at(request.path()))
        .ok_or(Refused::NotHere)?;
    let head = request.head();
    origins::judge(head, &mount.origins).map_err(Refused::By)?;
    let query = request.uri().query().unwrap_or_default();
    let (query, transport) = Query::read(query).map_err(Refused::By)?;
    if transport != Transport::WebSocket {
        return Err(Refused::By(Refusal::BadRequest));
    }
    let sid = match &query.sid {
        Some(sid) => {
            let sid = sid
                .parse()
                .map_err(|_| Refused::By(Refusal::UnknownSession))?;
            Some(sid)
        }
        None => None,
    };
    let response = ws::handshake(head)
        .map_err(|_| Refused::By(Refusal::BadRequest))?
        .finish();
    let address = mount.address_of(request.peer_addr(), &head.headers);
    if sid.is_none() && !mount.hub.admits(address) {
        return Err(Refused::By(Refusal::Busy));
    }
    Ok(Admitted {
        mount: Rc::clone(mount),
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
async fn take_over(mount: &Mount, sid: Sid, tcp: TcpStream, first: Bytes) -> io::Result<()> {
    let hub = mount.hub_of(&sid).ok_or(io::ErrorKind::NotFound)?;
    let tcp = tcp.into_std()?;
    hub.send(Adopt { sid, tcp, first })
        .await
        .map_err(|_| io::ErrorKind::ConnectionAborted.into())
}

async fn refuse(framed: Framed<TcpStream, Codec>, refused: Refused) {
    let answer = match refused {
        Refused::By(refusal) => refusal.plain(),
        Refused::Host(error) => json(
            error.status,
            &serde_json::json!({ "ok": false, "error": error.error, "code": error.code }),
        ),
        Refused::NotHere => json(
            StatusCode::NOT_FOUND,
            &serde_json::json!({
                "ok": false,
                "error": "There is no WebSocket here",
                "code": "unknown-route",
            }),
        ),
    };
    // Whoever hung up wants no answer.
    let _ = SendResponse::new(framed, answer).await;
}

/// The last answer on a connection.
pub(super) fn json(status: StatusCode, body: &serde_json::Value) -> Response<Bytes> {
    let mut answer = Response::with_body(status, Bytes::from(body.to_string()));
    answer.head_mut().set_connection_type(ConnectionType::Close);
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answer
}

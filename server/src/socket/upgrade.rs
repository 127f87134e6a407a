//! Requests to upgrade to a WebSocket, which come past the routes and their middleware.

use std::rc::Rc;

use actix_codec::Framed;
use actix_http::Response;
use actix_socketio::{Feed, Mount, refuse};
use actix_web::http::header::{CONTENT_TYPE, HeaderValue};
use actix_web::rt::net::TcpStream;
use bytes::Bytes;
use serde_json::json;

use crate::error::{ApiError, ErrorCode};
use crate::http::host_check::AnsweredHosts;

/// Serves a request to upgrade to a WebSocket.
pub async fn upgrade<F: Feed>(
    request: actix_http::Request,
    framed: Framed<TcpStream, actix_http::h1::Codec>,
    mounts: Rc<[Rc<Mount<F>>]>,
    hosts: AnsweredHosts,
) -> Result<(), actix_http::Error> {
    let mount = mounts.iter().find(|mount| mount.is_at(request.path()));
    let upgraded = match (hosts.check(request.head()), mount) {
        (Err(refused), _) => {
            refuse(framed, answer(&refused)).await;
            Ok(())
        }
        (Ok(()), None) => {
            let error = ApiError::new(ErrorCode::UnknownRoute, "There is no WebSocket here");
            refuse(framed, answer(&error)).await;
            Ok(())
        }
        (Ok(()), Some(mount)) => mount.upgrade(request, framed).await,
    };
    if let Err(error) = upgraded {
        tracing::debug!(%error, "a client was gone before its WebSocket was open");
    }
    Ok(())
}

fn answer(error: &ApiError) -> Response<Bytes> {
    let body = json!({ "ok": false, "error": error.error, "code": error.code });
    let mut answer = Response::with_body(error.status, Bytes::from(body.to_string()));
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answer
}

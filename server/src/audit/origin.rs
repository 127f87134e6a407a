//! Who does something, from where and on what device. A request, a command or the server itself sets
//! this for everything done on its behalf, also in a task of its own ([`inherit`]).

use std::future::Future;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{ACCEPT_LANGUAGE, HeaderValue, USER_AGENT};
use actix_web::middleware::Next;
use actix_web::web;

use super::AuditTrail;
use super::event::{Actor, ActorKind, AuditEvent, AuditKind};
use crate::error::{ApiError, ErrorCode};
use crate::http::address::address_of;
use crate::http::request_id;

tokio::task_local! {
    static ORIGIN: Origin;
}

/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct Origin(Arc<Facts>);

#[derive(Debug)]
struct Facts {
    address: Option<IpAddr>,
    user_agent: Option<HeaderValue>,
    accept_language: Option<HeaderValue>,
    /// Known once the request's token was looked at.
    actor: Mutex<Actor>,
}

impl Origin {
    pub fn server() -> Self {
        Self::of(Actor::server())
    }

    pub fn command_line() -> Self {
        Self::of(Actor::command_line())
    }

    /// Of the person at the other end of a socket.
    pub fn at(address: IpAddr) -> Self {
        Self::new(Actor::unknown(), Some(address))
    }

    fn of(actor: Actor) -> Self {
        Self::new(actor, None)
    }

    fn new(actor: Actor, address: Option<IpAddr>) -> Self {
        Self(Arc::new(Facts {
            address,
            user_agent: None,
            accept_language: None,
            actor: Mutex::new(actor),
        }))
    }

    pub fn address(&self) -> Option<IpAddr> {
        self.0.address
    }

    pub fn user_agent(&self) -> Option<&str> {
        self.0.user_agent.as_ref()?.to_str().ok()
    }

    /// The caller's first language, two letters.
    pub fn language(&self) -> Option<String> {
        let header = self.0.accept_language.as_ref()?.to_str().ok()?;
        let letters = header.trim().get(..2)?;
        let is_language = letters.bytes().all(|byte| byte.is_ascii_alphabetic());
        is_language.then(|| letters.to_ascii_lowercase())
    }

    pub fn actor(&self) -> Actor {
        let actor = self.0.actor.lock();
        actor.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Of what is being done now; the server's own where it is done for nobody.
pub fn current_origin() -> Origin {
    ORIGIN
        .try_with(Origin::clone)
        .unwrap_or_else(|_| Origin::server())
}

/// Says who has asked for what is being done.
pub fn act_as(actor: Actor) {
    // Without a request there is no caller.
    let _ = ORIGIN.try_with(|origin| {
        *origin
            .0
            .actor
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = actor;
    });
}

/// Does something with this origin.
pub fn act_within<F: Future>(origin: Origin, future: F) -> impl Future<Output = F::Output> {
    ORIGIN.scope(origin, future)
}

/// For a spawned task: it runs with the origin of its caller, and for the same request.
pub fn inherit<F: Future>(future: F) -> impl Future<Output = F::Output> {
    request_id::inherit(ORIGIN.scope(current_origin(), future))
}

/// Keeps the origin of each request, and records refusals of signed-in users: the session may be stolen.
pub async fn note_origin(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let header = |name| request.headers().get(name).cloned();
    let origin = Origin(Arc::new(Facts {
        address: Some(address_of(request.request())),
        user_agent: header(USER_AGENT),
        accept_language: header(ACCEPT_LANGUAGE),
        actor: Mutex::new(Actor::unknown()),
    }));
    let trail = request.app_data::<web::Data<AuditTrail>>().cloned();
    let answer = ORIGIN.scope(origin.clone(), next.call(request)).await?;
    if answer.status() == StatusCode::FORBIDDEN
        && origin.actor().kind == ActorKind::Person
        && let Some(trail) = trail
    {
        let error = answer.response().error();
        let error = error.and_then(|error| error.as_error::<ApiError>());
        let reason = error.map_or(ErrorCode::Forbidden, |error| error.code);
        let (method, route) = (answer.request().method(), answer.request().match_pattern());
        let event = AuditEvent::with_origin(AuditKind::Forbidden, &origin)
            .refused_with(reason)
            .with_detail(&format!("{method} {}", route.unwrap_or_default()));
        trail.attempt(event);
    }
    Ok(answer)
}

//! What becomes of somebody whom the provider has sent back.

use actix_web::HttpRequest;
use actix_web::cookie::Cookie;
use serde::Deserialize;
use uuid::Uuid;

use super::account_match::AccountMatch;
use super::{OidcRefusal, OpenIdConnect, plain};
use crate::error::ApiError;
use crate::identity::sessions::{SessionEndCause, session_cookie};
use crate::identity::{Client, Identity, SignedIn};

/// What a provider sends a browser back with.
#[derive(Deserialize)]
struct CallbackQuery {
    code: Option<String>,
    state: Option<String>,
    error: Option<String>,
    /// RFC 9207.
    iss: Option<String>,
}

/// Who came back, and what becomes of them.
pub(super) enum Arrival {
    SignedIn(Box<SignedIn>),
    MustLink { cookie: String },
}

pub(super) async fn finish_callback(
    request: &HttpRequest,
    identity: &Identity,
    oidc: &OpenIdConnect,
    trip: Option<Cookie<'static>>,
) -> Result<Arrival, OidcRefusal> {
    let client = Client::of(request);
    // Said twice is as good as not at all.
    let back: CallbackQuery = serde_urlencoded::from_str(request.query_string())
        .map_err(|_| OidcRefusal::Malformed("it says something twice"))?;
    if back.iss.is_some_and(|issuer| issuer != oidc.issuer()) {
        return Err(OidcRefusal::Malformed("it names another issuer"));
    }
    let cookie = trip.as_ref().map(Cookie::value);
    let state = back.state.unwrap_or_default();
    let trip = oidc.round_trips.finish(cookie, &state)?;
    if let Some(error) = back.error {
        return Err(OidcRefusal::Denied(plain(&error)));
    }
    let code = back.code.ok_or(OidcRefusal::Malformed("it has no code"))?;
    // Each asks the provider something.
    oidc.returns.count(trip.known_device, client.address)?;
    let session_before = trip.session_before;
    let person = oidc.provider.identify(code, trip).await?;
    match identity.known_as(oidc.issuer(), person, None).await? {
        AccountMatch::Linked(verified) => {
            let signed_in = identity.begin(verified, &client).await?;
            end_before(request, identity, session_before).await?;
            Ok(Arrival::SignedIn(Box::new(signed_in)))
        }
        AccountMatch::NeedsPassword(person) => {
            let cookie = oidc.seal_link(person, session_before);
            let cookie = cookie.ok_or(OidcRefusal::Malformed("the person's number is too long"))?;
            Ok(Arrival::MustLink { cookie })
        }
    }
}

/// The browser gets another cookie, so nobody could end the session of the one it had: the one it
/// shows, and the one it left with, since what comes from another site does not bring it.
pub(super) async fn end_before(
    request: &HttpRequest,
    identity: &Identity,
    session_before: Option<Uuid>,
) -> Result<(), ApiError> {
    for token in session_cookie::tokens_of(request) {
        identity.sign_out(&token).await?;
    }
    match session_before {
        Some(session) => {
            let cause = SessionEndCause::SignedOut;
            identity.end_session(session.to_string(), Some(cause)).await
        }
        None => Ok(()),
    }
}

//! The way to the provider and back. Both calls are visited by browsers, so whatever happens leads
//! to a page of our own, and to no other.

use actix_web::cookie::time::Duration;
use actix_web::cookie::{Cookie, SameSite};
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::Deserialize;

use super::round_trip::LASTS;
use super::{OpenIdConnect, Refused, plain};
use crate::error::{ApiError, ErrorBody};
use crate::identity::routes::refresh_cookie;
use crate::identity::{Client, Identity};

/// What a browser takes along to the provider and back, and where to: these calls alone.
const TRIP_COOKIE: (&str, &str) = ("dispatch_oidc", "/api/auth/oidc");

/// By HTTPS, browsers take a cookie of such a name only from this very host: a neighbour's could
/// sign somebody in as somebody else.
const TRIP_COOKIE_OF_HOST: (&str, &str) = ("__Host-dispatch_oidc", "/");

/// Where it leads when all went well: the page finds the refresh cookie and knows who it is.
const HOME: &str = "/";

/// Needs `web::Data<Identity>` in the app, and `web::Data<OpenIdConnect>` where a provider is
/// configured.
pub fn configure(app: &mut web::ServiceConfig) {
    app.service(start).service(callback);
}

/// What a provider sends a browser back with.
#[derive(Deserialize)]
struct Back {
    code: Option<String>,
    state: Option<String>,
    error: Option<String>,
    /// RFC 9207.
    iss: Option<String>,
}

/// Leads a browser to the OpenID Connect provider. Without the provider it leads back to the
/// sign-in screen.
#[utoipa::path(
    tag = "sign-in",
    responses(
        (status = 302, description = "To the provider, or to `/login?error=oidc-failed` when it cannot be reached"),
        (status = 404, body = ErrorBody, description = "`unknown-route`: no provider is configured"),
    )
)]
#[get("/api/auth/oidc/start")]
pub async fn start(
    request: HttpRequest,
    identity: web::Data<Identity>,
    oidc: Option<web::Data<OpenIdConnect>>,
) -> Result<HttpResponse, ApiError> {
    let oidc = oidc.ok_or_else(|| not_here(&request))?;
    let trip = oidc.round_trips.begin();
    match oidc.provider.authorize(&trip).await {
        Ok(url) => Ok(lead(url.as_str(), trip_cookie(&identity, trip.cookie))),
        Err(why) => {
            tracing::warn!(%why, "nobody can sign in by OpenID Connect just now");
            Ok(lead(&screen("oidc-failed"), gone(&identity)))
        }
    }
}

/// Where the provider sends a browser back to. It signs in exactly as a password does.
#[utoipa::path(
    tag = "sign-in",
    params(
        ("code" = Option<String>, Query, description = "The provider's"),
        ("state" = Option<String>, Query, description = "Ours"),
    ),
    responses(
        (status = 302, description = "To `/`, with the refresh cookie; or to `/login?error=` and `oidc-failed`, `oidc-no-account` or `oidc-unverified-email`"),
        (status = 404, body = ErrorBody, description = "`unknown-route`: no provider is configured"),
    )
)]
#[get("/api/auth/oidc/callback")]
pub async fn callback(
    request: HttpRequest,
    identity: web::Data<Identity>,
    oidc: Option<web::Data<OpenIdConnect>>,
) -> Result<HttpResponse, ApiError> {
    let oidc = oidc.ok_or_else(|| not_here(&request))?;
    match come_back(&request, &identity, &oidc).await {
        Ok(refresh_token) => {
            let mut answer = lead(HOME, gone(&identity));
            let cookie = refresh_cookie(&identity, refresh_token);
            if let Err(error) = answer.add_cookie(&cookie) {
                tracing::error!(%error, "a cookie could not be set");
                return Err(ApiError::unavailable());
            }
            Ok(answer)
        }
        Err(why) => {
            tracing::warn!(%why, "a sign-in by OpenID Connect was refused");
            Ok(lead(&screen(why.code()), gone(&identity)))
        }
    }
}

/// The refresh token of a new session.
async fn come_back(
    request: &HttpRequest,
    identity: &Identity,
    oidc: &OpenIdConnect,
) -> Result<String, Refused> {
    // Each asks the provider something.
    let client = Client::of(request);
    identity.inner.attempts.address(client.address)?;
    // Said twice is as good as not at all.
    let back: Back = serde_urlencoded::from_str(request.query_string())
        .map_err(|_| Refused::Malformed("it says something twice"))?;
    if back.iss.is_some_and(|issuer| issuer != oidc.issuer()) {
        return Err(Refused::Malformed("it names another issuer"));
    }
    let (name, _) = trip_cookie_place(identity);
    let cookie = request.cookie(name);
    let cookie = cookie.as_ref().map(Cookie::value);
    let state = back.state.unwrap_or_default();
    let trip = oidc.round_trips.finish(cookie, &state)?;
    if let Some(error) = back.error {
        return Err(Refused::Denied(plain(&error)));
    }
    let code = back.code.ok_or(Refused::Malformed("it has no code"))?;
    let person = oidc.provider.who(code, trip).await?;
    let verified = identity.known_as(oidc.issuer(), person).await?;
    Ok(identity.begin(verified, &client).await?.refresh_token)
}

fn screen(code: &str) -> String {
    format!("/login?error={code}")
}

/// The code in the address that was visited is nobody else's business.
fn lead(to: &str, cookie: Cookie<'static>) -> HttpResponse {
    HttpResponse::Found()
        .insert_header((header::LOCATION, to))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .cookie(cookie)
        .finish()
}

fn trip_cookie_place(identity: &Identity) -> (&'static str, &'static str) {
    if identity.inner.secure_cookie {
        TRIP_COOKIE_OF_HOST
    } else {
        TRIP_COOKIE
    }
}

/// Lax, since it must come back from another site.
fn trip_cookie(identity: &Identity, value: String) -> Cookie<'static> {
    let (name, path) = trip_cookie_place(identity);
    Cookie::build(name, value)
        .path(path)
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(identity.inner.secure_cookie)
        .max_age(Duration::seconds(LASTS))
        .finish()
}

fn gone(identity: &Identity) -> Cookie<'static> {
    let mut cookie = trip_cookie(identity, String::new());
    cookie.make_removal();
    cookie
}

fn not_here(request: &HttpRequest) -> ApiError {
    ApiError::not_found(
        "unknown-route",
        format!("There is no {} {}", request.method(), request.path()),
    )
}

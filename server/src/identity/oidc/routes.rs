//! The way to the provider and back. It begins at our own page alone: a browser that follows a link
//! of somebody else's would be signed in without having been asked. Where it ends is visited by the
//! browser, so whatever happens leads to a page of our own, and to no other.

use crate::calls::Calls;
use actix_web::cookie::Cookie;
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::arrival::{Arrival, end_before, finish_callback};
use super::cookies::{LINK_COOKIE, TRIP_COOKIE};
use super::pending_link::PendingLink;
use super::{OidcRefusal, OpenIdConnect};
use crate::answer::Answer;
use crate::audit::{AuditEvent, AuditKind};
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::identity::sessions::session_cookie;
use crate::identity::sign_in::routes::SignedInResult;
use crate::identity::sign_in::routes::tokens;
use crate::identity::sign_in::{device_cookie, devices};
use crate::identity::{Client, Identity};

/// Where it leads when all went well: the page finds the refresh cookie and knows who it is.
const HOME: &str = "/";

/// The page that asks for the account's own password.
const LINK_SCREEN: &str = "/login/link";

/// Needs `web::Data<Identity>` in the app, and `web::Data<OpenIdConnect>` where a provider is
/// configured.
pub fn configure(app: &mut Calls<'_>) {
    app.service(start)
        .service(callback)
        .service(waiting_link)
        .service(link);
}

#[derive(Serialize, ToSchema)]
pub struct OidcStart {
    /// The provider's, where the browser is to go.
    location: String,
}

#[derive(Serialize, ToSchema)]
pub struct PendingLinkView {
    /// Of the account that waits to be linked.
    email: String,
}

#[derive(Deserialize, ToSchema)]
pub struct LinkCredentials {
    /// The account's own.
    #[schema(format = "password")]
    password: String,
    /// Of whoever has a second factor: six digits of the app, or a recovery code.
    #[schema(nullable = false, required = false)]
    code: Option<String>,
}

/// Begins a sign-in with the OpenID Connect provider; only for pages of this server.
#[utoipa::path(
    tag = "sign-in",
    operation_id = "startOpenIdConnect",
    security((), ("refreshCookie" = [])),
    responses(
        (status = 200, body = Answer<OidcStart>),
        (status = 404, body = ErrorBody, description = "`unknown-route`: no provider is configured"),
        (status = 503, body = ErrorBody, description = "`oidc-failed`: the provider cannot be reached"),
    )
)]
#[post("/api/auth/oidc/start")]
pub async fn start(
    request: HttpRequest,
    identity: web::Data<Identity>,
    oidc: Option<web::Data<OpenIdConnect>>,
) -> Result<HttpResponse, ApiError> {
    let oidc = oidc.ok_or_else(|| not_configured(&request))?;
    let client = Client::of(&request);
    let mut session_before = None;
    for token in session_cookie::tokens_of(&request) {
        let session = identity.session_of(&token, &client).await?;
        session_before = session_before.or(session);
    }
    let reader = identity.inner.store.reader();
    let known_device = devices::any_known(reader, client.device.as_deref()).await?;
    let trip = oidc.round_trips.begin(session_before, known_device);
    let location = oidc.provider.authorize(&trip).await.map_err(|why| {
        tracing::warn!(%why, "nobody can sign in by OpenID Connect just now");
        ApiError::new(
            ErrorCode::OidcFailed,
            "The sign-in provider cannot be reached just now; please try again",
        )
    })?;
    Ok(HttpResponse::Ok()
        .cookie(TRIP_COOKIE.set(session_cookie::is_secure(&identity, &request), trip.cookie))
        .json(Answer::new(OidcStart {
            location: location.into(),
        })))
}

/// Where the provider sends a browser back to. It signs in exactly as a password does, and ends the
/// session that the browser had before. An account that has a password of its own is to be linked first.
#[utoipa::path(
    tag = "sign-in",
    security(()),
    params(
        ("code" = Option<String>, Query, description = "The provider's"),
        ("state" = Option<String>, Query, description = "Ours"),
    ),
    responses(
        (status = 302, description = "To `/`, with the refresh cookie; to `/login/link`, where the account's own password is asked for; or to `/login?error=` and `oidc-failed`, `oidc-no-account` or `oidc-unverified-email`"),
        (status = 404, body = ErrorBody, description = "`unknown-route`: no provider is configured"),
    )
)]
#[get("/api/auth/oidc/callback")]
pub async fn callback(
    request: HttpRequest,
    identity: web::Data<Identity>,
    oidc: Option<web::Data<OpenIdConnect>>,
) -> Result<HttpResponse, ApiError> {
    let oidc = oidc.ok_or_else(|| not_configured(&request))?;
    let (trip, is_secure) = TRIP_COOKIE.brought(&request, &identity);
    let mut cookies = vec![TRIP_COOKIE.removed(is_secure)];
    let to = match finish_callback(&request, &identity, &oidc, trip).await {
        Ok(Arrival::SignedIn(signed_in)) => {
            let session = session_cookie::cookies_for(is_secure, &request, signed_in.refresh_token);
            cookies.extend(session);
            let device = signed_in.device;
            cookies.extend(
                device.map(|device| device_cookie::cookie(is_secure, &request, device.value)),
            );
            HOME.to_owned()
        }
        Ok(Arrival::MustLink { cookie }) => {
            cookies.push(LINK_COOKIE.set(is_secure, cookie));
            LINK_SCREEN.to_owned()
        }
        Err(why) => {
            tracing::warn!(%why, "a sign-in by OpenID Connect was refused");
            // What comes of ours is noted where it is refused.
            if !matches!(why, OidcRefusal::Service(_)) {
                let event = AuditEvent::refused(AuditKind::SignIn, why.code());
                identity.audit().attempt(event);
            }
            screen(why.code())
        }
    };
    Ok(redirect(&to, cookies))
}

/// Whose account waits to be linked in this browser.
#[utoipa::path(
    tag = "sign-in",
    security(()),
    operation_id = "pendingOpenIdConnectLink",
    responses(
        (status = 200, body = Answer<PendingLinkView>),
        (status = 400, body = ErrorBody, description = "`link-expired`: nobody's, or it is too late"),
        (status = 404, body = ErrorBody, description = "`unknown-route`: no provider is configured"),
    )
)]
#[get("/api/auth/oidc/link")]
pub async fn waiting_link(
    request: HttpRequest,
    identity: web::Data<Identity>,
    oidc: Option<web::Data<OpenIdConnect>>,
) -> Result<HttpResponse, ApiError> {
    let oidc = oidc.ok_or_else(|| not_configured(&request))?;
    let pending = open_pending_link(&request, &identity, &oidc)?;
    Ok(HttpResponse::Ok().json(Answer::new(PendingLinkView {
        email: pending.email().to_owned(),
    })))
}

/// Links the account of the email that the provider has verified, for whoever knows its password and
/// has its second factor, and signs in. From then on the provider's word is enough.
#[utoipa::path(
    tag = "sign-in",
    security(()),
    operation_id = "linkOpenIdConnect",
    responses(
        (status = 200, body = Answer<SignedInResult>),
        (status = 400, body = ErrorBody, description = "`link-expired`: begin again with the provider"),
        (status = 401, body = ErrorBody, description = "`wrong-password`; `second-factor-required`: the password is right, send it again with a code; `wrong-code`"),
        (status = 403, body = ErrorBody, description = "`no-role`: no staff record of this person holds a role; `unverified-email`"),
        (status = 404, body = ErrorBody, description = "`unknown-route`: no provider is configured"),
        (status = 429, body = ErrorBody, description = "`too-many-requests`: counted as passwords at sign-in; wait as long as Retry-After says"),
    )
)]
#[post("/api/auth/oidc/link")]
pub async fn link(
    request: HttpRequest,
    identity: web::Data<Identity>,
    oidc: Option<web::Data<OpenIdConnect>>,
    body: web::Json<LinkCredentials>,
) -> Result<HttpResponse, ApiError> {
    let oidc = oidc.ok_or_else(|| not_configured(&request))?;
    let pending = open_pending_link(&request, &identity, &oidc)?;
    let session_before = pending.session_before;
    let LinkCredentials { password, code } = body.into_inner();
    let client = Client::of(&request);
    let signed_in = identity
        .link(oidc.issuer(), pending, &password, code.as_deref(), &client)
        .await?;
    end_before(&request, &identity, session_before).await?;
    let mut answer = tokens(&identity, &request, signed_in);
    let (_, is_of_host) = LINK_COOKIE.brought(&request, &identity);
    if let Err(error) = answer.add_cookie(&LINK_COOKIE.removed(is_of_host)) {
        // It is of no use any more.
        tracing::error!(%error, "a cookie could not be taken away");
    }
    Ok(answer)
}

/// 400 `link-expired`.
fn open_pending_link(
    request: &HttpRequest,
    identity: &Identity,
    oidc: &OpenIdConnect,
) -> Result<PendingLink, ApiError> {
    let (cookie, _) = LINK_COOKIE.brought(request, identity);
    cookie
        .and_then(|cookie| oidc.open_link(cookie.value()))
        .ok_or_else(|| OidcRefusal::LinkExpired.into())
}

fn screen(code: &str) -> String {
    format!("/login?error={code}")
}

/// The code in the address that was visited is nobody else's business.
fn redirect(to: &str, cookies: Vec<Cookie<'static>>) -> HttpResponse {
    let mut answer = HttpResponse::Found();
    for cookie in cookies {
        answer.cookie(cookie);
    }
    answer
        .insert_header((header::LOCATION, to))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .finish()
}

fn not_configured(request: &HttpRequest) -> ApiError {
    ApiError::new(
        ErrorCode::UnknownRoute,
        format!("There is no {} {}", request.method(), request.path()),
    )
}

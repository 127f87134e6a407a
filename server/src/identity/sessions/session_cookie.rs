//! The refresh cookie: what it is called, and where it goes. By HTTPS it has a name that browsers take
//! by HTTPS alone, so that nobody in between can plant one. (`__Host-` would ask for the path `/`, and
//! the cookie would go with every request.)

use actix_web::cookie::time::Duration;
use actix_web::cookie::{Cookie, SameSite};
use actix_web::{HttpRequest, web};

use super::SESSION_TTL;
use crate::http::address::TrustedProxies;
use crate::http::proxy_notices::is_https;
use crate::identity::Identity;

pub(in crate::identity) const NAME: &str = "dispatch_refresh";
pub(in crate::identity) const SECURE_NAME: &str = "__Secure-dispatch_refresh";

/// The cookie goes to these calls alone.
const PATH: &str = "/api/auth";

/// The refresh tokens that a browser sent, the one that counts first. Sessions of before have the plain
/// name, also by HTTPS, and a dead one of either name may lie beside a live one of the other: HTTPS was
/// turned off and on again.
pub(in crate::identity) fn tokens_of(request: &HttpRequest) -> impl Iterator<Item = String> {
    [SECURE_NAME, NAME]
        .into_iter()
        .filter_map(|name| request.cookie(name))
        .map(|cookie| cookie.value().to_owned())
}

/// Whether a cookie is for HTTPS alone: by the public URL, or because this request came so. A browser
/// shows by HTTPS alone what it was given for HTTPS alone.
pub(in crate::identity) fn is_secure(identity: &Identity, request: &HttpRequest) -> bool {
    let trusted = request.app_data::<web::Data<TrustedProxies>>();
    let nobody = TrustedProxies::default();
    let trusted = trusted.map_or(&nobody, |trusted| trusted.get_ref());
    identity.inner.secure_cookie
        || is_https(request.head(), trusted)
        || request.cookie(SECURE_NAME).is_some()
}

/// Sets the one, and takes the one of the other name away where there is one that could be meant.
pub(in crate::identity) fn cookies(
    identity: &Identity,
    request: &HttpRequest,
    value: String,
) -> impl Iterator<Item = Cookie<'static>> {
    cookies_for(is_secure(identity, request), request, value)
}

/// The same where it is known otherwise whether they are for HTTPS alone.
pub(in crate::identity) fn cookies_for(
    secure: bool,
    request: &HttpRequest,
    value: String,
) -> impl Iterator<Item = Cookie<'static>> {
    let has_plain = secure && request.cookie(NAME).is_some();
    let plain = has_plain.then(|| expired_cookie(cookie(false, String::new())));
    [Some(cookie(secure, value)), plain].into_iter().flatten()
}

/// Takes it away, whatever it is called.
pub(in crate::identity) fn no_cookies(
    identity: &Identity,
    request: &HttpRequest,
) -> impl Iterator<Item = Cookie<'static>> {
    let secure = is_secure(identity, request);
    let plain = (!secure || request.cookie(NAME).is_some()).then_some(false);
    [secure.then_some(true), plain]
        .into_iter()
        .flatten()
        .map(|secure| expired_cookie(cookie(secure, String::new())))
}

fn cookie(secure: bool, value: String) -> Cookie<'static> {
    let name = if secure { SECURE_NAME } else { NAME };
    auth_cookie(name, value, secure, Duration::milliseconds(SESSION_TTL))
}

/// A cookie for the calls that sign somebody in and keep them so.
pub(in crate::identity) fn auth_cookie(
    name: &'static str,
    value: String,
    secure: bool,
    max_age: Duration,
) -> Cookie<'static> {
    Cookie::build(name, value)
        .path(PATH)
        .http_only(true)
        .same_site(SameSite::Strict)
        .secure(secure)
        .max_age(max_age)
        .finish()
}

fn expired_cookie(mut cookie: Cookie<'static>) -> Cookie<'static> {
    cookie.make_removal();
    cookie
}

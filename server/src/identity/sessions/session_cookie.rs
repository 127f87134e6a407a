//! The refresh cookie: what it is called, and where it goes. By HTTPS it has a name that browsers take
//! by HTTPS alone, so that nobody in between can plant one. (`__Host-` would ask for the path `/`, and
//! the cookie would go with every request.) Browsers do not keep the cookies of two ports of a host apart:
//! the name of a cookie ends with the port that the browser asked, so that two shops on one host have
//! sessions of their own.

use actix_web::cookie::time::Duration;
use actix_web::cookie::{Cookie, SameSite};
use actix_web::http::header::HOST;
use actix_web::{HttpRequest, web};

use super::SESSION_TTL;
use crate::http::address::TrustedProxies;
use crate::http::proxy_notices::is_https;
use crate::identity::Identity;

pub(in crate::identity) const NAME: &str = "dispatch_refresh";
pub(in crate::identity) const SECURE_NAME: &str = "__Secure-dispatch_refresh";

/// The cookie goes to these calls alone.
const PATH: &str = "/api/auth";

/// The name of a cookie for browsers that ask at this request's port; without the port where it is that of HTTP
/// or HTTPS.
pub(in crate::identity) fn name_at_port(name: &'static str, request: &HttpRequest) -> String {
    let host = request
        .headers()
        .get(HOST)
        .and_then(|host| host.to_str().ok());
    let port: Option<u16> = host.and_then(|host| host.rsplit_once(':')?.1.parse().ok());
    match port {
        None | Some(80 | 443) => name.to_owned(),
        Some(port) => format!("{name}_{port}"),
    }
}

/// The refresh tokens that a browser sent, the one that counts first. Sessions of before have the plain
/// name, also by HTTPS, and a dead one of either name may lie beside a live one of the other: HTTPS was
/// turned off and on again. Earlier versions set them without the port.
pub(in crate::identity) fn tokens_of(request: &HttpRequest) -> impl Iterator<Item = String> {
    let names = [SECURE_NAME, NAME];
    let at_port = names.map(|name| name_at_port(name, request));
    let without_port = names.map(str::to_owned);
    let names = at_port.clone().into_iter();
    let earlier = without_port
        .into_iter()
        .filter(move |name| !at_port.contains(name));
    names
        .chain(earlier)
        .filter_map(|name| request.cookie(&name))
        .map(|cookie| cookie.value().to_owned())
}

fn is_brought(request: &HttpRequest, name: &'static str) -> bool {
    request.cookie(&name_at_port(name, request)).is_some()
}

/// Whether a cookie is for HTTPS alone: by the public URL, or because this request came so. A browser
/// shows by HTTPS alone what it was given for HTTPS alone.
pub(in crate::identity) fn is_secure(identity: &Identity, request: &HttpRequest) -> bool {
    let trusted = request.app_data::<web::Data<TrustedProxies>>();
    let nobody = TrustedProxies::default();
    let trusted = trusted.map_or(&nobody, |trusted| trusted.get_ref());
    identity.inner.secure_cookie
        || is_https(request.head(), trusted)
        || is_brought(request, SECURE_NAME)
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
    let has_plain = secure && is_brought(request, NAME);
    let plain = has_plain.then(|| expired_cookie(cookie(false, request, String::new())));
    [Some(cookie(secure, request, value)), plain]
        .into_iter()
        .flatten()
}

/// Takes it away, whatever it is called.
pub(in crate::identity) fn no_cookies(
    identity: &Identity,
    request: &HttpRequest,
) -> impl Iterator<Item = Cookie<'static>> {
    let secure = is_secure(identity, request);
    let plain = (!secure || is_brought(request, NAME)).then_some(false);
    [secure.then_some(true), plain]
        .into_iter()
        .flatten()
        .map(|secure| expired_cookie(cookie(secure, request, String::new())))
}

fn cookie(secure: bool, request: &HttpRequest, value: String) -> Cookie<'static> {
    let name = if secure { SECURE_NAME } else { NAME };
    let name = name_at_port(name, request);
    auth_cookie(name, value, secure, Duration::milliseconds(SESSION_TTL))
}

/// A cookie for the calls that sign somebody in and keep them so.
pub(in crate::identity) fn auth_cookie(
    name: String,
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

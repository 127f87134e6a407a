//! The cookie by which a browser is known: an id for each account that has signed in there, signed.

use actix_web::HttpRequest;
use actix_web::cookie::Cookie;
use actix_web::cookie::time::Duration;

use super::devices::{DeviceId, ID};
use crate::identity::Email;
use crate::identity::sessions::cookie_key::{CookieKey, SIGNATURE, Signed};
use crate::identity::sessions::session_cookie::{auth_cookie, name_at_port};

const NAME: &str = "dispatch_device";

/// Browsers take a cookie of such a name by HTTPS alone.
const SECURE_NAME: &str = "__Secure-dispatch_device";

/// As long as browsers keep a cookie.
pub(super) const TTL_DAYS: i64 = 400;

/// Accounts that a browser is known for: a shop of sixty shares its tablets. The one that signed in
/// longest ago is forgotten. They are 2,816 bytes: a cookie has 4,096, and a proxy often no more for all
/// headers of an answer.
const MAX_ACCOUNTS: usize = 64;

/// Characters of an id and its signature.
const ENTRY: usize = ((ID + SIGNATURE) * 4).div_ceil(3);

const SEPARATOR: char = '.';

/// What a browser brought; who made it is not known yet.
pub(in crate::identity) fn cookie_of(request: &HttpRequest) -> Option<String> {
    let named = |name| request.cookie(&name_at_port(name, request));
    // Earlier versions set it without the port.
    let cookie = named(SECURE_NAME)
        .or_else(|| named(NAME))
        .or_else(|| request.cookie(SECURE_NAME))
        .or_else(|| request.cookie(NAME));
    let value = cookie?.value().to_owned();
    (value.len() <= MAX_ACCOUNTS * (ENTRY + 1)).then_some(value)
}

/// To be set wherever somebody signed in. `secure`: whether browsers reach this server by HTTPS alone.
pub(in crate::identity) fn cookie(
    secure: bool,
    request: &HttpRequest,
    value: String,
) -> Cookie<'static> {
    let name = if secure { SECURE_NAME } else { NAME };
    auth_cookie(
        name_at_port(name, request),
        value,
        secure,
        Duration::days(TTL_DAYS),
    )
}

pub(super) fn entries(cookie: Option<&str>) -> impl Iterator<Item = &str> {
    let entries = cookie.unwrap_or_default().split(SEPARATOR);
    entries
        .filter(|entry| entry.len() == ENTRY)
        .take(MAX_ACCOUNTS)
}

/// The id that was given to this browser for the account with this email, by its signature: it may
/// have been revoked since.
pub(in crate::identity) fn claimed_id(
    key: &CookieKey,
    cookie: Option<&str>,
    email: &Email,
) -> Option<DeviceId> {
    let id = entries(cookie).find_map(|entry| key.verify(Signed::Device, entry, email.as_str()));
    id.map(DeviceId)
}

/// The cookie with this id first, in place of any that the account had.
pub(super) fn with_id(
    key: &CookieKey,
    cookie: Option<&str>,
    email: &Email,
    id: &DeviceId,
) -> String {
    let others = entries(cookie)
        .filter(|entry| key.verify(Signed::Device, entry, email.as_str()).is_none())
        .map(str::to_owned);
    let all: Vec<String> = std::iter::once(key.sign(Signed::Device, &id.0, email.as_str()))
        .chain(others)
        .take(MAX_ACCOUNTS)
        .collect();
    all.join(&SEPARATOR.to_string())
}

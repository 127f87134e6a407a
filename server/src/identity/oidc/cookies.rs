//! The cookies of a sign-in with the provider: one for the way there and back, one for whoever is
//! still to be linked to their account.

use actix_web::HttpRequest;
use actix_web::cookie::time::Duration;
use actix_web::cookie::{Cookie, SameSite};

use super::{pending_link, round_trip};
use crate::identity::Identity;
use crate::identity::sessions::session_cookie;

/// What a browser takes along to the provider and back. Lax, since it must come back from another site.
pub(super) const TRIP_COOKIE: OidcCookie = OidcCookie {
    name: "dispatch_oidc",
    name_of_host: "__Host-dispatch_oidc",
    same_site: SameSite::Lax,
    ttl: round_trip::TTL,
};

/// Who waits to be linked to their account; from our own pages alone.
pub(super) const LINK_COOKIE: OidcCookie = OidcCookie {
    name: "dispatch_oidc_link",
    name_of_host: "__Host-dispatch_oidc_link",
    same_site: SameSite::Strict,
    ttl: pending_link::TTL,
};

pub(super) struct OidcCookie {
    name: &'static str,
    /// By HTTPS, browsers take a cookie of such a name only from this very host: a neighbour's could
    /// sign somebody in as somebody else.
    name_of_host: &'static str,
    same_site: SameSite,
    /// Seconds.
    ttl: i64,
}

impl OidcCookie {
    /// What a browser brought, and whether by the name of this host alone. By HTTPS no other name counts:
    /// somebody in between could have planted it. The way back does not always tell that it was by HTTPS.
    pub(super) fn brought(
        &self,
        request: &HttpRequest,
        identity: &Identity,
    ) -> (Option<Cookie<'static>>, bool) {
        let is_secure = session_cookie::is_secure(identity, request);
        match request.cookie(self.name_of_host) {
            None if !is_secure => (request.cookie(self.name), false),
            cookie => (cookie, true),
        }
    }

    pub(super) fn set(&self, is_secure: bool, value: String) -> Cookie<'static> {
        let (name, path) = match is_secure {
            true => (self.name_of_host, "/"),
            // To these calls alone.
            false => (self.name, "/api/auth/oidc"),
        };
        Cookie::build(name, value)
            .path(path)
            .http_only(true)
            .same_site(self.same_site)
            .secure(is_secure)
            .max_age(Duration::seconds(self.ttl))
            .finish()
    }

    /// Takes away what was brought.
    pub(super) fn removed(&self, is_of_host: bool) -> Cookie<'static> {
        let mut cookie = self.set(is_of_host, String::new());
        cookie.make_removal();
        cookie
    }
}

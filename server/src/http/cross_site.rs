//! Requests that a foreign page makes a browser send. A browser adds our cookie and what
//! it knows of the network to them, so a call that changes anything is refused to them, and so is one
//! that only reads: whatever is counted or recorded of it would be the browser's. Browsers say truly
//! where a request comes from; programs say nothing, and have nothing that could be borrowed.
//!
//! Following a link leaves that page and is allowed: the return from a sign-in provider is such a link.
//! The page and its files are for everybody. The stream judges its own callers (see [`crate::socket`]).

use actix_web::body::MessageBody;
use actix_web::dev::{RequestHead, ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{ResponseError, web};

use crate::error::{ApiError, ErrorCode};
use crate::http::paths::{is_api, routed_path};
use crate::socket::{self, Origin};

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// Origins that are this server's own beside the one it is asked by.
#[derive(Clone, Debug, Default)]
pub struct OwnOrigins(pub Vec<Origin>);

/// Answers 403 `cross-site` to what another page sends.
pub async fn refuse(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let own = request.app_data::<web::Data<OwnOrigins>>();
    let refused = own.is_some_and(|own| {
        let path = routed_path(request.request());
        let is_guarded = match changes_something(request.method()) {
            true => !socket::is_stream(path),
            false => is_api(path) && !is_visit(request.head()),
        };
        is_guarded && is_foreign(request.head(), own)
    });
    if refused {
        let answer = cross_site().error_response();
        return Ok(request.into_response(answer).map_into_right_body());
    }
    next.call(request)
        .await
        .map(ServiceResponse::map_into_left_body)
}

fn changes_something(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

/// Whether a browser goes there itself, by a link or from a provider, and leaves the page it was on.
fn is_visit(head: &RequestHead) -> bool {
    let headers = head.headers();
    let values = |name: HeaderName| headers.get_all(name).map(HeaderValue::as_bytes);
    headers.contains_key(FETCH_MODE)
        && values(FETCH_MODE).all(|mode| mode == b"navigate")
        && values(FETCH_DEST).all(|destination| destination == b"document")
}

/// Where a browser says how the page is related to us, that counts: a page of the same site, on
/// another port or a neighbouring host, is not ours. An old browser sends its origin alone.
fn is_foreign(head: &RequestHead, own: &OwnOrigins) -> bool {
    let mut sites = head.headers().get_all(FETCH_SITE).peekable();
    if sites.peek().is_some() {
        return !sites.all(|site| matches!(site.as_bytes(), b"same-origin" | b"none"));
    }
    !socket::is_origin_allowed(head, &own.0)
}

fn cross_site() -> ApiError {
    ApiError::new(
        ErrorCode::CrossSite,
        "This request was sent by a page of another site",
    )
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn foreign(headers: &[(&'static str, &'static str)]) -> bool {
        let mut request = TestRequest::post().insert_header(("Host", "desk.example"));
        for header in headers {
            request = request.append_header(*header);
        }
        let own = OwnOrigins(vec!["https://public.example".parse().unwrap()]);
        is_foreign(request.to_http_request().head(), &own)
    }

    #[test]
    fn programs_and_the_own_page_are_not_foreign() {
        assert!(!foreign(&[]));
        assert!(!foreign(&[("Sec-Fetch-Site", "same-origin")]));
        assert!(!foreign(&[("Sec-Fetch-Site", "none")]));
        for origin in [
            "http://desk.example",
            "https://desk.example",
            "https://public.example",
        ] {
            assert!(!foreign(&[("Origin", origin)]), "{origin}");
        }
        assert!(
            !foreign(&[
                ("Sec-Fetch-Site", "same-origin"),
                ("Origin", "https://behind-a-proxy.example")
            ]),
            "a proxy that changes Host; the browser knows better"
        );
    }

    #[test]
    fn other_sites_neighbours_and_hidden_origins_are_foreign() {
        for site in [
            "cross-site",
            "same-site",
            "",
            "Same-Origin",
            "something new",
        ] {
            assert!(foreign(&[("Sec-Fetch-Site", site)]), "{site}");
            assert!(
                foreign(&[("Sec-Fetch-Site", site), ("Origin", "http://desk.example")]),
                "{site}"
            );
        }
        assert!(foreign(&[
            ("Sec-Fetch-Site", "same-origin"),
            ("Sec-Fetch-Site", "cross-site")
        ]));
        for origin in [
            "https://evil.example",
            "https://desk.example.evil.example",
            "http://desk.example:8080",
            "http://public.example",
            "null",
            "",
        ] {
            assert!(foreign(&[("Origin", origin)]), "{origin}");
        }
    }

    #[test]
    fn following_a_link_is_a_visit_and_loading_a_subresource_is_not() {
        let is_visit = |headers: &[(&'static str, &'static str)]| {
            let mut request = TestRequest::get();
            for header in headers {
                request = request.append_header(*header);
            }
            super::is_visit(request.to_http_request().head())
        };
        let (visit, page) = (
            ("Sec-Fetch-Mode", "navigate"),
            ("Sec-Fetch-Dest", "document"),
        );
        assert!(is_visit(&[visit]) && is_visit(&[visit, page]));
        for loaded in [
            &[][..],
            &[page],
            &[("Sec-Fetch-Mode", "no-cors"), ("Sec-Fetch-Dest", "image")],
            &[("Sec-Fetch-Mode", "cors")],
            &[visit, ("Sec-Fetch-Dest", "iframe")],
            &[visit, page, ("Sec-Fetch-Dest", "object")],
            &[visit, ("Sec-Fetch-Mode", "no-cors")],
        ] {
            assert!(!is_visit(loaded), "{loaded:?}");
        }
    }

    #[test]
    fn only_methods_that_read_are_open_to_other_sites() {
        for method in [Method::GET, Method::HEAD, Method::OPTIONS] {
            assert!(!changes_something(&method));
        }
        for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            assert!(changes_something(&method));
        }
    }
}

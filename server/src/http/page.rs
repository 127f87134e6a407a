//! The web page, embedded in the binary, which debug builds have as well: a copy of one is a whole server.

use std::sync::LazyLock;

use actix_web::body::MessageBody;
use actix_web::http::{Method, StatusCode, header};
use actix_web::{HttpMessage, HttpRequest, HttpResponse, web};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rust_embed::{EmbeddedFile, RustEmbed};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::error::{ApiError, ErrorCode};
use crate::shop_settings::ShopSettings;
use crate::version::VERSION;

#[derive(RustEmbed)]
#[folder = "../web/dist"]
#[allow_missing = true]
struct Files;

/// Scripts, styles and fonts are the page's own, and nothing else is loaded.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; connect-src 'self'; worker-src 'self'; object-src 'none'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'";

const INDEX: &str = "index.html";

/// The page of boards.
const BOARD: &str = "board.html";

/// Files that are not sent as they lie in the binary.
const PAGES: [&str; 2] = [INDEX, BOARD];

/// Where the page's screens are, as its routes in `web/src/app.tsx` say.
const SCREENS: [&str; 16] = [
    "/login",
    "/login/link",
    "/forgot-password",
    "/reset-password",
    "/set-up",
    "/dashboard",
    "/users",
    "/technicians/:id",
    "/technicians",
    "/technician-management",
    "/my-customers",
    "/stage-times",
    "/boards",
    "/audit",
    "/account",
    "/about",
];

/// A screen only where the configuration has it.
const TEST_PAGE: &str = "/test";

/// The build of this server and its pages. The files that pages load are named by their content.
pub fn build() -> &'static str {
    static BUILD: LazyLock<String> = LazyLock::new(|| {
        let mut pages = Sha256::new();
        for page in PAGES {
            if let Some(file) = Files::get(page) {
                pages.update(&file.data);
            }
        }
        let pages = format!("{:x}", pages.finalize());
        format!("{VERSION}-{}", &pages[..8])
    });
    &BUILD
}

/// What is told to the page.
#[derive(Clone)]
pub struct ShopFacts {
    pub shop: ShopSettings,
    pub support_email: Option<String>,
    /// Whether there is the debug page /test.
    pub test_page: bool,
    /// The OpenID Connect provider, as people call it.
    pub sign_in_with: Option<String>,
}

/// What the page must know before it has asked anything.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PageFacts<'a> {
    brand_name: String,
    time_zone: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    support_email: Option<&'a str>,
    test_page: bool,
    sign_in_with: Option<&'a str>,
    /// Whether nobody can sign in yet.
    awaits_set_up: bool,
}

impl ShopFacts {
    fn of_page(&self) -> PageFacts<'_> {
        PageFacts {
            brand_name: self.shop.name(),
            time_zone: self.shop.time_zone_name(),
            support_email: self.support_email.as_deref(),
            test_page: self.test_page,
            sign_in_with: self.sign_in_with.as_deref(),
            awaits_set_up: self.shop.awaits_set_up(),
        }
    }
}

/// A file of the page, or the page itself for the addresses of its screens. Browsers are shown the page at any
/// other address, too, which leads to the desk or to the login screen; but it is 404 for them as for programs.
pub fn answer(request: &HttpRequest) -> Result<HttpResponse, ApiError> {
    let path = request.path().trim_start_matches('/');
    let file = Files::get(path).filter(|_| !PAGES.contains(&path));
    let is_board = path.trim_end_matches('/') == "board" || path == BOARD;
    let is_ours = file.is_some() || is_board || path == INDEX || is_screen(request);
    if is_ours && request.method() != Method::GET && request.method() != Method::HEAD {
        return Ok(ApiError::wrong_method(request, &["GET", "HEAD"]));
    }
    match file {
        Some(file) => Ok(asset(request, path, file)),
        None if is_board => board(request),
        None if is_ours => index(request),
        None if is_visit(request) => {
            let mut page = index(request)?;
            *page.status_mut() = StatusCode::NOT_FOUND;
            Ok(page)
        }
        None => Err(ApiError::new(
            ErrorCode::UnknownRoute,
            format!("There is no {} {}", request.method(), request.path()),
        )),
    }
}

/// Whether a path is a screen's, however its letters are written, as the page's router reads it.
fn is_screen(request: &HttpRequest) -> bool {
    let path = request.path().trim_end_matches('/');
    let facts = request.app_data::<web::Data<ShopFacts>>();
    let has_test_page = facts.is_some_and(|facts| facts.test_page);
    path.is_empty()
        || SCREENS.iter().any(|screen| is_at(screen, path))
        || (has_test_page && is_at(TEST_PAGE, path))
}

fn is_at(screen: &str, path: &str) -> bool {
    let mut names = path.split('/');
    screen.split('/').all(|part| {
        names
            .next()
            .is_some_and(|name| match part.starts_with(':') {
                true => !name.is_empty(),
                false => name.eq_ignore_ascii_case(part),
            })
    }) && names.next().is_none()
}

/// Whether somebody opened this address in a browser. A missing file is missing for them, too.
fn is_visit(request: &HttpRequest) -> bool {
    let accepted = request.headers().get_all(header::ACCEPT);
    let takes_html = accepted
        .filter_map(|value| value.to_str().ok())
        .any(|value| value.contains("text/html"));
    let name = request.path().rsplit('/').next();
    let is_read = request.method() == Method::GET || request.method() == Method::HEAD;
    is_read && takes_html && !name.is_some_and(|name| name.contains('.'))
}

fn asset(request: &HttpRequest, path: &str, file: EmbeddedFile) -> HttpResponse {
    // Names under assets/ carry a hash of their content. The others keep theirs from build to build: an
    // old service worker would go on serving an old page.
    let cache = if path.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let mut answer = HttpResponse::Ok();
    answer
        .insert_header((header::CONTENT_TYPE, content_type(&file)))
        .insert_header((header::CACHE_CONTROL, cache))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"));
    match compressed(request, path) {
        Some((encoding, file)) => answer
            .insert_header((header::CONTENT_ENCODING, encoding))
            .insert_header((header::VARY, "accept-encoding"))
            .body(file.data),
        None => answer.body(file.data),
    }
}

/// A text says how its letters are written: opened by itself, it has no page that does.
fn content_type(file: &EmbeddedFile) -> &str {
    match file.metadata.mimetype() {
        "text/plain" => "text/plain; charset=utf-8",
        other => other,
    }
}

/// The file as the page's build compressed it, in the smallest form that the browser takes.
fn compressed(request: &HttpRequest, path: &str) -> Option<(&'static str, EmbeddedFile)> {
    let accepted = request.get_header::<header::AcceptEncoding>()?;
    [
        ("br", ".br", header::Encoding::brotli()),
        ("gzip", ".gz", header::Encoding::gzip()),
    ]
    .into_iter()
    .filter(|(_, _, encoding)| {
        accepted.negotiate([encoding].into_iter()).as_ref() == Some(encoding)
    })
    .find_map(|(name, ending, _)| Some((name, Files::get(&format!("{path}{ending}"))?)))
}

fn index(request: &HttpRequest) -> Result<HttpResponse, ApiError> {
    let facts = request.app_data::<web::Data<ShopFacts>>();
    let facts = facts.map(|facts| facts.of_page());
    with_facts(INDEX, "dispatch-shop", facts)
}

/// What a board's page must know before it is a board.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BoardFacts {
    brand_name: String,
    time_zone: String,
    /// The build of the page.
    version: &'static str,
}

fn board(request: &HttpRequest) -> Result<HttpResponse, ApiError> {
    let facts = request.app_data::<web::Data<ShopFacts>>();
    let facts = facts.map(|facts| BoardFacts {
        brand_name: facts.shop.name(),
        time_zone: facts.shop.time_zone_name(),
        version: build(),
    });
    let file = Files::get(BOARD).map(|file| file.data).unwrap_or_default();
    let script = inline_script(&String::from_utf8_lossy(&file)).map(Sha256::digest);
    let mut page = with_facts(BOARD, "dispatch-board", facts)?;
    if let Some(hash) = script {
        let hash = STANDARD.encode(hash);
        let policy = format!("{CONTENT_SECURITY_POLICY}; script-src 'self' 'sha256-{hash}'");
        if let Ok(policy) = policy.parse() {
            page.headers_mut()
                .insert(header::CONTENT_SECURITY_POLICY, policy);
        }
    }
    Ok(page)
}

/// The build that a board's page says it is of.
pub fn build_in(board: &str) -> Option<String> {
    let (_, version) = board.split_once("&quot;version&quot;:&quot;")?;
    let (version, _) = version.split_once("&quot;")?;
    Some(version.to_owned())
}

/// The one script that a page has in itself.
fn inline_script(html: &str) -> Option<&str> {
    let (_, script) = html.split_once("<script>")?;
    Some(script.split_once("</script>")?.0)
}

/// A page with what it must know in its meta element of this name.
fn with_facts(page: &str, meta: &str, facts: impl Serialize) -> Result<HttpResponse, ApiError> {
    let file = Files::get(page).ok_or_else(|| {
        ApiError::new(
            ErrorCode::NoPage,
            "This binary was built without its page: build it with make build",
        )
    })?;
    let html = String::from_utf8_lossy(&file.data);
    let facts = serde_json::to_string(&facts).unwrap_or_default();
    let with = |content: &str| format!(r#"<meta name="{meta}" content="{content}""#);
    let html = html.replacen(&with(""), &with(&escaped(&facts)), 1);
    Ok(self::html(html))
}

/// A page that loads nothing from elsewhere.
pub fn html(html: impl MessageBody + 'static) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "text/html; charset=utf-8"))
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .insert_header((header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY))
        .insert_header((header::REFERRER_POLICY, "same-origin"))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .body(html)
}

/// For a double-quoted HTML attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_screens_are_those_that_the_page_routes() {
        let routes = include_str!("../../../web/src/app.tsx");
        let paths = routes
            .split("<Route")
            .skip(1)
            .filter_map(|route| route.split_once("path=\"")?.1.split('"').next());
        let routed: BTreeSet<&str> = paths.filter(|path| *path != "*").collect();
        let known: BTreeSet<&str> = SCREENS.into_iter().chain([TEST_PAGE]).collect();
        assert_eq!(known, routed);
    }

    #[test]
    fn the_build_of_a_boards_page_is_found_in_it() {
        let facts = BoardFacts {
            brand_name: "Example \"Motors\"".to_owned(),
            time_zone: "UTC".to_owned(),
            version: "0.1.0-12345678",
        };
        let facts = serde_json::to_string(&facts).unwrap();
        let page = format!(
            r#"<meta name="dispatch-board" content="{}">"#,
            escaped(&facts)
        );
        assert_eq!(build_in(&page).as_deref(), Some("0.1.0-12345678"));
        assert_eq!(build_in("<html>It works!</html>"), None);
    }

    #[test]
    fn a_screen_is_at_its_whole_path() {
        for (path, expected) in [
            ("/technicians/5", true),
            ("/Technicians/5", true),
            ("/technicians/", false),
            ("/technicians/5/clock", false),
            ("/technician", false),
        ] {
            assert_eq!(is_at("/technicians/:id", path), expected, "{path}");
        }
    }
}

//! The web page, embedded in the binary.

use std::sync::LazyLock;

use actix_web::body::MessageBody;
use actix_web::http::{Method, header};
use actix_web::{HttpMessage, HttpRequest, HttpResponse, web};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rust_embed::{EmbeddedFile, RustEmbed};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::error::{ApiError, ErrorCode};

#[derive(RustEmbed)]
#[folder = "../web/dist"]
#[allow_missing = true]
struct Files;

/// Scripts, styles and fonts are the page's own, and nothing else is loaded.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; connect-src 'self'; worker-src 'self'; object-src 'none'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'";

/// The page of boards.
const BOARD: &str = "board.html";

/// The build of this server and its pages. The files that pages load are named by their content.
pub fn build() -> &'static str {
    static BUILD: LazyLock<String> = LazyLock::new(|| {
        let mut pages = Sha256::new();
        for page in ["index.html", BOARD] {
            if let Some(file) = Files::get(page) {
                pages.update(&file.data);
            }
        }
        let pages = format!("{:x}", pages.finalize());
        format!("{}-{}", env!("CARGO_PKG_VERSION"), &pages[..8])
    });
    &BUILD
}

/// What the page must know before it has asked anything.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShopFacts {
    pub brand_name: String,
    pub time_zone: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub support_email: Option<String>,
    /// Whether there is the debug page /test.
    pub test_page: bool,
    /// The OpenID Connect provider, as people call it.
    pub sign_in_with: Option<String>,
}

/// A file of the page, or the page itself for any of its own addresses.
pub fn answer(request: &HttpRequest) -> Result<HttpResponse, ApiError> {
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return Ok(ApiError::wrong_method(request, &["GET", "HEAD"]));
    }
    let path = request.path().trim_start_matches('/');
    if path.trim_end_matches('/') == "board" || path == BOARD {
        return board(request);
    }
    match Files::get(path) {
        Some(file) if path != "index.html" => Ok(asset(request, path, file)),
        // Only the page's own addresses have no extension; a missing file is missing.
        _ if path
            .rsplit('/')
            .next()
            .is_some_and(|name| name.contains('.'))
            && path != "index.html" =>
        {
            Err(ApiError::new(
                ErrorCode::UnknownRoute,
                format!("There is no file {}", request.path()),
            ))
        }
        _ => index(request),
    }
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
        .insert_header((header::CONTENT_TYPE, file.metadata.mimetype()))
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
    let facts = facts.map(|facts| facts.get_ref());
    with_facts("index.html", "dispatch-shop", facts)
}

/// What a board's page must know before it is a board.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BoardFacts<'a> {
    brand_name: &'a str,
    time_zone: &'a str,
    /// The build of the page.
    version: &'static str,
}

fn board(request: &HttpRequest) -> Result<HttpResponse, ApiError> {
    let facts = request.app_data::<web::Data<ShopFacts>>();
    let facts = facts.map(|facts| BoardFacts {
        brand_name: &facts.brand_name,
        time_zone: &facts.time_zone,
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

//! Where to report a vulnerability of this server (RFC 9116).

use actix_web::http::header::{CACHE_CONTROL, ContentType};
use actix_web::{HttpResponse, get, web};
use jiff::{SignedDuration, Timestamp};

use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::http::page::ShopFacts;
use crate::public_url::PublicUrl;

const PATH: &str = "/.well-known/security.txt";

/// How long somebody who keeps the answer may rely on it; the standard advises less than a year.
const VALID_FOR: SignedDuration = SignedDuration::from_hours(180 * 24);

/// Where to report a vulnerability of this server, as RFC 9116 has it: by mail to who helps its users, or,
/// where nobody is named, at the server's public URL, if that is by HTTPS. 404 where there is neither.
#[utoipa::path(
    operation_id = "security_txt",
    tag = "health",
    security(()),
    responses(
        (status = 200, body = String, content_type = "text/plain"),
        (status = 404, body = ErrorBody, description = "No contact is configured"),
    )
)]
#[get("/.well-known/security.txt")]
pub async fn security_txt(
    facts: web::Data<ShopFacts>,
    public_url: web::Data<PublicUrl>,
) -> Result<HttpResponse, ApiError> {
    let email = facts.support_email.as_deref();
    match text(email, &public_url, Timestamp::now()) {
        Some(text) => Ok(HttpResponse::Ok()
            .insert_header((CACHE_CONTROL, "no-cache"))
            .content_type(ContentType::plaintext())
            .body(text)),
        None => Err(ApiError::new(
            ErrorCode::UnknownRoute,
            format!(
                "There is no GET {PATH}: no contact is configured (--support-email, or an https --public-url)"
            ),
        )),
    }
}

/// None without a contact, which the standard requires.
fn text(email: Option<&str>, public_url: &PublicUrl, now: Timestamp) -> Option<String> {
    let https = public_url.is_https().then_some(&**public_url);
    let mail = email
        .filter(|email| is_plain(email))
        .map(|email| format!("mailto:{email}"));
    let contact = mail.or_else(|| https.map(str::to_owned))?;
    let expires = now.checked_add(VALID_FOR).ok()?;
    let expires = expires.strftime("%Y-%m-%dT%H:%M:%SZ");
    let mut text = format!("Contact: {contact}\nExpires: {expires}\n");
    if let Some(url) = https {
        text.push_str(&format!("Canonical: {url}{PATH}\n"));
    }
    Some(text)
}

/// Nothing in it ends the line, or has a meaning of its own in an address.
fn is_plain(email: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "@.!#$'*+-/=_~".contains(c);
    email.contains('@') && email.chars().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(email: Option<&str>, public_url: &str) -> Option<String> {
        let now = "2026-07-14T08:30:00.5Z".parse().unwrap();
        super::text(email, &PublicUrl::new(public_url), now)
    }

    #[test]
    fn the_contact_is_the_support_email() {
        let expected = "Contact: mailto:help+desk@shop.example\nExpires: 2027-01-10T08:30:00Z\n\
             Canonical: https://desk.example/.well-known/security.txt\n";
        let email = Some("help+desk@shop.example");
        assert_eq!(
            text(email, "https://desk.example/").as_deref(),
            Some(expected)
        );
        let without_address = expected.split("Canonical").next();
        assert_eq!(
            text(email, "http://127.0.0.1:8080").as_deref(),
            without_address
        );
    }

    #[test]
    fn without_an_email_the_contact_is_the_public_address() {
        let named = text(None, "https://desk.example").unwrap();
        assert!(
            named.starts_with("Contact: https://desk.example\n"),
            "{named}"
        );
        assert_eq!(text(None, "http://desk.example"), None);
    }

    #[test]
    fn an_address_that_would_begin_another_line_is_not_written() {
        for email in ["a@b.example\nContact: evil", "a b@c.example", "nobody", ""] {
            assert_eq!(text(Some(email), "http://desk.example"), None, "{email:?}");
        }
    }
}

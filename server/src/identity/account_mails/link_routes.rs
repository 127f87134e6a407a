//! The calls of somebody who has no password, or has forgotten it.

use crate::calls::Calls;
use actix_web::http::header::AcceptLanguage;
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::answer::{Answer, DONE, Done};
use crate::error::{ApiError, ErrorBody};
use crate::identity::client::Client;
use crate::identity::email::Email;
use crate::identity::sign_in::routes::device_cookie;
use crate::identity::{Identity, PasswordPolicy};

pub(in crate::identity) fn configure(app: &mut Calls<'_>) {
    app.service(policy).service(ask).service(confirm);
}

#[derive(Deserialize, ToSchema)]
pub struct ResetRequest {
    #[schema(format = "email")]
    email: String,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewPassword {
    /// What the link has behind `#token=`.
    token: String,
    #[schema(format = "password")]
    new_password: String,
}

#[derive(Serialize, ToSchema)]
pub struct NewPasswordResult {
    /// Whose password it is.
    email: String,
}

/// What a new password must be.
#[utoipa::path(
    tag = "sign-in",
    security(()),
    operation_id = "passwordPolicy",
    responses((status = 200, body = Answer<PasswordPolicy>))
)]
#[get("/api/auth/password-policy")]
pub async fn policy(identity: web::Data<Identity>) -> Result<HttpResponse, ApiError> {
    let result = identity.password_policy().await?;
    Ok(HttpResponse::Ok().json(Answer::new(result)))
}

/// Mails a link to a new password, in the language of `Accept-Language` where it is English, German
/// or Spanish. The answer is the same whether there is such an account or not.
#[utoipa::path(
    tag = "sign-in",
    security(()),
    operation_id = "askForNewPassword",
    responses(
        (status = 200, body = Done),
        (status = 400, body = ErrorBody, description = "`invalid-email`"),
        (status = 429, body = ErrorBody, description = "`too-many-requests`: from this address or for this email; wait as long as Retry-After says"),
    )
)]
#[post("/api/auth/password-reset")]
pub async fn ask(
    request: HttpRequest,
    identity: web::Data<Identity>,
    language: Option<web::Header<AcceptLanguage>>,
    body: web::Json<ResetRequest>,
) -> Result<HttpResponse, ApiError> {
    let email = Email::parse(&body.email)?;
    let language = language.as_ref().map_or("en", |header| preferred(header));
    identity
        .request_reset(&email, language, &Client::of(&request))
        .await?;
    Ok(HttpResponse::Ok().json(DONE))
}

/// Sets a new password by a mailed link, which is used up, and ends every session there was.
#[utoipa::path(
    tag = "sign-in",
    security(()),
    operation_id = "setNewPassword",
    responses(
        (status = 200, body = Answer<NewPasswordResult>),
        (status = 400, body = ErrorBody, description = "`invalid-link`: not known, used, or replaced by a newer one; `expired-link`; `weak-password`, `common-password`: the link is still good"),
    )
)]
#[post("/api/auth/password-reset/confirm")]
pub async fn confirm(
    request: HttpRequest,
    identity: web::Data<Identity>,
    body: web::Json<NewPassword>,
) -> Result<HttpResponse, ApiError> {
    let client = Client::of(&request);
    let (email, device) = identity
        .confirm_link(&body.token, &body.new_password, &client)
        .await?;
    let email = email.as_str().to_owned();
    let cookie = device_cookie(&identity, &request, device);
    Ok(HttpResponse::Ok()
        .cookie(cookie)
        .json(Answer::new(NewPasswordResult { email })))
}

/// Of the languages that mails are written in.
fn preferred(header: &AcceptLanguage) -> &'static str {
    let ranked = header.ranked();
    let mut languages = ranked.iter().filter_map(|language| language.item());
    languages
        .find_map(|language| {
            ["en", "de", "es"]
                .into_iter()
                .find(|ours| language.primary_language().eq_ignore_ascii_case(ours))
        })
        .unwrap_or("en")
}

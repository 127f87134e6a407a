//! The calls of the set-up page.

use actix_web::{HttpRequest, HttpResponse, post, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::first_owner::SetUpForm;
use crate::answer::Answer;
use crate::calls::Calls;
use crate::error::{ApiError, ErrorBody};
use crate::identity::sign_in::routes::{SignedInResult, tokens};
use crate::identity::{Client, Identity};
use crate::shop_settings::ShopSettings;

pub(in crate::identity) fn configure(app: &mut Calls<'_>) {
    app.service(check_link).service(set_up);
}

#[derive(Deserialize, ToSchema)]
#[schema(as = SetUpLink)]
pub struct LinkToken {
    /// What the link has behind `#token=`.
    token: String,
}

/// What the set-up page is to ask for.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetUpQuestions {
    /// As an option says, else as the database has it.
    #[schema(required)]
    shop_name: Option<String>,
    /// Whether an option says it, so that it is not asked for.
    shop_name_by_option: bool,
    /// As an option says, else as the database has it.
    #[schema(required)]
    time_zone: Option<String>,
    /// Whether an option says it, so that it is not asked for.
    time_zone_by_option: bool,
}

impl SetUpQuestions {
    fn of(shop: &ShopSettings) -> Self {
        let (of_options, kept) = (shop.of_options(), shop.kept());
        let zone = of_options.time_zone.clone().or(kept.time_zone);
        let zone_name = zone.and_then(|zone| zone.iana_name().map(str::to_owned));
        Self {
            shop_name_by_option: of_options.name.is_some(),
            shop_name: of_options.name.clone().or(kept.name),
            time_zone_by_option: of_options.time_zone.is_some(),
            time_zone: zone_name,
        }
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FirstStart {
    /// What the link has behind `#token=`.
    token: String,
    #[schema(format = "email")]
    email: String,
    /// Of the owner.
    name: String,
    #[schema(format = "password")]
    password: String,
    /// Unless an option says it.
    #[schema(nullable = false, required = false)]
    shop_name: Option<String>,
    /// As America/Chicago; unless an option says it.
    #[schema(nullable = false, required = false)]
    time_zone: Option<String>,
}

/// Whether a set-up link is good, and what is to be asked for. The link stays as it is.
#[utoipa::path(
    tag = "sign-in",
    security(()),
    operation_id = "checkSetUpLink",
    responses(
        (status = 200, body = Answer<SetUpQuestions>),
        (status = 400, body = ErrorBody, description = "`invalid-link`: not of this start of the server"),
        (status = 409, body = ErrorBody, description = "`already-set-up`: there is an account"),
        (status = 429, body = ErrorBody, description = "`too-many-requests`: wrong links from this address; wait as long as Retry-After says"),
    )
)]
#[post("/api/set-up/check")]
pub async fn check_link(
    request: HttpRequest,
    identity: web::Data<Identity>,
    shop: web::Data<ShopSettings>,
    body: web::Json<LinkToken>,
) -> Result<web::Json<Answer<SetUpQuestions>>, ApiError> {
    let client = Client::of(&request);
    identity
        .check_set_up_link(&shop, &body.token, &client)
        .await?;
    Ok(web::Json(Answer::new(SetUpQuestions::of(&shop))))
}

/// Makes the first owner by a set-up link, which is used up, and signs them in as a sign-in does.
#[utoipa::path(
    tag = "sign-in",
    security(()),
    operation_id = "setUp",
    responses(
        (status = 200, body = Answer<SignedInResult>),
        (status = 400, body = ErrorBody, description = "`invalid-link`; `invalid-email`, `weak-password`, `common-password`, `invalid-request`: the link is still good"),
        (status = 409, body = ErrorBody, description = "`already-set-up`: there is an account"),
        (status = 429, body = ErrorBody, description = "`too-many-requests`: wrong links from this address; wait as long as Retry-After says"),
        (status = 503, body = ErrorBody, description = "`busy`: too many wait for their passwords to be hashed; come back when Retry-After says"),
    )
)]
#[post("/api/set-up")]
pub async fn set_up(
    request: HttpRequest,
    identity: web::Data<Identity>,
    shop: web::Data<ShopSettings>,
    body: web::Json<FirstStart>,
) -> Result<HttpResponse, ApiError> {
    let FirstStart {
        token,
        email,
        name,
        password,
        shop_name,
        time_zone,
    } = body.into_inner();
    let form = SetUpForm {
        token,
        email,
        name,
        password,
        shop_name,
        time_zone,
    };
    let signed_in = identity.set_up(&shop, form, &Client::of(&request)).await?;
    Ok(tokens(&identity, &request, signed_in))
}

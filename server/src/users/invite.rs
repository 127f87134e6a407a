//! `inviteUser`: an owner invites somebody to the staff. A callable function in its protocol, at
//! its own address and at the one it has on a hosted platform.

use std::sync::Arc;
use std::time::Duration;

use crate::calls::Calls;
use actix_web::http::header::ACCEPT_LANGUAGE;
use actix_web::{FromRequest, HttpMessage, HttpRequest, post, web};
use dispatch_actors::repair_order::TechnicianId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::callable::{CallableError, CallableErrorBody};
use super::state::UsersState;
use super::view;
use crate::error::{ApiError, ErrorCode};
use crate::identity::{Caller, Email, Invited, Limit, MINUTE, SharedLimits, Tiers};
use crate::limits;
use crate::staff::{Permission, Role, StaffPatch};

/// More than anybody types in a minute.
const INVITATIONS: &Tiers = &[(30, MINUTE)];

/// For as long as a hosted provider may keep an owner waiting.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);

pub fn configure(routes: &mut Calls<'_>) {
    routes.service(invite).service(invite_as_hosted);
}

/// How many invitations an owner may send, at all servers of the database together.
#[derive(Clone)]
pub struct Invitations(Arc<(Limit, SharedLimits)>);

impl Invitations {
    pub(crate) fn new(shared: &SharedLimits) -> Self {
        let limit = shared.limit("invitations", INVITATIONS, None);
        Self(Arc::new((limit, shared.clone())))
    }

    /// 429 `too-many-requests`.
    fn count(&self, caller: &Caller) -> Result<(), ApiError> {
        let (limit, shared) = &*self.0;
        let owner = shared.key(&[caller.uid.as_bytes()]);
        limit.take(owner).map_err(|_| {
            ApiError::new(
                ErrorCode::TooManyRequests,
                "Too many invitations at once; wait a few seconds and try again",
            )
        })
    }
}

#[derive(Deserialize, ToSchema)]
pub struct InviteRequest {
    data: Invitation,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Invitation {
    email: String,
    user_data: InvitedPerson,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvitedPerson {
    name: String,
    /// At least one; an invitation without any is refused with `success: false`.
    #[serde(default)]
    #[schema(required = false)]
    roles: Vec<Role>,
    /// The technician this person is, if any.
    #[serde(default, deserialize_with = "view::technician")]
    #[schema(schema_with = view::technician_or_null, required = false)]
    technician_id: Option<TechnicianId>,
    /// The name of a skill. A technician is given it, too.
    skill: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct InviteAnswer {
    data: InviteOutcome,
}

#[derive(Serialize, ToSchema)]
pub struct InviteOutcome {
    success: bool,
    /// Why not, as a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    error: Option<String>,
}

/// Invites somebody, who gets a mail with a link by which they set a password; somebody who was
/// invited and has not been here yet gets another. Answers when the mail is queued: what becomes of
/// it is the user's `invitationMail`. The headers `Firebase-Instance-ID-Token` and
/// `X-Firebase-AppCheck` may be sent and are not needed.
#[utoipa::path(
    operation_id = "invite_user",
    tag = "staff",
    request_body = InviteRequest,
    responses(
        (status = 200, body = InviteAnswer),
        (status = 400, body = CallableErrorBody),
        (status = 401, body = CallableErrorBody),
        (status = 403, body = CallableErrorBody),
        (status = 413, body = CallableErrorBody),
        (status = 429, body = CallableErrorBody, description = "More than 30 invitations in a minute"),
        (status = 503, body = CallableErrorBody),
        (status = 504, body = CallableErrorBody, description = "A hosted identity provider takes more than 20 seconds; the user may be there"),
    )
)]
#[post("/inviteUser")]
pub async fn invite(
    request: HttpRequest,
    state: web::Data<UsersState>,
    body: Result<web::Bytes, actix_web::Error>,
) -> Result<web::Json<InviteAnswer>, CallableError> {
    answer(&request, &state, body).await
}

/// The same, as clients of a hosted project call it.
#[utoipa::path(
    operation_id = "invite_user_as_hosted",
    tag = "staff",
    params(("project" = String, Path, description = "Any")),
    request_body = InviteRequest,
    responses(
        (status = 200, body = InviteAnswer),
        (status = 400, body = CallableErrorBody),
        (status = 401, body = CallableErrorBody),
        (status = 403, body = CallableErrorBody),
        (status = 413, body = CallableErrorBody),
        (status = 429, body = CallableErrorBody, description = "More than 30 invitations in a minute"),
        (status = 503, body = CallableErrorBody),
        (status = 504, body = CallableErrorBody, description = "A hosted identity provider takes more than 20 seconds; the user may be there"),
    )
)]
#[post("/{project}/us-central1/inviteUser")]
pub async fn invite_as_hosted(
    request: HttpRequest,
    state: web::Data<UsersState>,
    body: Result<web::Bytes, actix_web::Error>,
) -> Result<web::Json<InviteAnswer>, CallableError> {
    answer(&request, &state, body).await
}

async fn answer(
    request: &HttpRequest,
    state: &UsersState,
    body: Result<web::Bytes, actix_web::Error>,
) -> Result<web::Json<InviteAnswer>, CallableError> {
    let caller = Caller::extract(request).await?;
    caller.require(Permission::ManageUsers)?;
    let body = body.map_err(limits::unreadable_body)?;
    let invitation = read(request, &body)?;
    state.invitations.count(&caller)?;
    let language = language(request);
    let refused = tokio::time::timeout(
        ANSWER_TIMEOUT,
        execute_invitation(state, &caller, invitation, &language),
    )
    .await
    .map_err(|_| {
        ApiError::new(
            ErrorCode::DeadlineExceeded,
            "This takes too long; look whether the user is in the list before trying again",
        )
    })??;
    Ok(web::Json(InviteAnswer {
        data: InviteOutcome {
            success: refused.is_none(),
            error: refused,
        },
    }))
}

/// 400: not what the protocol says.
fn read(request: &HttpRequest, body: &[u8]) -> Result<Invitation, ApiError> {
    let is_json = matches!(request.mime_type(), Ok(Some(mime)) if mime.subtype() == mime::JSON);
    if !is_json {
        return Err(limits::not_json());
    }
    let request: InviteRequest = serde_json::from_slice(body)
        .map_err(|why| ApiError::invalid(format!("The request cannot be read: {why}")))?;
    Ok(request.data)
}

/// The first language that the inviting person reads, two letters.
fn language(request: &HttpRequest) -> String {
    let header = request.headers().get(ACCEPT_LANGUAGE);
    let first = header.and_then(|header| header.to_str().ok());
    let letters = first.unwrap_or_default().trim().get(..2);
    letters.unwrap_or("en").to_lowercase()
}

/// None when the invitation's mail is queued, else why it is not, as a sentence.
async fn execute_invitation(
    state: &UsersState,
    by: &Caller,
    invitation: Invitation,
    language: &str,
) -> Result<Option<String>, ApiError> {
    let technician = invitation.user_data.technician_id;
    let (email, document) = match checked(invitation) {
        Ok(checked) => checked,
        Err(refused) => return Ok(Some(refused.error)),
    };
    let name = document.name.clone().unwrap_or_default();
    let skill = document.skill.clone().flatten();
    let shown = email.as_str();
    let identity = &state.identity;
    let refused = match identity.invite(by, &email, document, language).await? {
        Invited::InUse => {
            return Ok(Some(format!(
                "There is already a user with the email {shown}"
            )));
        }
        Invited::Mailed => None,
        Invited::NotMailed(why) => Some(format!(
            "{shown} is added, but the invitation could not be mailed: {why}. Send it again later"
        )),
    };
    if let Some(technician) = technician {
        state.technicians.know(technician, &name).await?;
        if let Some(skill) = skill {
            give(state, technician, &skill).await?;
        }
    }
    state.directory.reload().await?;
    Ok(refused)
}

/// Who is invited as what, or why that cannot be.
fn checked(invitation: Invitation) -> Result<(Email, StaffPatch), ApiError> {
    let Invitation { email, user_data } = invitation;
    if user_data.roles.is_empty() {
        return Err(ApiError::invalid("Choose at least one role"));
    }
    let document = StaffPatch {
        name: Some(limits::short_text("The name", &user_data.name)?),
        roles: Some(Role::distinct(&user_data.roles)),
        technician_id: Some(user_data.technician_id),
        skill: Some(view::skill(user_data.skill)?),
        ..StaffPatch::default()
    };
    Ok((Email::parse_new(&email)?, document))
}

/// Gives a technician the skill of this name, if there is one, beside those they have.
async fn give(state: &UsersState, technician: TechnicianId, name: &str) -> Result<(), ApiError> {
    let skills = state.skills.all().await?;
    let meant = skills
        .iter()
        .find(|skill| skill.skill_name.to_lowercase() == name.to_lowercase());
    if let Some(skill) = meant {
        state
            .technicians
            .add_missing_skill(technician, skill.id_skill)
            .await?;
    }
    Ok(())
}

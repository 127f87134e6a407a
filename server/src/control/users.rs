//! Users, from the command line.

use actix_web::{get, post, web};
use serde::{Deserialize, Serialize};

use super::{ControlAnswer, ControlState};
use crate::audit;
use crate::error::ApiError;
use crate::staff::Role;

/// A change of a user.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum UserChange {
    Add {
        email: String,
        name: String,
        roles: Vec<Role>,
        technician_id: Option<i64>,
        password: String,
    },
    SetRoles {
        email: String,
        roles: Vec<Role>,
    },
    Remove {
        email: String,
    },
    SignOut {
        email: String,
    },
    ResetTwoFactor {
        email: String,
    },
    SetPassword {
        email: String,
        password: String,
    },
}

/// Somebody who may sign in, or is invited.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedUser {
    pub email: String,
    pub name: String,
    pub roles: Vec<Role>,
    /// Invited, and not signed in yet.
    pub invited: bool,
}

#[get("/users")]
pub(super) async fn user_list(
    state: web::Data<ControlState>,
) -> Result<web::Json<ControlAnswer<Vec<ListedUser>>>, ApiError> {
    Ok(web::Json(ControlAnswer::success(list_users(&state).await?)))
}

/// Everybody on the staff, by email.
pub async fn list_users(state: &ControlState) -> Result<Vec<ListedUser>, ApiError> {
    let documents = state.identity.users().await?;
    let mut users: Vec<ListedUser> = documents
        .into_iter()
        .map(|document| ListedUser {
            email: document.email,
            name: document.name,
            roles: document.roles.unwrap_or_default(),
            invited: document.invited,
        })
        .collect();
    users.sort_by(|one, other| one.email.cmp(&other.email));
    Ok(users)
}

#[post("/user")]
pub(super) async fn user(
    state: web::Data<ControlState>,
    change: web::Json<UserChange>,
) -> Result<web::Json<ControlAnswer<Option<String>>>, ApiError> {
    let warning = change_user(&state, change.into_inner()).await?;
    Ok(web::Json(ControlAnswer::success(warning)))
}

/// The command line takes the role from the last owner, too, and only warns.
const NO_OWNER: &str = "no owner is left who can sign in, so nobody can manage users on the \
    screens: make one with dispatch user add or dispatch user role";

/// Changes a user, for this process or for a client of the local socket. Gives a sentence that warns of
/// the consequences.
pub async fn change_user(
    state: &ControlState,
    change: UserChange,
) -> Result<Option<String>, ApiError> {
    audit::act_within(audit::Origin::command_line(), execute(state, change)).await
}

async fn execute(state: &ControlState, change: UserChange) -> Result<Option<String>, ApiError> {
    let identity = &state.identity;
    let took_last_owner = match change {
        UserChange::Add {
            email,
            name,
            roles,
            technician_id,
            password,
        } => {
            // First, because it may be repeated and the account may not.
            if let Some(id) = technician_id {
                state.technicians.know(id, &name).await?;
            }
            identity
                .add_user(&email, &name, &roles, technician_id, &password)
                .await?;
            false
        }
        UserChange::SetRoles { email, roles } => identity.set_roles(&email, &roles).await?,
        UserChange::Remove { email } => identity.remove_user(&email).await?,
        UserChange::SignOut { email } => {
            identity.sign_out_user(&email).await?;
            false
        }
        UserChange::ResetTwoFactor { email } => {
            identity.reset_two_factor(&email).await?;
            false
        }
        UserChange::SetPassword { email, password } => {
            identity.replace_password(&email, &password).await?;
            false
        }
    };
    state.directory.reload().await?;
    Ok(took_last_owner.then(|| NO_OWNER.to_owned()))
}

//! Adding and removing users and changing their roles, each with what it means for the sessions
//! that are running: whatever takes something away ends them.

use actix_web::http::StatusCode;

use super::email::Email;
use super::passwords::PasswordHash;
use super::{Identity, accounts, sessions};
use crate::error::ApiError;
use crate::staff::{Role, StaffPatch};

const LONGEST_NAME: usize = 200;

impl Identity {
    pub async fn count_accounts(&self) -> Result<u64, ApiError> {
        Ok(accounts::count(self.inner.store.reader()).await?)
    }

    pub async fn has_account(&self, email: &str) -> Result<bool, ApiError> {
        let email = Email::parse(email)?;
        let account = accounts::by_email(self.inner.store.reader(), &email).await?;
        Ok(account.is_some())
    }

    /// Adds an account and its staff document, and gives the new user id. `technician_id` is the
    /// technician this person is. A document that waits under this email without an account is
    /// written over. 409 `email-already-in-use`, 400 `invalid-email`, `invalid-name` or
    /// `weak-password`.
    pub async fn add_user(
        &self,
        email: &str,
        name: &str,
        roles: &[Role],
        technician_id: Option<i64>,
        password: &str,
    ) -> Result<String, ApiError> {
        let email = Email::parse(email)?;
        let document = new_document(&email, name, roles, technician_id)?;
        let uid = self.inner.provider.sign_up(&email, Some(password)).await?;
        self.inner.staff.merge(email.as_str(), document).await?;
        Ok(uid)
    }

    /// For adding many users of the embedded provider who share a password: hashing it is the slow
    /// part.
    pub async fn add_user_with_hash(
        &self,
        email: &str,
        name: &str,
        roles: &[Role],
        technician_id: Option<i64>,
        password: &PasswordHash,
    ) -> Result<String, ApiError> {
        let email = Email::parse(email)?;
        let document = new_document(&email, name, roles, technician_id)?;
        let uid = accounts::add(self.inner.store.writer(), &email, Some(password)).await?;
        self.inner.staff.merge(email.as_str(), document).await?;
        Ok(uid)
    }

    /// Gives a user these roles in place of those they have. Taking any away ends all their
    /// sign-in sessions, so that nothing goes on under the old ones. 404 `unknown-user`.
    pub async fn set_roles(&self, email: &str, roles: &[Role]) -> Result<(), ApiError> {
        let email = Email::parse(email)?;
        let roles = distinct(roles);
        let identity = self.clone();
        super::to_the_end(async move {
            let _changing = identity.inner.changing.lock().await;
            let inner = &identity.inner;
            let account = accounts::by_email(inner.store.reader(), &email).await?;
            let uid = account.map(|account| account.uid);
            let document = inner
                .staff
                .find(uid.as_deref().unwrap_or_default(), email.as_str())
                .await?;
            if document.is_none() && uid.is_none() {
                return Err(unknown(&email));
            }
            let id = document
                .as_ref()
                .map_or(email.as_str(), |document| &document.id);
            let takes_away = document
                .as_ref()
                .is_some_and(|document| document.roles().iter().any(|role| !roles.contains(role)));
            let mut patch = StaffPatch {
                roles: Some(roles),
                ..StaffPatch::default()
            };
            if document.is_none() {
                patch.email = Some(email.as_str().to_owned());
                patch.name = Some(email.as_str().to_owned());
            }
            inner.staff.merge(id, patch).await?;
            if let Some(uid) = uid {
                identity.staff_changed(&uid, takes_away).await?;
            }
            Ok(())
        })
        .await
    }

    /// What a user may do has changed: it counts from the next request on. Where something was
    /// taken away, nothing goes on under the old rights.
    async fn staff_changed(&self, uid: &str, takes_away: bool) -> Result<(), ApiError> {
        self.inner.callers.forget_user(uid);
        if takes_away {
            self.end_sessions_of(uid).await?;
        }
        Ok(())
    }

    /// Ends every session of a user, here and on every screen.
    pub(super) async fn end_sessions_of(&self, uid: &str) -> Result<(), ApiError> {
        let ended = sessions::end_all_of(self.inner.store.writer(), uid).await?;
        self.inner.callers.forget_user(uid);
        self.announce_ended(ended);
        Ok(())
    }

    /// Removes the account, the staff documents and the sign-in sessions of a user. 404
    /// `unknown-user`.
    pub async fn remove_user(&self, email: &str) -> Result<(), ApiError> {
        let email = Email::parse(email)?;
        let identity = self.clone();
        super::to_the_end(async move {
            let _changing = identity.inner.changing.lock().await;
            let inner = &identity.inner;
            let account = accounts::by_email(inner.store.reader(), &email).await?;
            let mut known = inner.staff.delete(email.as_str()).await?;
            if let Some(account) = account {
                known = true;
                inner.staff.delete(&account.uid).await?;
                // Before the account goes and takes them along, so that they can be told.
                identity.end_sessions_of(&account.uid).await?;
                inner.provider.delete(&account.uid).await?;
                accounts::delete(inner.store.writer(), &account.uid).await?;
                identity.end_sessions_of(&account.uid).await?;
            }
            if known { Ok(()) } else { Err(unknown(&email)) }
        })
        .await
    }
}

fn new_document(
    email: &Email,
    name: &str,
    roles: &[Role],
    technician_id: Option<i64>,
) -> Result<StaffPatch, ApiError> {
    Ok(StaffPatch {
        email: Some(email.as_str().to_owned()),
        name: Some(valid_name(name)?),
        roles: Some(distinct(roles)),
        skill: Some(None),
        technician_id: Some(technician_id),
        invited: Some(false),
        invited_at: Some(None),
        ..StaffPatch::default()
    })
}

fn valid_name(text: &str) -> Result<String, ApiError> {
    let name = text.trim();
    let sentence = if name.is_empty() {
        "The name is missing"
    } else if name.chars().count() > LONGEST_NAME {
        "The name is longer than 200 characters"
    } else if name.chars().any(char::is_control) {
        "The name has line breaks or other control characters"
    } else {
        return Ok(name.to_owned());
    };
    Err(ApiError::new(
        StatusCode::BAD_REQUEST,
        "invalid-name",
        sentence,
    ))
}

fn distinct(roles: &[Role]) -> Vec<Role> {
    Role::ALL
        .into_iter()
        .filter(|role| roles.contains(role))
        .collect()
}

fn unknown(email: &Email) -> ApiError {
    ApiError::not_found(
        "unknown-user",
        format!("There is no user with the email {}", email.as_str()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_something_in_it_and_fits_a_line() {
        assert_eq!(valid_name("  Ann Bell ").unwrap(), "Ann Bell");
        for text in ["", "  ", "Ann\nBell", &"x".repeat(201)] {
            assert_eq!(valid_name(text).unwrap_err().code, "invalid-name");
        }
    }
}

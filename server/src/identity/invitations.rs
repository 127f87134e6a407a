//! Inviting somebody: the staff document, then the account, then the mail, so that whatever breaks
//! off is put right by inviting once more.

use jiff::Timestamp;

use super::email::Email;
use super::provider::{LinkPurpose, ProviderError};
use super::{Identity, accounts};
use crate::error::ApiError;
use crate::staff::StaffPatch;

/// What became of an invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Invited {
    Sent,
    /// The email is somebody's who is here already.
    InUse,
    /// The user waits for a mail that could not be sent, and why.
    NotSent(String),
}

impl Identity {
    /// Invites somebody, or once more somebody who was invited and has not been here yet.
    /// `language`: of the mail, two letters.
    pub async fn invite(
        &self,
        email: &Email,
        mut document: StaffPatch,
        language: &str,
    ) -> Result<Invited, ApiError> {
        document.email = Some(email.as_str().to_owned());
        document.invited = Some(true);
        document.invited_at = Some(Some(Timestamp::now()));
        let (identity, email, language) = (self.clone(), email.clone(), language.to_owned());
        super::to_the_end(async move {
            if !identity.expect(&email, document).await? {
                return Ok(Invited::InUse);
            }
            let provider = &identity.inner.provider;
            match provider
                .send_link(&email, LinkPurpose::Invitation, &language)
                .await
            {
                Ok(()) => Ok(Invited::Sent),
                Err(ProviderError::Broken(why)) => {
                    tracing::error!(why, "an invitation was not sent");
                    Ok(Invited::NotSent(why))
                }
                Err(error) => Err(error.into()),
            }
        })
        .await
    }

    /// Makes sure of a document that waits for this person, and of an account without a password.
    /// False when the email is somebody's already.
    async fn expect(&self, email: &Email, document: StaffPatch) -> Result<bool, ApiError> {
        let mut seen = self.changing().await?;
        self.up_to_date(&mut seen).await?;
        let inner = &self.inner;
        let account = accounts::by_email(inner.store.reader(), email).await?;
        let uid = account.as_ref().map_or("", |account| &account.uid);
        let known = inner.staff.find(uid, email.as_str()).await?;
        let waits = known.as_ref().is_some_and(|known| known.invited);
        let mut has_account = account.is_some();
        if !waits && has_account {
            return Ok(false);
        }
        if !waits && known.is_some() {
            // Only a hosted provider knows whether somebody with a document signs in elsewhere.
            match inner.provider.sign_up(email, None).await {
                Err(ProviderError::EmailInUse) => return Ok(false),
                made => made?,
            };
            has_account = true;
        }
        let id = known.map_or_else(|| email.as_str().to_owned(), |known| known.id);
        inner.staff.merge(&id, document).await?;
        self.look(&mut seen, &[id], None).await?;
        if !has_account {
            match inner.provider.sign_up(email, None).await {
                // At a hosted provider an account may be older than its document.
                Ok(_) | Err(ProviderError::EmailInUse) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(true)
    }
}

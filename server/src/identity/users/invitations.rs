//! Inviting somebody: the staff document, then the account with its mail, so that whatever breaks
//! off is put right by inviting once more.

use jiff::Timestamp;

use crate::change_request::run_detached;
use crate::error::ApiError;
use crate::identity::email::Email;
use crate::identity::provider::ProviderError;
use crate::identity::{Caller, Identity, accounts};
use crate::staff::StaffPatch;

/// What became of an invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Invited {
    /// The mail is in the queue, or with the hosted provider.
    Mailed,
    /// The email is somebody's who is here already.
    InUse,
    /// The user waits for a mail that could not be sent, and why.
    NotMailed(String),
}

impl Identity {
    /// Invites somebody, or once more somebody who was invited and has not been here yet.
    /// `language`: of the mail, two letters.
    pub async fn invite(
        &self,
        by: &Caller,
        email: &Email,
        mut document: StaffPatch,
        language: &str,
    ) -> Result<Invited, ApiError> {
        document.email = Some(email.as_str().to_owned());
        document.invited = Some(true);
        document.invited_at = Some(Some(Timestamp::now()));
        let (identity, by) = (self.clone(), by.clone());
        let (email, language) = (email.clone(), language.to_owned());
        run_detached(async move { identity.expect(&by, &email, document, &language).await }).await
    }

    /// Makes sure of a document that waits for this person, of an account without a password, and
    /// of a mail.
    async fn expect(
        &self,
        by: &Caller,
        email: &Email,
        document: StaffPatch,
        language: &str,
    ) -> Result<Invited, ApiError> {
        let mut last_seen = self.lock_user_changes().await?;
        let documents = self.reload_documents(&mut last_seen).await?;
        self.require_user_manager(by, &documents).await?;
        let inner = &self.inner;
        let account = accounts::by_email(inner.store.reader(), email).await?;
        let uid = account.as_ref().map_or("", |account| &account.uid);
        let existing = inner.staff.find(uid, email.as_str()).await?;
        let waits = existing.as_ref().is_some_and(|existing| existing.invited);
        if !waits && account.is_some() {
            return Ok(Invited::InUse);
        }
        if !waits && existing.is_some() {
            // Only a hosted provider knows whether somebody with a document signs in elsewhere.
            match inner.provider.sign_up(email, None).await {
                Err(ProviderError::EmailInUse) => return Ok(Invited::InUse),
                made => made?,
            };
        }
        let id = existing.map_or_else(|| email.as_str().to_owned(), |existing| existing.id);
        inner.staff.merge(&id, document).await?;
        self.refresh_rights(&mut last_seen, &[id], None).await?;
        inner.provider.invite(email, language).await?;
        // A hosted provider's mail takes seconds, for which no right could be taken away.
        drop(last_seen);
        match inner.provider.mail_invitation(email, language).await {
            Ok(()) => Ok(Invited::Mailed),
            Err(ProviderError::NotMailed(why)) => {
                tracing::error!(why, "an invitation was not mailed");
                Ok(Invited::NotMailed(why))
            }
            Err(error) => Err(error.into()),
        }
    }
}

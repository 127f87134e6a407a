//! Accounts that come from a hosted provider, with the password hashes they had there.

use super::email::Email;
use super::{Identity, accounts};
use crate::audit::{self, AuditEvent, AuditKind};
use crate::error::ApiError;

/// What became of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ImportedAccount {
    Created,
    /// There is one with this user id.
    SameId,
    /// There is one with this email, and another user id.
    SameEmail,
}

impl Identity {
    /// Adds an account under the user id it had, unless there is one. `password_hash`:
    /// in a form that is accepted at the next sign-in; without one its holder asks for a link.
    pub(crate) async fn import_account(
        &self,
        uid: &str,
        email: &Email,
        password_hash: Option<&str>,
    ) -> Result<ImportedAccount, ApiError> {
        let _changing = self.inner.user_changes.lock().await;
        let writer = self.inner.store.writer();
        if accounts::by_uid(writer, uid).await?.is_some() {
            return Ok(ImportedAccount::SameId);
        }
        if accounts::by_email(writer, email).await?.is_some() {
            return Ok(ImportedAccount::SameEmail);
        }
        let transaction = self.inner.store.begin_write().await?;
        accounts::insert_imported(&transaction, uid, email, password_hash.unwrap_or_default())
            .await?;
        let event = AuditEvent::done(AuditKind::StaffImported)
            .about(uid, email.as_str())
            .with_detail("account");
        let recorded = audit::record(&transaction, event).await?;
        transaction.commit().await?;
        recorded.announce();
        Ok(ImportedAccount::Created)
    }
}

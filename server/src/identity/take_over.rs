//! Accounts that come from another provider, with the password hashes they had there.

use super::email::Email;
use super::firebase_scrypt::BadHash;
use super::{Identity, accounts};
use crate::audit::{self, AuditEvent, AuditKind};
use crate::error::ApiError;

pub(crate) use super::firebase_scrypt::HashParameters;

/// What became of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TakenOver {
    Created,
    /// There is one with this user id.
    KnownById,
    /// There is one with this email, and another user id.
    KnownByEmail,
}

pub(crate) type BadPasswordHash = BadHash;

impl Identity {
    /// Adds an account under the user id it had, unless there is one. `kept`: its password hash in
    /// a form that is accepted at the next sign-in; without one its holder asks for a link.
    pub(crate) async fn take_over(
        &self,
        uid: &str,
        email: &Email,
        kept: Option<&str>,
    ) -> Result<TakenOver, ApiError> {
        let _changing = self.inner.changing.lock().await;
        let writer = self.inner.store.writer();
        if accounts::by_uid(writer, uid).await?.is_some() {
            return Ok(TakenOver::KnownById);
        }
        if accounts::by_email(writer, email).await?.is_some() {
            return Ok(TakenOver::KnownByEmail);
        }
        let transaction = self.inner.store.begin_write().await?;
        accounts::take_over(&transaction, uid, email, kept.unwrap_or_default()).await?;
        let event = AuditEvent::done(AuditKind::StaffImported)
            .about(uid, email.as_str())
            .with_detail("account");
        let recorded = audit::record(&transaction, event).await?;
        transaction.commit().await?;
        recorded.announce();
        Ok(TakenOver::Created)
    }
}

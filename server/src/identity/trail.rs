//! What the audit trail is told of sign-ins and accounts.

use dispatch_actors::store::WriteTransaction;
use sea_orm::DbErr;

use super::account_mails::notices::{NoticeKind, queue_notice};
use super::accounts;
use super::email::Email;
use super::provider::Verified;
use super::{Caller, Identity};
use crate::audit::{self, Actor, AuditEvent, AuditKind, Recorded};
use crate::error::{ApiError, ErrorCode};

impl Caller {
    pub(crate) fn actor(&self) -> Actor {
        Actor::person(&self.uid, &self.email)
    }
}

impl Identity {
    /// Somebody was not let in, who says that this is their email.
    pub(super) async fn note_refused_sign_in(&self, email: &str, refused: &ApiError) {
        if refused.status.is_server_error() {
            return;
        }
        let event = AuditEvent::refused(AuditKind::SignIn, refused.code);
        let event = match self.account_named(email, &event).await {
            Some(email) => event.by(Actor::claimed(email.as_str())),
            None => event,
        };
        self.inner.audit.attempt(event);
    }

    /// What was typed as an email, where it is an account's: anything else is not kept, since it may be
    /// a password. Looked up for whatever event is told by itself, so that its time tells nothing of
    /// accounts and a flood asks the database no more often than the trail has room.
    pub(super) async fn account_named(&self, typed: &str, event: &AuditEvent) -> Option<Email> {
        let email = Email::parse(typed)
            .ok()
            .filter(|email| !email.has_hidden())?;
        if !self.inner.audit.is_recorded_singly(event) {
            return None;
        }
        let found = accounts::by_email(self.inner.store.reader(), &email).await;
        // Without its database the trail does without the name.
        found.ok().flatten().map(|_| email)
    }

    /// Whoever is signed in did not get what they asked for, by a wrong password or code: they may have
    /// a session of somebody else's.
    pub(super) fn note_refused_change(&self, kind: AuditKind, refused: &ApiError) {
        let is_guess = matches!(
            refused.code,
            ErrorCode::WrongPassword | ErrorCode::WrongCode | ErrorCode::TooManyRequests
        );
        if is_guess {
            self.inner
                .audit
                .attempt(AuditEvent::refused(kind, refused.code));
        }
    }

    /// For a provider whose accounts are not in our database.
    pub(super) async fn note_hosted_password(
        &self,
        transaction: &WriteTransaction,
        uid: &str,
        email: &Email,
    ) -> Result<Option<Recorded>, DbErr> {
        if self.inner.provider.records_changes() {
            return Ok(None);
        }
        let recorded = password_changed(transaction, uid, email, "at the provider").await?;
        Ok(Some(recorded))
    }
}

/// A sign-in that goes well, as a part of the session that begins with it.
pub(super) fn signed_in(verified: &Verified, is_new_place: bool) -> AuditEvent {
    let detail = if is_new_place { "new device" } else { "" };
    AuditEvent::done(AuditKind::SignIn)
        .by(Actor::person(&verified.uid, verified.email.as_str()))
        .with_detail(detail)
}

/// Ends sessions of somebody: one of them, or all.
pub(super) fn sessions_ended(uid: &str, email: &str, detail: &str) -> AuditEvent {
    AuditEvent::done(AuditKind::SessionEnded)
        .about(uid, email)
        .with_detail(detail)
}

/// Another password, of which the account's holder is told.
pub(super) async fn password_changed(
    transaction: &WriteTransaction,
    uid: &str,
    email: &Email,
    detail: &str,
) -> Result<Recorded, DbErr> {
    queue_notice(transaction, email, NoticeKind::PasswordChanged).await?;
    let event = AuditEvent::done(AuditKind::PasswordChanged)
        .about(uid, email.as_str())
        .with_detail(detail);
    audit::record(transaction, event).await
}

/// A second factor is on, or off, of which the account's holder is told.
pub(super) async fn second_factor_changed(
    transaction: &WriteTransaction,
    uid: &str,
    is_on: bool,
) -> Result<Recorded, DbErr> {
    let (kind, notice) = match is_on {
        true => (AuditKind::SecondFactorOn, NoticeKind::SecondFactorOn),
        false => (AuditKind::SecondFactorOff, NoticeKind::SecondFactorOff),
    };
    let email = email_of(transaction, uid).await?;
    if let Some(email) = &email {
        queue_notice(transaction, email, notice).await?;
    }
    let email = email.as_ref().map_or("", Email::as_str);
    audit::record(transaction, AuditEvent::done(kind).about(uid, email)).await
}

/// A recovery code in place of the app's.
pub(super) async fn recovery_code_used(
    transaction: &WriteTransaction,
    uid: &str,
) -> Result<Recorded, DbErr> {
    let email = email_of(transaction, uid).await?;
    let email = email.as_ref().map_or("", Email::as_str);
    let event = AuditEvent::done(AuditKind::RecoveryCodeUsed)
        .by(Actor::person(uid, email))
        .about(uid, email);
    audit::record(transaction, event).await
}

async fn email_of(transaction: &WriteTransaction, uid: &str) -> Result<Option<Email>, DbErr> {
    let account = accounts::by_uid(transaction, uid).await?;
    Ok(account.and_then(|account| Email::parse(&account.email).ok()))
}

//! What somebody does about their own password.

use actix_web::http::StatusCode;
use dispatch_actors::store::WriteTransaction;

use crate::audit::{AuditEvent, AuditKind};
use crate::change_request::run_detached;
use crate::error::{ApiError, ErrorCode};
use crate::identity::provider::{PasswordPolicy, PasswordSet, ProviderError, Verified};
use crate::identity::sessions::SessionEndCause;
use crate::identity::sign_in::devices;
use crate::identity::{Caller, Client, Email, Identity, Inner, accounts, sessions};

impl Identity {
    pub async fn password_policy(&self) -> Result<PasswordPolicy, ApiError> {
        Ok(self.inner.provider.policy().await?)
    }

    /// Counts a requested reset mail and queues it. Neither the answer nor its time reveals whether
    /// there is such an account. 429 `too-many-requests`.
    pub(in crate::identity) async fn request_reset(
        &self,
        email: &Email,
        language: &str,
        client: &Client,
    ) -> Result<(), ApiError> {
        let device = self.known_device(email, client).await?;
        let device = device.map(|(counted, device)| {
            counted.refund();
            device
        });
        let Inner {
            attempts, audit, ..
        } = &*self.inner;
        let counted = attempts.count_mail(email, device.as_ref(), client.address);
        let event = match &counted {
            Ok(_) => AuditEvent::done(AuditKind::PasswordResetAsked),
            Err(refused) => AuditEvent::refused(AuditKind::PasswordResetAsked, refused.code),
        };
        let named = self.account_named(email.as_str(), &event).await;
        audit.attempt(event.about("", named.as_ref().map_or("", Email::as_str)));
        counted?;
        Ok(self.inner.provider.mail_reset(email, language).await?)
    }

    /// Sets a password by a link, ends whatever went on under the one before, and gives whose it is and
    /// what the browser's device cookie is to be: whoever reads the account's mail is no stranger to it.
    /// 400 `invalid-link`, `expired-link`, `weak-password`, `common-password`.
    pub async fn confirm_link(
        &self,
        token: &str,
        password: &str,
        client: &Client,
    ) -> Result<(Email, String), ApiError> {
        let (token, password, client) = (token.to_owned(), password.to_owned(), client.clone());
        let identity = self.clone();
        run_detached(async move {
            let inner = &identity.inner;
            let confirmed = inner.provider.confirm_link(&token, &password).await;
            if let Err(refused @ (ProviderError::InvalidLink | ProviderError::ExpiredLink)) =
                confirmed
            {
                let refused = ApiError::from(refused);
                let event = AuditEvent::refused(AuditKind::PasswordChanged, refused.code);
                inner.audit.attempt(event);
                return Err(refused);
            }
            let PasswordSet { verified, ended } = confirmed?;
            let device = identity
                .finish_password_change(&verified, ended, None, &client)
                .await?;
            let Verified { uid, email, .. } = verified;
            for id in [uid.as_str(), email.as_str()] {
                // The password is set, which cannot be done again with this link.
                identity.clear_invited(id).await;
            }
            Ok((email, device))
        })
        .await
    }

    /// What goes with the password before where the provider has not seen to it, but for the session and
    /// the device it was set in: gives what the browser's device cookie is to be.
    async fn finish_password_change(
        &self,
        verified: &Verified,
        ended: Vec<String>,
        session: Option<&str>,
        client: &Client,
    ) -> Result<String, ApiError> {
        let inner = &self.inner;
        let Verified { uid, email, .. } = verified;
        inner.callers.forget_user(uid);
        self.announce_ended(ended);
        let transaction = inner.store.begin_write().await?;
        accounts::lock(&transaction, uid).await?;
        let recorded = self.note_hosted_password(&transaction, uid, email).await?;
        let cause = SessionEndCause::PasswordChanged;
        let (ended, device) = self
            .end_other_sign_ins(&transaction, (uid, email), session, cause, client)
            .await?;
        if let Some(session) = session {
            sessions::set_grant(&transaction, session, verified.grant.clone()).await?;
        }
        transaction.commit().await?;
        if let Some(recorded) = recorded {
            recorded.announce();
        }
        self.announce_ended(ended);
        Ok(device)
    }

    /// Sets another password for whoever knows the one they have, ends all their other sessions, and
    /// gives what the browser's device cookie is to be. 400 `wrong-password`, `weak-password`,
    /// `common-password`.
    pub(in crate::identity) async fn change_password(
        &self,
        caller: &Caller,
        current: &str,
        new: &str,
        client: &Client,
    ) -> Result<String, ApiError> {
        let email = Email::parse(&caller.email)?;
        let (caller, client) = (caller.clone(), client.clone());
        let (current, new) = (current.to_owned(), new.to_owned());
        let identity = self.clone();
        run_detached(async move {
            let inner = &identity.inner;
            let counted = inner.attempts.count_own_password(&caller.session_id)?;
            let session = &caller.session_id;
            let changed = inner
                .provider
                .change_password(&email, &current, &new, session)
                .await;
            if !matches!(changed, Err(ProviderError::WrongPassword)) {
                counted.refund();
            }
            let PasswordSet { verified, ended } = changed.map_err(wrong_is_bad_request)?;
            identity
                .finish_password_change(&verified, ended, Some(session), &client)
                .await
        })
        .await
    }

    pub(in crate::identity) async fn check_own_password(
        &self,
        caller: &Caller,
        password: &str,
    ) -> Result<(), ApiError> {
        let email = Email::parse(&caller.email)?;
        let counted = self.inner.attempts.count_own_password(&caller.session_id)?;
        let verified = self.inner.provider.sign_in(&email, password).await;
        verified.map_err(wrong_is_bad_request)?;
        counted.refund();
        Ok(())
    }

    /// Ends whatever began with another password or second factor than there is now: sessions, but for
    /// one, and devices, but for the browser that asks. Gives the sessions, and what the browser's device
    /// cookie is to be.
    pub(in crate::identity) async fn end_other_sign_ins(
        &self,
        transaction: &WriteTransaction,
        (uid, email): (&str, &Email),
        session: Option<&str>,
        cause: SessionEndCause,
        client: &Client,
    ) -> Result<(Vec<String>, String), ApiError> {
        let ended = sessions::end_all_of(transaction, uid, session, cause).await?;
        let (key, cookie) = (&self.inner.cookie_key, client.device.as_deref());
        let device = devices::replace_all(key, transaction, (uid, email), cookie).await?;
        Ok((ended, device))
    }
}

/// 400 in place of 401: a person who is signed in must not be asked to sign in.
fn wrong_is_bad_request(error: ProviderError) -> ApiError {
    match error {
        ProviderError::WrongPassword => {
            ApiError::new(ErrorCode::WrongPassword, "The password is not correct")
                .with_status(StatusCode::BAD_REQUEST)
        }
        error => error.into(),
    }
}

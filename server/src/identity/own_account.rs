//! What somebody does about their own account: password, sessions, second factor.

use actix_web::http::StatusCode;
use dispatch_actors::store::WriteTransaction;

use super::attempts::Counted;
use super::client::Client;
use super::devices;
use super::email::Email;
use super::provider::{PasswordPolicy, PasswordSet, ProviderError, Verified};
use super::two_factor::{self, Setup, State};
use super::{Caller, Identity, Inner, accounts, sessions, trail};
use crate::audit::{AuditEvent, AuditKind};
use crate::change_request::run_detached;
use crate::error::{ApiError, ErrorCode};

impl Identity {
    pub async fn password_policy(&self) -> Result<PasswordPolicy, ApiError> {
        Ok(self.inner.provider.policy().await?)
    }

    /// Counts a mail that somebody asks for, and sees to it: neither the answer nor its time tells
    /// whether there is such an account. 429 `too-many-requests`.
    pub(super) async fn ask_for_reset(
        &self,
        email: &Email,
        language: &str,
        client: &Client,
    ) -> Result<(), ApiError> {
        let device = self.known_device(email, client).await?;
        let device = device.map(|(counted, device)| {
            counted.give_back();
            device
        });
        let Inner {
            attempts, audit, ..
        } = &*self.inner;
        let counted = attempts.mail(email, device.as_ref(), client.address);
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
                .after_password(&verified, ended, None, &client)
                .await?;
            let Verified { uid, email, .. } = verified;
            for id in [uid.as_str(), email.as_str()] {
                // The password is set, which cannot be done again with this link.
                identity.has_come(id).await;
            }
            Ok((email, device))
        })
        .await
    }

    /// What goes with the password before where the provider has not seen to it, but for the session and
    /// the device it was set in: gives what the browser's device cookie is to be.
    async fn after_password(
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
        accounts::hold(&transaction, uid).await?;
        let recorded = self.note_hosted_password(&transaction, uid, email).await?;
        let (ended, device) = self
            .begin_anew(&transaction, (uid, email), session, client)
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
    pub(super) async fn change_password(
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
            let counted = inner.attempts.own_password(&caller.session_id)?;
            let session = &caller.session_id;
            let changed = inner
                .provider
                .change_password(&email, &current, &new, session)
                .await;
            if !matches!(changed, Err(ProviderError::WrongPassword)) {
                counted.give_back();
            }
            let PasswordSet { verified, ended } = changed.map_err(wrong_is_bad_request)?;
            identity
                .after_password(&verified, ended, Some(session), &client)
                .await
        })
        .await
    }

    /// Ends whatever began with another password or second factor than there is now: sessions, but for
    /// one, and devices, but for the browser that asks. Gives the sessions, and what the browser's device
    /// cookie is to be.
    async fn begin_anew(
        &self,
        transaction: &WriteTransaction,
        (uid, email): (&str, &Email),
        session: Option<&str>,
        client: &Client,
    ) -> Result<(Vec<String>, String), ApiError> {
        let ended = sessions::end_all_of(transaction, uid, session).await?;
        let (key, cookie) = (&self.inner.cookie_key, client.device.as_deref());
        let device = devices::replace_all(key, transaction, (uid, email), cookie).await?;
        Ok((ended, device))
    }

    /// The same after another second factor, in the caller's session.
    async fn begin_anew_in(
        &self,
        transaction: &WriteTransaction,
        caller: &Caller,
        client: &Client,
    ) -> Result<(Vec<String>, String), ApiError> {
        let email = Email::parse(&caller.email)?;
        let session = Some(caller.session_id.as_str());
        self.begin_anew(transaction, (&caller.uid, &email), session, client)
            .await
    }

    /// The caller's own sessions, the last used first.
    pub(super) async fn sessions_of(
        &self,
        caller: &Caller,
    ) -> Result<Vec<sessions::Kept>, ApiError> {
        Ok(sessions::all_of(self.inner.store.reader(), &caller.uid).await?)
    }

    /// Ends one of the caller's own sessions. 404 `unknown-session`.
    pub(super) async fn end_session_of(&self, caller: &Caller, id: &str) -> Result<(), ApiError> {
        let sessions = self.sessions_of(caller).await?;
        if !sessions.iter().any(|session| session.id == id) {
            return Err(ApiError::new(
                ErrorCode::UnknownSession,
                "This session has ended already, or is not yours",
            ));
        }
        let event = trail::sessions_ended(&caller.uid, &caller.email, "one of one's own");
        self.end_session_with(id.to_owned(), Some(event)).await
    }

    pub(super) async fn sign_out_everywhere(&self, caller: &Caller) -> Result<(), ApiError> {
        let (identity, uid, email) = (self.clone(), caller.uid.clone(), caller.email.clone());
        run_detached(async move {
            let event = trail::sessions_ended(&uid, &email, "all of one's own");
            identity.end_sessions_with(&uid, Some(event)).await
        })
        .await
    }

    /// Whether the caller has a second factor, and how many recovery codes are left.
    pub(super) async fn two_factor_of(&self, caller: &Caller) -> Result<(bool, u64), ApiError> {
        let reader = self.inner.store.reader();
        let state = two_factor::state(reader, &caller.uid).await?;
        let left = two_factor::recovery_codes_left(reader, &caller.uid).await?;
        Ok((state == State::On, left))
    }

    /// What to set an app up with. 400 `wrong-password`, 409 `two-factor-on`.
    pub(super) async fn begin_two_factor(
        &self,
        caller: &Caller,
        password: &str,
    ) -> Result<Setup, ApiError> {
        self.check_own_password(caller, password).await?;
        let writer = self.inner.store.writer();
        two_factor::begin(writer, &caller.uid, &caller.email)
            .await
            .map_err(failed)?
            .ok_or_else(two_factor_on)
    }

    /// Turns the second factor on, ends the caller's other sessions, and gives the recovery codes and
    /// what the browser's device cookie is to be. 400 `wrong-code`, 409 `two-factor-on`, and
    /// `two-factor-off` where it was not begun.
    pub(super) async fn confirm_two_factor(
        &self,
        caller: &Caller,
        code: &str,
        client: &Client,
    ) -> Result<(Vec<String>, String), ApiError> {
        match two_factor::state(self.inner.store.reader(), &caller.uid).await? {
            State::Off => return Err(two_factor_off()),
            State::On => return Err(two_factor_on()),
            State::Begun => {}
        }
        let (identity, caller) = (self.clone(), caller.clone());
        let (code, client) = (code.to_owned(), client.clone());
        run_detached(async move {
            let Inner {
                attempts, store, ..
            } = &*identity.inner;
            let counted = attempts.own_code(&caller.session_id)?;
            let transaction = store.begin_write().await?;
            // Who signs in just now is in before and ended here, or comes after and needs a code.
            accounts::hold(&transaction, &caller.uid).await?;
            let (codes, recorded) = two_factor::confirm(&transaction, &caller.uid, &code)
                .await
                .map_err(failed)?
                .ok_or_else(|| wrong_code(StatusCode::BAD_REQUEST))?;
            let (ended, device) = identity
                .begin_anew_in(&transaction, &caller, &client)
                .await?;
            transaction.commit().await?;
            counted.give_back();
            recorded.announce();
            identity.announce_ended(ended);
            Ok((codes, device))
        })
        .await
    }

    /// Turns the second factor off, ends the caller's other sessions, and gives what the browser's
    /// device cookie is to be. 400 `wrong-password`, `wrong-code`, 409 `two-factor-off`.
    pub(super) async fn end_two_factor(
        &self,
        caller: &Caller,
        password: &str,
        code: &str,
        client: &Client,
    ) -> Result<String, ApiError> {
        let state = two_factor::state(self.inner.store.reader(), &caller.uid).await?;
        if state != State::On {
            return Err(two_factor_off());
        }
        self.check_own_password(caller, password).await?;
        let counted = self.inner.attempts.own_code(&caller.session_id)?;
        self.take_code(&caller.uid, code, counted, StatusCode::BAD_REQUEST)
            .await?;
        let (identity, caller, client) = (self.clone(), caller.clone(), client.clone());
        run_detached(async move {
            let transaction = identity.inner.store.begin_write().await?;
            accounts::hold(&transaction, &caller.uid).await?;
            let recorded = two_factor::end(&transaction, &caller.uid).await?;
            let (ended, device) = identity
                .begin_anew_in(&transaction, &caller, &client)
                .await?;
            transaction.commit().await?;
            recorded.announce();
            identity.announce_ended(ended);
            Ok(device)
        })
        .await
    }

    /// Uses a code up. `wrong-code` with this status.
    pub(super) async fn take_code(
        &self,
        uid: &str,
        code: &str,
        counted: Counted<'_>,
        wrong: StatusCode,
    ) -> Result<(), ApiError> {
        let right = two_factor::take_code(&self.inner.store, uid, code).await;
        if !right.map_err(failed)? {
            return Err(wrong_code(wrong));
        }
        counted.give_back();
        Ok(())
    }

    async fn check_own_password(&self, caller: &Caller, password: &str) -> Result<(), ApiError> {
        let email = Email::parse(&caller.email)?;
        let counted = self.inner.attempts.own_password(&caller.session_id)?;
        let verified = self.inner.provider.sign_in(&email, password).await;
        verified.map_err(wrong_is_bad_request)?;
        counted.give_back();
        Ok(())
    }
}

/// Whoever is signed in must not be told to sign in.
fn wrong_is_bad_request(error: ProviderError) -> ApiError {
    match error {
        ProviderError::WrongPassword => {
            ApiError::new(ErrorCode::WrongPassword, "The password is not correct")
                .with_status(StatusCode::BAD_REQUEST)
        }
        error => error.into(),
    }
}

fn wrong_code(status: StatusCode) -> ApiError {
    ApiError::new(
        ErrorCode::WrongCode,
        "This code is not correct, or was used already",
    )
    .with_status(status)
}

fn two_factor_on() -> ApiError {
    ApiError::new(
        ErrorCode::TwoFactorOn,
        "Two-factor authentication is on already",
    )
}

pub(super) fn two_factor_off() -> ApiError {
    ApiError::new(
        ErrorCode::TwoFactorOff,
        "Two-factor authentication is not on",
    )
}

fn failed(error: two_factor::Failed) -> ApiError {
    tracing::error!(%error, "a second factor could not be looked at");
    ApiError::unavailable()
}

//! What somebody does about their own account: password, sessions, second factor.

use actix_web::http::StatusCode;

use super::client::Client;
use super::email::Email;
use super::provider::{PasswordPolicy, ProviderError, Verified};
use super::two_factor::{self, Setup, State};
use super::{Caller, Identity, sessions};
use crate::error::ApiError;

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
        self.inner.attempts.mail(client.address, email)?;
        Ok(self.inner.provider.mail_reset(email, language).await?)
    }

    /// Sets a password by a link, ends whatever went on under the one before, and gives whose it
    /// is. 400 `invalid-link`, `expired-link`, `weak-password`, `common-password`.
    pub async fn confirm_link(&self, token: &str, password: &str) -> Result<Email, ApiError> {
        let (token, password) = (token.to_owned(), password.to_owned());
        let identity = self.clone();
        super::to_the_end(async move {
            let inner = &identity.inner;
            let Verified { uid, email, .. } =
                inner.provider.confirm_link(&token, &password).await?;
            identity.end_sessions_of(&uid).await?;
            for id in [uid.as_str(), email.as_str()] {
                // The password is set, which cannot be done again with this link.
                identity.has_come(id).await;
            }
            Ok(email)
        })
        .await
    }

    /// Sets another password for whoever knows the one they have, and ends all their other
    /// sessions. 400 `wrong-password`, `weak-password`, `common-password`.
    pub(super) async fn change_password(
        &self,
        caller: &Caller,
        current: &str,
        new: &str,
    ) -> Result<(), ApiError> {
        let email = Email::parse(&caller.email)?;
        self.inner.attempts.own_password(&caller.uid)?;
        let (caller, current, new) = (caller.clone(), current.to_owned(), new.to_owned());
        let identity = self.clone();
        super::to_the_end(async move {
            let inner = &identity.inner;
            let changed = inner.provider.change_password(&email, &current, &new).await;
            if !matches!(changed, Err(ProviderError::WrongPassword)) {
                inner.attempts.right_own_password(&caller.uid);
            }
            changed.map_err(wrong_is_bad_request)?;
            identity.end_other_sessions(&caller).await?;
            // What the provider gave this session was for the password before.
            let verified = inner.provider.sign_in(&email, &new).await?;
            let writer = inner.store.writer();
            sessions::set_grant(writer, &caller.session_id, verified.grant).await?;
            Ok(())
        })
        .await
    }

    async fn end_other_sessions(&self, caller: &Caller) -> Result<(), ApiError> {
        let writer = self.inner.store.writer();
        let ended = sessions::end_all_of(writer, &caller.uid, Some(&caller.session_id)).await?;
        self.announce_ended(ended);
        Ok(())
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
            return Err(ApiError::not_found(
                "unknown-session",
                "This session has ended already, or is not yours",
            ));
        }
        self.end_session(id.to_owned()).await
    }

    pub(super) async fn sign_out_everywhere(&self, caller: &Caller) -> Result<(), ApiError> {
        let (identity, uid) = (self.clone(), caller.uid.clone());
        super::to_the_end(async move { identity.end_sessions_of(&uid).await }).await
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

    /// Turns the second factor on, ends the caller's other sessions, and gives the recovery codes. 400 `wrong-code`, 409
    /// `two-factor-on`, and `two-factor-off` where it was not begun.
    pub(super) async fn confirm_two_factor(
        &self,
        caller: &Caller,
        code: &str,
    ) -> Result<Vec<String>, ApiError> {
        match two_factor::state(self.inner.store.reader(), &caller.uid).await? {
            State::Off => return Err(two_factor_off()),
            State::On => return Err(two_factor_on()),
            State::Begun => {}
        }
        self.inner.attempts.code(&caller.uid)?;
        let codes = two_factor::confirm(&self.inner.store, &caller.uid, code)
            .await
            .map_err(failed)?
            .ok_or_else(|| wrong_code(StatusCode::BAD_REQUEST))?;
        self.inner.attempts.right_code(&caller.uid);
        // They began without it.
        self.end_other_sessions(caller).await?;
        Ok(codes)
    }

    /// Turns the second factor off, and ends the caller's other sessions. 400 `wrong-password`, `wrong-code`, 409 `two-factor-off`.
    pub(super) async fn end_two_factor(
        &self,
        caller: &Caller,
        password: &str,
        code: &str,
    ) -> Result<(), ApiError> {
        let state = two_factor::state(self.inner.store.reader(), &caller.uid).await?;
        if state != State::On {
            return Err(two_factor_off());
        }
        self.check_own_password(caller, password).await?;
        self.take_code(&caller.uid, code, StatusCode::BAD_REQUEST)
            .await?;
        two_factor::end(&self.inner.store, &caller.uid).await?;
        self.end_other_sessions(caller).await
    }

    /// Uses a code up. `wrong-code` with this status, 429 `too-many-requests`.
    pub(super) async fn take_code(
        &self,
        uid: &str,
        code: &str,
        wrong: StatusCode,
    ) -> Result<(), ApiError> {
        self.inner.attempts.code(uid)?;
        let right = two_factor::take_code(&self.inner.store, uid, code).await;
        if !right.map_err(failed)? {
            return Err(wrong_code(wrong));
        }
        self.inner.attempts.right_code(uid);
        Ok(())
    }

    async fn check_own_password(&self, caller: &Caller, password: &str) -> Result<(), ApiError> {
        let email = Email::parse(&caller.email)?;
        self.inner.attempts.own_password(&caller.uid)?;
        let verified = self.inner.provider.sign_in(&email, password).await;
        verified.map_err(wrong_is_bad_request)?;
        self.inner.attempts.right_own_password(&caller.uid);
        Ok(())
    }
}

/// Whoever is signed in must not be told to sign in.
fn wrong_is_bad_request(error: ProviderError) -> ApiError {
    match error {
        ProviderError::WrongPassword => ApiError::new(
            StatusCode::BAD_REQUEST,
            "wrong-password",
            "The password is not correct",
        ),
        error => error.into(),
    }
}

fn wrong_code(status: StatusCode) -> ApiError {
    ApiError::new(
        status,
        "wrong-code",
        "This code is not correct, or was used already",
    )
}

fn two_factor_on() -> ApiError {
    ApiError::new(
        StatusCode::CONFLICT,
        "two-factor-on",
        "Two-factor authentication is on already",
    )
}

pub(super) fn two_factor_off() -> ApiError {
    ApiError::new(
        StatusCode::CONFLICT,
        "two-factor-off",
        "Two-factor authentication is not on",
    )
}

fn failed(error: two_factor::Failed) -> ApiError {
    tracing::error!(%error, "a second factor could not be looked at");
    ApiError::unavailable()
}

//! What somebody does about their own second factor, and how a code is used up.

use actix_web::http::StatusCode;
use dispatch_actors::store::WriteTransaction;

use super::store::{self, Setup, State};
use crate::change_request::run_detached;
use crate::error::{ApiError, ErrorCode};
use crate::identity::sessions::SessionEndCause;
use crate::identity::sign_in::attempts::CountedAttempt;
use crate::identity::{Caller, Client, Email, Identity, Inner, accounts};

impl Identity {
    /// Whether the caller has a second factor, and how many recovery codes are left.
    pub(in crate::identity) async fn two_factor_of(
        &self,
        caller: &Caller,
    ) -> Result<(bool, u64), ApiError> {
        let reader = self.inner.store.reader();
        let state = store::state(reader, &caller.uid).await?;
        let left = store::recovery_codes_left(reader, &caller.uid).await?;
        Ok((state == State::On, left))
    }

    /// What to set an app up with. 400 `wrong-password`, 409 `two-factor-on`.
    pub(in crate::identity) async fn begin_two_factor(
        &self,
        caller: &Caller,
        password: &str,
    ) -> Result<Setup, ApiError> {
        self.check_own_password(caller, password).await?;
        let writer = self.inner.store.writer();
        store::begin(writer, &caller.uid, &caller.email)
            .await
            .map_err(failed)?
            .ok_or_else(two_factor_on)
    }

    /// Turns the second factor on, ends the caller's other sessions, and gives the recovery codes and
    /// what the browser's device cookie is to be. 400 `wrong-code`, 409 `two-factor-on`, and
    /// `two-factor-off` where it was not begun.
    pub(in crate::identity) async fn confirm_two_factor(
        &self,
        caller: &Caller,
        code: &str,
        client: &Client,
    ) -> Result<(Vec<String>, String), ApiError> {
        match store::state(self.inner.store.reader(), &caller.uid).await? {
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
            let counted = attempts.count_own_code(&caller.session_id)?;
            let transaction = store.begin_write().await?;
            // Who signs in just now is in before and ended here, or comes after and needs a code.
            accounts::lock(&transaction, &caller.uid).await?;
            let (codes, recorded) = store::confirm(&transaction, &caller.uid, &code)
                .await
                .map_err(failed)?
                .ok_or_else(|| wrong_code(StatusCode::BAD_REQUEST))?;
            let (ended, device) = identity
                .end_other_sign_ins_of_caller(&transaction, &caller, &client)
                .await?;
            transaction.commit().await?;
            counted.refund();
            recorded.announce();
            identity.announce_ended(ended);
            Ok((codes, device))
        })
        .await
    }

    /// Turns the second factor off, ends the caller's other sessions, and gives what the browser's
    /// device cookie is to be. 400 `wrong-password`, `wrong-code`, 409 `two-factor-off`.
    pub(in crate::identity) async fn end_two_factor(
        &self,
        caller: &Caller,
        password: &str,
        code: &str,
        client: &Client,
    ) -> Result<String, ApiError> {
        let state = store::state(self.inner.store.reader(), &caller.uid).await?;
        if state != State::On {
            return Err(two_factor_off());
        }
        self.check_own_password(caller, password).await?;
        let counted = self.inner.attempts.count_own_code(&caller.session_id)?;
        self.take_code(&caller.uid, code, counted, StatusCode::BAD_REQUEST)
            .await?;
        let (identity, caller, client) = (self.clone(), caller.clone(), client.clone());
        run_detached(async move {
            let transaction = identity.inner.store.begin_write().await?;
            accounts::lock(&transaction, &caller.uid).await?;
            let recorded = store::end(&transaction, &caller.uid).await?;
            let (ended, device) = identity
                .end_other_sign_ins_of_caller(&transaction, &caller, &client)
                .await?;
            transaction.commit().await?;
            recorded.announce();
            identity.announce_ended(ended);
            Ok(device)
        })
        .await
    }

    /// Uses a code up. `wrong-code` with this status.
    pub(in crate::identity) async fn take_code(
        &self,
        uid: &str,
        code: &str,
        counted: CountedAttempt<'_>,
        wrong: StatusCode,
    ) -> Result<(), ApiError> {
        let right = store::take_code(&self.inner.store, uid, code).await;
        if !right.map_err(failed)? {
            return Err(wrong_code(wrong));
        }
        counted.refund();
        Ok(())
    }

    /// The same after another second factor, in the caller's session.
    async fn end_other_sign_ins_of_caller(
        &self,
        transaction: &WriteTransaction,
        caller: &Caller,
        client: &Client,
    ) -> Result<(Vec<String>, String), ApiError> {
        let email = Email::parse(&caller.email)?;
        let session = Some(caller.session_id.as_str());
        let cause = SessionEndCause::SecondFactorChanged;
        self.end_other_sign_ins(transaction, (&caller.uid, &email), session, cause, client)
            .await
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

pub(in crate::identity) fn two_factor_off() -> ApiError {
    ApiError::new(
        ErrorCode::TwoFactorOff,
        "Two-factor authentication is not on",
    )
}

fn failed(error: store::TwoFactorError) -> ApiError {
    tracing::error!(%error, "a second factor could not be looked at");
    ApiError::unavailable()
}

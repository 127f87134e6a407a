//! What an owner, or whoever runs the server, does about how somebody else signs in: their sessions,
//! and their second factor.

use super::changes::{normalized_id, unknown_user};
use crate::answer::Answer;
use crate::change_request::run_detached;
use crate::error::{ApiError, ErrorCode};
use crate::identity::accounts::{self, Account};
use crate::identity::own_account::routes::{SessionView, session_views};
use crate::identity::provider::{PasswordSet, ProviderError};
use crate::identity::sessions::SessionEndCause;
use crate::identity::sign_in::devices;
use crate::identity::{Caller, Email, Identity, sessions, trail, two_factor};

impl Identity {
    /// Ends every session of somebody. 404 `unknown-user`.
    pub async fn sign_out_user(&self, email: &str) -> Result<(), ApiError> {
        let email = Email::parse(email)?;
        let account = accounts::by_email(self.inner.store.reader(), &email).await?;
        let account = account.ok_or_else(|| unknown_user(email.as_str()))?;
        let identity = self.clone();
        run_detached(async move {
            let event = trail::sessions_ended(&account.uid, &account.email, "all");
            let cause = SessionEndCause::EndedByOwner;
            identity
                .end_sessions_with(&account.uid, cause, Some(event))
                .await
        })
        .await
    }

    /// The sessions of somebody on the staff, the last used first. 404 `unknown-user`.
    pub async fn sessions_of_user(
        &self,
        by: &Caller,
        id: &str,
    ) -> Result<Answer<Vec<SessionView>>, ApiError> {
        let sessions = match self.account_of_user(id).await? {
            Some(account) => sessions::all_of(self.inner.store.reader(), &account.uid).await?,
            None => Vec::new(),
        };
        session_views(by, sessions)
    }

    /// Ends one of somebody's sessions. 404 `unknown-user`, `unknown-session`.
    pub async fn end_session_of_user(&self, id: &str, session: &str) -> Result<(), ApiError> {
        let account = self.account_of_user(id).await?;
        let reader = self.inner.store.reader();
        let is_theirs = |found: &sessions::Session| {
            account
                .as_ref()
                .is_some_and(|account| account.uid == found.uid)
        };
        let found = sessions::live(reader, session).await?.filter(is_theirs);
        let (Some(account), Some(found)) = (&account, found) else {
            return Err(ApiError::new(
                ErrorCode::UnknownSession,
                "This session has ended already, or is not this person's",
            ));
        };
        let event = trail::sessions_ended(&account.uid, &account.email, "one, by an owner");
        let cause = SessionEndCause::EndedByOwner;
        self.end_session_with(found.id, Some(cause), Some(event))
            .await
    }

    /// Signs somebody out everywhere. 404 `unknown-user`.
    pub async fn end_sessions_of_user(&self, id: &str) -> Result<(), ApiError> {
        let Some(account) = self.account_of_user(id).await? else {
            return Ok(());
        };
        let identity = self.clone();
        run_detached(async move {
            let event = trail::sessions_ended(&account.uid, &account.email, "all, by an owner");
            let cause = SessionEndCause::EndedByOwner;
            identity
                .end_sessions_with(&account.uid, cause, Some(event))
                .await
        })
        .await
    }

    /// None for who is on the staff and has no account yet. 404 `unknown-user`.
    async fn account_of_user(&self, id: &str) -> Result<Option<Account>, ApiError> {
        let id = normalized_id(id)?;
        match self.account_of(&id).await? {
            Some(account) => Ok(Some(account)),
            // A record may be under another id than its account's.
            None => match Email::parse(&self.user(&id).await?.email) {
                Ok(email) => Ok(accounts::by_email(self.inner.store.reader(), &email).await?),
                Err(_) => Ok(None),
            },
        }
    }

    /// Sets another password for somebody who has forgotten theirs, and signs them out everywhere. 404
    /// `unknown-user`, 400 `weak-password`, `common-password`, or `invalid-request` where passwords are kept
    /// elsewhere.
    pub async fn replace_password(&self, email: &str, password: &str) -> Result<(), ApiError> {
        let (email, password) = (Email::parse(email)?, password.to_owned());
        let identity = self.clone();
        run_detached(async move {
            let provider = &identity.inner.provider;
            let replaced = provider.replace_password(&email, &password).await;
            let PasswordSet { verified, ended } = replaced.map_err(|error| match error {
                ProviderError::UserNotFound => unknown_user(email.as_str()),
                error => error.into(),
            })?;
            identity.inner.callers.forget_user(&verified.uid);
            identity.announce_ended(ended);
            for id in [verified.uid.as_str(), email.as_str()] {
                identity.clear_invited(id).await;
            }
            Ok(())
        })
        .await
    }

    /// Takes the second factor from a user who has lost it, and signs them out everywhere: whoever
    /// has it should not go on. 404 `unknown-user`, 409 `two-factor-off`.
    pub async fn reset_two_factor(&self, email: &str) -> Result<(), ApiError> {
        let email = Email::parse(email)?;
        let identity = self.clone();
        run_detached(async move {
            let store = &identity.inner.store;
            let account = accounts::by_email(store.reader(), &email)
                .await?
                .ok_or_else(|| unknown_user(email.as_str()))?;
            let state = two_factor::state(store.reader(), &account.uid).await?;
            if state != two_factor::State::On {
                return Err(two_factor::two_factor_off());
            }
            // All or nothing: of a second factor that is gone nobody could ask for it again.
            let transaction = store.begin_write().await?;
            accounts::lock(&transaction, &account.uid).await?;
            let recorded = two_factor::end(&transaction, &account.uid).await?;
            devices::forget_all(&transaction, &account.uid).await?;
            let cause = SessionEndCause::SecondFactorChanged;
            let ended = sessions::end_all_of(&transaction, &account.uid, None, cause).await?;
            transaction.commit().await?;
            recorded.announce();
            identity.inner.callers.forget_user(&account.uid);
            identity.announce_ended(ended);
            Ok(())
        })
        .await
    }
}

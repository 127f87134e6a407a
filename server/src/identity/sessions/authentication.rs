//! Who is behind a request: the caller of an ID token whose session goes on.

use super::id_tokens;
use crate::error::ApiError;
use crate::identity::sign_in::admission;
use crate::identity::{Caller, Identity, accounts, sessions};

impl Identity {
    /// Who an ID token stands for, with the roles they hold now. 401 `unauthorized` when it is not
    /// genuine, has expired, or its session has ended; 403 `no-role`.
    pub async fn authenticate(&self, bearer: &str) -> Result<Caller, ApiError> {
        let generation = match self.inner.callers.recall(bearer) {
            Ok(caller) => return Ok(caller),
            Err(generation) => generation,
        };
        // What is no token of this kind is refused without asking the database whether keys have changed.
        if !id_tokens::is_jwt(bearer) {
            return Err(sign_in_again());
        }
        let tokens = self.current_token_keys().await?;
        let claims = tokens.verify(bearer).ok_or_else(sign_in_again)?;
        let caller = self.caller_of_session(&claims.sid).await?;
        self.inner
            .callers
            .remember(bearer, claims.exp, &caller, generation);
        Ok(caller)
    }

    /// Whose a session is, with the roles they hold now. 401 `unauthorized` when it has ended; 403
    /// `no-role`.
    pub async fn caller_of_session(&self, id: &str) -> Result<Caller, ApiError> {
        let reader = self.inner.store.reader();
        let session = sessions::live(reader, id)
            .await?
            .ok_or_else(sign_in_again)?;
        let account = accounts::by_uid(reader, &session.uid)
            .await?
            .ok_or_else(sign_in_again)?;
        let document = self.inner.staff.find(&account.uid, &account.email).await?;
        admission::admit(account, document, session.id)
    }
}

pub(in crate::identity) fn sign_in_again() -> ApiError {
    ApiError::unauthorized("Your sign-in has expired or was ended; sign in again")
}

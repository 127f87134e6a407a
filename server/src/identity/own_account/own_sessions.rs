//! What somebody does about their own sessions.

use crate::change_request::run_detached;
use crate::error::{ApiError, ErrorCode};
use crate::identity::sessions::SessionEndCause;
use crate::identity::{Caller, Identity, sessions, trail};

impl Identity {
    /// The caller's own sessions, the last used first.
    pub(in crate::identity) async fn sessions_of(
        &self,
        caller: &Caller,
    ) -> Result<Vec<sessions::SessionRow>, ApiError> {
        Ok(sessions::all_of(self.inner.store.reader(), &caller.uid).await?)
    }

    /// Ends one of the caller's own sessions. 404 `unknown-session`.
    pub(in crate::identity) async fn end_session_of(
        &self,
        caller: &Caller,
        id: &str,
    ) -> Result<(), ApiError> {
        let sessions = self.sessions_of(caller).await?;
        if !sessions.iter().any(|session| session.id == id) {
            return Err(ApiError::new(
                ErrorCode::UnknownSession,
                "This session has ended already, or is not yours",
            ));
        }
        let event = trail::sessions_ended(&caller.uid, &caller.email, "one of one's own");
        let cause = Some(SessionEndCause::SignedOut);
        self.end_session_with(id.to_owned(), cause, Some(event))
            .await
    }

    pub(in crate::identity) async fn sign_out_everywhere(
        &self,
        caller: &Caller,
    ) -> Result<(), ApiError> {
        let (identity, uid, email) = (self.clone(), caller.uid.clone(), caller.email.clone());
        run_detached(async move {
            let event = trail::sessions_ended(&uid, &email, "all of one's own");
            let cause = SessionEndCause::SignedOut;
            identity.end_sessions_with(&uid, cause, Some(event)).await
        })
        .await
    }
}

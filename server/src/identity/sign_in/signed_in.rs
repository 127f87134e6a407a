//! Begins the session of somebody whose credentials were right, and gives them their tokens.

use serde::Serialize;
use utoipa::ToSchema;

use super::admission;
use super::credentials::second_factor_required;
use super::devices::SignedInDevice;
use crate::change_request::run_detached;
use crate::error::ApiError;
use crate::identity::account_mails::queued_mails;
use crate::identity::accounts::{self, Account};
use crate::identity::provider::{ProviderError, Verified};
use crate::identity::sessions::authentication::sign_in_again;
use crate::identity::sessions::{self, SessionEndCause, SessionStart};
use crate::identity::{Caller, Client, EXPIRES_IN, Identity, Inner};
use crate::staff::{Permission, Role, StaffPatch, permissions_of};

/// A sign-in or a refresh that went well.
pub struct SignedIn {
    pub session: String,
    /// The secret of the session, for the cookie alone.
    pub refresh_token: String,
    pub id_token: String,
    /// Seconds.
    pub expires_in: i64,
    pub user: UserView,
    /// For the device cookie; none where the browser's stays as it is.
    pub device: Option<SignedInDevice>,
}

/// A signed-in person, as their own page sees them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserView {
    pub uid: String,
    pub email: String,
    pub name: String,
    pub roles: Vec<Role>,
    /// The technician this person is, if any.
    #[schema(required)]
    pub technician_id: Option<i64>,
    /// What the roles permit; the server decides, the page only hides what it would refuse.
    pub permissions: Vec<Permission>,
}

impl From<Caller> for UserView {
    fn from(caller: Caller) -> Self {
        let Caller {
            uid,
            email,
            name,
            roles,
            technician_id,
            ..
        } = caller;
        Self {
            permissions: permissions_of(&roles),
            uid,
            email,
            name,
            roles,
            technician_id,
        }
    }
}

impl Identity {
    /// A session for somebody whose password, or whatever stands for one, was right. 403
    /// `unverified-email`, `no-role`.
    pub(in crate::identity) async fn begin(
        &self,
        verified: Verified,
        client: &Client,
    ) -> Result<SignedIn, ApiError> {
        let email = verified.email.clone();
        let (identity, client) = (self.clone(), client.clone());
        let begun = run_detached(async move { identity.try_begin(verified, &client).await }).await;
        if let Err(refused) = &begun {
            self.note_refused_sign_in(email.as_str(), refused).await;
        }
        begun
    }

    async fn try_begin(&self, verified: Verified, client: &Client) -> Result<SignedIn, ApiError> {
        let Verified { uid, email, .. } = &verified;
        let document = self.inner.staff.find(uid, email.as_str()).await?;
        admission::require_admission(&verified, document.as_ref())?;
        let writer = self.inner.store.writer();
        let account = match accounts::by_uid(writer, &verified.uid).await? {
            Some(account) if account.email == verified.email.as_str() => account,
            _ => {
                accounts::upsert(writer, &verified.uid, &verified.email).await?;
                accounts::by_uid(writer, &verified.uid)
                    .await?
                    .ok_or(ProviderError::WrongPassword)?
            }
        };
        let Inner {
            cookie_key, store, ..
        } = &*self.inner;
        let (session, refresh_token) =
            match sessions::start(store, cookie_key, &verified, client).await? {
                SessionStart::Session {
                    session,
                    refresh_token,
                } => (session, refresh_token),
                SessionStart::NoAccount => return Err(ProviderError::WrongPassword.into()),
                SessionStart::LacksCode => return Err(second_factor_required()),
            };
        // A password that changed meanwhile has ended all sessions but this one.
        if let Err(error) = self.inner.provider.require_unchanged(&verified).await {
            self.end_session(session.id, None).await?;
            return Err(error.into());
        }
        let caller = self.admit_session(account, session.id).await?;
        let session = &caller.session_id;
        // Another password, or a second factor, may have ended it.
        let (device, displaced) = sessions::activate(store, cookie_key, &verified, session, client)
            .await?
            .ok_or_else(sign_in_again)?;
        self.announce_ended(displaced);
        self.issue_tokens(caller, refresh_token, Some(device)).await
    }

    /// The session is there before the roles are read, so that a change of roles in between ends
    /// it and is not missed. Ends it for whom the rule does not let in. 403 `no-role`.
    pub(in crate::identity) async fn admit_session(
        &self,
        account: Account,
        session: String,
    ) -> Result<Caller, ApiError> {
        let document = self.inner.staff.find(&account.uid, &account.email).await?;
        if let Some(document) = document.as_ref().filter(|document| document.invited) {
            self.clear_invited(&document.id).await;
            // A person who has signed in needs no link.
            queued_mails::delete_links_of(self.inner.store.writer(), &account.email).await?;
        }
        match admission::admit(account, document, session.clone()) {
            Ok(caller) => Ok(caller),
            Err(refused) => {
                let cause = SessionEndCause::RightsChanged;
                self.end_session(session, Some(cause)).await?;
                Err(refused)
            }
        }
    }

    /// Marks a person who has signed in as no longer invited. A hosted provider's own page may have set
    /// the password, so the sign-in is the first that this server hears of it.
    pub(in crate::identity) async fn clear_invited(&self, document: &str) {
        let patch = StaffPatch {
            invited: Some(false),
            ..StaffPatch::default()
        };
        if let Err(error) = self.inner.staff.update(document, patch).await {
            tracing::error!(%error, "somebody who has signed in is still shown as invited");
        }
    }

    pub(in crate::identity) async fn issue_tokens(
        &self,
        caller: Caller,
        refresh_token: String,
        device: Option<SignedInDevice>,
    ) -> Result<SignedIn, ApiError> {
        let tokens = self.current_token_keys().await?;
        let id_token = tokens
            .issue(&caller.uid, &caller.session_id)
            .map_err(|error| {
                tracing::error!(%error, "a token could not be signed");
                ApiError::unavailable()
            })?;
        Ok(SignedIn {
            session: caller.session_id.clone(),
            refresh_token,
            id_token,
            expires_in: EXPIRES_IN,
            user: caller.into(),
            device,
        })
    }
}

//! Refreshes a session: another refresh token and another ID token for as long as it goes on.

use serde_json::json;

use super::Session;
use super::authentication::sign_in_again;
use crate::audit::{AuditEvent, AuditKind};
use crate::error::ApiError;
use crate::identity::accounts;
use crate::identity::provider::ProviderError;
use crate::identity::sign_in::attempts::CountedAttempt;
use crate::identity::sign_in::devices::{self, DeviceRecognition, SignedInDevice};
use crate::identity::{Caller, Client, Email, Identity, Inner, SignedIn, sessions};

impl Identity {
    /// A new ID token for a session that goes on, which gets its full time again, and another
    /// refresh token in place of this one. 401 `unauthorized` when it has ended. A token that was
    /// traded before, other than just now, is in two hands: its session ends. 429
    /// `too-many-requests`.
    pub async fn refresh(
        &self,
        refresh_token: &str,
        client: &Client,
    ) -> Result<SignedIn, ApiError> {
        let store = &self.inner.store;
        let counted = self.count_refresh(refresh_token, client)?;
        let session = sessions::of_token(store.reader(), refresh_token).await?;
        let Some(session) = session else {
            self.end_if_reused(refresh_token, client).await?;
            return Err(self.has_ended(refresh_token).await?);
        };
        if let Some(counted) = counted {
            counted.refund();
        }
        let account = accounts::by_uid(store.reader(), &session.uid)
            .await?
            .ok_or_else(sign_in_again)?;
        // Whatever others may fail at comes first: a token that was traded, and whose answer never
        // came, would soon be taken for a stolen one.
        let grant = self.check_account(&session).await?;
        let caller = self.admit_session(account, session.id.clone()).await?;
        let cookie_key = &self.inner.cookie_key;
        match sessions::exchange(store, cookie_key, refresh_token, client).await? {
            sessions::TokenExchange::Replaced(refresh_token) => {
                if grant != session.provider_grant {
                    sessions::set_grant(store.writer(), &session.id, grant).await?;
                }
                let device = self.remember_device(&caller, client).await?;
                self.issue_tokens(caller, refresh_token, device).await
            }
            sessions::TokenExchange::Reused => {
                self.end_stolen_session(session, &caller.email, client)
                    .await?;
                Err(sign_in_again())
            }
            sessions::TokenExchange::Unknown => Err(self.has_ended(refresh_token).await?),
        }
    }

    /// 401, with why the session of this token ended, where that is known.
    async fn has_ended(&self, refresh_token: &str) -> Result<ApiError, ApiError> {
        let Inner {
            cookie_key, store, ..
        } = &*self.inner;
        let cause = sessions::cause_of_end(store.reader(), cookie_key, refresh_token).await?;
        let refusal = sign_in_again();
        Ok(match cause {
            Some(cause) => refusal.with(json!({ "cause": cause })),
            None => refusal,
        })
    }

    /// A token that was signed here for a session that goes on, and is not kept any more, was traded
    /// long ago; but where the database is a restored one, nobody stole anything: what came after is not
    /// known, and whoever has the token signs in again.
    async fn end_if_reused(&self, refresh_token: &str, client: &Client) -> Result<(), ApiError> {
        let Inner {
            cookie_key, store, ..
        } = &*self.inner;
        let Some(signed) = sessions::signed_token(cookie_key, refresh_token) else {
            return Ok(());
        };
        let id = signed.session.to_string();
        // All as the writer sees them: it may have been given just now.
        let writer = store.writer();
        let kept = sessions::of_token(writer, refresh_token).await?;
        let (None, Some(session)) = (kept, sessions::live(writer, &id).await?) else {
            return Ok(());
        };
        if sessions::is_older_than(writer, &signed).await? {
            tracing::info!(session = %id, "the database is older than a refresh token: its session is ended");
            return self.end_session(id, None).await;
        }
        let account = accounts::by_uid(store.reader(), &session.uid).await?;
        let email = account.map_or_else(String::new, |account| account.email);
        self.end_stolen_session(session, &email, client).await
    }

    /// Two have a token of this session.
    async fn end_stolen_session(
        &self,
        session: Session,
        email: &str,
        client: &Client,
    ) -> Result<(), ApiError> {
        let Session { id, uid, .. } = session;
        let address = client.address;
        tracing::warn!(session = %id, %address, "a refresh token was used twice: its session is ended");
        let event = AuditEvent::done(AuditKind::RefreshTokenReused).about(&uid, email);
        self.end_session_with(id, None, Some(event)).await
    }

    /// What strangers made up is told by its signature. A token from before there were signatures is
    /// counted with it, and not when it turns out to be good.
    pub(super) fn count_refresh(
        &self,
        refresh_token: &str,
        client: &Client,
    ) -> Result<Option<CountedAttempt<'_>>, ApiError> {
        let Inner {
            attempts,
            cookie_key,
            ..
        } = &*self.inner;
        match sessions::signed_token(cookie_key, refresh_token) {
            Some(signed) => attempts.count_refresh(signed.session).map(|()| None),
            None => attempts.count_unsigned_refresh(client.address).map(Some),
        }
    }

    /// A browser that signed in before there were device cookies gets one.
    async fn remember_device(
        &self,
        caller: &Caller,
        client: &Client,
    ) -> Result<Option<SignedInDevice>, ApiError> {
        let Inner {
            cookie_key, store, ..
        } = &*self.inner;
        let email = Email::parse(&caller.email)?;
        let value = devices::remember_signed_in(
            cookie_key,
            store.writer(),
            (&caller.uid, &email),
            &caller.session_id,
            client.device.as_deref(),
        )
        .await?;
        if let Some(value) = &value
            && sessions::live(store.writer(), &caller.session_id)
                .await?
                .is_none()
        {
            devices::forget(cookie_key, store.writer(), value, &email).await?;
            return Err(sign_in_again());
        }
        Ok(value.map(|value| SignedInDevice {
            recognition: DeviceRecognition::Known,
            value,
        }))
    }

    /// Whether the provider still knows the account of a session that goes on, which ends when not.
    /// Gives what to ask with the next time.
    async fn check_account(&self, session: &Session) -> Result<Option<String>, ApiError> {
        let grant = session.provider_grant.as_deref();
        let checked = self.inner.provider.check(&session.uid, grant).await;
        if matches!(checked, Err(ProviderError::Ended)) {
            self.end_session(session.id.clone(), None).await?;
        }
        Ok(checked?)
    }
}

//! Ends sessions, and announces it to those who hold sockets open for them.

use std::sync::Arc;

use dispatch_actors::store::TopicListener;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::broadcast;
use uuid::Uuid;

use super::SessionEndCause::{self, SignedOut};
use crate::audit::{self, AuditEvent};
use crate::change_request::run_detached;
use crate::error::ApiError;
use crate::identity::{Client, EXPIRES_IN, Identity, sessions};

/// Seconds for which a socket is open after its session's last ID token: pages renew theirs five
/// minutes before it expires.
const RENEWAL_GRACE: i64 = 60;

/// What other servers hear: the ids of sessions that ended, or none where it is another token key.
const TOPIC: &str = "sign-ins";

impl Identity {
    /// The ids of sessions as they end. Subscribe first, authenticate then: a session that ends in
    /// between is announced. On `Lagged` ask [`Identity::ended_of`].
    pub fn ended(&self) -> broadcast::Receiver<Arc<str>> {
        self.inner.ended.subscribe()
    }

    /// Those of the sessions that have ended or expired, according to the database; their tokens
    /// are good no more from here on.
    pub async fn ended_of(&self, sessions: &[String]) -> Result<Vec<String>, ApiError> {
        let ended = sessions::ended_of(self.inner.store.reader(), sessions).await?;
        for session in &ended {
            self.inner.callers.forget_session(session);
        }
        Ok(ended)
    }

    /// Those of the sessions whose last ID token has expired: nobody has asked since whether they may
    /// go on, which is when a hosted provider says that an account is disabled.
    pub async fn without_id_token(&self, sessions: &[String]) -> Result<Vec<String>, ApiError> {
        let since = Timestamp::now() - SignedDuration::from_secs(EXPIRES_IN + RENEWAL_GRACE);
        let reader = self.inner.store.reader();
        Ok(sessions::unused_since(reader, sessions, since.as_millisecond()).await?)
    }

    /// The session of a browser's refresh token; none when it has ended. 429 `too-many-requests` for
    /// made up ones.
    pub(in crate::identity) async fn session_of(
        &self,
        refresh_token: &str,
        client: &Client,
    ) -> Result<Option<Uuid>, ApiError> {
        let counted = self.count_refresh(refresh_token, client)?;
        let session = sessions::of_token(self.inner.store.reader(), refresh_token).await?;
        if let (Some(counted), Some(_)) = (counted, &session) {
            counted.refund();
        }
        Ok(session.and_then(|session| session.id.parse().ok()))
    }

    /// Ends the session of a browser's refresh token. 429 `too-many-requests` for made up ones.
    pub(in crate::identity) async fn sign_out_of(
        &self,
        refresh_token: &str,
        client: &Client,
    ) -> Result<(), ApiError> {
        let counted = self.count_refresh(refresh_token, client)?;
        self.sign_out(refresh_token).await?;
        drop(counted);
        Ok(())
    }

    /// Ends the session of a refresh token; one that has ended already is no error.
    pub async fn sign_out(&self, refresh_token: &str) -> Result<(), ApiError> {
        match sessions::of_token(self.inner.store.reader(), refresh_token).await? {
            Some(session) => self.end_session(session.id, Some(SignedOut)).await,
            None => Ok(()),
        }
    }

    /// Ends the session of an ID token, for clients that keep no cookies.
    pub(in crate::identity) async fn sign_out_bearer(
        &self,
        id_token: &str,
    ) -> Result<(), ApiError> {
        let tokens = self.current_token_keys().await?;
        match tokens.verify(id_token) {
            Some(claims) => self.end_session(claims.sid, Some(SignedOut)).await,
            None => Ok(()),
        }
    }

    /// `cause`: what its browser is told.
    pub(in crate::identity) async fn end_session(
        &self,
        id: String,
        cause: Option<SessionEndCause>,
    ) -> Result<(), ApiError> {
        self.end_session_with(id, cause, None).await
    }

    /// The same, with what the audit trail is told of it.
    pub(in crate::identity) async fn end_session_with(
        &self,
        id: String,
        cause: Option<SessionEndCause>,
        event: Option<AuditEvent>,
    ) -> Result<(), ApiError> {
        let identity = self.clone();
        run_detached(async move {
            let transaction = identity.inner.store.begin_write().await?;
            sessions::end(&transaction, &id, cause).await?;
            let events = event.into_iter().collect();
            let recorded = audit::record_all(&transaction, events).await?;
            transaction.commit().await?;
            audit::announce_all(recorded);
            identity.announce_ended(vec![id]);
            Ok(())
        })
        .await
    }

    /// Ends every session of a user, here and on every screen.
    pub(in crate::identity) async fn end_sessions_of(
        &self,
        uid: &str,
        cause: SessionEndCause,
    ) -> Result<(), ApiError> {
        self.end_sessions_with(uid, cause, None).await
    }

    /// The same, with what the audit trail is told of it.
    pub(in crate::identity) async fn end_sessions_with(
        &self,
        uid: &str,
        cause: SessionEndCause,
        event: Option<AuditEvent>,
    ) -> Result<(), ApiError> {
        let transaction = self.inner.store.begin_write().await?;
        let ended = sessions::end_all_of(&transaction, uid, None, cause).await?;
        let events = event.into_iter().collect();
        let recorded = audit::record_all(&transaction, events).await?;
        transaction.commit().await?;
        audit::announce_all(recorded);
        self.inner.callers.forget_user(uid);
        self.announce_ended(ended);
        Ok(())
    }

    /// What other servers say: [`Self::ended_elsewhere`] reads it. Where it says nothing, sessions may have ended and token
    /// keys may be others: [`Self::look_again`].
    pub fn other_servers_sign_ins(&self) -> TopicListener {
        self.inner.store.others().listen(TOPIC)
    }

    /// The ids of sessions that another server ended, whose tokens are good no more from here on.
    pub fn ended_elsewhere<'a>(&self, said: &'a str) -> impl Iterator<Item = &'a str> {
        let sessions = said.split(' ');
        sessions.inspect(|session| self.inner.callers.forget_session(session))
    }

    /// From here on the database is asked about every session and every token key again.
    pub fn look_again(&self) {
        self.inner.tokens.reread();
        self.inner.callers.forget_all();
    }

    /// Other servers look at the token keys again.
    pub(in crate::identity) fn tell_other_servers_of_keys(&self) {
        self.inner.store.others().notify(TOPIC, "");
    }

    /// To be called after the commit that ended them.
    pub(in crate::identity) fn announce_ended(&self, sessions: Vec<String>) {
        if sessions.is_empty() {
            return;
        }
        self.inner.store.others().notify(TOPIC, &sessions.join(" "));
        for session in sessions {
            self.inner.callers.forget_session(&session);
            // An error only says that nobody has subscribed.
            let _ = self.inner.ended.send(Arc::from(session));
        }
    }
}

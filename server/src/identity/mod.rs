//! Identity: who can sign in, who is signed in, and who is behind a request. Knows no repair
//! orders; what a role permits is `staff`'s.
//!
//! A sign-in gives two things: a refresh token, which lives in a cookie and stands for the sign-in
//! session, and an ID token, which lives an hour and is sent with every request. A request is
//! accepted while the ID token is genuine **and** the session exists, so that ending a session
//! works at once; [`Identity::ended`] tells the open sockets.

mod accounts;
mod attempts;
mod caller;
mod client;
mod email;
mod embedded;
mod firebase;
pub mod firebase_scrypt;
mod invitations;
mod letters;
pub mod link_calls;
mod links;
mod mail_delivery;
mod mail_queue;
pub mod oidc;
mod own_account;
pub mod own_calls;
pub mod passwords;
mod policy;
mod provider;
mod rights;
pub mod routes;
mod sessions;
pub(crate) mod take_over;
#[cfg(test)]
mod tests;
mod tokens;
mod two_factor;
pub mod two_factor_calls;
mod users;

use std::future::Future;
use std::num::NonZeroU32;
use std::sync::Arc;

use actix_web::http::StatusCode;
use dispatch_actors::store::Store;
use sea_orm::DbErr;
use serde::Serialize;
use tokio::sync::broadcast;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::staff::{Permission, Role, StaffCollection, StaffDocument, StaffPatch, permissions_of};
use accounts::Account;
use attempts::Attempts;
use caller::Callers;
use sessions::Session;
use tokens::Tokens;

pub use caller::{Caller, VisibleTechnicians};
pub use client::Client;
pub use email::Email;
pub use embedded::Embedded;
pub use firebase::Firebase;
pub use invitations::Invited;
pub use mail_delivery::MailDelivery;
pub use mail_queue::{MailQueue, MailState, MailStatus};
pub use provider::{IdentityProvider, PasswordPolicy, ProviderError, Verified};
pub use tokens::{EXPIRES_IN, Unusable};

pub(crate) use attempts::{Limit, network};
pub(crate) use caller::bearer;
pub(crate) use sessions::LASTS as SIGN_IN_LASTS;
pub(crate) use tokens::random_bytes;

/// Ended sessions that a slow subscriber may be behind; whoever lags more asks
/// [`Identity::ended_of`] about all of its sessions.
const ENDED_KEPT: usize = 1_024;

#[derive(Clone)]
pub struct Identity {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    staff: Arc<dyn StaffCollection>,
    provider: Arc<dyn IdentityProvider>,
    tokens: Tokens,
    attempts: Attempts,
    callers: Callers,
    ended: broadcast::Sender<Arc<str>>,
    secure_cookie: bool,
    /// Held while a user is changed.
    changing: tokio::sync::Mutex<rights::Seen>,
}

/// A sign-in or a refresh that went well.
pub struct SignedIn {
    pub session: String,
    /// The secret of the session, for the cookie alone.
    pub refresh_token: String,
    pub id_token: String,
    /// Seconds.
    pub expires_in: i64,
    pub user: UserView,
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

impl Identity {
    /// Makes the signing key when the database has none. `secure_cookie`: whether browsers reach
    /// this server by HTTPS alone.
    pub async fn open(
        store: Store,
        provider: Arc<dyn IdentityProvider>,
        staff: Arc<dyn StaffCollection>,
        secure_cookie: bool,
    ) -> Result<Self, Unusable> {
        Self::open_with(store, provider, staff, secure_cookie, None).await
    }

    /// `sign_in_limit`: so many attempts to sign in at once at least, for measuring.
    pub async fn open_with(
        store: Store,
        provider: Arc<dyn IdentityProvider>,
        staff: Arc<dyn StaffCollection>,
        secure_cookie: bool,
        sign_in_limit: Option<NonZeroU32>,
    ) -> Result<Self, Unusable> {
        let tokens = Tokens::open(&store).await?;
        let (ended, _) = broadcast::channel(ENDED_KEPT);
        let inner = Inner {
            staff,
            provider,
            store,
            tokens,
            attempts: Attempts::new(sign_in_limit),
            callers: Callers::default(),
            ended,
            secure_cookie,
            changing: tokio::sync::Mutex::default(),
        };
        let identity = Self {
            inner: Arc::new(inner),
        };
        identity.sweep().await?;
        Ok(identity)
    }

    /// Deletes sessions and links that have expired, and what became of mails long ago.
    pub async fn sweep(&self) -> Result<(), DbErr> {
        let writer = self.inner.store.writer();
        sessions::sweep(writer).await?;
        links::sweep(writer).await?;
        mail_queue::delete_expired_mails(writer).await
    }

    /// Another key signs ID tokens from now on. `at_once`: those signed before are refused, and
    /// browsers get new ones with their refresh cookie; else they are good until they expire.
    pub async fn rotate_token_key(&self, at_once: bool) -> Result<(), ApiError> {
        let rotated = self.inner.tokens.rotate(&self.inner.store, at_once).await;
        rotated.map_err(unusable)?;
        self.inner.callers.forget_all();
        tracing::info!(at_once, "ID tokens are signed with another key now");
        Ok(())
    }

    /// Starts a session. 401 `wrong-password`, the same whether the email or the password is
    /// wrong; 401 `second-factor-required` and `wrong-code`; 429 `too-many-requests`.
    pub async fn sign_in(
        &self,
        email: &str,
        password: &str,
        code: Option<&str>,
        client: &Client,
    ) -> Result<SignedIn, ApiError> {
        let Inner {
            attempts, provider, ..
        } = &*self.inner;
        attempts.address(client.address)?;
        let Ok(email) = Email::parse(email) else {
            // Nobody's, which costs what a wrong one does.
            let nobody = provider.sign_in(&Email::nobodys(), password).await;
            return Err(nobody.err().unwrap_or(ProviderError::WrongPassword).into());
        };
        let at_home = self.count_password(&email, client).await?;
        let verified = provider.sign_in(&email, password).await?;
        attempts.right_password(&email, client.address, at_home);
        self.ask_second_factor(&verified.uid, code).await?;
        self.begin(verified, client).await
    }

    /// Whether it counts where the account is at home: somebody who guesses elsewhere does not lock
    /// its holder out there.
    async fn count_password(&self, email: &Email, client: &Client) -> Result<bool, ApiError> {
        let attempts = &self.inner.attempts;
        let Err(refused) = attempts.account(email) else {
            return Ok(false);
        };
        let reader = self.inner.store.reader();
        if !sessions::are_used_from(reader, email, client.address).await? {
            return Err(refused);
        }
        attempts.account_at_home(email, client.address)?;
        Ok(true)
    }

    /// 401 `second-factor-required` or `wrong-code` for whoever has a second factor.
    async fn ask_second_factor(&self, uid: &str, code: Option<&str>) -> Result<(), ApiError> {
        let state = two_factor::state(self.inner.store.reader(), uid).await?;
        if state != two_factor::State::On {
            return Ok(());
        }
        let Some(code) = code else {
            return Err(ApiError::new(
                StatusCode::UNAUTHORIZED,
                "second-factor-required",
                "Enter the code of your authenticator app, or a recovery code",
            ));
        };
        self.take_code(uid, code, StatusCode::UNAUTHORIZED).await
    }

    /// A session for somebody whose password, or whatever stands for one, was right.
    pub(super) async fn begin(
        &self,
        verified: Verified,
        client: &Client,
    ) -> Result<SignedIn, ApiError> {
        let writer = self.inner.store.writer();
        let account = match accounts::by_uid(writer, &verified.uid).await? {
            Some(account) if account.email == verified.email.as_str() => account,
            _ => {
                accounts::keep(writer, &verified.uid, &verified.email).await?;
                accounts::by_uid(writer, &verified.uid)
                    .await?
                    .ok_or(ProviderError::WrongPassword)?
            }
        };
        let (session, refresh_token) = sessions::start(
            &self.inner.store,
            &account.uid,
            verified.grant.as_deref(),
            client,
        )
        .await?
        .ok_or(ProviderError::WrongPassword)?;
        // A password that changed meanwhile has ended all sessions but this one.
        if let Err(error) = self.inner.provider.still(&verified).await {
            self.end_session(session.id).await?;
            return Err(error.into());
        }
        let caller = self.caller_in(account, session.id).await?;
        self.signed_in(caller, refresh_token).await
    }

    /// A new ID token for a session that goes on, which gets its full time again, and another
    /// refresh token in place of this one. 401 `unauthorized` when it has ended. A token that was
    /// traded before, other than just now, is in two hands: its session ends.
    pub async fn refresh(
        &self,
        refresh_token: &str,
        client: &Client,
    ) -> Result<SignedIn, ApiError> {
        let store = &self.inner.store;
        let session = sessions::of_token(store.reader(), refresh_token)
            .await?
            .ok_or_else(sign_in_again)?;
        let account = accounts::by_uid(store.reader(), &session.uid)
            .await?
            .ok_or_else(sign_in_again)?;
        // Whatever others may fail at comes first: a token that was traded, and whose answer never
        // came, would soon be taken for a stolen one.
        let grant = self.check_account(&session).await?;
        let caller = self.caller_in(account, session.id.clone()).await?;
        match sessions::trade(store, refresh_token, client).await? {
            sessions::Traded::For(refresh_token) => {
                if grant != session.provider_grant {
                    sessions::set_grant(store.writer(), &session.id, grant).await?;
                }
                self.signed_in(caller, refresh_token).await
            }
            sessions::Traded::Twice => {
                let (session, address) = (session.id, client.address);
                tracing::warn!(%session, %address, "a refresh token was used twice: its session is ended");
                self.end_session(session).await?;
                Err(sign_in_again())
            }
            sessions::Traded::Unknown => Err(sign_in_again()),
        }
    }

    /// Whether the provider still knows the account of a session that goes on, which ends when not.
    /// Gives what to ask with the next time.
    async fn check_account(&self, session: &Session) -> Result<Option<String>, ApiError> {
        let grant = session.provider_grant.as_deref();
        let checked = self.inner.provider.check(&session.uid, grant).await;
        if matches!(checked, Err(ProviderError::Ended)) {
            self.end_session(session.id.clone()).await?;
        }
        Ok(checked?)
    }

    /// Ends the session of a refresh token; one that has ended already is no error.
    pub async fn sign_out(&self, refresh_token: &str) -> Result<(), ApiError> {
        match sessions::of_token(self.inner.store.reader(), refresh_token).await? {
            Some(session) => self.end_session(session.id).await,
            None => Ok(()),
        }
    }

    /// Ends the session of an ID token, for clients that keep no cookies.
    async fn sign_out_bearer(&self, id_token: &str) -> Result<(), ApiError> {
        let Inner { tokens, store, .. } = &*self.inner;
        tokens.keep_up(store).await.map_err(unusable)?;
        match tokens.verify(id_token) {
            Some(claims) => self.end_session(claims.sid).await,
            None => Ok(()),
        }
    }

    async fn end_session(&self, id: String) -> Result<(), ApiError> {
        let identity = self.clone();
        to_the_end(async move {
            sessions::end(identity.inner.store.writer(), &id).await?;
            identity.announce_ended(vec![id]);
            Ok(())
        })
        .await
    }

    /// Who an ID token stands for, with the roles they hold now. 401 `unauthorized` when it is not
    /// genuine, has expired, or its session has ended.
    pub async fn authenticate(&self, bearer: &str) -> Result<Caller, ApiError> {
        let generation = match self.inner.callers.recall(bearer) {
            Ok(caller) => return Ok(caller),
            Err(generation) => generation,
        };
        let Inner { tokens, store, .. } = &*self.inner;
        tokens.keep_up(store).await.map_err(unusable)?;
        let claims = tokens.verify(bearer).ok_or_else(sign_in_again)?;
        let reader = self.inner.store.reader();
        let session = sessions::live(reader, &claims.sid)
            .await?
            .ok_or_else(sign_in_again)?;
        let account = accounts::by_uid(reader, &session.uid)
            .await?
            .ok_or_else(sign_in_again)?;
        let document = self.inner.staff.find(&account.uid, &account.email).await?;
        let caller = caller_of(account, document, session.id);
        self.inner
            .callers
            .remember(bearer, claims.exp, &caller, generation);
        Ok(caller)
    }

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

    /// The session is there before the roles are read, so that a change of roles in between ends
    /// it and is not missed.
    async fn caller_in(&self, account: Account, session: String) -> Result<Caller, ApiError> {
        let document = self.inner.staff.find(&account.uid, &account.email).await?;
        if let Some(document) = document.as_ref().filter(|document| document.invited) {
            self.has_come(&document.id).await;
            // Whoever came by another way needs no link.
            mail_queue::delete_all_of(self.inner.store.writer(), &account.email).await?;
        }
        Ok(caller_of(account, document, session))
    }

    /// Whoever is in is no longer merely invited, whatever way they came: a password that a hosted
    /// provider's own page took is not heard of here.
    async fn has_come(&self, document: &str) {
        let patch = StaffPatch {
            invited: Some(false),
            ..StaffPatch::default()
        };
        if let Err(error) = self.inner.staff.update(document, patch).await {
            tracing::error!(%error, "somebody who has signed in is still shown as invited");
        }
    }

    async fn signed_in(&self, caller: Caller, refresh_token: String) -> Result<SignedIn, ApiError> {
        let Inner { tokens, store, .. } = &*self.inner;
        tokens.keep_up(store).await.map_err(unusable)?;
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
        })
    }

    /// To be called after the commit that ended them.
    fn announce_ended(&self, sessions: Vec<String>) {
        for session in sessions {
            self.inner.callers.forget_session(&session);
            // An error only says that nobody has subscribed.
            let _ = self.inner.ended.send(Arc::from(session));
        }
    }
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

/// Without a staff document a person has no roles.
fn caller_of(account: Account, document: Option<StaffDocument>, session_id: String) -> Caller {
    let (name, roles, technician_id) = match document {
        Some(document) => {
            let roles = document.roles().to_vec();
            (document.name, roles, document.technician_id)
        }
        None => (account.email.clone(), Vec::new(), None),
    };
    Caller {
        uid: account.uid,
        email: account.email,
        name,
        roles,
        technician_id,
        session_id,
    }
}

/// Sees a change through even when the request behind it is dropped, as happens when a browser
/// hangs up: what was committed must also be forgotten and announced.
async fn to_the_end<T: Send + 'static>(
    change: impl Future<Output = Result<T, ApiError>> + Send + 'static,
) -> Result<T, ApiError> {
    tokio::spawn(change).await.unwrap_or_else(|error| {
        tracing::error!(%error, "a change of an account broke off");
        Err(ApiError::unavailable())
    })
}

fn unusable(error: Unusable) -> ApiError {
    tracing::error!(%error, "the keys of ID tokens could not be read");
    ApiError::unavailable()
}

fn sign_in_again() -> ApiError {
    ApiError::unauthorized("Your sign-in has expired or was ended; sign in again")
}

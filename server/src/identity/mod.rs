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
mod email;
mod embedded;
mod firebase;
pub mod firebase_scrypt;
pub mod passwords;
mod provider;
pub mod routes;
mod sessions;
pub(crate) mod take_over;
#[cfg(test)]
mod tests;
mod tokens;
mod users;

use std::future::Future;
use std::sync::Arc;

use dispatch_actors::store::Store;
use serde::Serialize;
use tokio::sync::broadcast;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::staff::{Permission, Role, StaffCollection, StaffDocument, permissions_of};
use accounts::Account;
use attempts::Attempts;
use caller::Callers;
use sessions::Session;
use tokens::Tokens;

pub use caller::{Caller, VisibleTechnicians};
pub use email::Email;
pub use embedded::Embedded;
pub use firebase::Firebase;
pub use provider::{IdentityProvider, LinkPurpose, PasswordPolicy, ProviderError, Verified};
pub use tokens::{EXPIRES_IN, Unusable};

pub(crate) use attempts::network;
pub(crate) use caller::bearer;
pub(crate) use routes::address_of;
pub(crate) use sessions::LASTS as SIGN_IN_LASTS;
pub(crate) use tokens::random_bytes;

/// Ended sessions that a slow subscriber may be behind; whoever lags more asks
/// [`Identity::is_live`] about each of its sessions.
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
    /// Held while a user is changed: what is decided on is what is changed.
    changing: tokio::sync::Mutex<()>,
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
        let tokens = Tokens::open(&store).await?;
        sessions::sweep(store.writer()).await?;
        let (ended, _) = broadcast::channel(ENDED_KEPT);
        let inner = Inner {
            staff,
            provider,
            store,
            tokens,
            attempts: Attempts::new(),
            callers: Callers::default(),
            ended,
            secure_cookie,
            changing: tokio::sync::Mutex::default(),
        };
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// Starts a session. 401 `wrong-password`, the same whether the email or the password is
    /// wrong. Counts no attempts; the route does.
    pub async fn sign_in(&self, email: &str, password: &str) -> Result<SignedIn, ApiError> {
        // What cannot be an email is nobody's, and costs what a wrong one does.
        let email = Email::parse(email).unwrap_or_else(|_| Email::nobodys());
        let verified = self.inner.provider.sign_in(&email, password).await?;
        self.begin(verified).await
    }

    /// A session for somebody whose password, or whatever stands for one, was right.
    pub(super) async fn begin(&self, verified: Verified) -> Result<SignedIn, ApiError> {
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
        let (session, refresh_token) =
            sessions::start(&self.inner.store, &account.uid, verified.grant.as_deref())
                .await?
                .ok_or(ProviderError::WrongPassword)?;
        self.signed_in(account, session, refresh_token).await
    }

    /// A new ID token for a session that goes on, which gets its full time again, and another
    /// refresh token in place of this one. 401 `unauthorized` when it has ended. A token that was
    /// traded before, other than just now, is in two hands: its session ends.
    pub async fn refresh(&self, refresh_token: &str) -> Result<SignedIn, ApiError> {
        let store = &self.inner.store;
        let (session, refresh_token) = match sessions::trade(store, refresh_token).await? {
            sessions::Traded::For {
                session,
                refresh_token,
            } => (session, refresh_token),
            sessions::Traded::Twice(session) => {
                tracing::warn!(%session, "a refresh token was used twice: its session is ended");
                self.end_session(session).await?;
                return Err(sign_in_again());
            }
            sessions::Traded::Unknown => return Err(sign_in_again()),
        };
        let account = accounts::by_uid(store.reader(), &session.uid)
            .await?
            .ok_or_else(sign_in_again)?;
        let grant = session.provider_grant.as_deref();
        self.inner.provider.check(&account.uid, grant).await?;
        self.signed_in(account, session, refresh_token).await
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
        match self.inner.tokens.verify(id_token) {
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
        let claims = self.inner.tokens.verify(bearer).ok_or_else(sign_in_again)?;
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
    /// between is announced. On `Lagged` ask [`Identity::is_live`] about every session.
    pub fn ended(&self) -> broadcast::Receiver<Arc<str>> {
        self.inner.ended.subscribe()
    }

    /// Whether a session has neither ended nor expired, according to the database.
    pub async fn is_live(&self, session: &str) -> Result<bool, ApiError> {
        Ok(sessions::live(self.inner.store.reader(), session)
            .await?
            .is_some())
    }

    /// The session is there before the roles are read, so that a change of roles in between ends
    /// it and is not missed.
    async fn signed_in(
        &self,
        account: Account,
        session: Session,
        refresh_token: String,
    ) -> Result<SignedIn, ApiError> {
        let document = self.inner.staff.find(&account.uid, &account.email).await?;
        let id_token = self
            .inner
            .tokens
            .issue(&account.uid, &session.id)
            .map_err(|error| {
                tracing::error!(%error, "a token could not be signed");
                ApiError::unavailable()
            })?;
        let Caller {
            uid,
            email,
            name,
            roles,
            technician_id,
            session_id,
        } = caller_of(account, document, session.id);
        let permissions = permissions_of(&roles);
        Ok(SignedIn {
            session: session_id,
            refresh_token,
            id_token,
            expires_in: EXPIRES_IN,
            user: UserView {
                uid,
                email,
                name,
                roles,
                technician_id,
                permissions,
            },
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

fn sign_in_again() -> ApiError {
    ApiError::unauthorized("Your sign-in has expired or was ended; sign in again")
}

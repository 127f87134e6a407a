//! Identity: who can sign in, who is signed in, and who is behind a request. Knows no repair
//! orders; what a role permits is `staff`'s.
//!
//! A sign-in gives two things: a refresh token, which lives in a cookie and stands for the sign-in
//! session, and an ID token, which lives an hour and is sent with every request. A request is
//! accepted while the ID token is genuine **and** the session exists, so that ending a session
//! works at once; [`Identity::ended`] tells the open sockets.
//!
//! - Signing in: `routes`, `attempts` (how often one may try; `limit` counts), `devices` (known
//!   browsers), `hash_queue` and `passwords` (argon2), `admission` (who is let in).
//! - A session: `sessions`, `tokens` (ID tokens), `session_cookie`, `cookie_key`, `client` (where a
//!   session is used); each request: `caller`, `path_params` (what is in its address), `visibility`
//!   (what a technician may see).
//! - Where accounts are: `provider` (the interface), `embedded` and `accounts` (our database),
//!   `hosted_import` and `firebase_scrypt` (imported accounts and their password hashes); `oidc`.
//! - One's own account: `own_account`, `own_account_routes`, `policy` (passwords), `two_factor`,
//!   `two_factor_routes`.
//! - Users: `users` (adding, removing, changing roles), `rights` (what losing a role ends),
//!   `invitations`, `email`.
//! - Mails: `mail_queue` -> `mail_delivery` -> `mail_texts` (texts of mails with a link),
//!   `notice_texts` (without one); `links` and `link_routes` (the links in mails), `notices`.
//! - `trail`: what the audit trail is told.

mod accounts;
mod admission;
mod attempts;
mod caller;
mod client;
mod cookie_key;
mod devices;
mod email;
mod embedded;
pub mod firebase_scrypt;
mod hash_queue;
pub(crate) mod hosted_import;
mod invitations;
mod limit;
pub mod link_routes;
mod links;
mod mail_delivery;
mod mail_queue;
mod mail_texts;
mod notice_texts;
mod notices;
pub mod oidc;
mod own_account;
pub mod own_account_routes;
pub mod passwords;
mod path_params;
mod policy;
mod provider;
mod rights;
pub mod routes;
mod session_cookie;
mod sessions;
#[cfg(test)]
mod tests;
mod tokens;
mod trail;
mod two_factor;
pub mod two_factor_routes;
mod users;
mod visibility;

use std::num::NonZeroU32;
use std::sync::Arc;

use actix_web::http::StatusCode;
use dispatch_actors::store::Store;
use jiff::{SignedDuration, Timestamp};
use sea_orm::DbErr;
use serde::Serialize;
use tokio::sync::{broadcast, watch};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::audit::{self, AuditEvent, AuditKind, AuditTrail};
use crate::change_request::run_detached;
use crate::change_signal::ChangeSignal;
use crate::error::{ApiError, ErrorCode};
use crate::staff::{Permission, Role, StaffCollection, StaffPatch, permissions_of};
use accounts::Account;
use attempts::{Attempts, Counted};
use caller::Callers;
use cookie_key::CookieKey;
use devices::DeviceId;
use hash_queue::Requester;
use sessions::{Session, Started};
use tokens::Tokens;

pub use caller::Caller;
pub use client::Client;
pub use devices::{DeviceRecognition, SignedInDevice};
pub use email::Email;
pub use embedded::Embedded;
pub use invitations::Invited;
pub use mail_delivery::MailDelivery;
pub use mail_queue::{MailQueue, MailState, MailStatus};
pub use path_params::Path;
pub use provider::{IdentityProvider, PasswordPolicy, PasswordSet, ProviderError, Verified};
pub use tokens::{EXPIRES_IN, IdentityError};
pub use visibility::Visibility;

pub(crate) use caller::bearer;
pub(crate) use limit::{Limit, take_all};
pub(crate) use sessions::SESSION_TTL;
pub(crate) use tokens::random_bytes;

/// Ended sessions that a slow subscriber may be behind; whoever lags more asks
/// [`Identity::ended_of`] about all of its sessions.
const ENDED_KEPT: usize = 1_024;

/// Seconds for which a socket is open after its session's last ID token: pages renew theirs five
/// minutes before it expires.
const RENEWAL_GRACE: i64 = 60;

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
    cookie_key: CookieKey,
    callers: Callers,
    audit: AuditTrail,
    ended: broadcast::Sender<Arc<str>>,
    token_keys: ChangeSignal,
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
    /// For the device cookie; none where the browser's stays as it is.
    pub device: Option<SignedInDevice>,
}

/// A password that is tried: what it was counted by, with whom it waits to be hashed, and on which of
/// the account's devices, if it is one.
struct PasswordTry<'a> {
    counted: Counted<'a>,
    requester: Requester,
    device: Option<DeviceId>,
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
    ) -> Result<Self, IdentityError> {
        Self::open_with(store, provider, staff, secure_cookie, None).await
    }

    /// `sign_in_limit`: so many attempts to sign in at once at least, for measuring.
    pub async fn open_with(
        store: Store,
        provider: Arc<dyn IdentityProvider>,
        staff: Arc<dyn StaffCollection>,
        secure_cookie: bool,
        sign_in_limit: Option<NonZeroU32>,
    ) -> Result<Self, IdentityError> {
        let tokens = Tokens::open(&store).await?;
        let cookie_key = CookieKey::open(&store).await?;
        let (ended, _) = broadcast::channel(ENDED_KEPT);
        let inner = Inner {
            audit: AuditTrail::new(store.clone()),
            staff,
            provider,
            store,
            tokens,
            attempts: Attempts::new(sign_in_limit),
            cookie_key,
            callers: Callers::default(),
            ended,
            token_keys: ChangeSignal::default(),
            secure_cookie,
            changing: tokio::sync::Mutex::default(),
        };
        let identity = Self {
            inner: Arc::new(inner),
        };
        identity.sweep().await?;
        Ok(identity)
    }

    pub fn audit(&self) -> &AuditTrail {
        &self.inner.audit
    }

    /// Deletes sessions, links and devices that have expired, and what became of mails long ago.
    pub async fn sweep(&self) -> Result<(), DbErr> {
        let writer = self.inner.store.writer();
        sessions::sweep(writer).await?;
        links::sweep(writer).await?;
        devices::sweep(writer).await?;
        mail_queue::delete_expired_mails(writer).await
    }

    /// Another key signs ID tokens from now on. `at_once`: those signed before are refused and the
    /// sockets they opened are closed; browsers get new ones with their refresh cookie. Else they are
    /// good until they expire. `end_sessions`: so is every session, and everybody signs in again.
    pub async fn rotate_token_key(
        &self,
        at_once: bool,
        end_sessions: bool,
    ) -> Result<(), ApiError> {
        let identity = self.clone();
        run_detached(async move {
            let inner = &identity.inner;
            let rotated = inner.tokens.rotate(&inner.store, at_once).await;
            rotated.map_err(unreadable_keys)?;
            inner.callers.forget_all();
            inner.token_keys.announce();
            tracing::info!(at_once, "ID tokens are signed with another key now");
            if end_sessions {
                let ended = sessions::end_all(&inner.store).await?;
                tracing::info!(sessions = ended.len(), "every session was ended");
                identity.announce_ended(ended);
            }
            Ok(())
        })
        .await
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
        let verified = self
            .check_credentials(email, password, code, client)
            .await?;
        self.begin(verified, client).await
    }

    /// Who knows the password of an account, and has its second factor where there is one: counted and
    /// refused as [`Self::sign_in`] says.
    pub(super) async fn check_credentials(
        &self,
        email: &str,
        password: &str,
        code: Option<&str>,
        client: &Client,
    ) -> Result<Verified, ApiError> {
        let checked = self.try_credentials(email, password, code, client).await;
        if let Err(refused) = &checked {
            self.note_refused_sign_in(email, refused).await;
        }
        checked
    }

    async fn try_credentials(
        &self,
        email: &str,
        password: &str,
        code: Option<&str>,
        client: &Client,
    ) -> Result<Verified, ApiError> {
        let provider = &self.inner.provider;
        // What can be nobody's is neither counted nor hashed, whoever else there is.
        let email = Email::parse(email).map_err(|_| ProviderError::WrongPassword)?;
        if password.len() > provider.max_password_bytes() {
            return Err(ProviderError::WrongPassword.into());
        }
        let PasswordTry {
            counted,
            requester,
            device,
        } = self.count_password(&email, client).await?;
        let mut verified = match provider.sign_in_for(requester, &email, password).await {
            Ok(verified) => verified,
            Err(ProviderError::WrongPassword) => return Err(ProviderError::WrongPassword.into()),
            Err(error) => {
                counted.give_back_to_account();
                return Err(error.into());
            }
        };
        counted.give_back();
        let took_code = self
            .take_second_factor(&verified.uid, code, device.as_ref())
            .await?;
        verified.lacks_code = !took_code;
        Ok(verified)
    }

    /// Counts a password that is tried for an account: on one of its devices, by a stranger, or in a
    /// network where the account is signed in and strangers have used up what they have.
    async fn count_password(
        &self,
        email: &Email,
        client: &Client,
    ) -> Result<PasswordTry<'_>, ApiError> {
        let attempts = &self.inner.attempts;
        if let Some((counted, device)) = self.known_device(email, client).await? {
            return Ok(PasswordTry {
                counted,
                requester: Requester::known_device(&device),
                device: Some(device),
            });
        }
        let counted = match attempts.strangers_password(email, client.address) {
            Ok(counted) => counted,
            Err(refused) => {
                if !self.is_signed_in_from(email, client).await? {
                    return Err(refused);
                }
                attempts.known_networks_password(email, client.address)?
            }
        };
        Ok(PasswordTry {
            counted,
            requester: Requester::stranger(client.address),
            device: None,
        })
    }

    /// The device of the account that a browser is, unless it has guessed too often there. A cookie
    /// that was revoked asks the database no more often than it may guess.
    async fn known_device(
        &self,
        email: &Email,
        client: &Client,
    ) -> Result<Option<(Counted<'_>, DeviceId)>, ApiError> {
        let Inner {
            attempts,
            cookie_key,
            store,
            ..
        } = &*self.inner;
        let Some(device) = devices::claimed_id(cookie_key, client.device.as_deref(), email) else {
            return Ok(None);
        };
        let Ok(counted) = attempts.known_devices_password(email, &device) else {
            return Ok(None);
        };
        let is_known = devices::is_known(store.reader(), &device, email).await?;
        Ok(is_known.then_some((counted, device)))
    }

    async fn is_signed_in_from(&self, email: &Email, client: &Client) -> Result<bool, ApiError> {
        let Inner {
            attempts, store, ..
        } = &*self.inner;
        Ok(attempts.may_look_up(client.address)
            && sessions::are_used_from(store.reader(), email, client.address).await?)
    }

    /// Whether there is a second factor, of which a code was taken. 401 `second-factor-required` or
    /// `wrong-code` for whoever has one.
    async fn take_second_factor(
        &self,
        uid: &str,
        code: Option<&str>,
        device: Option<&DeviceId>,
    ) -> Result<bool, ApiError> {
        let state = two_factor::state(self.inner.store.reader(), uid).await?;
        if state != two_factor::State::On {
            return Ok(false);
        }
        let code = code.ok_or_else(second_factor_required)?;
        let counted = self.inner.attempts.code(uid, device)?;
        self.take_code(uid, code, counted, StatusCode::UNAUTHORIZED)
            .await?;
        Ok(true)
    }

    /// A session for somebody whose password, or whatever stands for one, was right. 403
    /// `unverified-email`, `no-role`.
    pub(super) async fn begin(
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
                accounts::keep(writer, &verified.uid, &verified.email).await?;
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
                Started::Session {
                    session,
                    refresh_token,
                } => (session, refresh_token),
                Started::NoAccount => return Err(ProviderError::WrongPassword.into()),
                Started::LacksCode => return Err(second_factor_required()),
            };
        // A password that changed meanwhile has ended all sessions but this one.
        if let Err(error) = self.inner.provider.still(&verified).await {
            self.end_session(session.id).await?;
            return Err(error.into());
        }
        let caller = self.caller_in(account, session.id).await?;
        let session = &caller.session_id;
        // Another password, or a second factor, may have ended it.
        let (device, displaced) = sessions::begin(store, cookie_key, &verified, session, client)
            .await?
            .ok_or_else(sign_in_again)?;
        self.announce_ended(displaced);
        self.signed_in(caller, refresh_token, Some(device)).await
    }

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
            self.end_if_forgotten(refresh_token, client).await?;
            return Err(sign_in_again());
        };
        if let Some(counted) = counted {
            counted.give_back();
        }
        let account = accounts::by_uid(store.reader(), &session.uid)
            .await?
            .ok_or_else(sign_in_again)?;
        // Whatever others may fail at comes first: a token that was traded, and whose answer never
        // came, would soon be taken for a stolen one.
        let grant = self.check_account(&session).await?;
        let caller = self.caller_in(account, session.id.clone()).await?;
        let cookie_key = &self.inner.cookie_key;
        match sessions::trade(store, cookie_key, refresh_token, client).await? {
            sessions::Traded::For(refresh_token) => {
                if grant != session.provider_grant {
                    sessions::set_grant(store.writer(), &session.id, grant).await?;
                }
                let device = self.known_from_now_on(&caller, client).await?;
                self.signed_in(caller, refresh_token, device).await
            }
            sessions::Traded::Twice => {
                self.end_stolen(session, &caller.email, client).await?;
                Err(sign_in_again())
            }
            sessions::Traded::Unknown => Err(sign_in_again()),
        }
    }

    /// A token that was signed here for a session that goes on, and is not kept any more, was traded
    /// long ago; but where the database is a restored one, nobody stole anything: what came after is not
    /// known, and whoever has the token signs in again.
    async fn end_if_forgotten(&self, refresh_token: &str, client: &Client) -> Result<(), ApiError> {
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
            return self.end_session(id).await;
        }
        let account = accounts::by_uid(store.reader(), &session.uid).await?;
        let email = account.map_or_else(String::new, |account| account.email);
        self.end_stolen(session, &email, client).await
    }

    /// Two have a token of this session.
    async fn end_stolen(
        &self,
        session: Session,
        email: &str,
        client: &Client,
    ) -> Result<(), ApiError> {
        let Session { id, uid, .. } = session;
        let address = client.address;
        tracing::warn!(session = %id, %address, "a refresh token was used twice: its session is ended");
        let event = AuditEvent::done(AuditKind::RefreshTokenReused).about(&uid, email);
        self.end_session_with(id, Some(event)).await
    }

    /// What strangers made up is told by its signature. A token from before there were signatures is
    /// counted with it, and not when it turns out to be good.
    fn count_refresh(
        &self,
        refresh_token: &str,
        client: &Client,
    ) -> Result<Option<Counted<'_>>, ApiError> {
        let Inner {
            attempts,
            cookie_key,
            ..
        } = &*self.inner;
        match sessions::signed_token(cookie_key, refresh_token) {
            Some(signed) => attempts.refresh(signed.session).map(|()| None),
            None => attempts.unsigned_refresh(client.address).map(Some),
        }
    }

    /// A browser that signed in before there were device cookies gets one.
    async fn known_from_now_on(
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
            self.end_session(session.id.clone()).await?;
        }
        Ok(checked?)
    }

    /// The session of a browser's refresh token; none when it has ended. 429 `too-many-requests` for
    /// made up ones.
    pub(super) async fn session_of(
        &self,
        refresh_token: &str,
        client: &Client,
    ) -> Result<Option<Uuid>, ApiError> {
        let counted = self.count_refresh(refresh_token, client)?;
        let session = sessions::of_token(self.inner.store.reader(), refresh_token).await?;
        if let (Some(counted), Some(_)) = (counted, &session) {
            counted.give_back();
        }
        Ok(session.and_then(|session| session.id.parse().ok()))
    }

    /// Ends the session of a browser's refresh token. 429 `too-many-requests` for made up ones.
    pub(super) async fn sign_out_of(
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
            Some(session) => self.end_session(session.id).await,
            None => Ok(()),
        }
    }

    /// Ends the session of an ID token, for clients that keep no cookies.
    async fn sign_out_bearer(&self, id_token: &str) -> Result<(), ApiError> {
        let Inner { tokens, store, .. } = &*self.inner;
        tokens
            .refresh_if_stale(store)
            .await
            .map_err(unreadable_keys)?;
        match tokens.verify(id_token) {
            Some(claims) => self.end_session(claims.sid).await,
            None => Ok(()),
        }
    }

    pub(super) async fn end_session(&self, id: String) -> Result<(), ApiError> {
        self.end_session_with(id, None).await
    }

    /// The same, with what the audit trail is told of it.
    async fn end_session_with(
        &self,
        id: String,
        event: Option<AuditEvent>,
    ) -> Result<(), ApiError> {
        let identity = self.clone();
        run_detached(async move {
            let transaction = identity.inner.store.begin_write().await?;
            sessions::end(&transaction, &id).await?;
            let events = event.into_iter().collect();
            let recorded = audit::record_all(&transaction, events).await?;
            transaction.commit().await?;
            audit::announce_all(recorded);
            identity.announce_ended(vec![id]);
            Ok(())
        })
        .await
    }

    /// Who an ID token stands for, with the roles they hold now. 401 `unauthorized` when it is not
    /// genuine, has expired, or its session has ended; 403 `no-role`.
    pub async fn authenticate(&self, bearer: &str) -> Result<Caller, ApiError> {
        let generation = match self.inner.callers.recall(bearer) {
            Ok(caller) => return Ok(caller),
            Err(generation) => generation,
        };
        // What is no token of this kind is refused without asking the database whether keys have changed.
        if !tokens::is_jwt(bearer) {
            return Err(sign_in_again());
        }
        let Inner { tokens, store, .. } = &*self.inner;
        tokens
            .refresh_if_stale(store)
            .await
            .map_err(unreadable_keys)?;
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

    /// Changes when this process signs with another key.
    pub fn token_key_changes(&self) -> watch::Receiver<()> {
        self.inner.token_keys.subscribe()
    }

    /// The id of the key that a token is signed with, which [`Self::authenticate`] has accepted.
    pub fn token_key(&self, id_token: &str) -> Option<Arc<str>> {
        tokens::key_id(id_token).map(Arc::from)
    }

    /// Those of the keys, by their ids, whose tokens are refused, whichever process made them so.
    pub async fn refused_keys(
        &self,
        keys: impl IntoIterator<Item = Arc<str>>,
    ) -> Result<Vec<Arc<str>>, ApiError> {
        let Inner { tokens, store, .. } = &*self.inner;
        tokens
            .refresh_if_stale(store)
            .await
            .map_err(unreadable_keys)?;
        let refused: Vec<_> = keys
            .into_iter()
            .filter(|key| !tokens.accepts_key(key))
            .collect();
        if !refused.is_empty() {
            // Who was accepted a moment ago is asked again.
            self.inner.callers.forget_all();
        }
        Ok(refused)
    }

    /// Those of the sessions whose last ID token has expired: nobody has asked since whether they may
    /// go on, which is when a hosted provider says that an account is disabled.
    pub async fn without_id_token(&self, sessions: &[String]) -> Result<Vec<String>, ApiError> {
        let since = Timestamp::now() - SignedDuration::from_secs(EXPIRES_IN + RENEWAL_GRACE);
        let reader = self.inner.store.reader();
        Ok(sessions::unused_since(reader, sessions, since.as_millisecond()).await?)
    }

    /// The session is there before the roles are read, so that a change of roles in between ends
    /// it and is not missed. Ends it for whom the rule does not let in. 403 `no-role`.
    async fn caller_in(&self, account: Account, session: String) -> Result<Caller, ApiError> {
        let document = self.inner.staff.find(&account.uid, &account.email).await?;
        if let Some(document) = document.as_ref().filter(|document| document.invited) {
            self.has_come(&document.id).await;
            // Whoever came by another way needs no link.
            mail_queue::delete_links_of(self.inner.store.writer(), &account.email).await?;
        }
        match admission::admit(account, document, session.clone()) {
            Ok(caller) => Ok(caller),
            Err(refused) => {
                self.end_session(session).await?;
                Err(refused)
            }
        }
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

    async fn signed_in(
        &self,
        caller: Caller,
        refresh_token: String,
        device: Option<SignedInDevice>,
    ) -> Result<SignedIn, ApiError> {
        let Inner { tokens, store, .. } = &*self.inner;
        tokens
            .refresh_if_stale(store)
            .await
            .map_err(unreadable_keys)?;
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

fn unreadable_keys(error: IdentityError) -> ApiError {
    tracing::error!(%error, "the keys of ID tokens could not be read");
    ApiError::unavailable()
}

fn second_factor_required() -> ApiError {
    ApiError::new(
        ErrorCode::SecondFactorRequired,
        "Enter the code of your authenticator app, or a recovery code",
    )
}

fn sign_in_again() -> ApiError {
    ApiError::unauthorized("Your sign-in has expired or was ended; sign in again")
}

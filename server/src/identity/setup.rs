//! Opens identity on a database, and sweeps out what has expired.

use std::num::NonZeroU32;
use std::sync::Arc;

use dispatch_actors::store::Store;
use sea_orm::DbErr;
use tokio::sync::broadcast;

use super::account_mails::{links, queued_mails};
use super::sessions::caller::Callers;
use super::sessions::cookie_key::CookieKey;
use super::sessions::id_tokens::IdTokens;
use super::set_up::link::SetUpLink;
use super::sign_in::attempts::Attempts;
use super::sign_in::devices;
use super::sign_in::shared_limits::SharedLimits;
use super::{Identity, IdentityError, IdentityProvider, Inner, sessions};
use crate::audit::AuditTrail;
use crate::change_signal::ChangeSignal;
use crate::staff::StaffCollection;

/// Ended sessions that a slow subscriber may be behind; whoever lags more asks
/// [`Identity::ended_of`] about all of its sessions.
const ENDED_CAPACITY: usize = 1_024;

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
        let tokens = IdTokens::open(&store).await?;
        let cookie_key = CookieKey::open(&store).await?;
        let shared_limits = SharedLimits::open(&store).await?;
        let (ended, _) = broadcast::channel(ENDED_CAPACITY);
        let inner = Inner {
            audit: AuditTrail::new(store.clone()),
            staff,
            provider,
            set_up: SetUpLink::new(store.others()),
            store,
            tokens,
            attempts: Attempts::new(&shared_limits, sign_in_limit),
            shared_limits,
            cookie_key,
            callers: Callers::default(),
            ended,
            token_keys: ChangeSignal::default(),
            secure_cookie,
            user_changes: tokio::sync::Mutex::default(),
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

    /// Limits that hold for all servers of the database together.
    pub(crate) fn shared_limits(&self) -> &SharedLimits {
        &self.inner.shared_limits
    }

    /// Deletes sessions, links and devices that have expired, and what became of mails long ago.
    pub async fn sweep(&self) -> Result<(), DbErr> {
        let writer = self.inner.store.writer();
        sessions::sweep(writer).await?;
        links::sweep(writer).await?;
        devices::sweep(writer).await?;
        queued_mails::delete_expired_mails(writer).await
    }
}

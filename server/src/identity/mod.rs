//! Identity: who can sign in, who is signed in, and who is behind a request. Knows no repair
//! orders; what a role permits is `staff`'s.
//!
//! A sign-in gives two things: a refresh token, which lives in a cookie and stands for the sign-in
//! session, and an ID token, which lives an hour and is sent with every request. A request is
//! accepted while the ID token is genuine **and** the session exists, so that ending a session
//! works at once; [`Identity::ended`] tells the open sockets.
//!
//! - `sign_in`: who may try, whose credentials are right, who is let in. `passwords`, `two_factor`
//!   and `oidc` (an OpenID Connect provider) are the ways to show who one is.
//! - `sessions`: how a session starts, goes on and ends; ID tokens; who is behind a request.
//! - `own_account`: what people do about their own account. `users`: what owners do about others'.
//! - `set_up`: the first owner, by a link that the server prints while there is no account.
//! - `account_mails`: mails with a link, and notices.
//! - Where accounts are: `provider` (the interface), `embedded` and `accounts` (our database),
//!   `hosted_import` (accounts brought along from elsewhere), `email`.
//! - Each request: `client` (where it comes from), `path_params` (what is in its address),
//!   `visibility` (what a technician may see).
//! - `setup` opens it all; `trail`: what the audit trail is told.

mod account_mails;
mod accounts;
mod client;
mod email;
mod embedded;
pub(crate) mod hosted_import;
pub mod oidc;
pub mod own_account;
pub mod passwords;
mod path_params;
mod provider;
mod sessions;
mod set_up;
mod setup;
mod sign_in;
#[cfg(test)]
mod tests;
mod trail;
mod two_factor;
mod users;
mod visibility;

use std::sync::Arc;

use dispatch_actors::store::Store;
use tokio::sync::{Mutex, broadcast};

use crate::audit::AuditTrail;
use crate::change_signal::ChangeSignal;
use crate::staff::StaffCollection;
use sessions::caller::Callers;
use sessions::cookie_key::CookieKey;
use sessions::id_tokens::IdTokens;
use set_up::link::SetUpLink;
use sign_in::attempts::Attempts;
use users::rights::LastSeenStaff;

pub use account_mails::mail_counts::MailCounts;
pub use account_mails::mail_delivery::MailDelivery;
pub use account_mails::mail_queue::{MailQueue, MailState, MailStatus};
pub use client::Client;
pub use email::Email;
pub use embedded::Embedded;
pub use passwords::firebase_scrypt;
pub use passwords::hash_queue::{HashQueueLoad, hash_queue_load};
pub use path_params::Path;
pub use provider::{IdentityProvider, PasswordPolicy, PasswordSet, ProviderError, Verified};
pub use sessions::caller::Caller;
pub use sessions::id_tokens::{EXPIRES_IN, IdentityError};
pub use sign_in::devices::{DeviceRecognition, SignedInDevice};
pub use sign_in::routes;
pub use sign_in::signed_in::{SignedIn, UserView};
pub use users::invitations::Invited;
pub use visibility::Visibility;

pub(crate) use sessions::SESSION_TTL;
pub(crate) use sessions::caller::bearer;
pub(crate) use sessions::id_tokens::random_bytes;
pub(crate) use sign_in::limit::{HOUR, Limit, MINUTE, Tiers, take_all};
pub(crate) use sign_in::shared_limits::SharedLimits;

/// Who can sign in, and who is signed in; cheap to clone.
#[derive(Clone)]
pub struct Identity {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    staff: Arc<dyn StaffCollection>,
    provider: Arc<dyn IdentityProvider>,
    tokens: IdTokens,
    attempts: Attempts,
    shared_limits: SharedLimits,
    cookie_key: CookieKey,
    callers: Callers,
    audit: AuditTrail,
    ended: broadcast::Sender<Arc<str>>,
    token_keys: ChangeSignal,
    secure_cookie: bool,
    set_up: SetUpLink,
    /// Held while a user is changed.
    user_changes: Mutex<LastSeenStaff>,
}

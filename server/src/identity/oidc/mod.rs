//! Signing in with an OpenID Connect provider, by authorization code with PKCE. The result is a session
//! of ours, exactly as a password's. Our own second factor is asked for once, with the password, when
//! an account that has them is linked to a person of the provider: from then on how that person proves
//! who they are is the provider's business.
//!
//! `routes` (the calls) -> `arrival` (a person comes back), `cookies`, `round_trip` (what the browser
//! carries there and back), `provider` (where to send somebody, and who came back) -> `description` (the
//! provider's addresses and keys), `http`, `tokens` (what it says of a person). `account_match` decides
//! which account that is, with `links` (the table) and `pending_link` (somebody who must first give the
//! account's password). `limits`: how often.

mod account_match;
mod arrival;
mod cookies;
mod description;
mod http;
mod limits;
mod links;
mod pending_link;
mod provider;
mod round_trip;
pub mod routes;
mod tokens;

use std::fmt;
use std::sync::Arc;

use dispatch_actors::store::Store;
use openidconnect::RedirectUrl;
use uuid::Uuid;

use super::{IdentityError, SharedLimits};
use crate::error::{ApiError, ErrorCode};
use limits::Returns;
use pending_link::PendingLink;
use provider::Provider;
use round_trip::{RoundTripError, RoundTrips};
use tokens::claims::Person;

pub use tokens::issuer::{Issuer, IssuerError};

const CALLBACK: &str = "/api/auth/oidc/callback";

/// What `--oidc-...` say.
#[derive(Clone)]
pub struct OidcOptions {
    pub issuer: Issuer,
    pub client_id: String,
    /// None where the provider knows us as a public client: PKCE alone protects the code.
    pub client_secret: Option<String>,
    /// What the provider is called on the button.
    pub name: String,
    /// The claim that lists a person's roles; none where the staff document alone says them.
    pub roles_claim: Option<String>,
}

impl fmt::Debug for OidcOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OidcOptions")
            .field("issuer", &self.issuer)
            .field("client_id", &self.client_id)
            .field("name", &self.name)
            .field("roles_claim", &self.roles_claim)
            .finish_non_exhaustive()
    }
}

/// The way of signing in, where a provider is configured.
#[derive(Clone)]
pub struct OpenIdConnect {
    provider: Arc<Provider>,
    round_trips: RoundTrips,
    returns: Arc<Returns>,
}

impl OpenIdConnect {
    /// `public_url`: where browsers reach us, without a slash at the end. The provider need not be
    /// there yet.
    pub(crate) async fn open(
        store: &Store,
        limits: &SharedLimits,
        options: OidcOptions,
        public_url: &str,
    ) -> Result<Self, IdentityError> {
        let redirect = RedirectUrl::new(format!("{public_url}{CALLBACK}"))
            .map_err(|error| IdentityError::OpenIdConnect(error.to_string()))?;
        let provider = Provider::new(options, redirect)
            .map_err(|error| IdentityError::OpenIdConnect(error.to_string()))?;
        Ok(Self {
            provider: Arc::new(provider),
            round_trips: RoundTrips::open(store).await?,
            returns: Arc::new(Returns::new(limits)),
        })
    }

    /// Asks the provider what it is before the first person waits for it, and says in the log when
    /// it is away.
    pub async fn get_ready(self) {
        if let Err(why) = self.provider.get_ready().await {
            tracing::warn!(%why, "the OpenID Connect provider is asked again when somebody signs in");
        }
    }

    fn issuer(&self) -> &str {
        self.provider.issuer()
    }

    /// For the cookie of somebody who must prove first that the account is theirs.
    fn seal_link(&self, person: Person, session_before: Option<Uuid>) -> Option<String> {
        PendingLink::new(self.issuer(), person, session_before)?.seal(self.round_trips.key())
    }

    fn open_link(&self, cookie: &str) -> Option<PendingLink> {
        PendingLink::open(self.round_trips.key(), self.issuer(), cookie)
    }
}

/// Why somebody who came back is not let in. The log is told, and the person no more than the code.
#[derive(Debug, thiserror::Error)]
enum OidcRefusal {
    #[error("the provider's answer is not one: {0}")]
    Malformed(&'static str),
    #[error(transparent)]
    RoundTripError(#[from] RoundTripError),
    #[error("the provider says {0}")]
    Denied(String),
    #[error(transparent)]
    OidcError(#[from] provider::OidcError),
    #[error("the provider has verified no email of this person")]
    Unverified,
    #[error("this person is not on the staff, and the provider gives them no role")]
    NoAccount,
    #[error("the account was linked before, or it is too late for it")]
    LinkExpired,
    #[error(transparent)]
    Service(#[from] ApiError),
}

impl OidcRefusal {
    /// For the sign-in screen.
    fn code(&self) -> &'static str {
        match self {
            Self::Unverified => "oidc-unverified-email",
            Self::NoAccount => "oidc-no-account",
            Self::Service(error) if error.code == ErrorCode::NoRole => "oidc-no-account",
            _ => "oidc-failed",
        }
    }
}

impl From<OidcRefusal> for ApiError {
    fn from(refused: OidcRefusal) -> Self {
        match refused {
            OidcRefusal::Service(error) => error,
            OidcRefusal::NoAccount => ApiError::new(
                ErrorCode::NoRole,
                "You have no role in this shop: ask an owner to give you one",
            ),
            refused => {
                tracing::warn!(why = %refused, "an account was not linked");
                ApiError::new(
                    ErrorCode::LinkExpired,
                    "This took too long, or was done before: begin again at the sign-in screen",
                )
            }
        }
    }
}

/// Somebody else's text for a line of the log.
fn plain(text: &str) -> String {
    let line = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    line.take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_secret_is_not_in_a_log() {
        let options = OidcOptions {
            issuer: "https://accounts.example.com".parse().unwrap(),
            client_id: "dispatch".to_owned(),
            client_secret: Some("hush".to_owned()),
            name: "Example".to_owned(),
            roles_claim: None,
        };
        assert!(!format!("{options:?}").contains("hush"));
    }
}

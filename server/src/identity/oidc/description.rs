//! The provider as it describes itself: where it is asked what, and the keys it signs with. Both are
//! kept, and asked for again when they are old, when it did not answer, or when it signs with a key
//! that is not among them.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use openidconnect::DiscoveryError;
use openidconnect::core::CoreProviderMetadata;

use super::http::{Http, HttpError};
use super::provider::chain;
use super::tokens::issuer::Issuer;

/// Providers change their keys over days.
const METADATA_TTL: Duration = Duration::from_secs(60 * 60);

/// A provider that is away is not asked by everybody who clicks.
const RETRY_INTERVAL: Duration = Duration::from_secs(3);

pub(super) struct Description {
    issuer: Issuer,
    http: Http,
    cache: RwLock<CachedMetadata>,
    /// Held by whoever asks.
    asking: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct CachedMetadata {
    metadata: Option<(Arc<CoreProviderMetadata>, Instant)>,
    /// When it was last asked in vain.
    failed: Option<Instant>,
}

impl CachedMetadata {
    fn failed_just_now(&self) -> bool {
        self.failed
            .is_some_and(|failed| failed.elapsed() < RETRY_INTERVAL)
    }
}

#[derive(Debug, thiserror::Error)]
#[error("the provider's description cannot be had: {0}")]
pub(super) struct MetadataError(String);

impl Description {
    pub(super) fn new(issuer: Issuer, http: Http) -> Self {
        Self {
            issuer,
            http,
            cache: RwLock::default(),
            asking: tokio::sync::Mutex::default(),
        }
    }

    /// What is known of the provider; it is asked when that is old or nothing.
    pub(super) async fn get(&self) -> Result<Arc<CoreProviderMetadata>, MetadataError> {
        let cached = self.cached().metadata.clone();
        match cached {
            Some((metadata, since)) if since.elapsed() < METADATA_TTL => Ok(metadata),
            // One asks, and the others go on with what was true an hour ago; so does the one in vain.
            Some((metadata, _)) if self.asking.try_lock().is_err() => Ok(metadata),
            Some((metadata, _)) => Ok(self.ask_again(Some(&metadata)).await.unwrap_or(metadata)),
            None => self.ask_again(None).await,
        }
    }

    /// For a token that is signed with a key that is not among those.
    pub(super) async fn newer_than(
        &self,
        previous: &Arc<CoreProviderMetadata>,
    ) -> Result<Arc<CoreProviderMetadata>, MetadataError> {
        self.ask_again(Some(previous)).await
    }

    /// Asks, unless somebody else got something newer than `account_match` meanwhile, or nothing.
    async fn ask_again(
        &self,
        previous: Option<&Arc<CoreProviderMetadata>>,
    ) -> Result<Arc<CoreProviderMetadata>, MetadataError> {
        let _asking = self.asking.lock().await;
        {
            let state = self.cached();
            match &state.metadata {
                Some((newer, _))
                    if previous.is_none_or(|previous| !Arc::ptr_eq(previous, newer)) =>
                {
                    return Ok(Arc::clone(newer));
                }
                _ if state.failed_just_now() => {
                    let sentence = "it did not answer a moment ago".to_owned();
                    return Err(MetadataError(sentence));
                }
                _ => {}
            }
        }
        let answer =
            CoreProviderMetadata::discover_async(self.issuer.url().clone(), &self.http).await;
        let answer = answer
            .map_err(|error| MetadataError(why(error)))
            .and_then(|metadata| self.safe(&metadata).map(|()| metadata));
        let mut state = self.cache.write().unwrap_or_else(PoisonError::into_inner);
        state.failed = answer.is_err().then(Instant::now);
        let metadata = Arc::new(answer?);
        state.metadata = Some((Arc::clone(&metadata), Instant::now()));
        Ok(metadata)
    }

    fn cached(&self) -> RwLockReadGuard<'_, CachedMetadata> {
        self.cache.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Code and secret go to these addresses: never in the clear, where the issuer is not either.
    fn safe(&self, metadata: &CoreProviderMetadata) -> Result<(), MetadataError> {
        let addresses = [
            Some(metadata.authorization_endpoint().url()),
            metadata.token_endpoint().map(|url| url.url()),
            metadata.userinfo_endpoint().map(|url| url.url()),
            Some(metadata.jwks_uri().url()),
        ];
        let secure = self.issuer.url().url().scheme() == "https";
        match addresses
            .into_iter()
            .flatten()
            .find(|url| url.scheme() != "https" && (secure || url.scheme() != "http"))
        {
            Some(url) => Err(MetadataError(format!("{url} is not https"))),
            None if metadata.token_endpoint().is_none() => Err(MetadataError(
                "it has no token endpoint, which the authorization code needs".to_owned(),
            )),
            None => Ok(()),
        }
    }
}

fn why(error: DiscoveryError<HttpError>) -> String {
    match error {
        DiscoveryError::Request(error) => error.to_string(),
        DiscoveryError::Response(_, _, why) => why,
        other => chain(&other),
    }
}

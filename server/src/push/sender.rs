//! What sends pushes: the keys, the browsers' services, and how many messages may be under way.

use std::sync::Arc;
use std::time::Duration;

use dispatch_actors::store::Store;
use sea_orm::DbErr;
use tokio::sync::Semaphore;

use super::counts::PushCounts;
use super::delivery_confirmation::ReceiptKey;
use super::gather::Gathering;
use super::send::PushWorkers;
use super::services::PushService;
use super::vapid::Vapid;
use crate::receipts::UNSENT_WINDOW;

/// Why the server cannot push.
#[derive(Debug, thiserror::Error)]
pub enum PushSetupError {
    #[error(transparent)]
    Database(#[from] DbErr),
    #[error("the keys for pushes cannot be used: {0}")]
    Key(String),
    #[error(
        "no HTTPS connection can be made ({0}): see that the certificates of authorities are there, by the package \
         ca-certificates or a file that SSL_CERT_FILE names"
    )]
    Http(#[from] reqwest::Error),
}

/// How long a message is worth delivering.
pub(super) const TTL: Duration = UNSENT_WINDOW;

/// Messages under way at once.
const MAX_CONCURRENT: usize = 16;

/// Messages under way or waiting to be tried again.
const MAX_PENDING: usize = 1_000;

#[derive(Clone, Debug, Default)]
pub struct PushOptions {
    /// Besides the known ones.
    pub services: Vec<PushService>,
    /// The address at which a push service can reach the operator.
    pub contact: Option<String>,
}

#[derive(Clone)]
pub struct Push {
    pub(super) inner: Arc<Inner>,
}

pub(super) struct Inner {
    pub(super) store: Store,
    pub(super) vapid: Vapid,
    pub(super) receipts: ReceiptKey,
    pub(super) named: Vec<PushService>,
    pub(super) couriers: PushWorkers,
    pub(super) gathering: Gathering,
    pub(super) at_once: Semaphore,
    pub(super) waiting: Arc<Semaphore>,
    pub(super) counts: Arc<PushCounts>,
}

impl Push {
    /// The keys are made at the first start.
    pub async fn open(
        store: &Store,
        options: PushOptions,
        public_url: &str,
    ) -> Result<Self, PushSetupError> {
        let inner = Inner {
            vapid: Vapid::open(store, contact(options.contact, public_url)).await?,
            receipts: ReceiptKey::open(store).await?,
            store: store.clone(),
            named: options.services,
            couriers: PushWorkers::new()?,
            gathering: Gathering::default(),
            at_once: Semaphore::new(MAX_CONCURRENT),
            waiting: Arc::new(Semaphore::new(MAX_PENDING)),
            counts: Arc::default(),
        };
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    pub fn counts(&self) -> &Arc<PushCounts> {
        &self.inner.counts
    }
}

/// An address to write to: a push service refuses what is neither.
fn contact(email: Option<String>, public_url: &str) -> String {
    match email {
        Some(email) => format!("mailto:{email}"),
        None if public_url.starts_with("https:") => public_url.to_owned(),
        None => "mailto:dispatch@example.com".to_owned(),
    }
}

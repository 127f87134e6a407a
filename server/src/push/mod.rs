//! Web Push: what a technician's browser is told while no page is open.
//!
//! A message is encrypted for one browser (RFC 8291), signed with the server's key (RFC 8292), and
//! left with the push service that the browser named. The push service learns who is told when, and
//! not of what. Nothing here holds up a change or a receipt.
//!
//! `gather` (many assignments become one message) -> `message` (its JSON), `seal` (encrypts), `vapid`
//! (signs) -> `send` (tries again for an hour). `subscriptions`: the browsers; `services`: which hosts
//! may be asked; `delivery_confirmation`: the browser's word that a push arrived; `routes`: the calls.

mod delivery_confirmation;
mod gather;
pub mod message;
pub mod routes;
mod seal;
mod send;
mod services;
mod state;
mod subscriptions;
mod vapid;

use std::sync::Arc;
use std::time::Duration;

use dispatch_actors::store::Store;
use sea_orm::DbErr;
use tokio::sync::Semaphore;

use crate::receipts::UNSENT_WINDOW;

use delivery_confirmation::ReceiptKey;
use gather::{Gathering, gather};
use send::Couriers;
pub use services::{BadPushService, PushService};
pub use state::PushState;
use vapid::Vapid;

/// Why the server cannot push.
#[derive(Debug, thiserror::Error)]
pub enum PushSetupError {
    #[error(transparent)]
    Database(#[from] DbErr),
    #[error("the keys for pushes cannot be used: {0}")]
    Key(String),
    #[error("no HTTPS connection can be made: {0}")]
    Http(#[from] reqwest::Error),
}

/// How long a message is worth delivering.
const TTL: Duration = UNSENT_WINDOW;

/// Messages under way at once.
const AT_ONCE: usize = 16;

/// Messages under way or waiting to be tried again.
const WAITING: usize = 1_000;

#[derive(Clone, Debug, Default)]
pub struct PushOptions {
    /// Besides the known ones.
    pub services: Vec<PushService>,
    /// Whom a push service writes to about what we send.
    pub contact: Option<String>,
}

#[derive(Clone)]
pub struct Push {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    vapid: Vapid,
    receipts: ReceiptKey,
    named: Vec<PushService>,
    couriers: Couriers,
    gathering: Gathering,
    at_once: Semaphore,
    waiting: Arc<Semaphore>,
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
            couriers: Couriers::new()?,
            gathering: Gathering::default(),
            at_once: Semaphore::new(AT_ONCE),
            waiting: Arc::new(Semaphore::new(WAITING)),
        };
        Ok(Self {
            inner: Arc::new(inner),
        })
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

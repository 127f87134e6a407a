//! Accounts and staff records, from this database or from hosted providers.

use std::sync::Arc;

use dispatch_actors::store::Store;

use super::StartError;
use crate::hosted;
use crate::identity::oidc::OpenIdConnect;
use crate::identity::{Embedded, Identity, IdentityProvider, MailQueue, PasswordPolicy, passwords};
use crate::options::cli::{IdentityName, StaffName};
use crate::options::config::Shop;
use crate::public_url::PublicUrl;
use crate::staff::{StaffCollection, StaffDocuments};

pub(super) struct Accounts {
    pub(super) staff: Arc<dyn StaffCollection>,
    pub(super) public_url: PublicUrl,
    pub(super) mail_queue: MailQueue,
    pub(super) identity: Identity,
    pub(super) oidc: Option<OpenIdConnect>,
}

impl Accounts {
    pub(super) async fn open(shop: &Shop, store: &Store, here: &str) -> Result<Self, StartError> {
        let options = &shop.identity;
        let staff: Arc<dyn StaffCollection> = match options.staff {
            StaffName::Embedded => Arc::new(StaffDocuments::new(store.clone())),
            StaffName::Firestore => hosted::staff_collection(&options.google).await?,
        };
        let public_url = options.public_url.as_ref();
        let public_url = PublicUrl::new(public_url.map_or(here, |url| url.as_str()));
        let policy = PasswordPolicy {
            min_length: options.password_min_length,
            max_length: passwords::MAX_BYTES as u32,
            refuses_common: options.refuse_common_passwords,
        };
        let mail_queue = MailQueue::new(store.clone());
        let provider: Arc<dyn IdentityProvider> = match options.identity {
            IdentityName::Embedded => {
                Arc::new(Embedded::new(store.clone(), policy, mail_queue.clone()))
            }
            IdentityName::Firebase => hosted::identity_provider(&options.google, &public_url)?,
        };
        let secure = public_url.is_https();
        let identity = Identity::open_with(
            store.clone(),
            provider,
            Arc::clone(&staff),
            secure,
            options.sign_in_limit,
        )
        .await?;
        let oidc = match &options.oidc {
            Some(oidc) => {
                let limits = identity.shared_limits();
                Some(OpenIdConnect::open(store, limits, oidc.clone(), &public_url).await?)
            }
            None => None,
        };
        Ok(Self {
            staff,
            public_url,
            mail_queue,
            identity,
            oidc,
        })
    }
}

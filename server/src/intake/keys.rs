//! Intake keys: what another program shows to bring repair orders in. The only SQL about them. A
//! key is a random secret of which the database keeps the SHA-256 alone.

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dispatch_actors::store::{Author, Channel, Store};
use futures_util::future::LocalBoxFuture;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ColumnTrait, DbErr, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter, QueryOrder,
};
use sha2::{Digest, Sha256};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use uuid::Uuid;

use super::state::IntakeState;
use crate::audit::{self, AuditEvent, AuditKind};
use crate::error::{ApiError, ErrorCode};
use crate::http::address::{address_of, network};
use crate::identity::{Limit, MINUTE, SharedLimits, Tiers, bearer, random_bytes};
use crate::moments::now_ms;
use row::{Column, Entity};

pub use row::Model as KeyRow;

/// So that a leaked key can be recognized.
const PREFIX: &str = "dk_";

/// A shop has a handful of programs.
const MAX_KEYS: u64 = 50;

/// Wrong keys from one address, at once; then as many again in a minute.
const WRONG: &Tiers = &[(30, MINUTE)];

/// From one reading of all keys to the next, for those whose network has made too many wrong ones.
const RELOAD_INTERVAL: Duration = Duration::from_secs(1);

/// Milliseconds by which "last used" may be behind.
const USED_EVERY: i64 = 60_000;

/// Imports of one key at once; others wait. Each may have tens of megabytes of its file in memory, which a
/// packed body makes of a few thousand bytes.
const MAX_IMPORTS_OF_KEY: usize = 8;

/// How long an import waits for those before it.
const TURN_TIMEOUT: Duration = Duration::from_secs(60);

mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "intake_keys")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
        pub id: String,
        #[sea_orm(column_type = "Text")]
        pub name: String,
        #[sea_orm(column_type = "Text")]
        pub hash: String,
        pub created_at: i64,
        /// Email.
        #[sea_orm(column_type = "Text")]
        pub created_by: String,
        pub last_used_at: Option<i64>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// A program that showed its key. As an argument of a handler it refuses callers without a valid
/// key with 401, and callers with too many wrong ones with 429. A request without a key is not
/// counted: a foreign page can make any browser send one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntakeKey {
    pub id: String,
    pub name: String,
}

impl IntakeKey {
    /// Who the key's changes are by.
    pub fn author(&self) -> Author {
        Author {
            uid: format!("import:{}", self.id),
            name: self.name.clone(),
            channel: Channel::Import,
        }
    }
}

impl FromRequest for IntakeKey {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let state = request.app_data::<web::Data<IntakeState>>().cloned();
        let secret = bearer(request).map(str::to_owned);
        let address = address_of(request);
        Box::pin(async move {
            let state = state.ok_or_else(|| {
                tracing::error!("the app was built without its state");
                ApiError::unavailable()
            })?;
            let secret = secret.ok_or_else(no_key)?;
            let found = state.keys.authenticate(&secret, address).await;
            if let Err(refused) = &found
                && refused.status.is_client_error()
            {
                let event = AuditEvent::refused(AuditKind::IntakeKeyRefused, refused.code);
                state.audit.attempt(event);
            }
            found
        })
    }
}

#[derive(Clone)]
pub struct IntakeKeys {
    store: Store,
    wrong: Arc<Wrong>,
    hashes: Arc<KeyHashes>,
    turns: Arc<Turns>,
}

/// Who imports now, by key.
#[derive(Default)]
struct Turns(Mutex<HashMap<String, Arc<Semaphore>>>);

impl Turns {
    fn of(&self, key: &str) -> Arc<Semaphore> {
        let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(Semaphore::new(MAX_IMPORTS_OF_KEY));
        Arc::clone(turns.entry(key.to_owned()).or_insert_with(new))
    }
}

/// Only wrong keys stay counted.
struct Wrong {
    by_address: Limit,
    shared: SharedLimits,
}

/// The hashes of all keys as they were read last, for networks that have made too many wrong ones: made-up
/// keys cost no look-up each there, and a caller with a valid key is not slowed down by others at the same
/// address. Only a key that was made elsewhere within [`RELOAD_INTERVAL`] may have to be shown again.
#[derive(Default)]
struct KeyHashes(tokio::sync::Mutex<ReadHashes>);

#[derive(Default)]
struct ReadHashes {
    hashes: HashSet<String>,
    read_at: Option<Instant>,
}

impl KeyHashes {
    async fn contains(&self, store: &Store, hash: &str) -> bool {
        let mut read = self.0.lock().await;
        if read
            .read_at
            .is_none_or(|at| at.elapsed() >= RELOAD_INTERVAL)
        {
            let keys = Entity::find().all(store.reader()).await;
            // A database that does not answer has revoked nothing.
            if let Ok(keys) = keys {
                read.hashes = keys.into_iter().map(|key| key.hash).collect();
            }
            read.read_at = Some(Instant::now());
        }
        read.hashes.contains(hash)
    }
}

impl IntakeKeys {
    pub(crate) fn new(store: Store, limits: &SharedLimits) -> Self {
        Self {
            store,
            wrong: Arc::new(Wrong {
                by_address: limits.limit("intake-keys-from-address", WRONG, None),
                shared: limits.clone(),
            }),
            hashes: Arc::default(),
            turns: Arc::default(),
        }
    }

    /// A new key and its secret, which cannot be had again. 409 `too-many-keys`.
    pub async fn make(&self, name: String, by: &str) -> Result<(KeyRow, String), ApiError> {
        let secret = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(random_bytes()));
        let key = KeyRow {
            id: Uuid::new_v4().to_string(),
            name,
            hash: hash(&secret),
            created_at: now_ms(),
            created_by: by.to_owned(),
            last_used_at: None,
        };
        let transaction = self.store.begin_write().await?;
        if Entity::find().count(&transaction).await? >= MAX_KEYS {
            return Err(ApiError::new(
                ErrorCode::TooManyKeys,
                format!("There are {MAX_KEYS} intake keys already; revoke one that is not used"),
            ));
        }
        Entity::insert(key.clone().into_active_model())
            .exec_without_returning(&transaction)
            .await?;
        let event = AuditEvent::done(AuditKind::IntakeKeyMade).about(&key.id, &key.name);
        let recorded = audit::record(&transaction, event).await?;
        transaction.commit().await?;
        recorded.announce();
        Ok((key, secret))
    }

    /// Every key, the oldest first.
    pub async fn all(&self) -> Result<Vec<KeyRow>, DbErr> {
        Entity::find()
            .order_by_asc(Column::CreatedAt)
            .order_by_asc(Column::Id)
            .all(self.store.reader())
            .await
    }

    /// False when there was none.
    pub async fn revoke(&self, id: &str) -> Result<bool, DbErr> {
        let transaction = self.store.begin_write().await?;
        let Some(key) = Entity::find_by_id(id).one(&transaction).await? else {
            return Ok(false);
        };
        let deleted = Entity::delete_by_id(id).exec(&transaction).await?;
        if deleted.rows_affected == 0 {
            return Ok(false);
        }
        let event = AuditEvent::done(AuditKind::IntakeKeyRevoked).about(&key.id, &key.name);
        let recorded = audit::record(&transaction, event).await?;
        transaction.commit().await?;
        recorded.announce();
        Ok(true)
    }

    /// The key with this secret. 401 `unauthorized`, 429 `too-many-requests`. A try is counted before it is
    /// looked up and given back where the key is right, so that a flood of made-up keys costs no look-ups.
    async fn authenticate(&self, secret: &str, address: IpAddr) -> Result<IntakeKey, ApiError> {
        let wrong = &self.wrong;
        let network = wrong.shared.key_of_address(network(address));
        let is_counted = wrong.by_address.take(network).is_ok();
        if !is_counted && !self.hashes.contains(&self.store, &hash(secret)).await {
            return Err(too_many_wrong_keys());
        }
        let found = self.of(secret).await;
        if is_counted && !matches!(found, Ok(None)) {
            wrong.by_address.refund(network);
        }
        match found? {
            Some(key) => Ok(key),
            None if is_counted => Err(no_key()),
            None => Err(too_many_wrong_keys()),
        }
    }

    async fn of(&self, secret: &str) -> Result<Option<IntakeKey>, DbErr> {
        if !secret.starts_with(PREFIX) {
            return Ok(None);
        }
        let key = Entity::find()
            .filter(Column::Hash.eq(hash(secret)))
            .one(self.store.reader())
            .await?;
        let Some(key) = key else {
            return Ok(None);
        };
        self.note_use(&key).await;
        Ok(Some(IntakeKey {
            id: key.id,
            name: key.name,
        }))
    }

    /// For as long as the import lasts. 429 `too-many-requests` where the key's other imports do not end.
    pub async fn turn(&self, key: &IntakeKey) -> Result<OwnedSemaphorePermit, ApiError> {
        let turns = self.turns.of(&key.id);
        match timeout(TURN_TIMEOUT, turns.acquire_owned()).await {
            Ok(Ok(turn)) => Ok(turn),
            // It is never closed.
            Ok(Err(_)) | Err(_) => Err(ApiError::new(
                ErrorCode::TooManyRequests,
                "Too many imports with this key are under way; send this one when they have ended",
            )),
        }
    }

    /// 401 `unauthorized` where the key was revoked since it was shown. A database that does not answer has
    /// revoked nothing.
    pub async fn require(&self, key: &IntakeKey) -> Result<(), ApiError> {
        match Entity::find_by_id(key.id.as_str())
            .one(self.store.reader())
            .await
        {
            Ok(None) => Err(no_key()),
            Ok(Some(_)) | Err(_) => Ok(()),
        }
    }

    /// No import waits for this.
    async fn note_use(&self, key: &KeyRow) {
        let now = now_ms();
        if key.last_used_at.is_some_and(|at| now - at < USED_EVERY) {
            return;
        }
        let updated = Entity::update_many()
            .col_expr(Column::LastUsedAt, Expr::value(now))
            .filter(Column::Id.eq(&key.id))
            .exec(self.store.writer())
            .await;
        if let Err(error) = updated {
            tracing::warn!(%error, "the last use of an intake key could not be kept");
        }
    }
}

fn too_many_wrong_keys() -> ApiError {
    ApiError::new(
        ErrorCode::TooManyRequests,
        "Too many wrong intake keys; wait a few seconds and try again",
    )
}

fn no_key() -> ApiError {
    ApiError::unauthorized(
        "Send an intake key that was not revoked, as Authorization: Bearer dk_...; an owner makes them",
    )
}

/// The key is random and long, so that a fast hash without salt is enough.
fn hash(secret: &str) -> String {
    format!("{:x}", Sha256::digest(secret))
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use dispatch_actors::testing::Throwaway;

    use super::*;

    fn new_keys(store: Store) -> IntakeKeys {
        IntakeKeys::new(store, &SharedLimits::of_test())
    }

    async fn both_databases() -> [(Throwaway, IntakeKeys); 2] {
        let (sqlite, postgres) = (Throwaway::sqlite(), Throwaway::postgres().await);
        let (on_sqlite, on_postgres) = (sqlite.store().await, postgres.store().await);
        [
            (sqlite, new_keys(on_sqlite)),
            (postgres, new_keys(on_postgres)),
        ]
    }

    #[actix_web::test]
    async fn a_key_is_known_until_it_is_revoked_and_its_secret_is_nowhere() {
        for (_database, keys) in both_databases().await {
            let (made, secret) = keys
                .make("Nightly export".to_owned(), "ann@example.com")
                .await
                .unwrap();
            assert!(secret.starts_with("dk_") && secret.len() == 46, "{secret}");
            assert!(!format!("{made:?}").contains(&secret));

            let key = keys.of(&secret).await.unwrap().unwrap();
            assert_eq!((&key.id, key.name.as_str()), (&made.id, "Nightly export"));
            assert_eq!(key.author().uid, format!("import:{}", made.id));
            assert!(keys.all().await.unwrap()[0].last_used_at.is_some());

            for wrong in ["", "dk_", "dk_\0", &secret[3..], &format!("{secret}x")] {
                assert_eq!(keys.of(wrong).await.unwrap(), None, "{wrong:?}");
            }
            assert!(keys.revoke(&made.id).await.unwrap());
            assert!(!keys.revoke(&made.id).await.unwrap());
            assert_eq!(keys.of(&secret).await.unwrap(), None);
            assert!(keys.all().await.unwrap().is_empty());
        }
    }

    #[test]
    fn imports_of_one_key_wait_for_each_other_and_for_no_other_keys() {
        let turns = Turns::default();
        let take = |key: &str| turns.of(key).try_acquire_owned();
        let mut taken: Vec<_> = (0..MAX_IMPORTS_OF_KEY)
            .map(|_| take("one").unwrap())
            .collect();
        assert!(take("one").is_err());
        assert!(take("another").is_ok());
        drop(taken.pop());
        assert!(take("one").is_ok());
    }

    #[actix_web::test]
    async fn the_number_of_keys_is_limited() {
        let database = Throwaway::sqlite();
        let keys = new_keys(database.store().await);
        for count in 0..MAX_KEYS {
            keys.make(format!("Key {count}"), "a@b").await.unwrap();
        }
        let refused = keys.make("One more".to_owned(), "a@b").await.unwrap_err();
        assert_eq!(
            (refused.status.as_u16(), refused.code.as_str()),
            (409, "too-many-keys")
        );
    }

    #[actix_web::test]
    async fn wrong_keys_from_one_address_are_limited() {
        let database = Throwaway::sqlite();
        let keys = new_keys(database.store().await);
        let address = |last| IpAddr::V4(Ipv4Addr::new(192, 0, 2, last));
        for _ in 0..WRONG[0].0 {
            assert_eq!(guess(&keys, address(1)).await, ErrorCode::Unauthorized);
        }
        assert_eq!(guess(&keys, address(1)).await, ErrorCode::TooManyRequests);
        assert_eq!(guess(&keys, address(2)).await, ErrorCode::Unauthorized);
    }

    /// What is no key by its looks needs no look-up.
    async fn guess(keys: &IntakeKeys, address: IpAddr) -> ErrorCode {
        let guessed = keys.authenticate("guessed", address).await;
        guessed.unwrap_err().code
    }

    #[actix_web::test]
    async fn right_keys_are_not_counted_and_are_good_where_too_many_were_wrong() {
        let database = Throwaway::sqlite();
        let keys = new_keys(database.store().await);
        let (_, secret) = keys.make("One".to_owned(), "a@b").await.unwrap();
        let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
        for _ in 0..3 * WRONG[0].0 {
            keys.authenticate(&secret, address).await.unwrap();
        }
        while guess(&keys, address).await != ErrorCode::TooManyRequests {}
        keys.authenticate(&secret, address).await.unwrap();
    }

    #[actix_web::test]
    async fn a_network_with_too_many_wrong_keys_has_no_made_up_key_looked_up() {
        let database = Throwaway::sqlite();
        let store = database.store().await;
        let keys = new_keys(store.clone());
        let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
        store.close().await;
        let looked_up = keys.authenticate("dk_guessed", address).await;
        assert_eq!(looked_up.unwrap_err().code, ErrorCode::Unavailable);
        while guess(&keys, address).await != ErrorCode::TooManyRequests {}
        let refused = keys.authenticate("dk_guessed", address).await;
        assert_eq!(refused.unwrap_err().code, ErrorCode::TooManyRequests);
    }
}

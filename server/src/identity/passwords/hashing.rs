//! Passwords: argon2id, off the event loop, and only so many at once that a storm of sign-ins
//! cannot starve the machine. Who is next is the hash queue's.

use std::sync::{Mutex, PoisonError};

use argon2::password_hash::phc;
use argon2::{Algorithm, Argon2, Block, Params, Version};
use tokio::task::spawn_blocking;

use super::firebase_scrypt;
use super::hash_queue::{HashPermit, QUEUE, Requester};
use crate::identity::provider::ProviderError;
use crate::identity::sessions::id_tokens::random_bytes;

/// The OWASP password storage cheat sheet's first choice for argon2id with one lane.
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// As the PHC string format recommends.
const SALT_BYTES: usize = 16;

pub const MAX_BYTES: usize = 1_000;

/// What a hash begins with that was brought along from elsewhere.
pub(in crate::identity) const IMPORTED: &str = "$firebase-scrypt$";

/// An argon2id hash in PHC form, as the accounts table keeps it.
#[derive(Clone)]
pub struct PasswordHash(String);

impl PasswordHash {
    pub(in crate::identity) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The hash of a new password, which the policy allows.
pub async fn hash(password: String) -> Result<PasswordHash, ProviderError> {
    hash_for(Requester::operator(), password).await
}

/// The same for somebody who waits among others.
pub(in crate::identity) async fn hash_for(
    requester: Requester,
    password: String,
) -> Result<PasswordHash, ProviderError> {
    let place = hash_permit(requester).await?;
    work(place, move || new_hash(&password)).await
}

/// Waits until it is somebody's turn. `Busy`.
pub(in crate::identity) async fn hash_permit(
    requester: Requester,
) -> Result<HashPermit, ProviderError> {
    let place = QUEUE.enter(requester).await;
    place.map_err(|_| ProviderError::Busy)
}

pub(in crate::identity) enum PasswordCheck {
    Right,
    /// By a hash from elsewhere, for which this one is to be kept.
    RightByImported(PasswordHash),
    Wrong,
}

/// Whether the password belongs to the hash that is kept. Without one the answer is no, after the
/// same work: the time it takes must not tell who has an account. `imported`: the hash of anybody
/// who still has one from elsewhere; while there is one, every no costs the work of both kinds.
pub(in crate::identity) async fn check(
    place: HashPermit,
    password: &str,
    kept: Option<&str>,
    imported: Option<String>,
) -> Result<PasswordCheck, ProviderError> {
    if password.len() > MAX_BYTES {
        return Ok(PasswordCheck::Wrong);
    }
    let password = password.to_owned();
    let kept = kept.map(str::to_owned);
    work(place, move || match kept {
        Some(kept) if kept.starts_with(IMPORTED) => {
            let right = matches_imported(&password, &kept) == Some(true);
            let hash = new_hash(&password)?;
            Ok(if right {
                PasswordCheck::RightByImported(hash)
            } else {
                PasswordCheck::Wrong
            })
        }
        kept => {
            let right = match kept {
                Some(kept) => verify(&password, &kept)?,
                None => new_hash(&password).map(|_| false)?,
            };
            if right {
                return Ok(PasswordCheck::Right);
            }
            if let Some(imported) = imported {
                matches_imported(&password, &imported);
            }
            Ok(PasswordCheck::Wrong)
        }
    })
    .await
}

/// Whether the password belongs to a hash from elsewhere; none when the hash cannot be read.
fn matches_imported(password: &str, kept: &str) -> Option<bool> {
    firebase_scrypt::verify(password, kept)
}

async fn work<T: Send + 'static>(
    place: HashPermit,
    job: impl FnOnce() -> Result<T, HashError> + Send + 'static,
) -> Result<T, ProviderError> {
    // The job keeps its place to its end, even when nobody waits for it any more.
    let done = spawn_blocking(move || {
        let result = job();
        drop(place);
        result
    });
    match done.await {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(error)) => Err(ProviderError::Broken(error.to_string())),
        Err(error) => Err(ProviderError::Broken(error.to_string())),
    }
}

#[derive(Debug, thiserror::Error)]
enum HashError {
    #[error("{0}")]
    Parameters(argon2::Error),
    #[error("{0}")]
    Hash(argon2::password_hash::Error),
    #[error("the hash that is kept cannot be read: {0}")]
    Stored(phc::Error),
}

/// What hashing works in, kept for those to come: as many as there are places. Given back each time,
/// an allocator keeps one for every thread that has ever hashed, a gigabyte in the end.
static ROOMS: Mutex<Vec<Vec<Block>>> = Mutex::new(Vec::new());

fn digest(argon2: &Argon2<'_>, password: &str, salt: &[u8]) -> Result<phc::Output, HashError> {
    let rooms = || ROOMS.lock().unwrap_or_else(PoisonError::into_inner);
    let mut room = rooms().pop().unwrap_or_default();
    room.resize(argon2.params().block_count(), Block::new());
    let mut digest = [0; Params::DEFAULT_OUTPUT_LEN];
    let hashed = argon2.hash_password_into_with_memory(
        password.as_bytes(),
        salt,
        &mut digest,
        room.as_mut_slice(),
    );
    rooms().push(room);
    hashed.map_err(HashError::Parameters)?;
    phc::Output::new(&digest).map_err(HashError::Stored)
}

fn argon2id() -> Result<Argon2<'static>, HashError> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).map_err(HashError::Parameters)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn new_hash(password: &str) -> Result<PasswordHash, HashError> {
    let argon2 = argon2id()?;
    let salt = phc::Salt::new(&random_bytes()[..SALT_BYTES]).map_err(HashError::Stored)?;
    let hash = phc::PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: argon2.params().try_into().map_err(HashError::Hash)?,
        hash: Some(digest(&argon2, password, &salt)?),
        salt: Some(salt),
    };
    Ok(PasswordHash(hash.to_string()))
}

fn verify(password: &str, kept: &str) -> Result<bool, HashError> {
    let kept = phc::PasswordHash::new(kept).map_err(HashError::Stored)?;
    let (Some(salt), Some(hash)) = (&kept.salt, kept.hash) else {
        return Err(HashError::Hash(argon2::password_hash::Error::Crypto));
    };
    // By the parameters of its own time.
    let algorithm = Algorithm::try_from(kept.algorithm.as_str()).map_err(HashError::Hash)?;
    let version = kept.version.map_or(Ok(Version::V0x13), Version::try_from);
    let version = version.map_err(HashError::Parameters)?;
    let params = Params::try_from(&kept).map_err(HashError::Hash)?;
    let digest = digest(&Argon2::new(algorithm, version, params), password, salt)?;
    // Takes the same time whatever differs.
    Ok(digest == hash)
}

#[cfg(test)]
mod tests {
    use argon2::{PasswordHasher, PasswordVerifier};

    use super::*;

    async fn place() -> HashPermit {
        hash_permit(Requester::operator()).await.unwrap()
    }

    async fn matches(password: &str, kept: Option<&str>) -> bool {
        let checked = check(place().await, password, kept, None).await.unwrap();
        matches!(checked, PasswordCheck::Right)
    }

    #[actix_web::test]
    async fn a_password_belongs_to_its_own_hash_only() {
        let kept = hash("dispatch-demo".to_owned()).await.unwrap();
        assert!(kept.as_str().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        assert!(matches("dispatch-demo", Some(kept.as_str())).await);
        assert!(!matches("dispatch-demO", Some(kept.as_str())).await);
        assert!(!matches("dispatch-demo", None).await);
        assert!(!matches(&"x".repeat(1_001), None).await);
    }

    #[actix_web::test]
    async fn the_same_password_hashes_differently_each_time() {
        let first = hash("123456".to_owned()).await.unwrap();
        let second = hash("123456".to_owned()).await.unwrap();
        assert_ne!(first.as_str(), second.as_str());
    }

    #[actix_web::test]
    async fn a_hash_that_argon2_made_by_itself_or_with_other_parameters_is_understood() {
        for (memory, passes) in [(MEMORY_KIB, PASSES), (8_192, 3)] {
            let params = Params::new(memory, passes, LANES, None).unwrap();
            let theirs = Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
                .hash_password(b"dispatch-demo")
                .unwrap()
                .to_string();
            assert!(matches("dispatch-demo", Some(&theirs)).await);
            assert!(!matches("dispatch-dem0", Some(&theirs)).await);
        }
        let ours = hash("dispatch-demo".to_owned()).await.unwrap();
        let understood = argon2id()
            .unwrap()
            .verify_password(b"dispatch-demo", ours.as_str());
        understood.unwrap();
    }

    #[actix_web::test]
    async fn a_damaged_hash_lets_nobody_in() {
        let refused = check(place().await, "dispatch-demo", Some("dispatch-demo"), None).await;
        assert!(matches!(refused, Err(ProviderError::Broken(_))));
        let refused = check(
            place().await,
            "dispatch-demo",
            Some("$firebase-scrypt$"),
            None,
        )
        .await;
        assert!(matches!(refused, Ok(PasswordCheck::Wrong)));
    }
}

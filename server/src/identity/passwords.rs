//! Passwords: argon2id, off the event loop, and only so many at once that a storm of sign-ins
//! cannot starve the machine.

use std::time::Duration;

use argon2::password_hash::phc;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::provider::ProviderError;

/// The OWASP password storage cheat sheet's first choice for argon2id with one lane.
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// The identity provider's default.
pub const SHORTEST_CHARACTERS: usize = 6;
pub const LONGEST_BYTES: usize = 1_000;

/// 19 MiB and a core each, for the whole process.
static PLACES: Semaphore = Semaphore::const_new(2);

/// About 800 hashes on two cores; whoever waits longer has given up.
const PATIENCE: Duration = Duration::from_secs(10);

/// An argon2id hash in PHC form, as the accounts table keeps it.
#[derive(Clone)]
pub struct PasswordHash(String);

impl PasswordHash {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The hash of a new password, which must be neither too short nor too long: `WeakPassword`.
pub async fn hash(password: String) -> Result<PasswordHash, ProviderError> {
    if password.chars().count() < SHORTEST_CHARACTERS {
        return Err(ProviderError::WeakPassword(format!(
            "The password needs at least {SHORTEST_CHARACTERS} characters"
        )));
    }
    if password.len() > LONGEST_BYTES {
        return Err(ProviderError::WeakPassword(format!(
            "The password is longer than {LONGEST_BYTES} bytes"
        )));
    }
    work(move || new_hash(&password)).await
}

/// Whether the password belongs to the hash that is kept. Without one the answer is no, after the
/// same work: the time it takes must not tell who has an account.
pub(super) async fn matches(password: &str, kept: Option<&str>) -> Result<bool, ProviderError> {
    if password.len() > LONGEST_BYTES {
        return Ok(false);
    }
    let password = password.to_owned();
    let kept = kept.map(str::to_owned);
    work(move || match kept {
        Some(kept) => verify(&password, &kept),
        None => new_hash(&password).map(|_| false),
    })
    .await
}

async fn work<T: Send + 'static>(
    job: impl FnOnce() -> Result<T, Broken> + Send + 'static,
) -> Result<T, ProviderError> {
    let Ok(Ok(place)) = timeout(PATIENCE, PLACES.acquire()).await else {
        return Err(ProviderError::Broken(
            "too many passwords are waiting to be hashed".to_owned(),
        ));
    };
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
enum Broken {
    #[error("{0}")]
    Parameters(argon2::Error),
    #[error("{0}")]
    Hash(argon2::password_hash::Error),
    #[error("the hash that is kept cannot be read: {0}")]
    Kept(phc::Error),
}

fn argon2id() -> Result<Argon2<'static>, Broken> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).map_err(Broken::Parameters)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn new_hash(password: &str) -> Result<PasswordHash, Broken> {
    let hash: phc::PasswordHash = argon2id()?
        .hash_password(password.as_bytes())
        .map_err(Broken::Hash)?;
    Ok(PasswordHash(hash.to_string()))
}

fn verify(password: &str, kept: &str) -> Result<bool, Broken> {
    let kept = phc::PasswordHash::new(kept).map_err(Broken::Kept)?;
    match argon2id()?.verify_password(password.as_bytes(), &kept) {
        Ok(()) => Ok(true),
        Err(argon2::password_hash::Error::PasswordInvalid) => Ok(false),
        Err(error) => Err(Broken::Hash(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[actix_web::test]
    async fn a_password_belongs_to_its_own_hash_only() {
        let kept = hash("dispatch-demo".to_owned()).await.unwrap();
        assert!(kept.as_str().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        assert!(matches("dispatch-demo", Some(kept.as_str())).await.unwrap());
        assert!(!matches("dispatch-demO", Some(kept.as_str())).await.unwrap());
        assert!(!matches("dispatch-demo", None).await.unwrap());
    }

    #[actix_web::test]
    async fn the_same_password_hashes_differently_each_time() {
        let first = hash("123456".to_owned()).await.unwrap();
        let second = hash("123456".to_owned()).await.unwrap();
        assert_ne!(first.as_str(), second.as_str());
    }

    #[actix_web::test]
    async fn too_short_and_too_long_passwords_are_refused() {
        for password in ["", "12345", &"x".repeat(1_001)] {
            let refused = hash(password.to_owned()).await.err().unwrap();
            assert!(
                matches!(refused, ProviderError::WeakPassword(_)),
                "{refused}"
            );
        }
        assert!(hash("äöüßéñ".to_owned()).await.is_ok());
        assert!(!matches(&"x".repeat(1_001), None).await.unwrap());
    }

    #[actix_web::test]
    async fn a_damaged_hash_lets_nobody_in() {
        let refused = matches("dispatch-demo", Some("dispatch-demo")).await;
        assert!(matches!(refused, Err(ProviderError::Broken(_))));
    }
}

//! Checks what somebody signs in with: the password, counted and in its turn, and the code of the
//! second factor.

use actix_web::http::StatusCode;

use super::attempts::CountedAttempt;
use super::device_cookie;
use super::devices::{self, DeviceId};
use super::signed_in::SignedIn;
use crate::error::{ApiError, ErrorCode};
use crate::identity::passwords::hash_queue::Requester;
use crate::identity::provider::{ProviderError, Verified};
use crate::identity::{Client, Email, Identity, Inner, sessions, two_factor};

/// A password that somebody tries: the limits that counted it, its place in the hash queue, and the
/// known device, if it is one.
struct PasswordTry<'a> {
    counted: CountedAttempt<'a>,
    requester: Requester,
    device: Option<DeviceId>,
}

impl Identity {
    /// Starts a session. 401 `wrong-password`, the same whether the email or the password is
    /// wrong; 401 `second-factor-required` and `wrong-code`; 429 `too-many-requests`.
    pub async fn sign_in(
        &self,
        email: &str,
        password: &str,
        code: Option<&str>,
        client: &Client,
    ) -> Result<SignedIn, ApiError> {
        let verified = self
            .check_credentials(email, password, code, client)
            .await?;
        self.begin(verified, client).await
    }

    /// Checks the password of an account, and its second factor if it has one. Counts and refuses as
    /// [`Self::sign_in`] says.
    pub(in crate::identity) async fn check_credentials(
        &self,
        email: &str,
        password: &str,
        code: Option<&str>,
        client: &Client,
    ) -> Result<Verified, ApiError> {
        let checked = self.try_credentials(email, password, code, client).await;
        if let Err(refused) = &checked {
            self.note_refused_sign_in(email, refused).await;
        }
        checked
    }

    async fn try_credentials(
        &self,
        email: &str,
        password: &str,
        code: Option<&str>,
        client: &Client,
    ) -> Result<Verified, ApiError> {
        let provider = &self.inner.provider;
        // An impossible email or password is neither counted nor hashed.
        let email = Email::parse(email).map_err(|_| ProviderError::WrongPassword)?;
        if password.len() > provider.max_password_bytes() {
            return Err(ProviderError::WrongPassword.into());
        }
        let PasswordTry {
            counted,
            requester,
            device,
        } = self.count_password(&email, client).await?;
        let mut verified = match provider.sign_in_for(requester, &email, password).await {
            Ok(verified) => verified,
            Err(ProviderError::WrongPassword) => return Err(ProviderError::WrongPassword.into()),
            Err(error) => {
                counted.refund_account();
                return Err(error.into());
            }
        };
        counted.refund();
        let took_code = self
            .take_second_factor(&verified.uid, code, device.as_ref())
            .await?;
        verified.lacks_code = !took_code;
        Ok(verified)
    }

    /// Counts a password that is tried for an account: on one of its devices, by a stranger, or in a
    /// network where the account is signed in and strangers have used up what they have.
    async fn count_password(
        &self,
        email: &Email,
        client: &Client,
    ) -> Result<PasswordTry<'_>, ApiError> {
        let attempts = &self.inner.attempts;
        if let Some((counted, device)) = self.known_device(email, client).await? {
            return Ok(PasswordTry {
                counted,
                requester: Requester::known_device(&device),
                device: Some(device),
            });
        }
        let counted = match attempts.count_stranger_password(email, client.address) {
            Ok(counted) => counted,
            Err(refused) => {
                if !self.is_signed_in_from(email, client).await? {
                    return Err(refused);
                }
                attempts.count_known_network_password(email, client.address)?
            }
        };
        Ok(PasswordTry {
            counted,
            requester: Requester::stranger(client.address),
            device: None,
        })
    }

    /// The known device of the account that this browser is, unless it has guessed too often. A revoked
    /// cookie causes no more database reads than it has tries.
    pub(in crate::identity) async fn known_device(
        &self,
        email: &Email,
        client: &Client,
    ) -> Result<Option<(CountedAttempt<'_>, DeviceId)>, ApiError> {
        let Inner {
            attempts,
            cookie_key,
            store,
            ..
        } = &*self.inner;
        let Some(device) = device_cookie::claimed_id(cookie_key, client.device.as_deref(), email)
        else {
            return Ok(None);
        };
        let Ok(counted) = attempts.count_known_device_password(email, &device) else {
            return Ok(None);
        };
        let is_known = devices::is_known(store.reader(), &device, email).await?;
        Ok(is_known.then_some((counted, device)))
    }

    async fn is_signed_in_from(&self, email: &Email, client: &Client) -> Result<bool, ApiError> {
        let Inner {
            attempts, store, ..
        } = &*self.inner;
        Ok(attempts.may_look_up(client.address)
            && sessions::are_used_from(store.reader(), email, client.address).await?)
    }

    /// Whether there is a second factor, of which a code was taken. 401 `second-factor-required` or
    /// `wrong-code` for whoever has one.
    async fn take_second_factor(
        &self,
        uid: &str,
        code: Option<&str>,
        device: Option<&DeviceId>,
    ) -> Result<bool, ApiError> {
        let state = two_factor::state(self.inner.store.reader(), uid).await?;
        if state != two_factor::State::On {
            return Ok(false);
        }
        let code = code.ok_or_else(second_factor_required)?;
        let counted = self.inner.attempts.count_code(uid, device)?;
        self.take_code(uid, code, counted, StatusCode::UNAUTHORIZED)
            .await?;
        Ok(true)
    }
}

pub(super) fn second_factor_required() -> ApiError {
    ApiError::new(
        ErrorCode::SecondFactorRequired,
        "Enter the code of your authenticator app, or a recovery code",
    )
}

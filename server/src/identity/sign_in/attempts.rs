//! How often one may try. Guesses at an account are counted by its email and the network they come
//! from, so that who guesses keeps themselves out; by network and site, whatever the accounts; and
//! for all strangers together, so that many networks cannot guess where one cannot. A browser in which
//! the account has signed in, and a network in which it is signed in now, are no strangers: what others
//! used up is not theirs. Who goes on trying waits longer and longer.
//!
//! What could find out a password, a code or a link, and what mails somebody, is counted by all servers of the
//! database together; what is asked of the database, by each for itself.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use uuid::Uuid;

use super::attempt_limits::{
    CODES_OF_ACCOUNT, CODES_OF_DEVICES, LOOKUPS_FROM_NETWORK, LOOKUPS_FROM_SITE,
    MAILS_FROM_NETWORK, MAILS_FROM_SITE, MAILS_TO_ACCOUNT, MAILS_TO_ACCOUNT_FROM_NETWORK,
    PASSWORDS_FROM_NETWORK, PASSWORDS_FROM_SITE, PASSWORDS_OF_ACCOUNT,
    PASSWORDS_OF_ACCOUNT_FROM_NETWORK, PASSWORDS_OF_ACCOUNT_FROM_SITE, PASSWORDS_OF_DEVICE,
    REFRESHES_OF_SESSION, SET_UPS_FROM_NETWORK, SET_UPS_FROM_SITE, UNSIGNED_REFRESHES_FROM_NETWORK,
    UNSIGNED_REFRESHES_FROM_SITE,
};
use super::devices::DeviceId;
use super::limit::{Count, Limit, refund, take_all};
use super::shared_limits::{SharedLimits, octets};
use crate::error::ApiError;
use crate::http::address::{network, site};
use crate::identity::email::Email;

pub(in crate::identity) struct Attempts {
    shared: SharedLimits,
    passwords_of_account_from_network: Limit,
    passwords_of_account_from_site: Limit,
    passwords_of_account: Limit,
    passwords_of_device: Limit,
    passwords_from_network: Limit,
    passwords_from_site: Limit,
    lookups_from_network: Limit,
    lookups_from_site: Limit,
    codes_of_account: Limit,
    codes_of_devices: Limit,
    mails_to_account_from_network: Limit,
    mails_to_account: Limit,
    mails_from_network: Limit,
    mails_from_site: Limit,
    refreshes_of_session: Limit,
    unsigned_refreshes_from_network: Limit,
    unsigned_refreshes_from_site: Limit,
    set_ups_from_network: Limit,
    set_ups_from_site: Limit,
}

/// A try, and the limits that counted it.
#[must_use]
pub(in crate::identity) struct CountedAttempt<'a> {
    of_account: Vec<Count<'a>>,
    of_address: Vec<Count<'a>>,
}

impl CountedAttempt<'_> {
    /// Gives the try back, since a right password is no guess. So an account that several tablets share
    /// may sign in on all of them, and a shop's people may sign in from one address.
    pub(in crate::identity) fn refund(self) {
        refund(&self.of_address);
        self.refund_account();
    }

    /// Gives back the account's part of a try that was never checked.
    pub(in crate::identity) fn refund_account(self) {
        refund(&self.of_account);
    }
}

impl Attempts {
    /// `raised`: so many passwords at once at least, for measuring.
    pub(in crate::identity) fn new(shared: &SharedLimits, raised: Option<NonZeroU32>) -> Self {
        let passwords = |name, tiers| shared.limit(name, tiers, raised);
        let limit = |name, tiers| shared.limit(name, tiers, None);
        let own = |tiers| Limit::new(tiers, None);
        Self {
            passwords_of_account_from_network: passwords(
                "passwords-of-account-from-network",
                PASSWORDS_OF_ACCOUNT_FROM_NETWORK,
            ),
            passwords_of_account_from_site: passwords(
                "passwords-of-account-from-site",
                PASSWORDS_OF_ACCOUNT_FROM_SITE,
            ),
            passwords_of_account: passwords("passwords-of-account", PASSWORDS_OF_ACCOUNT),
            passwords_of_device: passwords("passwords-of-device", PASSWORDS_OF_DEVICE),
            passwords_from_network: passwords("passwords-from-network", PASSWORDS_FROM_NETWORK),
            passwords_from_site: passwords("passwords-from-site", PASSWORDS_FROM_SITE),
            lookups_from_network: own(LOOKUPS_FROM_NETWORK),
            lookups_from_site: own(LOOKUPS_FROM_SITE),
            codes_of_account: limit("codes-of-account", CODES_OF_ACCOUNT),
            codes_of_devices: limit("codes-of-devices", CODES_OF_DEVICES),
            mails_to_account_from_network: limit(
                "mails-to-account-from-network",
                MAILS_TO_ACCOUNT_FROM_NETWORK,
            ),
            mails_to_account: limit("mails-to-account", MAILS_TO_ACCOUNT),
            mails_from_network: limit("mails-from-network", MAILS_FROM_NETWORK),
            mails_from_site: limit("mails-from-site", MAILS_FROM_SITE),
            refreshes_of_session: own(REFRESHES_OF_SESSION),
            unsigned_refreshes_from_network: own(UNSIGNED_REFRESHES_FROM_NETWORK),
            unsigned_refreshes_from_site: own(UNSIGNED_REFRESHES_FROM_SITE),
            set_ups_from_network: limit("set-ups-from-network", SET_UPS_FROM_NETWORK),
            set_ups_from_site: limit("set-ups-from-site", SET_UPS_FROM_SITE),
            shared: shared.clone(),
        }
    }

    /// Counts somebody who comes to sign in, whatever the account. The site is asked first, so that
    /// its 65,536 networks leave no trace when it has used up what it has.
    fn take_of_address(&self, address: IpAddr) -> Result<Vec<Count<'_>>, Duration> {
        take_all(vec![
            (
                &self.passwords_from_site,
                self.shared.key_of_address(site(address)),
            ),
            (
                &self.passwords_from_network,
                self.shared.key_of_address(network(address)),
            ),
        ])
    }

    /// Counts a password that a stranger tries for an account, whether there is one or not.
    pub(in crate::identity) fn count_stranger_password(
        &self,
        email: &Email,
        address: IpAddr,
    ) -> Result<CountedAttempt<'_>, ApiError> {
        let count = || {
            let of_address = self.take_of_address(address)?;
            let of_account = take_all(vec![
                self.count_of_network(email, address),
                (
                    &self.passwords_of_account_from_site,
                    self.key(&[email.as_str().as_bytes(), &octets(site(address))]),
                ),
                (
                    &self.passwords_of_account,
                    self.key(&[email.as_str().as_bytes()]),
                ),
            ])?;
            Ok(CountedAttempt {
                of_account,
                of_address,
            })
        };
        count().map_err(ApiError::too_many)
    }

    /// The same where the account is signed in: others' tries do not count.
    pub(in crate::identity) fn count_known_network_password(
        &self,
        email: &Email,
        address: IpAddr,
    ) -> Result<CountedAttempt<'_>, ApiError> {
        self.count_alone(self.count_of_network(email, address))
    }

    /// The same in a browser in which the account has signed in.
    pub(in crate::identity) fn count_known_device_password(
        &self,
        email: &Email,
        device: &DeviceId,
    ) -> Result<CountedAttempt<'_>, ApiError> {
        self.count_alone((
            &self.passwords_of_device,
            self.key(&[email.as_str().as_bytes(), device.bytes()]),
        ))
    }

    /// Counts a password that somebody who is signed in gives once more: a stolen session does not keep
    /// its holder from another password in theirs.
    pub(in crate::identity) fn count_own_password(
        &self,
        session: &str,
    ) -> Result<CountedAttempt<'_>, ApiError> {
        self.count_alone((
            &self.passwords_of_device,
            self.key(&[b"own", session.as_bytes()]),
        ))
    }

    fn count_alone<'a>(&self, count: Count<'a>) -> Result<CountedAttempt<'a>, ApiError> {
        Ok(CountedAttempt {
            of_account: take_all(vec![count]).map_err(ApiError::too_many)?,
            of_address: Vec::new(),
        })
    }

    fn count_of_network(&self, email: &Email, address: IpAddr) -> Count<'_> {
        let key = self.key(&[email.as_str().as_bytes(), &octets(network(address))]);
        (&self.passwords_of_account_from_network, key)
    }

    /// Whether the database may be asked about somebody who was refused.
    pub(in crate::identity) fn may_look_up(&self, address: IpAddr) -> bool {
        take_all(vec![
            (
                &self.lookups_from_site,
                self.shared.key_of_address(site(address)),
            ),
            (
                &self.lookups_from_network,
                self.shared.key_of_address(network(address)),
            ),
        ])
        .is_ok()
    }

    /// Counts a code of the second factor. On a known device they are counted apart, so that whoever
    /// found out the password does not keep its holder out; but no number of devices gives more than
    /// all together have.
    pub(in crate::identity) fn count_code(
        &self,
        uid: &str,
        device: Option<&DeviceId>,
    ) -> Result<CountedAttempt<'_>, ApiError> {
        let device_bytes = device.map(DeviceId::bytes).unwrap_or_default();
        let mut counts = vec![(
            &self.codes_of_account,
            self.key(&[uid.as_bytes(), device_bytes]),
        )];
        if device.is_some() {
            counts.push((&self.codes_of_devices, self.key(&[uid.as_bytes()])));
        }
        Ok(CountedAttempt {
            of_account: take_all(counts).map_err(ApiError::too_many)?,
            of_address: Vec::new(),
        })
    }

    /// The same of somebody who is signed in: strangers who know the password do not keep them from
    /// their own second factor.
    pub(in crate::identity) fn count_own_code(
        &self,
        session: &str,
    ) -> Result<CountedAttempt<'_>, ApiError> {
        self.count_alone((
            &self.codes_of_account,
            self.key(&[b"own", session.as_bytes()]),
        ))
    }

    /// Counts a mail that somebody asks for.
    pub(in crate::identity) fn count_mail(
        &self,
        email: &Email,
        device: Option<&DeviceId>,
        address: IpAddr,
    ) -> Result<(), ApiError> {
        let of_account = &self.mails_to_account_from_network;
        let counts = match device {
            Some(device) => vec![(
                of_account,
                self.key(&[email.as_str().as_bytes(), device.bytes()]),
            )],
            None => vec![
                (
                    &self.mails_from_site,
                    self.shared.key_of_address(site(address)),
                ),
                (
                    &self.mails_from_network,
                    self.shared.key_of_address(network(address)),
                ),
                (
                    of_account,
                    self.key(&[email.as_str().as_bytes(), &octets(network(address))]),
                ),
                (
                    &self.mails_to_account,
                    self.key(&[email.as_str().as_bytes()]),
                ),
            ],
        };
        take_all(counts).map(|_| ()).map_err(ApiError::too_many)
    }

    /// Counts a set-up link that is not the server's.
    pub(in crate::identity) fn count_set_up(&self, address: IpAddr) -> Result<(), ApiError> {
        let counted = take_all(vec![
            (
                &self.set_ups_from_site,
                self.shared.key_of_address(site(address)),
            ),
            (
                &self.set_ups_from_network,
                self.shared.key_of_address(network(address)),
            ),
        ]);
        counted.map(|_| ()).map_err(ApiError::too_many)
    }

    /// Counts a refresh token that was signed here.
    pub(in crate::identity) fn count_refresh(&self, session: Uuid) -> Result<(), ApiError> {
        let session = self.key(&[session.as_bytes()]);
        let permit = self.refreshes_of_session.take(session);
        permit.map_err(ApiError::too_many)
    }

    /// Counts a refresh token that was not.
    pub(in crate::identity) fn count_unsigned_refresh(
        &self,
        address: IpAddr,
    ) -> Result<CountedAttempt<'_>, ApiError> {
        let of_address = take_all(vec![
            (
                &self.unsigned_refreshes_from_site,
                self.shared.key_of_address(site(address)),
            ),
            (
                &self.unsigned_refreshes_from_network,
                self.shared.key_of_address(network(address)),
            ),
        ]);
        Ok(CountedAttempt {
            of_account: Vec::new(),
            of_address: of_address.map_err(ApiError::too_many)?,
        })
    }

    fn key(&self, whom: &[&[u8]]) -> u64 {
        self.shared.key(whom)
    }
}

#[cfg(test)]
mod tests;

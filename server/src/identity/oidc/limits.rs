//! How often those who come back from the provider may have it asked about them. Counted is only who
//! brought our own cookie and the state that goes with it: what anybody can make any browser ask costs
//! nobody a try. Passwords are counted apart.

use std::hash::{BuildHasher, Hash, RandomState};
use std::net::IpAddr;

use uuid::Uuid;

use crate::error::ApiError;
use crate::http::address::{network, site};
use crate::identity::sign_in::limit::{HOUR, Limit, MINUTE, Tiers, take_all};

const FROM_DEVICE: &Tiers = &[(20, MINUTE), (100, HOUR)];
const FROM_NETWORK: &Tiers = &[(100, MINUTE), (600, HOUR)];
const FROM_SITE: &Tiers = &[(400, MINUTE), (2_400, HOUR)];

pub(super) struct Returns {
    hasher: RandomState,
    from_device: Limit,
    from_network: Limit,
    from_site: Limit,
}

impl Default for Returns {
    fn default() -> Self {
        let limit = |tiers| Limit::new(tiers, None);
        Self {
            hasher: RandomState::new(),
            from_device: limit(FROM_DEVICE),
            from_network: limit(FROM_NETWORK),
            from_site: limit(FROM_SITE),
        }
    }
}

impl Returns {
    /// `known_device`: that left from here; strangers of its network use up nothing of its own.
    pub(super) fn count(
        &self,
        known_device: Option<Uuid>,
        address: IpAddr,
    ) -> Result<(), ApiError> {
        let counts = match known_device {
            Some(device) => vec![(&self.from_device, self.key(device))],
            None => vec![
                (&self.from_site, self.key(site(address))),
                (&self.from_network, self.key(network(address))),
            ],
        };
        take_all(counts).map(|_| ()).map_err(ApiError::too_many)
    }

    fn key(&self, whom: impl Hash) -> u64 {
        self.hasher.hash_one(whom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_device_comes_back_although_its_network_has_used_up_its_own() {
        let returns = Returns::default();
        let address = IpAddr::from([192, 0, 2, 1]);
        let through = (0..200).filter(|_| returns.count(None, address).is_ok());
        assert_eq!(through.count(), 100);
        returns.count(Some(Uuid::new_v4()), address).unwrap();
        let other = IpAddr::from([192, 0, 2, 2]);
        returns.count(None, other).unwrap();
    }
}

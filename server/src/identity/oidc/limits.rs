//! How often those who come back from the provider may have it asked about them. Counted is only who
//! brought our own cookie and the state that goes with it: what anybody can make any browser ask costs
//! nobody a try. Passwords are counted apart.

use std::net::IpAddr;

use uuid::Uuid;

use crate::error::ApiError;
use crate::http::address::{network, site};
use crate::identity::sign_in::limit::{HOUR, Limit, MINUTE, Tiers, take_all};
use crate::identity::sign_in::shared_limits::SharedLimits;

const FROM_DEVICE: &Tiers = &[(20, MINUTE), (100, HOUR)];
const FROM_NETWORK: &Tiers = &[(100, MINUTE), (600, HOUR)];
const FROM_SITE: &Tiers = &[(400, MINUTE), (2_400, HOUR)];

pub(super) struct Returns {
    shared: SharedLimits,
    from_device: Limit,
    from_network: Limit,
    from_site: Limit,
}

impl Returns {
    pub(super) fn new(shared: &SharedLimits) -> Self {
        let limit = |name, tiers| shared.limit(name, tiers, None);
        Self {
            from_device: limit("returns-from-device", FROM_DEVICE),
            from_network: limit("returns-from-network", FROM_NETWORK),
            from_site: limit("returns-from-site", FROM_SITE),
            shared: shared.clone(),
        }
    }

    /// `known_device`: that left from here; strangers of its network use up nothing of its own.
    pub(super) fn count(
        &self,
        known_device: Option<Uuid>,
        address: IpAddr,
    ) -> Result<(), ApiError> {
        let counts = match known_device {
            Some(device) => vec![(&self.from_device, self.shared.key(&[device.as_bytes()]))],
            None => vec![
                (&self.from_site, self.shared.key_of_address(site(address))),
                (
                    &self.from_network,
                    self.shared.key_of_address(network(address)),
                ),
            ],
        };
        take_all(counts).map(|_| ()).map_err(ApiError::too_many)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_device_comes_back_although_its_network_has_used_up_its_own() {
        let returns = Returns::new(&SharedLimits::of_test());
        let address = IpAddr::from([192, 0, 2, 1]);
        let through = (0..200).filter(|_| returns.count(None, address).is_ok());
        assert_eq!(through.count(), 100);
        returns.count(Some(Uuid::new_v4()), address).unwrap();
        let other = IpAddr::from([192, 0, 2, 2]);
        returns.count(None, other).unwrap();
    }
}

//! How many tries each limit of signing in allows, and in how long: tiers of (tries, period).

use super::limit::{DAY, HOUR, MINUTE, Tiers};

/// Passwords for one account from one network: a wait of 6 s after 10 wrong ones, 2 min after 30,
/// half an hour after 50.
pub(super) const PASSWORDS_OF_ACCOUNT_FROM_NETWORK: &Tiers = &[(10, MINUTE), (30, HOUR), (50, DAY)];
/// The same from all networks of one site.
pub(super) const PASSWORDS_OF_ACCOUNT_FROM_SITE: &Tiers = &[(20, MINUTE), (50, HOUR), (75, DAY)];
/// For one account from all strangers together: five networks that guess all day.
pub(super) const PASSWORDS_OF_ACCOUNT: &Tiers = &[(50, 5 * MINUTE), (100, HOUR), (200, DAY)];
/// For one account on a device it is known on, and of somebody who is signed in.
pub(super) const PASSWORDS_OF_DEVICE: &Tiers = &[(10, MINUTE), (30, HOUR), (100, DAY)];
/// Passwords from one network, whatever the accounts.
pub(super) const PASSWORDS_FROM_NETWORK: &Tiers = &[(100, 50), (600, HOUR), (2_000, DAY)];
pub(super) const PASSWORDS_FROM_SITE: &Tiers = &[(400, 50), (2_400, HOUR), (8_000, DAY)];
/// How often the database is asked whether an account is signed in in a network.
pub(super) const LOOKUPS_FROM_NETWORK: &Tiers = &[(5, 30)];
pub(super) const LOOKUPS_FROM_SITE: &Tiers = &[(20, 30)];

/// Set-up links that are not the server's.
pub(super) const SET_UPS_FROM_NETWORK: &Tiers = &[(10, MINUTE), (30, HOUR), (50, DAY)];
pub(super) const SET_UPS_FROM_SITE: &Tiers = &[(20, MINUTE), (50, HOUR), (75, DAY)];

/// Of a million codes three are right at a time.
pub(super) const CODES_OF_ACCOUNT: &Tiers = &[(5, 5 * MINUTE), (20, 2 * HOUR), (50, DAY)];
/// On all devices together on which an account is known, however many those are.
pub(super) const CODES_OF_DEVICES: &Tiers = &[(15, 5 * MINUTE), (40, 2 * HOUR), (100, DAY)];

pub(super) const MAILS_TO_ACCOUNT_FROM_NETWORK: &Tiers = &[(3, HOUR), (10, DAY)];
pub(super) const MAILS_TO_ACCOUNT: &Tiers = &[(10, HOUR), (30, DAY)];
pub(super) const MAILS_FROM_NETWORK: &Tiers = &[(20, HOUR)];
pub(super) const MAILS_FROM_SITE: &Tiers = &[(60, HOUR)];

/// Several tabs that are loaded again and again.
pub(super) const REFRESHES_OF_SESSION: &Tiers = &[(60, MINUTE)];
/// With a token that was not signed here, or before tokens were signed.
pub(super) const UNSIGNED_REFRESHES_FROM_NETWORK: &Tiers = &[(60, MINUTE)];
pub(super) const UNSIGNED_REFRESHES_FROM_SITE: &Tiers = &[(240, MINUTE)];

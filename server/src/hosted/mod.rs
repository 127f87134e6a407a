//! The hosted providers behind the traits of `identity` and `staff`: accounts in Firebase
//! Authentication, staff records in Cloud Firestore. Google's protocols are the crate
//! `dispatch-hosted`'s. A build without the feature `hosted` has neither provider and says so.

#[cfg(feature = "hosted")]
mod providers;
#[cfg(feature = "hosted")]
pub use providers::{Firebase, Firestore, HostedError, identity_provider, staff_collection};

#[cfg(not(feature = "hosted"))]
mod left_out;
#[cfg(not(feature = "hosted"))]
pub use left_out::{HostedError, identity_provider, staff_collection};

//! From when on screens mark an order by its times.

use jiff::SignedDuration;

/// An order that is promised within this long is soon due.
pub const DUE_SOON: SignedDuration = SignedDuration::from_mins(30);

/// Days from which on a used car or a delivery has been here for long, and for too long.
pub const LONG_STAY_DAYS: u8 = 7;
pub const TOO_LONG_STAY_DAYS: u8 = 14;

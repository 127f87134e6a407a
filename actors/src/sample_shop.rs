//! A believable shop.

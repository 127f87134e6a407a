//! What boards show.
//!
//! - `layout` (layouts, settings, views), `cards` (what a card has), `shop` (the cards of a view,
//!   from the open orders), `customer_names` (shortened), `progress` (how far the work is),
//!   `technicians` (the columns of a shop floor), `checksum`.
//! - `views` (each change is encoded once for all boards of a view), `subscription` (a board at its
//!   view), `clock_updates` (clocks that begin or end).

pub mod cards;
pub mod checksum;
pub(super) mod clock_updates;
mod customer_names;
pub mod layout;
pub(super) mod progress;
pub(super) mod shop;
pub(super) mod subscription;
mod technicians;
pub(super) mod views;

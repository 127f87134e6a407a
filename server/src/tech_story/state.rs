//! What the calls about tech stories work with.

use dispatch_actors::store::Store;

use super::TechStories;
use crate::change_signal::ChangeSignal;
use crate::repair_orders::OrderWriter;

#[derive(Clone)]
pub struct TechStoryState {
    pub store: Store,
    pub stories: TechStories,
    pub orders: OrderWriter,
    /// Tells every open screen that the shop's settings of technicians and opcodes have changed.
    pub changes: ChangeSignal,
}

//! What the calls about tech stories work with.

use dispatch_actors::store::Store;

use super::TechStories;
use crate::repair_orders::OrderWriter;

#[derive(Clone)]
pub struct TechStoryState {
    pub store: Store,
    pub stories: TechStories,
    pub orders: OrderWriter,
}

//! Events that one area publishes and others subscribe to, so that the publisher need not know them.

use std::sync::{Arc, PoisonError, RwLock};

type Subscriber<E> = Box<dyn Fn(&E) + Send + Sync>;

/// Cheap to clone: all clones have the same subscribers.
pub struct Publisher<E> {
    subscribers: Arc<RwLock<Vec<Subscriber<E>>>>,
}

impl<E> Publisher<E> {
    /// Calls `subscriber` with every event from now on, on the publisher's thread: it must not block.
    pub fn subscribe(&self, subscriber: impl Fn(&E) + Send + Sync + 'static) {
        let mut subscribers = self
            .subscribers
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        subscribers.push(Box::new(subscriber));
    }

    pub fn publish(&self, event: &E) {
        let subscribers = self
            .subscribers
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        for subscriber in subscribers.iter() {
            subscriber(event);
        }
    }
}

impl<E> Clone for Publisher<E> {
    fn clone(&self) -> Self {
        Self {
            subscribers: Arc::clone(&self.subscribers),
        }
    }
}

impl<E> Default for Publisher<E> {
    fn default() -> Self {
        Self {
            subscribers: Arc::default(),
        }
    }
}

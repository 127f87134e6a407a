//! The connections to the database, which are others once another host of it takes the writes.

use std::sync::{Arc, OnceLock};

use sea_orm::DatabaseConnection;

/// Cheap to clone: all clones use the same connections.
#[derive(Clone)]
pub(super) struct Pools(Arc<Link>);

/// A chain, of which the last link counts: whoever has borrowed a pool keeps it, closed as it is, and asks for the pool
/// again the next time. A link that is left holds no connection; there is one for each failover.
struct Link {
    pools: Pair,
    next: OnceLock<Box<Link>>,
}

pub(super) struct Pair {
    pub(super) writer: DatabaseConnection,
    pub(super) reader: DatabaseConnection,
}

impl Pools {
    pub(super) fn new(pools: Pair) -> Self {
        Self(Arc::new(Link::new(pools)))
    }

    pub(super) fn current(&self) -> &Pair {
        &self.last().pools
    }

    /// From now on these are used. What waits for a connection of those before is refused at once.
    pub(super) fn replace(&self, pools: Pair) {
        let before = self.last();
        // Only one caller replaces them: whoever came second would have found the same host.
        if before.next.set(Box::new(Link::new(pools))).is_ok() {
            for pool in [&before.pools.reader, &before.pools.writer] {
                let pool = pool.clone();
                // It refuses from the first poll on, and waits for connections that a silent host may never end.
                tokio::spawn(async move { pool.close_by_ref().await });
            }
        }
    }

    fn last(&self) -> &Link {
        let mut link = &*self.0;
        while let Some(next) = link.next.get() {
            link = next;
        }
        link
    }
}

impl Link {
    fn new(pools: Pair) -> Self {
        Self {
            pools,
            next: OnceLock::new(),
        }
    }
}

//! The connections to the database, which are others once another host of it takes the writes.

use std::sync::{Arc, OnceLock};

use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, ExecResult,
    QueryResult, Statement, TransactionOptions, TransactionTrait,
};

use super::time_limit::AnswerLimit;

/// Connections of which each statement takes one, and is waited for within a limit.
#[derive(Clone)]
pub struct Pool {
    connections: DatabaseConnection,
    answers: AnswerLimit,
}

impl Pool {
    pub(super) fn new(connections: DatabaseConnection, answers: AnswerLimit) -> Self {
        Self {
            connections,
            answers,
        }
    }

    /// For what needs the driver's own connections, as tests do.
    pub fn without_limit(&self) -> &DatabaseConnection {
        &self.connections
    }

    pub(super) async fn ping(&self) -> Result<(), DbErr> {
        self.answers.keep(self.connections.ping()).await
    }

    pub(super) async fn begin(&self, options: TransactionOptions) -> Result<Transaction, DbErr> {
        let begun = self.connections.begin_with_options(options);
        Ok(Transaction {
            inner: self.answers.keep(begun).await?,
            answers: self.answers.clone(),
        })
    }

    /// Waits until every connection has ended what it was asked.
    pub(super) async fn close(&self) -> Result<(), DbErr> {
        self.connections.close_by_ref().await
    }
}

/// A transaction whose statements are waited for within a limit, and which is rolled back unless it is committed.
pub(super) struct Transaction {
    inner: DatabaseTransaction,
    answers: AnswerLimit,
}

impl Transaction {
    pub(super) async fn commit(self) -> Result<(), DbErr> {
        self.answers.keep(self.inner.commit()).await
    }

    pub(super) async fn rollback(self) -> Result<(), DbErr> {
        self.answers.keep(self.inner.rollback()).await
    }

    /// A part of it that can be taken back alone.
    pub(super) async fn savepoint(&self) -> Result<Self, DbErr> {
        Ok(Self {
            inner: self.answers.keep(self.inner.begin()).await?,
            answers: self.answers.clone(),
        })
    }

    /// For what takes no connection but the driver's own, and for what may take as long as it will.
    pub(super) fn without_limit(&self) -> &DatabaseTransaction {
        &self.inner
    }
}

/// Both wait for each statement within their limit.
macro_rules! answer_within_limit {
    ($connection:ty, $inner:ident) => {
        #[async_trait::async_trait]
        impl ConnectionTrait for $connection {
            fn get_database_backend(&self) -> DbBackend {
                self.$inner.get_database_backend()
            }

            async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
                self.answers.keep(self.$inner.execute_raw(statement)).await
            }

            async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
                self.answers.keep(self.$inner.execute_unprepared(sql)).await
            }

            async fn query_one_raw(
                &self,
                statement: Statement,
            ) -> Result<Option<QueryResult>, DbErr> {
                self.answers
                    .keep(self.$inner.query_one_raw(statement))
                    .await
            }

            async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
                self.answers
                    .keep(self.$inner.query_all_raw(statement))
                    .await
            }
        }
    };
}

answer_within_limit!(Pool, connections);
answer_within_limit!(Transaction, inner);

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
    pub(super) writer: Pool,
    pub(super) reader: Pool,
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
                tokio::spawn(async move { pool.close().await });
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

//! The only SQL about repair orders and their events. Speaks domain types; its rows are private.
//!
//! SQLite (WAL, synchronous=FULL) has one connection that writes and a pool of its own for reads;
//! on PostgreSQL both are the same pool.
//!
//! - Opening: `connect`, `sqlite_file` (what is wrong with a file), `migrate`; `backup` (copies).
//! - Writing: `write` (a group of decisions), `order_rows` (the rows of orders), `idempotency_records`
//!   (the answers kept of requests), `seed_history` (a made-up past in one transaction), `retention`
//!   (deletes what was kept for long enough).
//! - Reading: `read` (orders and events), `history`, `closed` (for the figures), `stage_lives` (for time in stages),
//!   `search` (orders by what people remember of them), `customer` (all of one customer, also to erase it), `rows` (the tables).
//! - Whether the database can be trusted: `transaction` (the only way to write), `locked` (rows that
//!   another program has locked), `inspection` (a look that changes nothing), `head` (the end of the log and its generation), `status`; `size`.
//! - `stage_rules`: the shop's stages, as this process knows them.
//! - Several servers on one PostgreSQL database: `other_servers`; on several hosts: `postgres_hosts`, `pools`.

mod backup;
mod closed;
mod connect;
mod customer;
mod head;
mod history;
mod idempotency_records;
mod inspection;
mod leader;
mod locked;
mod migrate;
mod order_rows;
mod other_servers;
mod pooler;
mod pools;
mod postgres_hosts;
mod read;
mod retention;
mod rows;
mod search;
mod seed_history;
mod size;
mod soft_state;
mod sqlite_file;
mod stage_lives;
mod stage_rules;
mod status;
mod time_limit;
mod transaction;
mod write;

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use jiff::Timestamp;
use sea_orm::DbErr;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::repair_order::{Action, Change, RepairOrder, RoNumber, Version};

pub use backup::DatabaseContents;
pub use closed::{ClosedOrder, ClosedOrders, Life};
pub use connect::{DatabaseUrl, POSTGRES_CONNECTIONS, Unreachable};
pub use customer::{CustomerSearch, OrderOfCustomer};
pub use head::{LogHead, LogPosition};
pub(crate) use head::{LogState, WentBack};
pub use history::Activity;
pub use idempotency_records::{
    IDEMPOTENCY_RECORD_TTL, IdempotencyRecord, IdempotencyRecordKey, StoredAnswer,
    keep_idempotency_record,
};
pub use inspection::{DatabaseInspection, PostgresConnections, SchemaState, inspect};
pub(crate) use other_servers::LOG;
pub use other_servers::{OtherServers, ServerNotice, TopicListener};
pub use retention::{PruneLimits, PrunedPart, PrunedRows, prune_step};
pub use search::{FoundPlace, SearchedWord};
pub use seed_history::{OrderHistory, PastRequest};
pub use soft_state::{SoftState, SoftStateChange};
pub use stage_rules::SharedStageRules;
pub use status::{LogStatus, Outage};
pub use transaction::WriteTransaction;

pub use pools::Pool;
use pools::{Pair, Pools};
use sqlite_file::OpenedFile;

/// The number of an event: dense, in the order of commits, starting at 1. 0 is "before the first".
pub type Seq = i64;

#[derive(Clone)]
pub struct Store {
    pools: Pools,
    status: LogStatus,
    others: OtherServers,
    /// SQLite's one writing connection did not end a transaction when asked to.
    suspect: Suspect,
    /// None on PostgreSQL, and where the file system did not say which file it is.
    file: Option<OpenedFile>,
    /// Orders whose rows another program had locked, and when that was found.
    locked: Arc<Mutex<HashMap<RoNumber, Instant>>>,
    stage_rules: SharedStageRules,
}

/// Raised where SQLite's writing connection is not to be used again, and taken by the pool, which then
/// opens another one.
#[derive(Clone, Default)]
struct Suspect(Arc<AtomicBool>);

impl Suspect {
    fn raise(&self) {
        self.0.store(true, Ordering::Release);
    }

    fn take(&self) -> bool {
        self.0.swap(false, Ordering::AcqRel)
    }
}

/// Who made a change, and by which way it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    pub uid: String,
    pub name: String,
    pub channel: Channel,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Channel {
    Desk,
    Portal,
    Import,
    Undo,
    /// The job clocks told it.
    Clock,
}

impl Channel {
    fn name(self) -> &'static str {
        match self {
            Channel::Desk => "desk",
            Channel::Portal => "portal",
            Channel::Import => "import",
            Channel::Undo => "undo",
            Channel::Clock => "clock",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        [
            Channel::Desk,
            Channel::Portal,
            Channel::Import,
            Channel::Undo,
            Channel::Clock,
        ]
        .into_iter()
        .find(|channel| channel.name() == name)
    }
}

/// A committed change.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub seq: Seq,
    pub number: RoNumber,
    /// The order's version after this change.
    pub version: Version,
    pub change: Change,
    pub by: Author,
    /// The request it was made for; what one request did is undone together. An import has none.
    pub request: Option<String>,
    pub at: Timestamp,
}

impl Event {
    pub fn action(&self) -> Action {
        self.change.action()
    }
}

/// The changes of one command, decided and waiting for their commit; none where only the answer
/// is to be kept.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The version the decision was made on; 0 for an order that is not there yet.
    pub before: Version,
    pub after: Arc<RepairOrder>,
    pub changes: Vec<Change>,
    pub by: Author,
    pub request: Option<String>,
    pub idempotency_record: Option<IdempotencyRecord>,
    pub at: Timestamp,
}

/// What became of one decision of a group that was committed.
#[derive(Debug)]
pub enum Verdict {
    Committed(Vec<Event>),
    /// Another writer changed the order since: decide again on what is there now.
    Lost,
    /// The same request was carried out before; its idempotency record has the answer.
    Repeated,
    /// The database refused this one; nothing of it was kept.
    Failed(StoreError),
}

/// Open orders, and the end of the log they are true for.
#[derive(Clone, Debug)]
pub struct OpenOrders {
    pub orders: Vec<RepairOrder>,
    pub head: LogHead,
}

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the database did not answer: {}", plain_sentence(.0))]
    Database(#[from] DbErr),
    #[error("repair order {number} is damaged in the database: {what}")]
    Damaged { number: i64, what: String },
    #[error("repair order {0} is locked by another program")]
    Locked(RoNumber),
    #[error("the log ends before what was announced, or is another log")]
    WentBack,
    #[error("the log ends at event {top}, and no event after {after} is in it")]
    NoEvents { after: Seq, top: Seq },
}

/// Without the name that the library gives to an error whose sentence is our own.
pub fn plain_sentence(error: &(impl Display + ?Sized)) -> String {
    let sentence = error.to_string();
    let own = sentence.strip_prefix("Custom Error: ").map(str::to_owned);
    own.unwrap_or(sentence)
}

impl Store {
    fn new(
        writer: Pool,
        reader: Pool,
        suspect: Suspect,
        file: Option<OpenedFile>,
        others: OtherServers,
    ) -> Self {
        Self {
            pools: Pools::new(Pair { writer, reader }),
            status: LogStatus::default(),
            others,
            suspect,
            file,
            locked: Arc::default(),
            stage_rules: SharedStageRules::default(),
        }
    }

    /// What is known of the database right now.
    pub fn status(&self) -> &LogStatus {
        &self.status
    }

    /// The other servers on this database.
    pub fn others(&self) -> &OtherServers {
        &self.others
    }

    /// The shop's stages, by which orders move; off until they are read.
    pub fn stage_rules(&self) -> &SharedStageRules {
        &self.stage_rules
    }

    /// Whether a SQLite database was deleted, moved or replaced while it is open: what is written to it, nobody finds
    /// again. It can still be copied.
    pub fn is_file_lost(&self) -> bool {
        self.file.as_ref().is_some_and(OpenedFile::is_lost)
    }

    /// Refuses, and notes that nothing is saved, where the file is lost.
    pub(crate) fn require_file(&self) -> Result<(), DbErr> {
        let Some(file) = self.file.as_ref().filter(|file| file.is_lost()) else {
            return Ok(());
        };
        let error = DbErr::Custom(format!(
            "the database file {} was deleted, moved or replaced while the server has it open",
            file.path().display()
        ));
        self.status.not_saved(&error);
        Err(error)
    }

    /// The connection for changes; on SQLite the only one, so hold it briefly.
    pub fn writer(&self) -> &Pool {
        &self.pools.current().writer
    }

    pub fn reader(&self) -> &Pool {
        &self.pools.current().reader
    }
}

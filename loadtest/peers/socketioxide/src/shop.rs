//! The shop's repair orders in SQLite: one transaction for each request, durable when it returns.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use crate::api_types::{By, Changed, Current, EntryResult, List, Refused, RoModified, Row};

/// Who makes every change: there is one account.
const BY: By = By {
    uid: "01a025c8-31f5-7d30-a19a-1c31f9cd4ee1",
    name: "Olivia Owens",
};

const SCHEMA: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS repair_order (
        number INTEGER PRIMARY KEY,
        version INTEGER NOT NULL,
        status TEXT,
        priority TEXT NOT NULL,
        rows TEXT NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS event (
        seq INTEGER PRIMARY KEY,
        ro INTEGER NOT NULL,
        version INTEGER NOT NULL,
        action TEXT NOT NULL,
        by TEXT NOT NULL,
        at TEXT NOT NULL
    ) STRICT;";

#[derive(Debug)]
pub enum Fault {
    Database(rusqlite::Error),
    /// Rows in the database that cannot be read or written.
    Rows(serde_json::Error),
}

pub struct Shop {
    database: Connection,
    /// The number of the newest event.
    seq: i64,
}

/// One thing to change on one order.
#[derive(Debug)]
pub struct Entry {
    pub number: i64,
    pub change: Result<Change, Refused>,
    pub expected_version: Option<i64>,
}

#[derive(Clone, Copy, Debug)]
pub enum Change {
    Status(&'static str),
    Priority(&'static str),
}

/// A result for each entry, and the events they made.
#[derive(Debug)]
pub struct Changes {
    pub results: Vec<EntryResult>,
    pub events: Vec<RoModified>,
}

struct Order {
    number: i64,
    version: i64,
    status: Option<String>,
    priority: String,
    /// As JSON; status, priority and version in it are those of the day it came.
    rows: String,
}

impl Shop {
    pub fn open(path: &str) -> Result<Self, Fault> {
        let database = Connection::open(path)?;
        database.execute_batch(SCHEMA)?;
        let newest = "SELECT coalesce(max(seq), 0) FROM event";
        let seq = database.query_row(newest, [], |row| row.get(0))?;
        Ok(Self { database, seq })
    }

    pub fn seq(&self) -> i64 {
        self.seq
    }

    pub fn is_empty(&self) -> Result<bool, Fault> {
        let any = "SELECT EXISTS (SELECT 1 FROM repair_order)";
        let any: bool = self.database.query_row(any, [], |row| row.get(0))?;
        Ok(!any)
    }

    /// Takes the rows of a list as the shop's own; an order has one for each technician.
    pub fn take(&mut self, rows: &[Row]) -> Result<(), Fault> {
        let mut orders: BTreeMap<i64, Vec<&Row>> = BTreeMap::new();
        for row in rows {
            orders.entry(row.repair_order_number).or_default().push(row);
        }
        let transaction = self.database.transaction()?;
        let insert = "INSERT INTO repair_order VALUES (?, ?, ?, ?, ?)";
        for (number, rows) in orders {
            let first = rows[0];
            let json = serde_json::to_string(&rows)?;
            let (status, priority) = (&first.app_customer_status, &first.priority_name);
            transaction.prepare_cached(insert)?.execute(params![
                number,
                first.version,
                status,
                priority,
                json
            ])?;
        }
        Ok(transaction.commit()?)
    }

    pub fn list(&self) -> Result<List, Fault> {
        let all =
            "SELECT number, version, status, priority, rows FROM repair_order ORDER BY number";
        let mut select = self.database.prepare_cached(all)?;
        let orders = select.query_map([], Order::read)?;
        let mut result = Vec::new();
        for order in orders {
            result.extend(order?.current()?);
        }
        Ok(List {
            ok: true,
            result,
            seq: self.seq,
        })
    }

    /// All entries of a request in one transaction.
    pub fn change(&mut self, entries: Vec<Entry>) -> Result<Changes, Fault> {
        let behavior = TransactionBehavior::Immediate;
        let transaction = self.database.transaction_with_behavior(behavior)?;
        let mut events = Vec::new();
        let mut results = Vec::with_capacity(entries.len());
        for entry in entries {
            results.push(change_one(&transaction, self.seq, entry, &mut events)?);
        }
        transaction.commit()?;
        // Not before the commit: a transaction that fails leaves no gap.
        self.seq += events.len() as i64;
        Ok(Changes { results, events })
    }
}

fn change_one(
    transaction: &Transaction<'_>,
    newest: i64,
    entry: Entry,
    events: &mut Vec<RoModified>,
) -> Result<EntryResult, Fault> {
    let number = entry.number;
    let refused = |refused: Refused| {
        let ro_number = Some(number);
        Ok(EntryResult::Refused(Refused {
            ro_number,
            ..refused
        }))
    };
    let change = match entry.change {
        Ok(change) => change,
        Err(invalid) => return refused(invalid),
    };
    let find = "SELECT number, version, status, priority, rows FROM repair_order WHERE number = ?";
    let order = transaction
        .prepare_cached(find)?
        .query_row([number], Order::read)
        .optional()?;
    let Some(mut order) = order else {
        let why = format!("There is no RO {number}");
        return refused(Refused::new(404, "unknown-repair-order", why));
    };
    if entry
        .expected_version
        .is_some_and(|expected| expected != order.version)
    {
        return refused(stale(transaction, &order)?);
    }
    let Some(action) = order.apply(change) else {
        return Ok(order.changed(None, order.current()?));
    };

    order.version += 1;
    let seq = newest + events.len() as i64 + 1;
    let timestamp = now();
    transaction
        .prepare_cached(
            "UPDATE repair_order SET version = ?, status = ?, priority = ? WHERE number = ?",
        )?
        .execute(params![order.version, order.status, order.priority, number])?;
    transaction
        .prepare_cached("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?)")?
        .execute(params![
            seq,
            number,
            order.version,
            action,
            BY.uid,
            timestamp
        ])?;
    let rows = order.current()?;
    events.push(RoModified {
        r#type: "RO_MODIFIED",
        ro_number: number,
        action,
        timestamp,
        version: order.version,
        seq,
        by: BY,
        rows: rows.clone(),
    });
    Ok(order.changed(Some(seq), rows))
}

fn stale(transaction: &Transaction<'_>, order: &Order) -> Result<Refused, Fault> {
    let last = "SELECT at FROM event WHERE ro = ? ORDER BY seq DESC LIMIT 1";
    let changed_at: Option<String> = transaction
        .prepare_cached(last)?
        .query_row([order.number], |row| row.get(0))
        .optional()?;
    let why = format!("RO {} was changed by somebody else", order.number);
    Ok(Refused {
        current: Some(Box::new(Current {
            rows: order.current()?,
            version: order.version,
            changed_by: changed_at.is_some().then_some(BY),
            changed_at,
        })),
        ..Refused::new(409, "stale-version", why)
    })
}

impl Order {
    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            number: row.get(0)?,
            version: row.get(1)?,
            status: row.get(2)?,
            priority: row.get(3)?,
            rows: row.get(4)?,
        })
    }

    /// What was done; none when nothing changed.
    fn apply(&mut self, change: Change) -> Option<&'static str> {
        match change {
            Change::Status(status) if self.status.as_deref() != Some(status) => {
                self.status = Some(status.to_owned());
                Some("STATUS_CHANGED")
            }
            Change::Priority(priority) if self.priority != priority => {
                self.priority = priority.to_owned();
                Some("PRIORITY_CHANGED")
            }
            Change::Status(_) | Change::Priority(_) => None,
        }
    }

    /// The order's rows as they are now.
    fn current(&self) -> Result<Vec<Row>, Fault> {
        let mut rows: Vec<Row> = serde_json::from_str(&self.rows)?;
        for row in &mut rows {
            row.priority_name.clone_from(&self.priority);
            row.app_customer_status.clone_from(&self.status);
            row.version = self.version;
        }
        Ok(rows)
    }

    fn changed(&self, seq: Option<i64>, rows: Vec<Row>) -> EntryResult {
        EntryResult::Changed(Changed {
            ro_number: self.number,
            ok: true,
            version: self.version,
            seq,
            rows,
        })
    }
}

/// The clock in milliseconds, ISO 8601, UTC.
pub fn now() -> String {
    let now = Timestamp::now();
    let milliseconds = Timestamp::from_millisecond(now.as_millisecond());
    milliseconds.unwrap_or(now).to_string()
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

impl From<serde_json::Error> for Fault {
    fn from(error: serde_json::Error) -> Self {
        Self::Rows(error)
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Database(error) => write!(f, "the database: {error}"),
            Self::Rows(error) => write!(f, "the rows of an order: {error}"),
        }
    }
}

impl std::error::Error for Fault {}

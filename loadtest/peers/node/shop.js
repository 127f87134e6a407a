// The shop's repair orders in SQLite: one transaction for each request, durable when it returns.

import Database from "better-sqlite3";

const STATUSES = new Map([
  [10, "Drop"],
  [11, "Waiting"],
  [12, "Used"],
  [13, "PDI"],
  [14, "ENG"],
  [15, "Trans"],
]);
const PRIORITIES = new Map([
  [4, "Waiting"],
  [3, "High"],
  [2, "Medium"],
  [1, "Low"],
]);

/** Who makes every change: there is one account. */
export const BY = { uid: "01a025c8-31f5-7d30-a19a-1c31f9cd4ee1", name: "Olivia Owens" };

const SCHEMA = `
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
  ) STRICT;`;

export class Shop {
  #db;
  #find;
  #all;
  #lastOf;
  #insert;
  #update;
  #log;
  #change;

  /** The number of the newest event. */
  seq;

  constructor(path) {
    this.#db = new Database(path);
    this.#db.pragma("journal_mode = WAL");
    this.#db.pragma("synchronous = FULL");
    this.#db.exec(SCHEMA);
    const prepare = (sql) => this.#db.prepare(sql);
    this.#find = prepare("SELECT * FROM repair_order WHERE number = ?");
    this.#all = prepare("SELECT * FROM repair_order ORDER BY number");
    this.#lastOf = prepare("SELECT at FROM event WHERE ro = ? ORDER BY seq DESC LIMIT 1");
    this.#insert = prepare("INSERT INTO repair_order VALUES (?, ?, ?, ?, ?)");
    this.#update = prepare(
      "UPDATE repair_order SET version = ?, status = ?, priority = ? WHERE number = ?",
    );
    this.#log = prepare("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?)");
    this.#change = this.#db.transaction((entries) => this.#changeAll(entries)).immediate;
    this.seq = prepare("SELECT coalesce(max(seq), 0) FROM event").pluck().get();
  }

  isEmpty() {
    return this.#db.prepare("SELECT count(*) FROM repair_order").pluck().get() === 0;
  }

  /** Takes the rows of a list as the shop's own; an order has one for each technician. */
  take(rows) {
    const orders = grouped(rows);
    this.#db.transaction(() => {
      for (const [number, rows] of orders) {
        const [{ version, appCustomerStatus, priorityName }] = rows;
        this.#insert.run(number, version, appCustomerStatus, priorityName, JSON.stringify(rows));
      }
    })();
  }

  list() {
    return { ok: true, result: this.#all.all().flatMap(current), seq: this.seq };
  }

  readStatus({ repairOrderNumber, idStatus, expectedVersion }) {
    const value = STATUSES.get(Number(idStatus));
    const invalid = value === undefined && refusal(400, "invalid-status", "Invalid status");
    const number = Number(repairOrderNumber);
    return { number, field: "status", action: "STATUS_CHANGED", value, expectedVersion, invalid };
  }

  readPriority({ roNumber, priorityLevel, expectedVersion }) {
    const value = PRIORITIES.get(Number(priorityLevel));
    const invalid = value === undefined && refusal(400, "invalid-priority", "Invalid priority");
    const number = Number(roNumber);
    return { number, field: "priority", action: "PRIORITY_CHANGED", value, expectedVersion, invalid };
  }

  /** All entries of a request in one transaction: a result for each, and the events they made. */
  change(entries) {
    const changes = this.#change(entries);
    // Not before the commit: a transaction that fails leaves no gap.
    this.seq += changes.events.length;
    return changes;
  }

  close() {
    this.#db.close();
  }

  #changeAll(entries) {
    const events = [];
    const results = entries.map((entry) => this.#changeOne(entry, events));
    return { results, events };
  }

  #changeOne({ number, field, action, value, expectedVersion, invalid }, events) {
    if (invalid) return { roNumber: number, ...invalid };
    const order = this.#find.get(number);
    if (order === undefined) {
      const unknown = refusal(404, "unknown-repair-order", `There is no RO ${number}`);
      return { roNumber: number, ...unknown };
    }
    if (expectedVersion != null && expectedVersion !== order.version) {
      return { roNumber: number, ...this.#stale(order) };
    }
    if (order[field] === value) return changed(order, null, current(order));

    order[field] = value;
    order.version += 1;
    const seq = this.seq + events.length + 1;
    const timestamp = new Date().toISOString();
    this.#update.run(order.version, order.status, order.priority, number);
    this.#log.run(seq, number, order.version, action, BY.uid, timestamp);

    const { version } = order;
    const rows = current(order);
    const type = "RO_MODIFIED";
    events.push({ type, roNumber: number, action, timestamp, version, seq, by: BY, rows });
    return changed(order, seq, rows);
  }

  /** With the order as it is now. */
  #stale(order) {
    const at = this.#lastOf.pluck().get(order.number) ?? null;
    const changedBy = at === null ? null : BY;
    return {
      ...refusal(409, "stale-version", `RO ${order.number} was changed by somebody else`),
      current: { rows: current(order), version: order.version, changedBy, changedAt: at },
    };
  }
}

/** The order's rows as they are now. */
function current({ rows, version, status, priority }) {
  const now = JSON.parse(rows);
  for (const row of now) {
    row.priorityName = priority;
    row.appCustomerStatus = status;
    row.version = version;
  }
  return now;
}

function changed({ number, version }, seq, rows) {
  return { roNumber: number, ok: true, version, seq, rows };
}

function refusal(status, code, error) {
  return { status, ok: false, error, code };
}

function grouped(rows) {
  const orders = new Map();
  for (const row of rows) {
    const number = row.repairOrderNumber;
    if (!orders.has(number)) orders.set(number, []);
    orders.get(number).push(row);
  }
  return orders;
}

// The client's cache of the open repair orders, and the one function that lands updates in it: from the list, a live
// message or the answer to a change. Pure. However late, early or often updates land, the cache ends up the same: the
// higher version of an order wins.
import type { Person, Row } from '../api/repair-orders.ts';
import { type RepairOrder, toRepairOrder } from './order.ts';

/**
 * One order's state as of event number `seq`. No rows: it is closed (or no longer this technician's) as of `version`.
 */
export interface Landing {
  roNumber: number;
  rows: Row[];
  version: number;
  seq: number;
  /** Who made the change, and when (ms), where the message says so. */
  by?: Author | undefined;
}

export interface Author {
  person: Person;
  at: number;
}

/** All open orders, true for event number `seq`: what is not in it was closed by then. */
export interface OrderList {
  rows: Row[];
  seq: number;
  /** The log the number and the rows' versions belong to, where the server names it. */
  generation?: string | null | undefined;
}

interface CachedOrder {
  version: number;
  /** The highest event number that confirmed this state. */
  seq: number;
}

export interface OpenOrder extends CachedOrder {
  order: RepairOrder;
  /** When a change of the order landed here (ms); 0 for the orders of the first list. */
  changedAt: number;
  /** Who made the last change, where that is known. */
  by: Author | null;
}

/** A tombstone. */
interface ClosedOrder extends CachedOrder {
  by: Author | null;
}

export interface OrderCache {
  open: ReadonlyMap<number, OpenOrder>;
  /** Tombstones. Those the list already accounts for are dropped. */
  closed: ReadonlyMap<number, ClosedOrder>;
  /** The event number of the newest list; -1 before the first. */
  listSeq: number;
  /** The event log that the cache belongs to; null where the server names none. */
  generation: string | null;
}

export const emptyOrderCache: OrderCache = {
  open: new Map(),
  closed: new Map(),
  listSeq: -1,
  generation: null,
};

/** Whether the numbers and versions of one log mean nothing in the other. Null: the log is not known. */
export function isAnotherGeneration(
  one: string | null | undefined,
  other: string | null | undefined,
): boolean {
  return one != null && other != null && one !== other;
}

/** Landing several at once copies the cache once, and gives the same result as one after the other. */
export function landOrders(cache: OrderCache, landings: readonly Landing[], now: number): OrderCache {
  const draft = draftOf(cache);
  let changed = false;
  for (const landing of landings) changed = land(draft, landing, now) || changed;
  return changed ? draft : cache;
}

export function landList(cache: OrderCache, list: OrderList, now: number): OrderCache {
  const draft = { ...draftOf(cache), generation: list.generation ?? cache.generation };
  const listed = groupByOrder(list.rows);
  // The orders of the first list do not count as changed.
  const changedAt = cache.listSeq < 0 ? 0 : now;
  for (const [roNumber, rows] of listed) {
    land(draft, { roNumber, rows, version: 0, seq: list.seq }, changedAt);
  }
  if (list.seq <= cache.listSeq) return draft;
  for (const [roNumber, cached] of draft.open) {
    if (!listed.has(roNumber) && cached.seq <= list.seq) draft.open.delete(roNumber);
  }
  for (const [roNumber, cached] of draft.closed) {
    if (cached.seq <= list.seq) draft.closed.delete(roNumber);
  }
  return { ...draft, listSeq: list.seq };
}

interface Draft extends OrderCache {
  open: Map<number, OpenOrder>;
  closed: Map<number, ClosedOrder>;
}

function draftOf(cache: OrderCache): Draft {
  return { ...cache, open: new Map(cache.open), closed: new Map(cache.closed) };
}

/** Whether the landing changed anything. */
function land(draft: Draft, landing: Landing, now: number): boolean {
  const { roNumber, rows, version: announcedVersion, seq, by = null } = landing;
  const [first, ...others] = rows;
  // Rows may be newer than the message that brought them: a replay sends them as they are now.
  const version = first === undefined ? announcedVersion : newestVersion(rows);
  const open = draft.open.get(roNumber);
  const cached = open ?? draft.closed.get(roNumber);

  // The list accounted for everything up to its number, and this order was not in it.
  if (cached === undefined && seq <= draft.listSeq) return false;
  if (cached !== undefined && version <= cached.version) {
    if (open === undefined || version < open.version) return false;
    if (first !== undefined && seq >= open.seq && isShownOtherwise(open.order, [first, ...others])) {
      const order = toRepairOrder([first, ...others]);
      draft.open.set(roNumber, { ...open, seq, order, by: by ?? open.by });
      return true;
    }
    // A later event confirms the same version: nothing changes on screen, but a late list must not remove the order.
    if (seq <= open.seq) return false;
    // The first of two events of one change brings the rows of both; the second names the author.
    draft.open.set(roNumber, { ...open, seq, by: by ?? open.by });
    return true;
  }
  if (first === undefined) {
    draft.open.delete(roNumber);
    draft.closed.set(roNumber, { version, seq, by });
  } else {
    draft.closed.delete(roNumber);
    const order = toRepairOrder([first, ...others]);
    draft.open.set(roNumber, { version, seq: Math.max(seq, open?.seq ?? 0), order, changedAt: now, by });
  }
  return true;
}

function newestVersion(rows: readonly Row[]): number {
  return rows.reduce((newest, { version }) => Math.max(newest, version), 0);
}

/**
 * What changes without a change of the order: the shop turned stages on or off, which shows or hides them, or renamed a
 * technician.
 */
function isShownOtherwise(order: RepairOrder, rows: readonly [Row, ...Row[]]): boolean {
  if ((rows[0].stage ?? null) !== order.stage) return true;
  const names = new Map(
    rows.map((row) => [row.regularIdTechnician ?? null, row.regularTechFullName?.trim() || null]),
  );
  if (order.technicians.some(({ id, name }) => (names.get(id) ?? name) !== name)) return true;
  return order.hasEtlTech && toRepairOrder(rows).allEtlTechs !== order.allEtlTechs;
}

/** Whether an open order calls one of these technicians otherwise. By id: what each is called now. */
export function hasFormerName({ open }: OrderCache, names: ReadonlyMap<number, string>): boolean {
  const nameNow = (id: number) => names.get(id)?.trim();
  for (const { order } of open.values()) {
    if (order.technicians.some(({ id, name }) => (nameNow(id) ?? name) !== name)) return true;
    const etl = order.etlIds.map(nameNow);
    if (!etl.includes(undefined) && etl.join(', ') !== order.allEtlTechs) return true;
  }
  return false;
}

/** A list's rows, gathered by their order. */
export function groupByOrder(rows: Row[]): Map<number, Row[]> {
  const grouped = new Map<number, Row[]>();
  for (const row of rows) {
    const group = grouped.get(row.repairOrderNumber);
    if (group === undefined) grouped.set(row.repairOrderNumber, [row]);
    else group.push(row);
  }
  return grouped;
}

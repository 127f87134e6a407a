// The client's picture of the open repair orders, and the one landing for whatever is said about them: the list, a
// live message, the answer to a change. Pure. However late, early or often something lands, the picture ends up the
// same: of two things said about an order the higher version counts.
import type { Person, Row } from '../api/repair-orders.ts';
import { type RepairOrder, toRepairOrder } from './order.ts';

/** One order, said to be so by event number `seq`. No rows: it is closed (or no longer mine) as of `version`. */
export interface Landing {
  roNumber: number;
  rows: Row[];
  version: number;
  seq: number;
  /** Whose change it is, and when they made it (ms), where that is said. */
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

interface Known {
  version: number;
  /** The highest event number that vouched for this. */
  seq: number;
}

export interface OpenOrder extends Known {
  order: RepairOrder;
  /** When a change of it landed here (ms); 0 for what the first list brought. */
  changedAt: number;
  /** Who made it what it is, where that is known. */
  by: Author | null;
}

/** A tombstone. */
interface ClosedOrder extends Known {
  by: Author | null;
}

export interface OrderCache {
  open: ReadonlyMap<number, OpenOrder>;
  /** Tombstones. Those the list already accounts for are dropped. */
  closed: ReadonlyMap<number, ClosedOrder>;
  /** The event number of the newest list; -1 before the first. */
  listSeq: number;
  /** The log of events that all of it is of; null where the server names none. */
  generation: string | null;
}

export const emptyOrderCache: OrderCache = {
  open: new Map(),
  closed: new Map(),
  listSeq: -1,
  generation: null,
};

/** Whether numbers and versions of the one log mean nothing in the other. Null: it was not said which it is. */
export function isAnotherGeneration(
  one: string | null | undefined,
  other: string | null | undefined,
): boolean {
  return one != null && other != null && one !== other;
}

/** Several at once cost one copy of the picture, and give the same as one after the other. */
export function landOrders(picture: OrderCache, landings: readonly Landing[], now: number): OrderCache {
  const draft = draftOf(picture);
  let changed = false;
  for (const landing of landings) changed = land(draft, landing, now) || changed;
  return changed ? draft : picture;
}

export function landList(picture: OrderCache, list: OrderList, now: number): OrderCache {
  const draft = { ...draftOf(picture), generation: list.generation ?? picture.generation };
  const listed = groupByOrder(list.rows);
  // What the first list brings is not news.
  const changedAt = picture.listSeq < 0 ? 0 : now;
  for (const [roNumber, rows] of listed) {
    land(draft, { roNumber, rows, version: 0, seq: list.seq }, changedAt);
  }
  if (list.seq <= picture.listSeq) return draft;
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

function draftOf(picture: OrderCache): Draft {
  return { ...picture, open: new Map(picture.open), closed: new Map(picture.closed) };
}

/** Whether the landing changed anything. */
function land(draft: Draft, landing: Landing, now: number): boolean {
  const { roNumber, rows, version: announcedVersion, seq, by = null } = landing;
  const [first, ...others] = rows;
  // Rows may be newer than the message that brought them: a replay sends them as they are now.
  const version = first === undefined ? announcedVersion : Math.max(...rows.map((row) => row.version));
  const open = draft.open.get(roNumber);
  const cached = open ?? draft.closed.get(roNumber);

  // The list accounted for everything up to its number, and this order was not in it.
  if (cached === undefined && seq <= draft.listSeq) return false;
  if (cached !== undefined && version <= cached.version) {
    // Said again by a later event: nothing to see, but a late list must not take the order away.
    if (open === undefined || version < open.version || seq <= open.seq) return false;
    // The first of two events of one change brings the rows of both, and the second says whose they are.
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

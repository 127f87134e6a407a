// The orders an open dialog decides on: as they were when the user began to choose, compared with what they are now.
// A concurrent change of the decided field asks for a decision; a change of another field does not, and never touches
// the draft.
import { useState } from 'react';
import { eventLogResetCount, restoreCount } from '../api/event-log-reset.ts';
import type { OrderVersion } from '../api/repair-orders.ts';
import { type DecidedField, decidedField } from './choice.ts';
import type { Author, OpenOrder, OrderCache } from './order-cache.ts';
import { useOrders } from './use-orders.ts';

export type DialogOrder =
  /** Unchanged, or different only in fields this dialog does not decide on. */
  | { kind: 'same' | 'touched'; original: OpenOrder; now: OpenOrder }
  /** The decided field has changed. */
  | { kind: 'conflict'; original: OpenOrder; now: OpenOrder }
  | { kind: 'closed'; original: OpenOrder; by: Author | null }
  /** Everything is being loaded again: no newer state is known. */
  | { kind: 'loading'; original: OpenOrder; now: OpenOrder };

export const priorityField = decidedField.priority;
export const techniciansField = decidedField.technicians;

/** `startedOver`: the versions the user saw mean nothing in the current log. */
function compareWithCurrent(
  original: OpenOrder,
  cache: OrderCache,
  decides: DecidedField,
  startedOver: boolean,
): DialogOrder {
  if (cache.listSeq < 0) return { kind: 'loading', original, now: original };
  const now = cache.open.get(original.order.key);
  if (now === undefined) {
    return { kind: 'closed', original, by: cache.closed.get(original.order.key)?.by ?? null };
  }
  if (!startedOver && now.version <= original.version) return { kind: 'same', original, now: original };
  return { kind: decides(now.order) === decides(original.order) ? 'touched' : 'conflict', original, now };
}

function isSettled(order: DialogOrder): order is Extract<DialogOrder, { kind: 'same' | 'touched' }> {
  return order.kind === 'same' || order.kind === 'touched';
}

export interface DialogOrders {
  all: DialogOrder[];
  /** The shop's data was restored from a backup since the user began to choose. */
  restored: boolean;
  /** No concurrent change waits for a decision. */
  settled: boolean;
  /** The user's choice stands, for these orders as they are now. */
  keep(roNumbers: readonly number[]): void;
  /** The user goes on without these orders. */
  drop(roNumbers: readonly number[]): void;
  /**
   * The orders to send: the open ones, with the version the user decided on; null while a decision is needed.
   */
  decidedOn(cache: OrderCache): OrderVersion[] | null;
}

/** An order as the user saw it, and how often all had been loaded anew by then. */
interface SeenOrder {
  original: OpenOrder;
  startOvers: number;
}

function seenNow(original: OpenOrder): SeenOrder {
  return { original, startOvers: eventLogResetCount() };
}

/** The orders as they are when the dialog opens, or as they were `shown` when the user chose before that. */
export function useDialogOrders(
  roNumbers: readonly number[],
  decides: DecidedField,
  shown?: readonly OpenOrder[],
): DialogOrders {
  const cache = useOrders();
  const [{ seen, restores }, setSeen] = useState(() => ({
    seen: (
      shown ?? roNumbers.map((roNumber) => cache?.open.get(roNumber)).filter((cached) => cached !== undefined)
    ).map(seenNow),
    restores: restoreCount(),
  }));
  const against = (latest: OrderCache) =>
    seen.map(({ original, startOvers }) =>
      compareWithCurrent(original, latest, decides, eventLogResetCount() !== startOvers),
    );
  const all = cache === undefined ? [] : against(cache);
  return {
    all,
    restored: restoreCount() !== restores,
    settled: all.every(isSettled),
    keep: (kept) => {
      const isKept = (one: DialogOrder) => kept.includes(one.original.order.key);
      const isLast = all.every((one) => isKept(one) || isSettled(one));
      setSeen({
        seen: all.map((one, place) =>
          isKept(one) && one.kind !== 'closed' ? seenNow(one.now) : (seen[place] ?? seenNow(one.original)),
        ),
        restores: isLast ? restoreCount() : restores,
      });
    },
    // Of what is left by then: an answer may drop orders of a request after the user has dropped others.
    drop: (dropped) =>
      setSeen((before) => ({
        ...before,
        seen: before.seen.filter(({ original }) => !dropped.includes(original.order.key)),
      })),
    decidedOn: (latest) => {
      const now = against(latest);
      const settled = now.filter(isSettled);
      if (settled.length < now.length) return null;
      return settled.map((one) => ({ roNumber: one.original.order.key, version: one.now.version }));
    },
  };
}

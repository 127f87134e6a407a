// One line that the palette offers, and what the lines are made from.
import type { TFunction } from 'i18next';
import { Archive } from 'lucide-react';
import type { Technician } from '../api/repair-orders.ts';
import type { ClosedOrder } from '../repair-order/closed-orders.ts';
import type { OrderPermissions } from '../repair-order/order-actions.ts';
import type { OpenOrder, OrderCache } from '../repair-order/order-cache.ts';
import { statusAppearance } from '../repair-order/statuses.ts';
import { toNameCase } from '../rules/name-case.ts';
import type { Glyph } from '../ui/row-glyphs.tsx';
import type { Command, Vocabulary } from './commands.ts';

export interface Suggestion {
  /** The same thing has the same id, whatever is typed. */
  id: string;
  glyph: Glyph;
  /** The glyph's colour; quiet without. */
  ink?: string;
  text: string;
  /** The text is an order's number. */
  isNumber?: true;
  /** Quieter, behind the text. */
  detail?: string;
  /** What kind of thing it is, in a word. */
  kind: string;
  /** Does the same without the palette. */
  keys?: string;
  choice: Choice;
}

type Choice =
  | { kind: 'execute'; command: Command }
  /** Opens its details. */
  | { kind: 'open'; key: number }
  | { kind: 'type'; text: string }
  | { kind: 'search'; text: string }
  | { kind: 'run'; run(): void };

/** An action that is not about one order. */
export interface PaletteAction extends Pick<Suggestion, 'id' | 'glyph' | 'text' | 'kind' | 'keys'> {
  /** More words that it is found by. */
  keywords?: string;
  run(): void;
}

export interface PaletteContext {
  t: TFunction;
  vocabulary: Vocabulary;
  orders: OrderCache | undefined;
  technicians: readonly Technician[];
  /** Open orders by technician. */
  loads: ReadonlyMap<number, number>;
  may: OrderPermissions;
  actions: readonly PaletteAction[];
  /** The order whose details are open. */
  openOrder: OpenOrder | undefined;
}

export function orderSuggestion(cached: OpenOrder, { t }: PaletteContext): Suggestion {
  const { order } = cached;
  const appearance = statusAppearance[order.status];
  return {
    id: `order ${order.key}`,
    glyph: appearance.glyph,
    ink: appearance.ink,
    text: order.roNumber,
    isNumber: true,
    detail: [order.customer, order.vehicle, order.technician].filter((fact) => fact !== '').join(' · '),
    kind: t('palette.kind.order'),
    choice: { kind: 'execute', command: { kind: 'details', cached } },
  };
}

export function closedOrderSuggestion(order: ClosedOrder, t: TFunction): Suggestion {
  const { repairOrderNumber: key, displayNumber, customer, vehicle, technicians } = order;
  return {
    id: `closed ${key}`,
    glyph: Archive,
    text: displayNumber ?? String(key),
    isNumber: true,
    detail: [toNameCase(customer), vehicle, ...technicians].filter((fact) => fact !== '').join(' · '),
    kind: t('palette.kind.closedOrder'),
    choice: { kind: 'open', key },
  };
}

// The statuses and priorities: ids of the API, which of them are displayed and in which order, how urgent an order is,
// and how each status looks, told by a word (i18n), a shape and a colour. Tabs, palette, sort orders and boards'
// settings are made of these. A new status does not compile until it has all of them.
import { Armchair, Car, ClipboardCheck, Cog, Engine, KeyRound, type LucideIcon } from 'lucide-react';
import type { Priority, Status } from '../api/repair-orders.ts';

/** ENG and Trans have ids of their own, but no order is displayed under them. */
export type DisplayedStatus = Extract<Status, 'Waiting' | 'Drop' | 'PDI' | 'Used'>;

/** In the order of tabs and pickers. */
export const displayedStatuses: readonly DisplayedStatus[] = ['Waiting', 'Drop', 'PDI', 'Used'];

/** The status ids of the API. */
export const statusIds: Record<Status, number> = {
  Drop: 10,
  Waiting: 11,
  Used: 12,
  PDI: 13,
  ENG: 14,
  Trans: 15,
};

/** The most urgent is 0. */
export const statusUrgency: Record<DisplayedStatus, number> = { Waiting: 0, Drop: 1, Used: 2, PDI: 3 };

/** The most urgent first. */
export const priorities: readonly Priority[] = ['Waiting', 'High', 'Medium', 'Low'];

/** The priority levels of the API. */
export const priorityLevels: Record<Priority, number> = { Waiting: 4, High: 3, Medium: 2, Low: 1 };

/** The priority that the server sets with a status, in the same transaction. */
export const automaticPriority: Record<DisplayedStatus, Priority> = {
  Waiting: 'Waiting',
  Drop: 'Low',
  PDI: 'Low',
  Used: 'Low',
};

/** The most urgent is 0. */
export const priorityUrgency: Record<Priority, number> = { Waiting: 0, High: 1, Medium: 2, Low: 3 };

/** The urgencies that one status can have: its orders are ranked by priority at most. */
const URGENCIES_OF_A_STATUS = priorities.length;

/**
 * The most urgent is 0: waiting customers, drop-offs by their priority (one with a waiting customer's is the most
 * urgent of them), used cars, PDI.
 */
export function urgency(order: { status: DisplayedStatus; priority: Priority }): number {
  const withinStatus = order.status === 'Drop' ? priorityUrgency[order.priority] : 0;
  return statusUrgency[order.status] * URGENCIES_OF_A_STATUS + withinStatus;
}

export function byDisplayedStatus<Value>(
  value: (status: DisplayedStatus) => Value,
): Record<DisplayedStatus, Value> {
  const entries = displayedStatuses.map((status) => [status, value(status)] as const);
  return Object.fromEntries(entries) as Record<DisplayedStatus, Value>;
}

export interface StatusAppearance {
  glyph: LucideIcon;
  /** Text colour, 4.5:1 on its tint in both themes. */
  ink: string;
  tint: string;
}

export const statusAppearance: Record<Status, StatusAppearance> = {
  Waiting: { glyph: Armchair, ink: 'text-waiting', tint: 'bg-waiting-tint' },
  Drop: { glyph: KeyRound, ink: 'text-drop', tint: 'bg-drop-tint' },
  PDI: { glyph: ClipboardCheck, ink: 'text-pdi', tint: 'bg-pdi-tint' },
  Used: { glyph: Car, ink: 'text-used', tint: 'bg-used-tint' },
  ENG: { glyph: Engine, ink: 'text-quiet', tint: 'bg-sunken' },
  Trans: { glyph: Cog, ink: 'text-quiet', tint: 'bg-sunken' },
};

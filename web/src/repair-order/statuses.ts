// The statuses and priorities by the server's rules, and how each status looks, told by a word (i18n), a shape and a
// colour. Tabs, palette, sort orders and boards' settings are made of these. A new status does not compile until it has
// all of them.
import type { Priority, Status } from '../api/repair-orders.ts';
import * as rules from '../api/rules.ts';
import type { components } from '../api/schema.ts';
import { Armchair, Car, ClipboardCheck, Cog, Engine, type Glyph, KeyRound } from '../ui/row-glyphs.tsx';

/** ENG and Trans have ids of their own, but no order is displayed under them. */
export type DisplayedStatus = components['schemas']['DisplayedStatus'];

/** In the order of tabs and pickers. */
export const displayedStatuses: readonly DisplayedStatus[] = rules.displayedStatuses;

/** The status ids of the API. */
export const statusIds = Object.fromEntries(rules.statuses.map(({ name, id }) => [name, id])) as Record<
  Status,
  number
>;

/** The most urgent first. */
export const priorities: readonly Priority[] = rules.priorities.map(({ name }) => name);

/** The priority levels of the API. */
export const priorityLevels = Object.fromEntries(
  rules.priorities.map(({ name, level }) => [name, level]),
) as Record<Priority, number>;

/** The priority that the server sets with a status, in the same transaction. */
export const automaticPriority: Record<DisplayedStatus, Priority> = rules.automaticPriorities;

export function byDisplayedStatus<Value>(
  value: (status: DisplayedStatus) => Value,
): Record<DisplayedStatus, Value> {
  const entries = displayedStatuses.map((status) => [status, value(status)] as const);
  return Object.fromEntries(entries) as Record<DisplayedStatus, Value>;
}

export interface StatusAppearance {
  glyph: Glyph;
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

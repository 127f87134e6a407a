// How each status looks, told by a word (i18n), a shape and a colour. A new status does not compile until it has one.
import { Armchair, Car, ClipboardCheck, Cog, Engine, KeyRound, type LucideIcon } from 'lucide-react';
import type { Priority, Status } from '../api/repair-orders.ts';

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

export interface PriorityAppearance {
  /** One to four of four. */
  bars: 1 | 2 | 3 | 4;
  ink: string;
  /** Waiting is not only the longest: it is solid. */
  solid: boolean;
}

export const priorityAppearance: Record<Priority, PriorityAppearance> = {
  Waiting: { bars: 4, ink: 'text-waiting font-semibold', solid: true },
  High: { bars: 3, ink: 'text-ink font-semibold', solid: false },
  Medium: { bars: 2, ink: 'text-ink', solid: false },
  Low: { bars: 1, ink: 'text-quiet', solid: false },
};

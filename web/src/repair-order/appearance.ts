// How each priority looks.
import type { Priority } from '../api/repair-orders.ts';

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

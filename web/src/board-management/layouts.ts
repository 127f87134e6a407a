// The layouts that boards have, and what each can show. A new one does not compile until it has its place.
import { BadgeCheck, Columns3, ListOrdered, type LucideIcon, Sofa } from 'lucide-react';
import type { BoardCategory, BoardLayout } from '../api/boards.ts';
import { displayedStatuses, statusUrgency } from '../repair-order/statuses.ts';

const byStatusUrgency = displayedStatuses.toSorted((a, b) => statusUrgency[a] - statusUrgency[b]);

interface LayoutAppearance {
  glyph: LucideIcon;
  categories: readonly BoardCategory[];
  /** What it shows by default. */
  defaultCategories: readonly BoardCategory[];
}

export const layoutAppearance: Record<BoardLayout, LayoutAppearance> = {
  'shop-floor': {
    glyph: Columns3,
    categories: byStatusUrgency,
    defaultCategories: byStatusUrgency,
  },
  queue: { glyph: ListOrdered, categories: ['Waiting', 'Drop'], defaultCategories: ['Waiting', 'Drop'] },
  'used-pdi': { glyph: BadgeCheck, categories: ['Used', 'PDI'], defaultCategories: ['Used', 'PDI'] },
  lounge: { glyph: Sofa, categories: ['Waiting', 'Drop'], defaultCategories: ['Waiting'] },
};

export const layouts: readonly BoardLayout[] = ['shop-floor', 'queue', 'used-pdi', 'lounge'];

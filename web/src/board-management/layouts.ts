// The layouts that boards have, and what each can show, by the server's rules. A new one does not compile until it has
// its glyph.
import { BadgeCheck, Columns3, ListOrdered, type LucideIcon, Sofa } from 'lucide-react';
import type { BoardCategory, BoardLayout } from '../api/boards.ts';
import { boardLayouts } from '../api/rules.ts';

interface LayoutRules {
  categories: readonly BoardCategory[];
  /** What it shows by default. */
  defaultCategories: readonly BoardCategory[];
}

export const layoutRules = Object.fromEntries(
  boardLayouts.map(({ name, ...layout }): [string, LayoutRules] => [name, layout]),
) as Record<BoardLayout, LayoutRules>;

export const layoutGlyph: Record<BoardLayout, LucideIcon> = {
  'shop-floor': Columns3,
  queue: ListOrdered,
  'used-pdi': BadgeCheck,
  lounge: Sofa,
};

export const layouts: readonly BoardLayout[] = boardLayouts.map(({ name }) => name);

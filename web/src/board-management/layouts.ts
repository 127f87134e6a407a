// The layouts that boards have, and what each can show. A new one does not compile until it has its place.
import { BadgeCheck, Columns3, ListOrdered, type LucideIcon, Sofa } from 'lucide-react';
import type { BoardCategory, BoardLayout } from '../api/boards.ts';

interface LayoutAppearance {
  glyph: LucideIcon;
  categories: readonly BoardCategory[];
  /** What it shows by default. */
  usual: readonly BoardCategory[];
}

export const layoutAppearance: Record<BoardLayout, LayoutAppearance> = {
  'shop-floor': {
    glyph: Columns3,
    categories: ['Waiting', 'Drop', 'Used', 'PDI'],
    usual: ['Waiting', 'Drop', 'Used', 'PDI'],
  },
  queue: { glyph: ListOrdered, categories: ['Waiting', 'Drop'], usual: ['Waiting', 'Drop'] },
  'used-pdi': { glyph: BadgeCheck, categories: ['Used', 'PDI'], usual: ['Used', 'PDI'] },
  lounge: { glyph: Sofa, categories: ['Waiting', 'Drop'], usual: ['Waiting'] },
};

export const layouts: readonly BoardLayout[] = ['shop-floor', 'queue', 'used-pdi', 'lounge'];

// What a board shows of each status: its icon, drawn after Lucide (ISC), which the desk uses, its colour and its name.
import type { Category } from './board-state.ts';

interface CategoryAppearance {
  /** An SVG path, 24 by 24. */
  icon: string;
  /** A class of board.css. */
  colour: 'amber' | 'blue' | 'violet' | 'green';
  en: string;
  de: string;
  es: string;
}

export const categories: Record<Category, CategoryAppearance> = {
  Waiting: {
    icon: 'M19 9V6a2 2 0 0 0-2-2H7a2 2 0 0 0-2 2v3M3 16a2 2 0 0 0 2 2h14a2 2 0 0 0 2-2v-5a2 2 0 0 0-4 0v1.5a.5.5 0 0 1-.5.5h-9a.5.5 0 0 1-.5-.5V11a2 2 0 0 0-4 0zM5 18v2M19 18v2',
    colour: 'amber',
    en: 'Waiting',
    de: 'Wartend',
    es: 'Espera',
  },
  Drop: {
    icon: 'M2.586 17.414A2 2 0 0 0 2 18.828V21a1 1 0 0 0 1 1h3a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h1a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h.172a2 2 0 0 0 1.414-.586l.814-.814a6.5 6.5 0 1 0-4-4zM16.4 7.5h.2',
    colour: 'blue',
    en: 'Drop',
    de: 'Abgabe',
    es: 'Dejado',
  },
  PDI: {
    icon: 'M9 2h6a1 1 0 0 1 1 1v2a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V3a1 1 0 0 1 1-1zM16 4h2a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2h2M9 14l2 2 4-4',
    colour: 'violet',
    en: 'PDI',
    de: 'PDI',
    es: 'PDI',
  },
  Used: {
    icon: 'M19 17h2c.6 0 1-.4 1-1v-3c0-.9-.7-1.7-1.5-1.9C18.7 10.6 16 10 16 10s-1.3-1.4-2.2-2.3c-.5-.4-1.1-.7-1.8-.7H5c-.6 0-1.1.4-1.4.9l-1.4 2.9A3.7 3.7 0 0 0 2 12v4c0 .6.4 1 1 1h2M5 17a2 2 0 1 0 4 0 2 2 0 1 0-4 0M9 17h6M15 17a2 2 0 1 0 4 0 2 2 0 1 0-4 0',
    colour: 'green',
    en: 'Used',
    de: 'Gebraucht',
    es: 'Usado',
  },
};

export function categoryNames(language: 'en' | 'de' | 'es'): Record<Category, string> {
  const entries = Object.entries(categories).map(([category, names]) => [category, names[language]]);
  return Object.fromEntries(entries);
}

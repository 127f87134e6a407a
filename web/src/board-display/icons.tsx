// Icons that are distinguishable from eight metres. Drawn after Lucide (ISC), which the desk uses.
import type { Category } from './board-state.ts';
import { categories } from './categories.ts';

const paths = {
  overdue: 'M21.73 18l-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3M12 9v4.5M12 17.2v.1',
  due: 'M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0M12 6v6l4 2',
  long: 'M5 22h14M5 2h14M17 22v-4.2a2 2 0 0 0-.6-1.4L12 12l-4.4 4.4a2 2 0 0 0-.6 1.4V22M7 2v4.2a2 2 0 0 0 .6 1.4L12 12l4.4-4.4a2 2 0 0 0 .6-1.4V2',
  ready: 'M20 6 9 17l-5-5',
  idle: 'M7 5v14M17 5v14',
  /** A running clock: filled, to differ from the others. */
  play: 'M6 5v14l12-7z',
  cut: 'M2 2l20 20M8.5 16.4a5 5 0 0 1 7 0M5 12.9a10 10 0 0 1 5.2-2.7M19 12.9a10 10 0 0 0-2-1.5M2 8.8a15 15 0 0 1 4.2-2.6M22 8.8A15 15 0 0 0 10.7 5M12 20h.1',
};

export function Icon({ name, weight = 2 }: { name: Category | keyof typeof paths; weight?: number }) {
  return (
    <svg class="glyph" viewBox="0 0 24 24" aria-hidden="true">
      <path
        d={name in paths ? paths[name as keyof typeof paths] : categories[name as Category].icon}
        fill={name === 'play' ? 'currentColor' : 'none'}
        stroke="currentColor"
        stroke-width={weight}
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

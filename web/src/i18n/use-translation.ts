// The page's words in a component, drawn again in another language when one is chosen. react-i18next has the same by
// this name, made for words that load while the page is up; it costs a table more than all its cells.
import { useSyncExternalStore } from 'react';
import { i18n } from './i18n.ts';

interface Translation {
  /** Another one in another language. */
  t: typeof i18n.t;
  language: string;
}

const now = (): Translation => ({ t: i18n.getFixedT(i18n.language), language: i18n.language });

let current = now();
const listeners = new Set<() => void>();

i18n.on('languageChanged', () => {
  current = now();
  for (const listener of listeners) listener();
});

export function useTranslation(): Translation {
  return useSyncExternalStore(subscribe, translation);
}

function translation(): Translation {
  return current;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

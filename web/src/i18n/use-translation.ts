// The page's words in a component, drawn again in another language when one is chosen. react-i18next has the same by
// this name, made for words that load while the page is up; it costs a table more than all its cells.
import { useSyncExternalStore } from 'react';
import { i18n } from './i18n.ts';

interface Translation {
  /** Another one in another language. */
  t: typeof i18n.t;
  language: string;
}

/**
 * What i18next says, without its detours where there is nothing to decide: a table asks for a dozen texts a row. What
 * has a number to count, or no text in this language, is left to it.
 */
function wordsOf(language: string): Translation['t'] {
  const texts = new Map<string, string | null>();
  const textOf = (key: string) => {
    let text = texts.get(key);
    if (text === undefined) {
      const resource: unknown = i18n.getResource(language, 'translation', key);
      text = typeof resource === 'string' ? resource : null;
      texts.set(key, text);
    }
    return text;
  };
  const fixed = i18n.getFixedT(language);
  const say = (...args: unknown[]) => {
    const [key, values = {}, more] = args;
    const text =
      typeof key === 'string' && isValues(values) && values.count === undefined && more === undefined
        ? textOf(key)
        : null;
    if (text === null || !isValues(values)) return Reflect.apply(fixed, i18n, args);
    return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));
  };
  // Another name for `fixed`, with its keys and values checked as there; its brand is all that it lacks.
  return Object.assign(say, { $TFunctionBrand: fixed.$TFunctionBrand });
}

function isValues(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

const now = (): Translation => ({ t: wordsOf(i18n.language), language: i18n.language });

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

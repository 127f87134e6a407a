// The texts of the page for a component, which renders again when another language is chosen. react-i18next has a
// hook of the same name, but it also handles texts that load during rendering, and costs a table more than all its
// cells.
import { useSyncExternalStore } from 'react';
import { createListeners } from '../api/listeners.ts';
import { isolate } from './bidi.ts';
import { i18n } from './i18n.ts';
import { formattingLocale } from './locale.ts';

interface Translation {
  /** Changes with the language. */
  t: typeof i18n.t;
  language: string;
  /** For times and numbers: the language with the reader's region. */
  locale: string;
}

/**
 * Like i18next's `t`, with a fast path for plain texts: a table needs a dozen per row. Plurals and missing texts go
 * to i18next.
 */
function translatorFor(language: string): Translation['t'] {
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
    return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => isolate(String(values[name] ?? '')));
  };
  // Has the type of `fixed`, with its keys and values checked; it only lacks the brand.
  return Object.assign(say, { $TFunctionBrand: fixed.$TFunctionBrand });
}

function isValues(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function currentTranslation(): Translation {
  const { language } = i18n;
  return { t: translatorFor(language), language, locale: formattingLocale(language) };
}

let current = currentTranslation();
const listeners = createListeners();

i18n.on('languageChanged', () => {
  current = currentTranslation();
  listeners.notify();
});

export function useTranslation(): Translation {
  return useSyncExternalStore(listeners.subscribe, translation);
}

function translation(): Translation {
  return current;
}

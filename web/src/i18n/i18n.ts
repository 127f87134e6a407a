// The page's languages. The choice is kept on this device; `<html lang>` follows it.
import i18next from 'i18next';
import { en, type Words } from './en.ts';

export const languages = { en: 'English', de: 'Deutsch', es: 'Español' } as const;
export type Language = keyof typeof languages;

const KEPT_AT = 'dispatch.language';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en };
  }
}

export function isLanguage(value: string | null | undefined): value is Language {
  return value != null && Object.hasOwn(languages, value);
}

function firstLanguage(): Language {
  const kept = localStorage.getItem(KEPT_AT);
  if (isLanguage(kept)) return kept;
  const asked = navigator.languages.map((tag) => tag.split('-')[0]);
  return asked.find((tag) => isLanguage(tag)) ?? 'en';
}

/** The others are fetched when they are wanted: most shops read one. */
const words: Record<Language, () => Promise<Words>> = {
  en: async () => en,
  de: async () => (await import('./de.ts')).de,
  es: async () => (await import('./es.ts')).es,
};
let wanted: Language = 'en';

export async function changeLanguage(language: Language): Promise<void> {
  localStorage.setItem(KEPT_AT, language);
  await speak(language);
}

async function speak(language: Language): Promise<void> {
  wanted = language;
  i18next.addResourceBundle(language, 'translation', await words[language]());
  // Another one may have been chosen while this one was fetched.
  if (wanted === language) await i18next.changeLanguage(language);
}

i18next.on('languageChanged', (language) => {
  document.documentElement.lang = language;
});

await i18next.init({
  resources: { en: { translation: en } },
  lng: 'en',
  fallbackLng: 'en',
  // React escapes what it renders.
  interpolation: { escapeValue: false },
});

// English can be read, too, should the reader's own not come.
await speak(firstLanguage()).catch((failure: unknown) => console.warn('The page stays English.', failure));

export { i18next as i18n };

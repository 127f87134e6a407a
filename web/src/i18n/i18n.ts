// The page's languages. The choice is kept on this device; `<html lang>` follows it.
import i18next from 'i18next';
import { en, type Worded, type Words } from './en.ts';
import type { storyEn } from './story.en.ts';

export const languages = { en: 'English', de: 'Deutsch', es: 'Español' } as const;
export type Language = keyof typeof languages;

const KEPT_AT = 'dispatch.language';

/** Those of tech stories, with the same keys in every language. */
export type StoryTexts = Worded<typeof storyEn>;

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en & { story: typeof storyEn } };
  }
}

export function isLanguage(value: string | null | undefined): value is Language {
  return value != null && Object.hasOwn(languages, value);
}

/** The one of that name, or English. */
export function languageOr(name: string): Language {
  return isLanguage(name) ? name : 'en';
}

function firstLanguage(): Language {
  const stored = localStorage.getItem(KEPT_AT);
  if (isLanguage(stored)) return stored;
  const preferred = navigator.languages.map((tag) => tag.split('-')[0]);
  return preferred.find((tag) => isLanguage(tag)) ?? 'en';
}

/** The others are fetched when they are wanted: most shops read one. */
const words: Record<Language, () => Promise<Words>> = {
  en: async () => en,
  de: async () => (await import('./de.ts')).de,
  es: async () => (await import('./es.ts')).es,
};
/** Of a part of the page that is loaded after the desk, and its words with it. */
type LaterWords = Record<Language, () => Promise<object>>;
const later = new Set<LaterWords>();
let wanted: Language = 'en';

/** They are there when the answer comes, and in each language that is chosen from then on. */
export async function loadTexts(more: LaterWords): Promise<void> {
  later.add(more);
  await Promise.all([...new Set<Language>(['en', wanted])].map((language) => add(language, more)));
}

async function add(language: Language, more: LaterWords): Promise<void> {
  i18next.addResourceBundle(language, 'translation', await more[language](), true);
}

export async function changeLanguage(language: Language): Promise<void> {
  localStorage.setItem(KEPT_AT, language);
  await speak(language);
}

async function speak(language: Language): Promise<void> {
  wanted = language;
  i18next.addResourceBundle(language, 'translation', await words[language]());
  await Promise.all([...later].map((more) => add(language, more)));
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

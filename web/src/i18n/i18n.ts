// The page's languages. The choice is kept on this device; `<html lang>` follows it.
import i18next from 'i18next';
import { isolate } from './bidi.ts';
import type { dialogsEn } from './dialogs.en.ts';
import { en, type Texts, type TextsLike } from './en.ts';
import type { paletteEn } from './palette.en.ts';
import type { screensEn } from './screens.en.ts';
import type { stagesEn } from './stages.en.ts';
import type { storyEn } from './story.en.ts';

export const languages = { en: 'English', de: 'Deutsch', es: 'Español' } as const;
export type Language = keyof typeof languages;

const STORAGE_KEY = 'dispatch.language';

/** The texts of the screens besides login and desk, with the same keys in every language. */
export type ScreenTexts = TextsLike<typeof screensEn>;

/** The texts of what the desk loads once its list is painted, with the same keys in every language. */
export type DialogTexts = TextsLike<typeof dialogsEn>;

/** The texts of the command palette and of the sheet of shortcuts, with the same keys in every language. */
export type PaletteTexts = TextsLike<typeof paletteEn>;

/** The texts of tech stories, with the same keys in every language. */
export type StoryTexts = TextsLike<typeof storyEn>;

/** The texts of stages, with the same keys in every language. */
export type StageTexts = TextsLike<typeof stagesEn>;

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: {
      translation: typeof en &
        typeof screensEn &
        typeof dialogsEn &
        typeof paletteEn & { story: typeof storyEn; stages: typeof stagesEn };
    };
  }
}

export function isLanguage(value: string | null | undefined): value is Language {
  return value != null && Object.hasOwn(languages, value);
}

/** The language of that name, or English. */
export function languageOr(name: string): Language {
  return isLanguage(name) ? name : 'en';
}

function firstLanguage(): Language {
  const stored = localStorage.getItem(STORAGE_KEY);
  if (isLanguage(stored)) return stored;
  const preferred = navigator.languages.map((tag) => tag.split('-')[0]);
  return preferred.find((tag) => isLanguage(tag)) ?? 'en';
}

/** The other languages load when they are chosen: most shops use one. */
const textLoaders: Record<Language, () => Promise<Texts>> = {
  en: async () => en,
  de: async () => (await import('./de.ts')).de,
  es: async () => (await import('./es.ts')).es,
};
/** Loads the texts of a part of the page that loads later. */
type TextLoaders = Record<Language, () => Promise<object>>;
const extraTextLoaders = new Set<TextLoaders>();
let chosenLanguage: Language = 'en';

/** Resolves once the texts are loaded; they also load in each language that is chosen later. */
export async function loadTexts(loaders: TextLoaders): Promise<void> {
  extraTextLoaders.add(loaders);
  await Promise.all([...new Set<Language>(['en', chosenLanguage])].map((language) => add(language, loaders)));
}

async function add(language: Language, loaders: TextLoaders): Promise<void> {
  i18next.addResourceBundle(language, 'translation', await loaders[language](), true);
}

export async function changeLanguage(language: Language): Promise<void> {
  localStorage.setItem(STORAGE_KEY, language);
  await speak(language);
}

async function speak(language: Language): Promise<void> {
  chosenLanguage = language;
  await Promise.all([textLoaders, ...extraTextLoaders].map((loaders) => add(language, loaders)));
  // Another language may have been chosen while this one loaded.
  if (chosenLanguage === language) await i18next.changeLanguage(language);
}

i18next.on('languageChanged', (language) => {
  document.documentElement.lang = language;
});

await i18next.init({
  // A copy, since later texts are merged into it.
  resources: { en: { translation: structuredClone(en) } },
  lng: 'en',
  fallbackLng: 'en',
  // React escapes what it renders; directions are left.
  interpolation: { escapeValue: true, escape: isolate },
});

// English is the fallback if the reader's language cannot be loaded.
await speak(firstLanguage()).catch((failure: unknown) => console.warn('The page stays English.', failure));

export { i18next as i18n };

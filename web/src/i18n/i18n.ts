// The page's languages. The choice is kept on this device; `<html lang>` follows it.
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';

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

export async function changeLanguage(language: Language): Promise<void> {
  localStorage.setItem(KEPT_AT, language);
  await i18next.changeLanguage(language);
}

i18next.on('languageChanged', (language) => {
  document.documentElement.lang = language;
});

await i18next.use(initReactI18next).init({
  resources: { en: { translation: en }, de: { translation: de }, es: { translation: es } },
  lng: firstLanguage(),
  fallbackLng: 'en',
  // React escapes what it renders.
  interpolation: { escapeValue: false },
});

export { i18next as i18n };

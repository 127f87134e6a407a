// The texts of what the desk opens in each language, for `loadTexts`.
export const dialogTexts = {
  en: async () => (await import('./dialogs.en.ts')).dialogsEn,
  de: async () => (await import('./dialogs.de.ts')).dialogsDe,
  es: async () => (await import('./dialogs.es.ts')).dialogsEs,
};

// The texts of the screens besides login and desk in each language, for `loadTexts`.
export const screenTexts = {
  en: async () => (await import('./screens.en.ts')).screensEn,
  de: async () => (await import('./screens.de.ts')).screensDe,
  es: async () => (await import('./screens.es.ts')).screensEs,
};

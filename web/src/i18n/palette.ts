// The texts of the command palette and of the sheet of shortcuts in each language, for `loadTexts`.
export const paletteTexts = {
  en: async () => (await import('./palette.en.ts')).paletteEn,
  de: async () => (await import('./palette.de.ts')).paletteDe,
  es: async () => (await import('./palette.es.ts')).paletteEs,
};

// The texts of tech stories in each language, for `loadTexts`.
export const storyTexts = {
  en: async () => ({ story: (await import('./story.en.ts')).storyEn }),
  de: async () => ({ story: (await import('./story.de.ts')).storyDe }),
  es: async () => ({ story: (await import('./story.es.ts')).storyEs }),
};

// The words of tech stories in each language, for `loadWords`.
export const storyWords = {
  en: async () => ({ story: (await import('./story.en.ts')).storyEn }),
  de: async () => ({ story: (await import('./story.de.ts')).storyDe }),
  es: async () => ({ story: (await import('./story.es.ts')).storyEs }),
};

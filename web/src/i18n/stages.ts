// The texts of stages, holds and promises in each language, for `loadTexts`.
export const stageTexts = {
  en: async () => ({ stages: (await import('./stages.en.ts')).stagesEn }),
  de: async () => ({ stages: (await import('./stages.de.ts')).stagesDe }),
  es: async () => ({ stages: (await import('./stages.es.ts')).stagesEs }),
};

import type { Answer } from '../api/tech-stories.ts';

/** By an answer as it is sent, the key of its word. */
export const answerLabel = { 'N/A': 'na', No: 'no', Yes: 'yes' } as const satisfies Record<Answer, string>;

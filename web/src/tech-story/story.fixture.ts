// Interviews and stories for tests, as the server sends them.
import type { DetailsJob } from '../api/repair-orders.ts';
import type {
  FinishedStory,
  Interviewer,
  Interviewers,
  Question,
  StoryClaim,
  StoryVersion,
} from '../api/tech-stories.ts';
import { BUILT_IN } from './interviewer-choice.tsx';

export const GEMINI: Interviewer = { id: 'gemini', name: 'Gemini', model: 'gemini-2.5-flash' };

export function interviewers(configured: Interviewer | null = null): Interviewers {
  const limits = { questions: 12, causeLength: 4_000, notesLength: 8_000, storyLength: 20_000, minutes: 120 };
  return { configured, builtIn: BUILT_IN, limits };
}

export function question(number: number, text: string, by = BUILT_IN): Question {
  return {
    conversationId: 'c1',
    interviewer: by,
    type: 'question',
    question: text,
    number,
    of: 2,
    field: 'none',
  };
}

export function story(text: string, doubts: FinishedStory['doubts'] = []): FinishedStory {
  return {
    conversationId: 'c1',
    interviewer: BUILT_IN,
    type: 'techStory',
    story: text,
    doubts,
    claim: claim(),
  };
}

export function claim(changes: Partial<StoryClaim> = {}): StoryClaim {
  return {
    operationCode: '',
    operationDescription: '',
    causalPart: '',
    partNumbers: [],
    troubleCodes: [],
    measurements: [],
    bulletin: '',
    mileage: '',
    ...changes,
  };
}

export function storyJob(changes: Partial<DetailsJob> = {}): DetailsJob {
  return {
    jobNumber: 1,
    concern: 'Rattles over bumps',
    cause: '',
    briefTechNotes: '',
    techStory: '',
    operations: [],
    assignments: [],
    ...changes,
  };
}

export function storyVersion(seq: number, changes: Partial<StoryVersion> = {}): StoryVersion {
  return {
    seq,
    at: '2026-03-02T14:00:00Z',
    by: { uid: 'u1', name: 'Joe Wilson' },
    channel: 'desk',
    kind: 'edited',
    interviewer: null,
    model: null,
    cause: '',
    briefTechNotes: '',
    answers: [],
    confirmed: [],
    edited: false,
    restoredFrom: null,
    claim: null,
    story: `Story ${seq}`,
    current: false,
    ...changes,
  };
}

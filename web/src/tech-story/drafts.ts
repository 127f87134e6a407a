// Unsent drafts of a job's texts. Kept on this device, so that neither a live update nor a closed dialog or page
// removes them. Deleted at sign-out, since the next user of a shared tablet is somebody else.
import { createAtom, useSelector } from '@tanstack/react-store';
import { onSessionChange, sessionState } from '../api/session.ts';
import type { JobRef } from '../api/tech-stories.ts';
import { DRAFT_KEY_PREFIX } from '../offline/local-data.ts';

/** The fields of a job that are always open in a technician's details. */
export const noteFields = ['cause', 'briefTechNotes'] as const;
export type NoteField = (typeof noteFields)[number];
/** The story is written by hand in an editor of its own; an interview has its entries, and the story it ended with. */
const draftFields = [
  ...noteFields,
  'techStory',
  'interviewCause',
  'interviewNotes',
  'interviewStory',
] as const;
type DraftField = (typeof draftFields)[number];

export interface Draft {
  text: string;
  /** The server's text when the draft was begun: if it differs by now, somebody else changed it. */
  base: string;
  /** An earlier state of it that the server has. */
  saved?: string;
}

type JobDraft = Partial<Record<DraftField, Draft>>;

const keyOf = (roNumber: number, jobNumber: number) => `${DRAFT_KEY_PREFIX}${roNumber}.${jobNumber}`;

/** By key. Read once from storage, then kept in sync. */
const drafts = createAtom(storedDrafts());

function storedDrafts(): ReadonlyMap<string, JobDraft> {
  return new Map(
    Object.keys(localStorage)
      .filter((key) => key.startsWith(DRAFT_KEY_PREFIX))
      .map((key) => [key, parseDraft(localStorage.getItem(key))]),
  );
}

function parseDraft(text: string | null): JobDraft {
  try {
    const parsed: unknown = JSON.parse(text ?? '');
    return Object.fromEntries(
      draftFields.flatMap((field) => {
        const draft = typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, field) : undefined;
        return isDraft(draft) ? [[field, draft]] : [];
      }),
    );
  } catch {
    return {};
  }
}

function isDraft(parsed: unknown): parsed is Draft {
  return typeof parsed === 'object' && parsed !== null && 'text' in parsed && 'base' in parsed;
}

/** Null: no draft. */
export function keepDraft(roNumber: number, jobNumber: number, field: DraftField, draft: Draft | null): void {
  const key = keyOf(roNumber, jobNumber);
  const { [field]: _, ...others } = drafts.get().get(key) ?? {};
  const next: JobDraft = draft === null ? others : { ...others, [field]: draft };
  const kept = new Map(drafts.get());
  if (Object.keys(next).length === 0) kept.delete(key);
  else kept.set(key, next);
  drafts.set(kept);
  store(key, next);
}

function store(key: string, draft: JobDraft): void {
  try {
    if (Object.keys(draft).length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(draft));
  } catch (failure) {
    console.warn('What is typed is kept by this page alone.', failure);
  }
}

/** The server has that text as the job's story. Whether nothing else was written since, by whichever editor. */
export function settleStory(roNumber: number, jobNumber: number, text: string): boolean {
  const draft = drafts.get().get(keyOf(roNumber, jobNumber))?.techStory;
  const isSettled = draft === undefined || draft.text === text;
  keepDraft(roNumber, jobNumber, 'techStory', isSettled ? null : { ...draft, saved: text });
  return isSettled;
}

/** Drops the draft if it says no more than this text. */
export function settleDraft({ roNumber, jobNumber }: JobRef, field: DraftField, text: string): void {
  const draft = drafts.get().get(keyOf(roNumber, jobNumber))?.[field];
  if (draft?.text.trim() === text.trim()) keepDraft(roNumber, jobNumber, field, null);
}

export function forgetDrafts(): void {
  for (const key of drafts.get().keys()) localStorage.removeItem(key);
  drafts.set(new Map());
}

const NO_DRAFT: JobDraft = {};

export function useDrafts(roNumber: number, jobNumber: number): JobDraft {
  const key = keyOf(roNumber, jobNumber);
  return useSelector(drafts, (all) => all.get(key) ?? NO_DRAFT);
}

/** The jobs of an order that have drafts. */
export function useHasDrafts(roNumber: number): boolean {
  return useSelector(drafts, (all) =>
    [...all.keys()].some((key) => key.startsWith(`${DRAFT_KEY_PREFIX}${roNumber}.`)),
  );
}

onSessionChange(() => {
  if (sessionState().status === 'signed-out') forgetDrafts();
});
// Another tab changed a draft.
window.addEventListener('storage', ({ key }) => {
  if (key === null || key.startsWith(DRAFT_KEY_PREFIX)) drafts.set(storedDrafts());
});

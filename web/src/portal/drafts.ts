// Unsent drafts of a job's texts. Kept on this device, so that neither a live update nor a closed dialog or page
// removes them. Deleted at sign-out, since the next user of a shared tablet is somebody else.
import { useCallback, useSyncExternalStore } from 'react';
import { onSessionChange, sessionState } from '../api/session.ts';
import { DRAFT_KEY_PREFIX } from '../offline/local-data.ts';

export const draftFields = ['cause', 'briefTechNotes'] as const;
export type DraftField = (typeof draftFields)[number];

export interface Draft {
  text: string;
  /** The server's text when the draft was begun: if it differs by now, somebody else changed it. */
  base: string;
}

type JobDraft = Partial<Record<DraftField, Draft>>;

const keyOf = (roNumber: number, jobNumber: number) => `${DRAFT_KEY_PREFIX}${roNumber}.${jobNumber}`;

/** By key. Read once from storage, then kept in sync. */
let drafts: ReadonlyMap<string, JobDraft> | null = null;
const listeners = new Set<() => void>();

function allDrafts(): ReadonlyMap<string, JobDraft> {
  drafts ??= new Map(
    Object.keys(localStorage)
      .filter((key) => key.startsWith(DRAFT_KEY_PREFIX))
      .map((key) => [key, parseDraft(localStorage.getItem(key))]),
  );
  return drafts;
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
  const { [field]: _, ...others } = allDrafts().get(key) ?? {};
  const next: JobDraft = draft === null ? others : { ...others, [field]: draft };
  const drafts = new Map(allDrafts());
  if (Object.keys(next).length === 0) {
    drafts.delete(key);
    localStorage.removeItem(key);
  } else {
    drafts.set(key, next);
    localStorage.setItem(key, JSON.stringify(next));
  }
  set(drafts);
}

export function forgetDrafts(): void {
  for (const key of allDrafts().keys()) localStorage.removeItem(key);
  set(null);
}

const NO_DRAFT: JobDraft = {};

export function useDrafts(roNumber: number, jobNumber: number): JobDraft {
  const key = keyOf(roNumber, jobNumber);
  return useSyncExternalStore(
    subscribe,
    useCallback(() => allDrafts().get(key) ?? NO_DRAFT, [key]),
  );
}

/** The jobs of an order that have drafts. */
export function useHasDrafts(roNumber: number): boolean {
  return useSyncExternalStore(subscribe, () =>
    [...allDrafts().keys()].some((key) => key.startsWith(`${DRAFT_KEY_PREFIX}${roNumber}.`)),
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: ReadonlyMap<string, JobDraft> | null): void {
  drafts = next;
  for (const listener of listeners) listener();
}

onSessionChange(() => {
  if (sessionState().status === 'signed-out') forgetDrafts();
});
// Another tab changed a draft.
window.addEventListener('storage', ({ key }) => {
  if (key === null || key.startsWith(DRAFT_KEY_PREFIX)) set(null);
});

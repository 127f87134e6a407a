import { act, renderHook } from '@testing-library/react';

import { beforeEach, expect, test, vi } from 'vitest';
import { forgetDrafts, keepDraft, useDrafts, useHasDrafts } from './drafts.ts';

const session = vi.hoisted(() => ({ state: { status: 'signed-in' }, changed: (): void => undefined }));
vi.mock('../api/session.ts', () => ({
  sessionState: () => session.state,
  onSessionChange: (listener: () => void) => {
    session.changed = listener;
    return () => undefined;
  },
}));

function endSession(): void {
  session.state = { status: 'signed-out' };
  session.changed();
}

beforeEach(forgetDrafts);

const draft = { text: 'Worn pads', base: '' };

test('a draft appears wherever its job is shown, and disappears when it is settled', () => {
  const { result } = renderHook(() => useDrafts(1, 2));
  expect(result.current).toEqual({});
  act(() => keepDraft(1, 2, 'cause', draft));
  expect(result.current).toEqual({ cause: draft });
  expect(renderHook(() => useDrafts(1, 3)).result.current).toEqual({});
  act(() => keepDraft(1, 2, 'cause', null));
  expect(result.current).toEqual({});
  expect(localStorage).toHaveLength(0);
});

test('a draft survives the page', () => {
  keepDraft(1, 2, 'briefTechNotes', draft);
  // As another tab would tell of it: what is in memory is read again.
  window.dispatchEvent(new StorageEvent('storage', { key: 'dispatch.draft.1.2' }));
  expect(renderHook(() => useDrafts(1, 2)).result.current).toEqual({ briefTechNotes: draft });
  expect(renderHook(() => useHasDrafts(1)).result.current).toBe(true);
  expect(renderHook(() => useHasDrafts(2)).result.current).toBe(false);
});

test('an unreadable stored value is not a draft', () => {
  localStorage.setItem('dispatch.draft.1.2', '{"cause": 7, "other": {"text": "x", "base": ""}}');
  localStorage.setItem('dispatch.draft.1.3', 'not JSON');
  window.dispatchEvent(new StorageEvent('storage', { key: null }));
  expect(renderHook(() => useDrafts(1, 2)).result.current).toEqual({});
  expect(renderHook(() => useDrafts(1, 3)).result.current).toEqual({});
});

test('what cannot be stored is kept by the page alone', () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('No room', 'QuotaExceededError');
  });
  keepDraft(1, 2, 'interviewCause', draft);
  expect(renderHook(() => useDrafts(1, 2)).result.current).toEqual({ interviewCause: draft });
});

test('a sign-out leaves nothing that was typed', () => {
  keepDraft(1, 2, 'interviewNotes', draft);
  keepDraft(1, 2, 'interviewStory', draft);
  endSession();
  expect(renderHook(() => useDrafts(1, 2)).result.current).toEqual({});
  expect(localStorage).toHaveLength(0);
});

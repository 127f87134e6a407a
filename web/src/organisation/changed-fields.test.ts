import { expect, test } from 'vitest';
import { changedFields } from './changed-fields.ts';

test('only what is no longer as it was is left', () => {
  const before = { id: 7, pattern: 'ENG*', level: 50, names: { en: 'Wash', de: 'Waschen' }, limit: null };
  const after = { pattern: 'ENG*', level: 60, names: { en: 'Wash', de: 'Waschen' }, limit: null };
  expect(changedFields(before, after)).toEqual({ level: 60 });
  expect(changedFields(before, { names: { en: 'Wash', de: 'Wäsche' }, limit: 4 })).toEqual({
    names: { en: 'Wash', de: 'Wäsche' },
    limit: 4,
  });
  expect(changedFields({ limit: 4 }, { limit: null })).toEqual({ limit: null });
});

test('of what is not known before, everything is left', () => {
  expect(changedFields({}, { level: 60 })).toEqual({ level: 60 });
});

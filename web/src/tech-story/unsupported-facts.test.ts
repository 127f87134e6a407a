import { expect, test } from 'vitest';
import type { UnsupportedFact } from '../api/tech-stories.ts';
import { distinctFacts, isRemoved, splitStory } from './unsupported-facts.ts';

const STORY = 'Replaced part 12 at 1,250 miles. Torqued to 12 Nm, not 125.';

function unsupportedFact(text: string, story = STORY): UnsupportedFact {
  const start = story.indexOf(text);
  return { kind: 'number', text, start, end: start + text.length };
}

const markFacts = (story: string, facts: UnsupportedFact[]) =>
  splitStory(story, facts).map((piece) => (piece.fact === null ? piece.text : `[${piece.text}]`));

test('a story is split at its unsupported facts and loses no text', () => {
  expect(markFacts(STORY, [unsupportedFact('1,250 miles'), unsupportedFact('12')])).toEqual([
    'Replaced part ',
    '[12]',
    ' at ',
    '[1,250 miles]',
    '. Torqued to ',
    '[12]',
    ' Nm, not 125.',
  ]);
  expect(markFacts(STORY, [])).toEqual([STORY]);
});

test('removed facts are gone, and the others are found at their new positions', () => {
  const edited = 'At 1,250 miles: torqued to spec, not 125.';
  expect(isRemoved(edited, unsupportedFact('12'))).toBe(true);
  expect(isRemoved(edited, unsupportedFact('1,250 miles'))).toBe(false);
  expect(markFacts(edited, [unsupportedFact('12'), unsupportedFact('1,250 miles')])).toEqual([
    'At ',
    '[1,250 miles]',
    ': torqued to spec, not 125.',
  ]);
});

test('a fact inside a word is marked inside the word', () => {
  const story = 'Flashed to V12x.';
  expect(markFacts(story, [unsupportedFact('12', story)])).toEqual(['Flashed to V', '[12]', 'x.']);
});

test('of two overlapping facts the longer one is marked', () => {
  const story = 'Part AB-12-C fitted.';
  expect(markFacts(story, [unsupportedFact('12', story), unsupportedFact('AB-12-C', story)])).toEqual([
    'Part ',
    '[AB-12-C]',
    ' fitted.',
  ]);
});

test('the same fact is asked about once', () => {
  expect(
    distinctFacts([
      unsupportedFact('12'),
      { ...unsupportedFact('12'), start: 44, end: 46 },
      unsupportedFact('125'),
    ]),
  ).toHaveLength(2);
});

import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { UnsupportedFact } from '../api/tech-stories.ts';
import { StoryProse } from './story-prose.tsx';

const STORY = `Complaint:
The customer states a rattle.

Cause
Worn link. It had 4 mm of play.
No codes

Confirmation:

Nothing below it.`;

const draw = (facts: UnsupportedFact[] = [], text = STORY) =>
  render(
    <output>
      <StoryProse text={text} facts={facts} />
    </output>,
  ).container;
const markedTexts = (container: Element, tag: string) =>
  [...container.querySelectorAll(tag)].map((one) => one.textContent);

test('only the names of sections are emphasised', () => {
  expect(markedTexts(draw(), 'strong')).toEqual(['Complaint:', 'Cause']);
});

test('the story keeps every letter, marked or not', () => {
  const start = STORY.indexOf('4 mm');
  const container = draw([{ kind: 'number', text: '4 mm', start, end: start + 4 }]);
  expect(screen.getByRole('status').textContent).toBe(STORY);
  expect(markedTexts(container, 'mark')).toEqual(['4 mm']);
  expect(markedTexts(container, 'strong')).toEqual(['Complaint:', 'Cause']);
});

test('text after an unsupported fact does not become a section', () => {
  const text = '12 V\nat rest';
  const container = draw([{ kind: 'number', text: '12', start: 0, end: 2 }], text);
  expect(markedTexts(container, 'strong')).toEqual([]);
});

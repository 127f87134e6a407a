import { render } from 'preact';
import { expect, test } from 'vitest';
import type { ShopFloorCard } from './board-state.ts';
import { ShopFloorCarCard } from './cards.tsx';

const card: ShopFloorCard = {
  key: 'a',
  roNumber: '4389',
  customer: 'Lovelace',
  vehicle: '2003 Honda Accord EX',
  tagNumber: 'T118',
  status: 'Drop',
  priority: 'Medium',
  technicianIds: [1],
  promised: null,
  opened: '2026-11-18T12:41:20Z',
  jobs: 1,
  done: 0,
};
const moment = { now: Date.parse('2026-11-18T16:41:20Z'), zone: [], upright: false };
const place = { height: '6em', changed: false, isGone: false };

function renderedText(one: ShopFloorCard): string {
  const board = document.createElement('div');
  render(<ShopFloorCarCard card={one} since={null} moment={moment} place={place} />, board);
  return [...board.querySelectorAll('.line')].map((line) => line.textContent).join('|');
}

test('a car on the shop floor is shown with its tag, if it has one', () => {
  expect(renderedText(card)).toMatch(/^4389.*\|LovelaceT118\|2003 Honda Accord EX\|/);
  expect(renderedText({ ...card, tagNumber: '' })).toMatch(/^4389.*\|Lovelace\|2003 Honda Accord EX\|/);
});

test('a name that the dealer system sends in upper case is shown as the desk shows it', () => {
  expect(renderedText({ ...card, customer: 'DELGADO & SONS' })).toContain('|Delgado & SonsT118|');
});

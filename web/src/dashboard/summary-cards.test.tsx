import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Figure, Figures } from '../api/repair-orders.ts';
import { changeLanguage } from '../i18n/i18n.ts';
import type { Tab } from './categories.ts';
import { SummaryCards } from './summary-cards.tsx';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const none: Figure = { value: null, yesterday: null };

function figures(more: Partial<Figures> = {}): Figures {
  return {
    completedToday: { value: 12, yesterday: 9 },
    averageWaitMs: { value: 2.5 * HOUR, yesterday: 2.9 * HOUR },
    used: {
      completed: { value: 42, yesterday: 40 },
      averageBeforeServiceMs: { value: 3.2 * DAY, yesterday: 3.1 * DAY },
      averageInServiceMs: { value: 4.5 * DAY, yesterday: 4.52 * DAY },
      averageWithTechnicianMs: { value: 2.1 * DAY, yesterday: null },
    },
    ...more,
  };
}

function show(tab: Tab, loadedFigures: Figures | null, all = 7): string[] {
  render(<SummaryCards tab={tab} shown={7} all={all} waiting={3} figures={loadedFigures} />);
  const labels = screen.getAllByRole('term');
  return labels.map((label) => label.parentElement?.textContent ?? '');
}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-18T20:20:00Z') });
});

afterEach(async () => {
  vi.useRealTimers();
  await changeLanguage('en');
});

test('the default cards count the list and compare the day with yesterday', () => {
  expect(show('all', figures())).toEqual([
    'Total Active ROs7',
    'Waiting Customers3',
    'Completed Today12+3 from yesterday',
    'Average Wait Time2.5h−0.4h from yesterday',
  ]);
});

test('a search or a filter leaves the whole beside what it found, and each card says of which orders it is', () => {
  expect(show('all', figures(), 420)).toEqual([
    'Total Active ROs7 of 420This list',
    'Waiting Customers3Whole shop',
    // A small desk shows the change, any other what it is compared with, too.
    'Completed Today12Whole shop·+3+3 from yesterday',
    'Average Wait Time2.5hWhole shop·−0.4h−0.4h from yesterday',
  ]);
});

test.each(['de', 'es'] as const)('the scope of each card is said in %s', async (language) => {
  await changeLanguage(language);
  const [list, ...others] = show('pdi', figures(), 420);
  const [ofList, ofShop] = { de: ['Diese Liste', 'Ganzer Betrieb'], es: ['Esta lista', 'Todo el taller'] }[
    language
  ];
  expect(list).toContain(ofList);
  expect(others.every((card) => card.includes(ofShop ?? ''))).toBe(true);
});

test('a tab is a part of the shop without a search, too', () => {
  expect(show('pdi', null).slice(0, 2)).toEqual([
    'Total Active ROs7This list',
    'Waiting Customers3Whole shop',
  ]);
});

test('figures of used vehicles say that a search does not change them', () => {
  expect(show('used', figures(), 9)[3]).toBe('Avg Time with Tech2.1dAll used vehicles');
});

test('the cards of used vehicles show the month, in days', () => {
  expect(show('used', figures())).toEqual([
    'Completed in November42+2 from yesterday',
    'Avg Time Before Service3.2d+0.1d from yesterday',
    // Less than one can see is no change.
    'Avg Time in Service4.5d±0 from yesterday',
    // Nothing to compare with.
    'Avg Time with Tech2.1d',
  ]);
});

test('an unknown figure is a dash with an explanation and without a trend', () => {
  const unknown = figures({ completedToday: { value: 0, yesterday: 0 }, averageWaitMs: none });
  expect(show('all', unknown).slice(2)).toEqual([
    'Completed Today0±0 from yesterday',
    'Average Wait Time–No data yet',
  ]);
  expect(screen.getByTitle('No data yet')).toHaveTextContent('–');
});

test('before the figures are loaded the cards show only the counts of the list', () => {
  expect(show('all', null)).toEqual([
    'Total Active ROs7',
    'Waiting Customers3',
    'Completed Today–No data yet',
    'Average Wait Time–No data yet',
  ]);
});

test('each card says how it is counted', () => {
  show('all', figures());
  expect(
    screen.getByTitle(
      'Completed Today: Repair orders closed today, compared with yesterday up to the same time of day.',
    ),
  ).toHaveTextContent('12');
});

test('numbers are formatted for the reader’s locale', async () => {
  await changeLanguage('de');
  expect(show('all', figures())[3]).toBe('Mittlere Wartezeit2,5 h−0,4 h zu gestern');
});

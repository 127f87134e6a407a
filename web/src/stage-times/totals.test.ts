import { expect, test } from 'vitest';
import { byHours, hoursText, longest, readSpan, spans, withFrom, withTo } from './totals.ts';

/** A Wednesday. */
const TODAY = '2026-11-18';

test('spans are weeks of the shop, which begin on Monday', () => {
  expect(spans.thisWeek(TODAY)).toEqual({ from: '2026-11-16', to: TODAY });
  expect(spans.lastWeek(TODAY)).toEqual({ from: '2026-11-09', to: '2026-11-15' });
  expect(spans.fourWeeks(TODAY)).toEqual({ from: '2026-10-22', to: TODAY });
});

test.each([
  ['from=2026-03-07&to=2026-03-09', { from: '2026-03-07', to: '2026-03-09' }],
  ['from=2026-03-07&to=2026-06-14', { from: '2026-03-07', to: '2026-06-14' }],
  ['', spans.thisWeek(TODAY)],
  ['from=2026-03-07', spans.thisWeek(TODAY)],
  ['from=2026-03-09&to=2026-03-07', spans.thisWeek(TODAY)],
  ['from=2026-03-07&to=2026-06-15', spans.thisWeek(TODAY)],
  ['from=yesterday&to=2026-06-15', spans.thisWeek(TODAY)],
])('the address %s says which days they are', (address, span) => {
  expect(readSpan(new URLSearchParams(address), TODAY)).toEqual(span);
});

test('the other end follows where the days would be none or too many', () => {
  const span = { from: '2026-03-07', to: '2026-03-09' };
  expect(withFrom(span, '2026-03-08')).toEqual({ from: '2026-03-08', to: '2026-03-09' });
  expect(withFrom(span, '2026-03-20')).toEqual({ from: '2026-03-20', to: '2026-03-20' });
  expect(withFrom(span, '2025-01-01')).toEqual({ from: '2025-01-01', to: '2025-04-10' });
  expect(withTo(span, '2026-03-01')).toEqual({ from: '2026-03-01', to: '2026-03-01' });
  expect(withTo(span, '2026-12-31')).toEqual({ from: '2026-09-23', to: '2026-12-31' });
});

test('hours line up, and next to none are not called none', () => {
  const hour = 3_600_000;
  expect([0, 60_000, 12 * hour, 12.46 * hour, 1_234 * hour].map((ms) => hoursText(ms, 'en-US'))).toEqual([
    '0.0',
    '<0.1',
    '12.0',
    '12.5',
    '1,234.0',
  ]);
  expect(hoursText(12.5 * hour, 'de-DE')).toBe('12,5');
});

test('who has the most hours comes first, and nobody last', () => {
  const group = (name: string | null, totalMs: number) => ({ name, totalMs });
  const groups = [group(null, 9), group('Ann', 1), group('Deepa', 3)];
  expect(byHours(groups).map(({ name }) => name)).toEqual(['Deepa', 'Ann', null]);
  const stages = [
    { stage: 'ready', totalMs: 1 },
    { stage: 'wash', totalMs: 2 },
  ];
  expect(longest({ stages })?.stage).toBe('wash');
  expect(longest({ stages: [] })).toBeUndefined();
});

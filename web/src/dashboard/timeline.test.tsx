import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toRepairOrder } from '../repair-order/order.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { DISPLAYED_TIME } from '../shop/displayed-time.fixture.ts';
import { Timeline } from './timeline.tsx';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Opened at 14:00, so its ETA is 17:00. */
function showAt(now: string, promisedDateTime: string | null = null) {
  vi.setSystemTime(`2026-03-02T${now}Z`);
  render(<Timeline order={toRepairOrder([row(1, { promisedDateTime })])} />);
}

test('an order that is not due soon shows its due time alone', () => {
  showAt('16:00:00');
  expect(screen.getByText('ETA')).toBeInTheDocument();
  expect(screen.queryByText(/Overdue|Due/)).not.toBeInTheDocument();
});

test('an order that is due soon has a label', () => {
  showAt('16:48:00');
  expect(screen.getByTitle(/^Due in 12 min/)).toHaveTextContent(/Due in 12 min$/);
});

test('an overdue order has a label, by the promised time where there is one', () => {
  showAt('16:25:00', '2026-03-02T15:00:00Z');
  expect(screen.getByTitle(/^Overdue 1 h 25 min/)).toHaveTextContent(/Overdue 1 h 25 min$/);
});

test('the time that counts comes first, whichever it is, and its label last', () => {
  const times = () => screen.getByTitle(/Opened/).textContent;
  showAt('16:48:00');
  expect(times()).toMatch(/^ETA.*Opened.*Due in 12 min$/);
  cleanup();
  showAt('16:48:00', '2026-03-02T17:30:00Z');
  expect(times()).toMatch(/^Promised.*ETA.*Opened/);
  cleanup();
  showAt('16:48:00', '2026-03-02T15:00:00Z');
  expect(times()).toMatch(/^Promised.*ETA.*Overdue 1 h 48 min$/);
});

test('the ETA and the promised time are each named', () => {
  showAt('16:00:00', '2026-03-02T18:30:00Z');
  const displayed = (name: string) => new RegExp(`^${name} ${DISPLAYED_TIME}$`);
  const named = (name: string) => screen.getByText(name).parentElement?.textContent;
  expect(named('ETA')).toMatch(displayed('ETA'));
  expect(named('Promised')).toMatch(displayed('Promised'));
  expect(named('Opened')).toMatch(displayed('Opened'));
});

test('a time of another day is never without its day, even beside one of the same day', () => {
  const named = (name: string) => screen.getByText(name).parentElement?.textContent;
  vi.setSystemTime('2026-03-05T16:00:00Z');
  render(<Timeline order={toRepairOrder([row(1)])} />);
  expect(named('ETA')).toBe('ETA Mon 2 Mar');
  expect(named('Opened')).toBe('Opened Mon 2 Mar');
  cleanup();
  vi.setSystemTime('2026-03-03T16:00:00Z');
  render(<Timeline order={toRepairOrder([row(1, { promisedDateTime: '2026-03-02T15:00:00Z' })])} />);
  expect(named('Promised')).toMatch(/^Promised yesterday /i);
  expect(named('ETA')).toMatch(/^ETA yesterday /i);
});

test('the tooltip shows all times in full', () => {
  showAt('16:48:00', '2026-03-02T17:30:00Z');
  const title = screen.getByTitle(/^Opened/).title.split('\n');
  expect(title).toHaveLength(3);
  expect(title[2]).toMatch(/^Promised Monday/);
});

test('the mark of a promise is in the first line, and what is late in the second', () => {
  vi.setSystemTime('2026-03-02T16:25:00Z');
  const promised = toRepairOrder([row(1, { promisedDateTime: '2026-03-02T15:00:00Z' })]);
  render(<Timeline order={promised} mark={<b>At risk</b>} />);
  const [first, second] = screen.getByTitle(/^Overdue/).children;
  expect(first).toHaveTextContent(/^Promised .*At risk$/);
  expect(second).toHaveTextContent(/^ETA .*Overdue 1 h 25 min$/);
});

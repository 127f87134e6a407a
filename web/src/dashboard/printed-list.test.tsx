import { act, render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { toRepairOrder } from '../repair-order/order.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { DISPLAYED_TIME } from '../shop/displayed-time.fixture.ts';
import { PrintedList } from './printed-list.tsx';

const orders = Array.from({ length: 300 }, (_, place) =>
  toRepairOrder([row(1_000 - place, place === 1 ? { tagNumber: 'T118' } : {})]),
);
const printer = (event: 'beforeprint' | 'afterprint') => act(() => window.dispatchEvent(new Event(event)));

test('while the browser prints there is a list of all orders, with the shown columns only', () => {
  render(
    <PrintedList
      orders={orders}
      columns={['details', 'priority']}
      tab="drop"
      searched=" smith "
      due="overdue"
    />,
  );
  expect(screen.queryByRole('table')).not.toBeInTheDocument();

  printer('beforeprint');
  const rows = within(screen.getByRole('table')).getAllByRole('row');
  expect(rows).toHaveLength(301);
  expect(screen.getAllByRole('columnheader').map((one) => one.textContent)).toEqual([
    'RO Details',
    'Priority',
  ]);
  expect(rows[1]).toHaveTextContent('1000Smith, JoLow');
  expect(rows[2]).toHaveTextContent('999 · Tag T118Smith, JoLow');
  expect(screen.getByRole('heading')).toHaveTextContent('the product DISPATCH: Drop-offs');
  expect(screen.getByText(/^300 orders · Overdue · Search: smith · Printed \w+/)).toBeInTheDocument();

  printer('afterprint');
  expect(screen.queryByRole('table')).not.toBeInTheDocument();
});

test('the ETA, the promised time and the advisor are each named', () => {
  const now = Date.now();
  const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString();
  const [promised, without] = [{ promisedDateTime: at(2) }, { advisor: '' }];
  render(
    <PrintedList
      orders={[promised, without].map((changes, place) =>
        toRepairOrder([row(2 - place, { createDateTime: at(-1), ...changes })]),
      )}
      columns={['assignment', 'timeline']}
      tab="all"
      searched=""
      due={null}
    />,
  );
  printer('beforeprint');
  const [, first, second] = within(screen.getByRole('table')).getAllByRole('row');
  const cells = (of: HTMLElement | undefined) =>
    within(of ?? document.body)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent);
  const times = (...names: string[]) =>
    new RegExp(`^${names.map((name) => `${name} (?:${DISPLAYED_TIME})`).join('')}$`);
  expect(cells(first)).toEqual([
    'UnassignedAdvisor: Dana Whitfield',
    expect.stringMatching(times('Opened', 'ETA', 'Promised')),
  ]);
  expect(cells(second)).toEqual(['Unassigned', expect.stringMatching(times('Opened', 'ETA'))]);
  printer('afterprint');
});

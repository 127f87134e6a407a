// The keys that are held for an order's details. Whether they still are is asked by pressing one.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noPermissions, openDetails } from '../repair-order/details.fixture.ts';
import { openOrders } from '../repair-order/live-orders.ts';
import { emptyOrderCache, landList } from '../repair-order/order-cache.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { holdKeys, takeTypedText } from '../ui/key-hold.ts';
import { Dialogs } from './dialogs.tsx';

vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  fetchDetails: () => new Promise(() => undefined),
}));

let client: QueryClient;

beforeEach(() => {
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows: [row(7), row(8)], seq: 1 }, 0));
});
afterEach(() => {
  takeTypedText();
});

const dialogs = (roNumber: number | null, beside: boolean) => (
  <QueryClientProvider client={client}>
    <MemoryRouter>
      <Dialogs details={openDetails(roNumber, { beside })} may={noPermissions} />
    </MemoryRouter>
  </QueryClientProvider>
);

/** A key that is held acts nowhere. */
const areHeld = () => !fireEvent.keyDown(document.body, { key: 'j' });
const askForKeys = () => holdKeys({ cancel: () => undefined });
/** Whoever takes the focus has it. */
const settled = () => act(async () => undefined);

const places: [string, boolean][] = [
  ['beside the list', true],
  ['over the list', false],
];

test.each(places)('open details %s release them when they change to that order', async (_, beside) => {
  const { rerender } = render(dialogs(7, beside));
  await settled();
  askForKeys();
  rerender(dialogs(7, beside));
  expect(areHeld()).toBe(true);
  rerender(dialogs(8, beside));
  expect(screen.getByText('Repair Order #8 Details')).toBeInTheDocument();
  expect(areHeld()).toBe(false);
});

test.each(places)('details that open %s release them', async (_, beside) => {
  const { rerender } = render(dialogs(null, beside));
  await settled();
  askForKeys();
  expect(areHeld()).toBe(true);
  rerender(dialogs(8, beside));
  await settled();
  expect(areHeld()).toBe(false);
});

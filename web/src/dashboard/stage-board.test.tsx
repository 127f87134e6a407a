// On a phone: which column of the stage view is on screen.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { loadTexts } from '../i18n/i18n.ts';
import { stageTexts } from '../i18n/stages.ts';
import { emptyOrderCache, landList } from '../repair-order/order-cache.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { someStages } from '../repair-order/stages.fixture.ts';
import { shopStages } from '../repair-order/stages.ts';
import type { ListDetails } from './desk-details.ts';
import type { FrozenRow } from './frozen-row-order.ts';
import { StageBoard } from './stage-board.tsx';

const nothing = () => undefined;
const details: ListDetails = { beside: null, open: nothing, enter: nothing, follow: nothing };
const may = { status: true, priority: true, dispatch: true, stage: true };
const shown = { only: null, narrow: true, may, details, foot: 0 };
let client: QueryClient;

beforeAll(() => loadTexts(stageTexts));
beforeEach(() => {
  client = new QueryClient();
  client.setQueryData(shopStages.queryKey, someStages);
});

/** Orders by their numbers, and the stages they are in. */
function board(list: string, ...places: readonly [number, string][]) {
  const orders = places.map(([key, stage]) => row(key, { stage }));
  const { open } = landList(emptyOrderCache, { rows: orders, seq: 1 }, 0);
  const rows = [...open.values()].map((cached): FrozenRow => ({ cached, removal: null }));
  return (
    <QueryClientProvider client={client}>
      <StageBoard {...shown} list={list} rows={rows} open={open} />
    </QueryClientProvider>
  );
}

const switcher = () => screen.getByRole('combobox', { name: 'Stage' });

test('the first one with cars stays when a car comes into one before it', () => {
  const { rerender } = render(board('all', [1, 'in-work'], [2, 'ready']));
  expect(switcher()).toHaveValue('in-work');
  rerender(board('all', [3, 'to-be-dispatched'], [1, 'in-work'], [2, 'ready']));
  expect(switcher()).toHaveValue('in-work');
  expect(screen.getAllByRole('region')).toHaveLength(1);
  expect(screen.getByRole('region', { name: 'In work: 1 car' })).toBeInTheDocument();
});

test('it is the first one of another list', () => {
  const { rerender } = render(board('all', [1, 'in-work'], [2, 'ready']));
  rerender(board('waiting', [3, 'to-be-dispatched'], [1, 'in-work']));
  expect(switcher()).toHaveValue('to-be-dispatched');
});

test('it is the first one with cars once there are some', () => {
  const { rerender } = render(board('all'));
  expect(switcher()).toHaveValue('to-be-dispatched');
  rerender(board('all', [2, 'ready']));
  expect(switcher()).toHaveValue('ready');
});

test('the one that was chosen stays, whatever comes', async () => {
  const { rerender } = render(board('all', [1, 'in-work'], [2, 'ready']));
  await userEvent.selectOptions(switcher(), 'ready');
  rerender(board('all', [3, 'to-be-dispatched'], [1, 'in-work'], [2, 'ready']));
  expect(switcher()).toHaveValue('ready');
});

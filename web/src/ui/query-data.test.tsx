import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { expectGone } from './garbage.fixture.ts';
import { useQueryData } from './query-data.ts';

interface Data {
  text: string;
}

function Shown() {
  return <p>{useQueryData(['data'], ({ text }: Data) => text) ?? 'nothing'}</p>;
}

/** Lands data, and keeps no hold of it. */
function land(client: QueryClient, text: string): WeakRef<Data> {
  const data = { text };
  client.setQueryData(['data'], data);
  return new WeakRef(data);
}

test('what is read follows the data', async () => {
  const client = new QueryClient();
  render(
    <QueryClientProvider client={client}>
      <Shown />
    </QueryClientProvider>,
  );
  expect(screen.getByText('nothing')).toBeVisible();
  act(() => void land(client, 'first'));
  expect(await screen.findByText('first')).toBeVisible();
  act(() => client.clear());
  expect(await screen.findByText('nothing')).toBeVisible();
});

test('what the data was when the component began is given back', async () => {
  const client = new QueryClient();
  const first = land(client, 'first');
  render(
    <QueryClientProvider client={client}>
      <Shown />
    </QueryClientProvider>,
  );
  for (const text of ['second', 'third', 'fourth']) {
    act(() => void land(client, text));
    expect(await screen.findByText(text)).toBeVisible();
  }
  await expectGone(first);
});

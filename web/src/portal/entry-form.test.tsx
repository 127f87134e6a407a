import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { addEntry, type ClockEntry, correctEntry } from '../api/clock.ts';
import { EntryForm, type EntryTarget } from './entry-form.tsx';

vi.mock('../api/clock.ts', async (original) => ({
  ...(await original<typeof import('../api/clock.ts')>()),
  addEntry: vi.fn(),
  correctEntry: vi.fn(),
}));
// Its clock is put forward on 8 March 2026 from 2 to 3, and back on 1 November from 2 to 1.
vi.mock('../shop/shop.ts', async (original) => {
  const { shop } = await original<typeof import('../shop/shop.ts')>();
  return { shop: { ...shop, timeZone: 'America/New_York' } };
});

const user = userEvent.setup();
const done = vi.fn();

beforeEach(() => {
  vi.mocked(addEntry).mockReset().mockResolvedValue();
  vi.mocked(correctEntry).mockReset().mockResolvedValue();
  done.mockReset();
});

const start = () => screen.getByLabelText('Begins');
const end = () => screen.getByLabelText('Ends');
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });

async function open(target: EntryTarget) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <EntryForm technician={7} target={target} done={done} cancel={() => undefined} />
    </QueryClientProvider>,
  );
  await user.type(screen.getByRole('textbox', { name: /^Reason/ }), 'Forgot it');
}

const save = () => user.click(screen.getByRole('button', { name: 'Save' }));

test('a time that does not exist is not sent: its field says why, and has the focus', async () => {
  await open({ kind: 'add', day: '2026-03-08' });
  type(start(), '2026-03-08T01:00');
  type(end(), '2026-03-08T02:15');
  await save();
  expect(addEntry).not.toHaveBeenCalled();
  expect(start()).not.toHaveAttribute('aria-invalid');
  expect(end()).toHaveFocus();
  expect(end()).toBeInvalid();
  expect(end()).toHaveAccessibleDescription(/there is no 2:15\sAM/);
  type(end(), '2026-03-08T03:15');
  await save();
  await waitFor(() => expect(done).toHaveBeenCalledOnce());
  expect(vi.mocked(addEntry).mock.calls[0]?.[1]).toMatchObject({
    startedAt: '2026-03-08T06:00:00.000Z',
    endedAt: '2026-03-08T07:15:00.000Z',
  });
});

test('of a time that comes twice the one that was chosen is sent', async () => {
  await open({ kind: 'add', day: '2026-11-01' });
  type(start(), '2026-11-01T01:30');
  type(end(), '2026-11-01T01:30');
  const [, , , lastChoice] = screen.getAllByRole('radio');
  if (lastChoice === undefined) throw new Error('Both fields ask.');
  await user.click(lastChoice);
  await save();
  await waitFor(() => expect(done).toHaveBeenCalledOnce());
  expect(vi.mocked(addEntry).mock.calls[0]?.[1]).toMatchObject({
    startedAt: '2026-11-01T05:30:00.000Z',
    endedAt: '2026-11-01T06:30:00.000Z',
  });
});

const entry: ClockEntry = {
  entryId: 3,
  startedAt: '2026-11-01T06:10:20.000Z',
  endedAt: '2026-11-01T08:00:40.000Z',
  roNumber: null,
  jobNumber: null,
  forgotten: false,
  deleted: false,
  corrections: [],
  proposal: null,
};

test('an entry that began the second time keeps its begin, to the second, until somebody says otherwise', async () => {
  await open({ kind: 'correct', entry });
  expect(start()).toHaveValue('2026-11-01T01:10');
  expect(screen.getByRole('radio', { name: /^The second/ })).toBeChecked();
  type(end(), '2026-11-01T03:30');
  await save();
  const sent = () => vi.mocked(correctEntry).mock.lastCall?.[2];
  await waitFor(() => expect(sent()?.startedAt).toBe(entry.startedAt));
  expect(sent()?.endedAt).toBe('2026-11-01T08:30:00.000Z');
  await user.click(screen.getByRole('radio', { name: /^The first/ }));
  await save();
  await waitFor(() => expect(sent()?.startedAt).toBe('2026-11-01T05:10:00.000Z'));
});

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import { fetchTechnicians } from '../api/repair-orders.ts';
import { fetchStages } from '../api/stages.ts';
import { technician } from '../api/technician.fixture.ts';
import {
  fetchNameMatches,
  fetchUnmatchedNames,
  forgetMatch,
  matchName,
  type NameMatch,
  type UnmatchedName,
} from '../api/unmatched-names.ts';
import { someStages } from '../repair-order/stages.fixture.ts';
import { Toasts } from '../ui/toasts.tsx';
import { UnmatchedPanel } from './unmatched-panel.tsx';

vi.mock('../api/unmatched-names.ts', () => ({
  fetchUnmatchedNames: vi.fn(),
  fetchNameMatches: vi.fn(),
  matchName: vi.fn(),
  forgetMatch: vi.fn(),
}));
vi.mock('../api/stages.ts', () => ({ fetchStages: vi.fn() }));
vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  fetchTechnicians: vi.fn(),
}));

const lastSeen = '2026-03-02T14:00:00Z';
const names: UnmatchedName[] = [
  { kind: 'technician', number: '77', name: 'Bo Diaz', count: 5, repairOrders: [14, 13, 12, 11], lastSeen },
  { kind: 'advisor', number: 'A12', name: null, count: 1, repairOrders: [8], lastSeen },
  { kind: 'stage', number: 'paint', name: null, count: 2, repairOrders: [9, 7], lastSeen },
];

/** What the server has. */
let unmatched: UnmatchedName[];
let matches: NameMatch[];
let user: ReturnType<typeof userEvent.setup>;

beforeEach(() => {
  vi.clearAllMocks();
  user = userEvent.setup();
  unmatched = names;
  matches = [];
  vi.mocked(fetchUnmatchedNames).mockImplementation(async () => unmatched);
  vi.mocked(fetchNameMatches).mockImplementation(async () => matches);
  vi.mocked(fetchStages).mockResolvedValue({ ...someStages, enabled: false });
  vi.mocked(fetchTechnicians).mockResolvedValue([technician(11, 'Ana Flores', 'Brakes')]);
  vi.mocked(matchName).mockImplementation(async ({ number }) => {
    unmatched = unmatched.filter((one) => one.number !== number);
    matches = [{ kind: 'technician', number, idTechnician: 11, name: 'Ana Flores' }];
  });
  vi.mocked(forgetMatch).mockImplementation(async () => {
    matches = [];
    unmatched = names;
  });
});

async function openPanel(): Promise<void> {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MemoryRouter>
        <UnmatchedPanel close={() => undefined} />
        <Toasts region="Notifications" one="Notification" closeLabel="Dismiss" />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  await screen.findByRole('dialog', { name: 'Names in files' });
}

const unknown = async () =>
  within(await screen.findByRole('region', { name: 'Unknown names' })).findAllByRole('listitem');

test('lists what files name and nobody is called, with the newest repair orders', async () => {
  await openPanel();
  const [person, advisor, stage] = await unknown();
  expect(person).toHaveTextContent('Technician 77 · Bo DiazOn 5 repair orders: 141312');
  expect(within(person as HTMLElement).getByRole('link', { name: '14' })).toHaveAttribute(
    'href',
    '/dashboard?ro=14',
  );
  expect(advisor).toHaveTextContent('Advisor A12On 1 repair order: 8');
  expect(stage).toHaveTextContent('Stage “paint”');
});

test('a technician is chosen, is known from then on, and can be forgotten again', async () => {
  await openPanel();
  await screen.findByRole('option', { name: 'Ana Flores' });
  await user.selectOptions(screen.getByLabelText('What Technician 77 means'), 'Ana Flores');
  await user.click(screen.getByRole('button', { name: 'Match Technician 77' }));
  expect(matchName).toHaveBeenCalledExactlyOnceWith({ kind: 'technician', number: '77', idTechnician: 11 });
  const known = await screen.findByRole('region', { name: 'What names mean' });
  expect(known).toHaveTextContent('Technician 77: Ana Flores');
  expect(screen.queryByLabelText('What Technician 77 means')).toBeNull();
  await user.click(within(known).getByRole('button', { name: 'Forget what Technician 77 means' }));
  expect(await screen.findByLabelText('What Technician 77 means')).toBeVisible();
});

test('an advisor is named, and a stage is one of the shop’s', async () => {
  await openPanel();
  const match = await screen.findByRole('button', { name: 'Match Advisor A12' });
  expect(match).toBeDisabled();
  await user.type(screen.getByLabelText('What Advisor A12 means'), ' Dana Reed {Enter}');
  expect(matchName).toHaveBeenCalledExactlyOnceWith({ kind: 'advisor', number: 'A12', name: 'Dana Reed' });
  await screen.findByRole('option', { name: 'To be dispatched' });
  await user.selectOptions(screen.getByLabelText('What Stage “paint” means'), 'To be dispatched');
  await user.click(screen.getByRole('button', { name: 'Match Stage “paint”' }));
  expect(matchName).toHaveBeenLastCalledWith({ kind: 'stage', number: 'paint', stage: 'to-be-dispatched' });
});

test('says why a name could not be matched, and keeps the choice', async () => {
  vi.mocked(matchName).mockRejectedValue(
    new ApiError(404, 'unknown-technician', 'Technician 11 is not known'),
  );
  await openPanel();
  await screen.findByRole('option', { name: 'Ana Flores' });
  const choice = screen.getByLabelText('What Technician 77 means');
  await user.selectOptions(choice, 'Ana Flores');
  await user.click(screen.getByRole('button', { name: 'Match Technician 77' }));
  expect(await screen.findByText('Technician 77 could not be matched')).toBeVisible();
  expect(choice).toHaveValue('11');
});

test('leaves a name as somebody else has matched it meanwhile, and says so', async () => {
  await openPanel();
  await screen.findByRole('option', { name: 'Ana Flores' });
  await user.selectOptions(screen.getByLabelText('What Technician 77 means'), 'Ana Flores');
  unmatched = names.slice(1);
  matches = [{ kind: 'technician', number: '77', idTechnician: 12, name: 'Ben Ode' }];
  await user.click(screen.getByRole('button', { name: 'Match Technician 77' }));
  expect(await screen.findByText('Somebody else has said meanwhile what it means: see below.')).toBeVisible();
  expect(matchName).not.toHaveBeenCalled();
  expect(await screen.findByRole('region', { name: 'What names mean' })).toHaveTextContent(
    'Technician 77: Ben Ode',
  );
  expect(screen.queryByLabelText('What Technician 77 means')).toBeNull();
});

test('a name of another kind that is known is no reason not to match one', async () => {
  matches = [{ kind: 'advisor', number: '77', idTechnician: null, name: 'Dana Reed' }];
  await openPanel();
  await screen.findByRole('option', { name: 'Ana Flores' });
  await user.selectOptions(screen.getByLabelText('What Technician 77 means'), 'Ana Flores');
  await user.click(screen.getByRole('button', { name: 'Match Technician 77' }));
  expect(matchName).toHaveBeenCalledExactlyOnceWith({ kind: 'technician', number: '77', idTechnician: 11 });
});

test('says so when every name is known', async () => {
  unmatched = [];
  await openPanel();
  expect(await screen.findByText('All names in the files are known.')).toBeVisible();
});
